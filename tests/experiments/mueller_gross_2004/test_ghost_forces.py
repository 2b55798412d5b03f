# SPDX-License-Identifier: BSD-3-Clause
"""Net forces and torques of internal forces: one pose of one size has them, one row of one bar has drifted."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

POSES, DRIFT = "mueller_gross_2004/ghost_forces", "mueller_gross_2004/ghost_force_drift"
LARGEST = [1e-9, 10.0, 20.0, 40.0]  # N; the first pose is at rest, where forces are rounding


def posed(
    folder: Path,
    name: str,
    field: str,
    size: float,
    forces: list[float],
    torques: list[float] | None = None,
    status: str = "completed",
    largest: list[float] = LARGEST,
) -> None:
    """`forces`, `torques`: |Σ f| and |Σ x × f| of every pose over the largest force (times the length)."""

    def vectors(sizes: list[float], arm: float) -> np.ndarray:
        return np.outer(np.multiply(sizes, LARGEST) * arm, [0, 0.6, -0.8])

    pose = {
        "elastic_force_sum": vectors(forces, 1),
        "elastic_torque_sum": vectors(torques or forces, size),
        "max_elastic_force": np.array(largest),
    }
    swept = {"length_m": size, "schedule.poses.field": field}
    write_trace(folder, f"{POSES} warped_fem {name}", status=status, swept=swept, pose=pose)


QUIET = [0.9, 1e-15, 2e-15, 1e-15]  # at rest the ratio means nothing


@pytest.mark.parametrize("name", ["element", "element_qr"])
def test_one_pose_is_the_sum(tmp_path: Path, name: str) -> None:
    posed(tmp_path, name, "bend", 0.3, [0.9, 1e-15, 0.02, 1e-15], [0.9, 0.0, 1e-15, 0.03])
    assert number(tmp_path, f"ghost_forces.{name}_force_sum") == pytest.approx(0.02)
    assert number(tmp_path, f"ghost_forces.{name}_torque_sum") == pytest.approx(0.03)


def test_the_sum_of_the_size_that_shows_it_least_is_that_of_its_worst_pose(tmp_path: Path) -> None:
    for size, bent, twisted in ((0.15, 0.3, 0.1), (0.3, 0.05, 0.2), (1.5, 0.01, 0.4)):
        posed(tmp_path, "vertex", "bend", size, [0.9, 0.0, bent, 0.001])
        posed(tmp_path, "vertex", "twist", size, [0.9, 0.0, twisted, 0.001])
        posed(tmp_path, "vertex", "random_positions", size, [0.0, 0.8, 0.8, 0.8])
    assert number(tmp_path, "ghost_forces.vertex_force_sum") == pytest.approx(0.2)
    assert value_of(tmp_path, "ghost_forces.vertex_force_sum").note == "largest over all: 0.4"


def drifted(folder: Path, name: str, centre: np.ndarray) -> None:
    series = {"step": {"centre_of_mass": centre}}
    write_trace(folder, f"{DRIFT} warped_fem {name}", scene={"length_m": 2.0}, series=series)


@pytest.mark.parametrize("name", ["element", "vertex"])
def test_drift_is_the_largest_way_of_the_centre_from_its_start_in_any_row(tmp_path: Path, name: str) -> None:
    drifted(tmp_path, name, np.array([[1.0, 0, 0], [1.0, 0.001, 0], [1.0, 0.3, 0.4], [1.0, 0.1, 0]]))
    assert number(tmp_path, f"ghost_force_drift.{name}_drift") == pytest.approx(0.25)


def test_the_worst_of_the_others_stands_for_no_size_that_was_cut_off(tmp_path: Path) -> None:
    for size, status in ((0.15, "completed"), (0.3, "failed"), (1.5, "completed")):
        posed(tmp_path, "vertex", "bend", size, QUIET, status=status)
    assert "1 cells did not complete" in value_of(tmp_path, "ghost_forces.vertex_force_sum").note


@pytest.mark.parametrize("force", [float("nan"), float("inf")])
def test_a_pose_whose_forces_are_not_finite_is_none_without_forces(tmp_path: Path, force: float) -> None:
    posed(tmp_path, "element", "bend", 0.3, QUIET, largest=[1e-9, 10.0, force, 40.0])
    for name in ("element_force_sum", "element_torque_sum"):
        assert "not a number" in value_of(tmp_path, f"ghost_forces.{name}").note


def test_a_sum_or_a_way_that_is_not_finite_is_no_small_one(tmp_path: Path) -> None:
    posed(tmp_path, "element", "bend", 0.3, [0.9, 0.0, float("nan"), 0.0])
    drifted(tmp_path, "element", np.array([[0.0] * 3, [float("nan")] * 3, [0.0] * 3]))
    for name in (
        "ghost_forces.element_force_sum",
        "ghost_forces.element_torque_sum",
        "ghost_force_drift.element_drift",
    ):
        assert "not a number" in value_of(tmp_path, name).note
