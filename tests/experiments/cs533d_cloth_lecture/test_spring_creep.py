# SPDX-License-Identifier: BSD-3-Clause
"""A spring that creeps by (1 − cΔt)ⁿ."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import driven
from measured import number

FINE = (0.01, 0.02, 0.05, 0.1)


def run(folder: Path, dt: float) -> None:
    rows = max(10, round(1 / dt))
    stress = 0.1 * (1 - dt) ** np.arange(rows + 1)
    strain = np.full(rows + 1, 0.1)
    strain[0] = stress[0] = 0.0
    driven(
        folder,
        "spring_creep",
        "creep",
        strain[:, None],
        stress[:, None],
        np.array([0.2]),
        parameters={"creep_rate_1_s": 1.0},
        scene={"programme_values": [0.1]},
        swept={"time_step_s": dt},
        dt=dt,
    )


def test_explicit_creep_is_of_first_order(tmp_path: Path) -> None:
    for dt in (*FINE, 0.9, 1.5, 2.5):
        run(tmp_path, dt)
    assert number(tmp_path, "spring_creep.order_low") == pytest.approx(1.0, abs=0.05)
    assert number(tmp_path, "spring_creep.order_high") == pytest.approx(1.0, abs=0.05)
    assert number(tmp_path, "spring_creep.finest_error") == pytest.approx(np.exp(-1) - 0.99**100, rel=1e-9)
    assert number(tmp_path, "spring_creep.least_share") == pytest.approx(0.01)
    assert number(tmp_path, "spring_creep.largest_fine_share") == pytest.approx(0.1)
    assert number(tmp_path, "spring_creep.largest_share_without_overshoot") == pytest.approx(0.9)
    assert number(tmp_path, "spring_creep.smallest_share_that_diverges") == pytest.approx(2.5)
