# SPDX-License-Identifier: BSD-3-Clause
"""Condition numbers of poses on made-up runs: one pose of one cell is off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from made_up_runs import value

from deformbench_analysis.measurements.mueller_gross_2004 import condition_number as m

P = "scene.parameters."


def write(folder: Path, field: str, time_step: float, condition: list[float], experiment: str = m.EXPERIMENT) -> None:
    scene = {
        "side_m": 0.1,
        "cells_across": 2,
        "density_kg_m3": 1000.0,
        "young_modulus_pa": 1e5,
        "split": "kuhn_six",
        "time_step_s": time_step,
    }
    rows = len(condition)
    write_trace(
        folder,
        experiment,
        "warped_fem",
        scene=scene,
        schedule={"poses": {"field": field}},
        coordinates={P + "time_step_s": time_step, "schedule.poses.field": field},
        series={
            "operator": {
                "pose_parameter": np.arange(rows, dtype=float),
                "condition_number": np.array(condition),
                "operator_converged": np.ones(rows),
                "condition_bound": np.full(rows, 500.0),
            }
        },
    )


def test_the_stiffness_number_is_without_dimension(tmp_path: Path) -> None:
    from deformbench_analysis.results import Results

    write(tmp_path, "bend", 0.01, [10.0, 11])
    assert m.stiffness_number(Results(tmp_path, "paper", {}).experiment(m.EXPERIMENT).one()) == pytest.approx(4.0)


def test_growth_compares_random_poses_with_the_rest_of_their_own_setting(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 10, 10])
    write(tmp_path, "twist", 0.01, [20.0, 5, 20])
    write(tmp_path, "random_positions", 0.005, [9.0, 13, 10])
    assert value(tmp_path, "condition_number.growth_max") == pytest.approx(1.3)
    assert value(tmp_path, "condition_number.growth_smooth_max") == pytest.approx(1.0)
    write(tmp_path, "twist", 0.02, [20.0, 21, 20])
    assert value(tmp_path, "condition_number.growth_smooth_max") == pytest.approx(1.05)
    assert value(tmp_path, "condition_number.change_max") == pytest.approx(0.75)
    assert value(tmp_path, "condition_number.change_random_poses_in_regime") == pytest.approx(0.3)


def test_the_regimes_end_at_one_and_at_four(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 30, 10])  # 1
    write(tmp_path, "bend", 0.01, [100.0, 120, 100])  # 4
    write(tmp_path, "bend", 0.011, [1000.0, 100, 2000])  # 4.84
    assert value(tmp_path, "condition_number.bounded_max") == pytest.approx(30)
    assert value(tmp_path, "condition_number.bounded_bound_max") == pytest.approx(500)
    assert value(tmp_path, "condition_number.change_in_regime") == pytest.approx(2.0)
    assert value(tmp_path, "condition_number.paper_setting_max") == pytest.approx(120)
    assert value(tmp_path, "condition_number.all_settings_max") == pytest.approx(2000)


def test_sizes_are_judged_by_their_worst_pose(tmp_path: Path) -> None:
    write(tmp_path, "bend", 0.005, [10.0, 12, 11], m.SIZES)
    write(tmp_path, "bend", 0.01, [50.0, 55, 300], m.SIZES)
    assert value(tmp_path, "condition_number_sizes.growth_max") == pytest.approx(6.0)
    assert value(tmp_path, "condition_number_sizes.bounded_max") == pytest.approx(12)
    assert value(tmp_path, "condition_number_sizes.largest_condition_number") == pytest.approx(300)
