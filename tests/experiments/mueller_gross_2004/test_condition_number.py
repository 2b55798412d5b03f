# SPDX-License-Identifier: BSD-3-Clause
"""Condition numbers of poses on made-up runs: one pose of one cell is off."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.mueller_gross_2004.measurements import condition_number as m
from deformbench_analysis.vocabulary import MissingData, Results, Trace


def write(
    folder: Path,
    field: str,
    time_step: float,
    condition: list[float],
    experiment: str = m.M.experiment,
    bound: list[float] | None = None,
    unconverged: int | None = None,
) -> None:
    scene = {
        "side_m": 0.1,
        "cells_across": 2,
        "density_kg_m3": 1000.0,
        "young_modulus_pa": 1e5,
        "split": "kuhn_six",
        "time_step_s": time_step,
    }
    rows = len(condition)
    converged = np.ones(rows)
    if unconverged is not None:
        converged[unconverged] = 0
    operator = {
        "pose_parameter": np.arange(rows, dtype=float),
        "condition_number": np.array(condition),
        "operator_converged": converged,
        "condition_bound": np.array(bound or [500.0] * rows),
    }
    swept = {"time_step_s": time_step, "schedule.poses.field": field}
    write_trace(folder, f"{experiment} warped_fem", scene=scene, swept=swept, operator=operator)


def cells(folder: Path) -> list[Trace]:
    return Results(folder, "paper", {}).experiment(m.M.experiment).cells


def test_the_stiffness_number_is_without_dimension(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.01, [10.0, 11])
    assert m.stiffness_number(cells(tmp_path)[0]) == pytest.approx(4.0)


def test_growth_compares_poses_with_the_rest_of_their_own_setting(tmp_path: Path) -> None:
    write(tmp_path, "twist", 0.005, [10.0, 10.5, 10])
    write(tmp_path, "bend", 0.005, [10.0, 10, 9])
    assert number(tmp_path, "condition_number.growth_smooth_max") == pytest.approx(1.05)
    write(tmp_path, "random_positions", 0.005, [9.0, 13, 10])
    write(tmp_path, "twist", 0.004, [20.0, 20, 20])  # another setting
    write(tmp_path, "bend", 0.004, [20.0, 20, 20])
    assert number(tmp_path, "condition_number.growth_max") == pytest.approx(1.3)
    assert number(tmp_path, "condition_number.growth_smooth_max") == pytest.approx(1.05)
    assert number(tmp_path, "condition_number.change_random_poses_in_regime") == pytest.approx(0.3)


@pytest.mark.parametrize(
    "time_step, bounded, in_regime", [(0.005, True, True), (0.01, False, True), (0.011, False, False)]
)
def test_the_regimes_end_at_one_and_at_four(tmp_path: Path, time_step: float, bounded: bool, in_regime: bool) -> None:
    write(tmp_path, "bend", time_step, [10.0, 30, 10])  # 1, 4 and 4.84
    (cell,) = cells(tmp_path)
    assert m.is_bounded(cell) == bounded and m.in_regime(cell) == in_regime


def test_numbers_are_those_of_the_worst_pose(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 30, 10], bound=[500.0, 700, 600])
    assert number(tmp_path, "condition_number.bounded_max") == pytest.approx(30)
    assert value_of(tmp_path, "condition_number.bounded_max").note.endswith(", Δt²E/(ρh²) 1")
    assert number(tmp_path, "condition_number.bounded_bound_max") == pytest.approx(700)
    assert number(tmp_path, "condition_number.change_in_regime") == pytest.approx(2.0)
    assert number(tmp_path, "condition_number.all_settings_max") == pytest.approx(30)
    write(tmp_path, "bend", 0.01, [10.0, 35, 10])
    assert number(tmp_path, "condition_number.paper_setting_max") == pytest.approx(35)


def test_sizes_are_judged_by_their_worst_pose(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 12, 11], m.SIZES.experiment)
    assert number(tmp_path, "condition_number_sizes.growth_max") == pytest.approx(1.2)
    assert number(tmp_path, "condition_number_sizes.bounded_max") == pytest.approx(12)
    assert number(tmp_path, "condition_number_sizes.largest_condition_number") == pytest.approx(12)


@pytest.mark.parametrize("experiment", [m.M.experiment, m.SIZES.experiment])
def test_one_pose_is_nearest_to_its_own_bound(tmp_path: Path, experiment: str) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 30, 10], experiment, bound=[500.0, 60, 50])
    name = experiment.rsplit("/", 1)[-1]
    assert number(tmp_path, f"{name}.bound_ratio_max") == pytest.approx(0.5)


def test_the_note_says_by_how_much_and_at_which_pose(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 4, 12, 11])
    found = value_of(tmp_path, "condition_number.change_max")
    assert found.note.startswith("-60 % in ") and found.note.endswith(" at 1")


@pytest.mark.parametrize("row", [0, 1, 2])
def test_one_eigenvalue_that_did_not_converge_says_nothing(tmp_path: Path, row: int) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 11, 12], unconverged=row)
    assert "an eigenvalue did not converge" in value_of(tmp_path, "condition_number.change_max").note
    with pytest.raises(MissingData, match="an eigenvalue did not converge"):
        m.change_since_start(cells(tmp_path)[0])


def test_the_largest_change_of_a_run_is_that_of_any_row_from_its_first(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 11, 8, 12, 40])
    (cell,) = cells(tmp_path)
    ((note, change),) = m.change_since_start(cell).items()
    assert change == pytest.approx(3.0)
    assert note.startswith("+3e+02 % of 10 in ") and note.endswith(" at 0.04 s")
    ((note, change),) = m.change_since_start(cell, last_step=3).items()
    assert change == pytest.approx(0.2)  # by 2 of 10 in row 2 first
    assert note.startswith("-20 % of 10 in ") and note.endswith(" at 0.02 s")
