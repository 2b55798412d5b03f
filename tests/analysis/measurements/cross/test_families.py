# SPDX-License-Identifier: BSD-3-Clause
"""Every family on one scene: the last rows, the worst family, the same time step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from measured import number, value_of


def test_momenta_are_compared_at_the_same_time_step_and_at_the_end(tmp_path: Path) -> None:
    for dt, nonlinear, xpbd in ((0.001, 0.9, 0.89), (0.01, 0.5, 0.53)):
        for name, kept in (("nonlinear", nonlinear), ("xpbd", xpbd)):
            turned = np.array([[0, 0, 2.0], [0, 0, 9.0], [0, 2.0 * kept, 0]])
            write_trace(
                tmp_path,
                "cross/spin",
                "any",
                name=name,
                scene={"time_step_s": dt},
                coordinates={"scene.parameters.time_step_s": dt},
                series={"step": {"angular_momentum": turned}},
            )
    assert number(tmp_path, "spin.xpbd_momentum_difference") == pytest.approx(0.03)


def test_the_worst_volume_is_named_and_linear_elements_do_not_count(tmp_path: Path) -> None:
    for name, volume in (("linear", [2.0, 9.0]), ("warped", [2.0, 1.9, 2.0]), ("xpbd", [4.0, 4.1, 4.0])):
        write_trace(tmp_path, "cross/drop", "any", name=name, series={"step": {"volume": np.array(volume)}})
    assert number(tmp_path, "drop.largest_volume_error") == pytest.approx(0.05)
    assert value_of(tmp_path, "drop.largest_volume_error").note == "warped"


def test_a_family_has_recovered_where_a_millionth_is_left(tmp_path: Path) -> None:
    for name, energy in (("warped", [5.0, 7.0, 6e-6]), ("invertible", [5.0, 7.0, 8e-6]), ("xpbd", [5.0, 4.0, -1e-16])):
        write_trace(
            tmp_path, "cross/tangled_start", "any", name=name, series={"step": {"elastic_energy": np.array(energy)}}
        )
    assert number(tmp_path, "tangled_start.families_recovered") == 2.0
    assert value_of(tmp_path, "tangled_start.families_recovered").note == "warped, xpbd"
