# SPDX-License-Identifier: BSD-3-Clause
"""Rises of the energy, per kind of material, on made-up ensembles: one row of one member grows."""

from pathlib import Path

import numpy as np
import pytest
from made_up_runs import ensemble
from measured import number, value_of

from experiments.mueller_gross_2004.measurements import robust_extremes, unconditional_stability

STEPS = [0, 1, 2, 3]
FALLING = [8.0, 4, 2, 2]


def write(
    folder: Path,
    name: str,
    members: list[list[float]],
    experiment: str = robust_extremes.M.experiment,
    young: float = 1e5,
    **more: str,
) -> None:
    coordinates = {"scene.parameters.young_modulus_pa": young}
    ensemble(folder, experiment, name, {"total_energy": np.array(members)}, STEPS, coordinates=coordinates, **more)


def test_each_kind_is_judged_by_its_own_worst_member_against_the_running_minimum(tmp_path: Path) -> None:
    write(tmp_path, "elastic", [FALLING, FALLING])
    write(tmp_path, "plastic", [FALLING, FALLING])
    write(tmp_path, "plastic_limits", [FALLING, [8.0, 1, 5, 4]])  # never above the start
    write(tmp_path, "brittle", [[8.0, 2, 3, 1], FALLING])
    write(tmp_path, "shipped", [FALLING, [4.0, 0, 8e-6, 0]])  # twice nothing is little of what was put in
    read = {
        kind: number(tmp_path, f"robust_extremes.energy_rise_{kind}")
        for kind in ("elastic", "plastic", "brittle", "shipped")
    }
    assert read == {
        "elastic": 0.0,
        "plastic": pytest.approx(4 / 8),
        "brittle": pytest.approx(1 / 8),
        "shipped": pytest.approx(2e-6),
    }
    assert "step 2" in value_of(tmp_path, "robust_extremes.energy_rise_plastic").note
    assert number(tmp_path, "robust_extremes.energy_over_start") == pytest.approx(1.0)


def test_one_row_of_one_member_of_any_kind_may_exceed_its_own_start(tmp_path: Path) -> None:
    write(tmp_path, "elastic", [FALLING, FALLING])
    write(tmp_path, "shipped", [[16.0, 4, 2, 2], [8.0, 4, 10, 2]])
    assert number(tmp_path, "robust_extremes.energy_over_start") == pytest.approx(10 / 8)


def test_a_bad_end_is_counted_on_the_side_of_its_solver(tmp_path: Path) -> None:
    write(tmp_path, "elastic", [FALLING], status="diverged")
    write(tmp_path, "brittle", [FALLING, [8.0, 4, 2, float("nan")]])
    write(tmp_path, "shipped", [FALLING], status="failed")
    write(tmp_path, "shipped", [[8.0, 4, float("inf"), 2], FALLING], young=1e7)
    assert number(tmp_path, "robust_extremes.bad_ends") == 2
    assert number(tmp_path, "robust_extremes.bad_ends_shipped") == 2


def test_a_tangled_start_is_judged_by_the_rise_above_its_running_minimum(tmp_path: Path) -> None:
    experiment = unconditional_stability.M.experiment
    write(tmp_path, "warped_exact", [FALLING, FALLING], experiment)
    write(tmp_path, "warped_exact", [FALLING, [8.0, 1, 3, 2]], experiment, young=1e7)
    write(tmp_path, "warped_cg20_plain", [FALLING, [8.0, 9, 3, 2]], experiment)
    assert number(tmp_path, "unconditional_stability.exact_energy_rise") == pytest.approx(2 / 8)
    assert number(tmp_path, "unconditional_stability.exact_energy_ratio_max") == pytest.approx(1.0)
    assert number(tmp_path, "unconditional_stability.cg20_plain_energy_rise") == pytest.approx(1 / 8)
