# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives of forces by differences: known matrices, of which one at one angle differs from that at rest."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cs6967_assignment_2.measurements import warped_constancy as m
from deformbench_analysis.results import Results

VERTICES = 4
SIZE = 3 * VERTICES
REST = np.random.default_rng(3).normal(size=(SIZE, SIZE))  # not symmetric, as that of warping by vertex is not
OTHER = np.random.default_rng(4).normal(size=(SIZE, SIZE))
OTHER *= np.linalg.norm(REST) / np.linalg.norm(OTHER)


def run(folder: Path, name: str, angle: float, matrix: np.ndarray, step: float = 1e-6, poses: int = 2 * SIZE) -> None:
    start = np.random.default_rng(int(angle)).normal(size=SIZE)
    moved = np.repeat(np.eye(SIZE), 2, axis=0) * np.tile([step, -step], SIZE)[:, None]
    positions = (start + moved)[:poses]
    pose = {
        "positions": positions.reshape(-1, VERTICES, 3),
        "elastic_forces": (7.0 - positions @ matrix.T).reshape(-1, VERTICES, 3),
    }
    schedule = {"poses": {"field": "bend_differences", "parameters": {"angle_deg": angle}}}
    swept = {"schedule.poses.parameters.angle_deg": angle}
    write_trace(folder, f"{m.M.experiment} warped_fem {name}", schedule=schedule, swept=swept, pose=pose)


def fill(folder: Path, changes: dict[tuple[str, float], float]) -> None:
    for name in ("linear", "element", "vertex"):
        for angle in (0.0, 10.0, 30.0, 90.0):
            run(folder, name, angle, REST + changes.get((name, angle), 0.0) * OTHER)


def test_differences_give_the_matrix_with_its_sides_in_place(tmp_path: Path) -> None:
    run(tmp_path, "element", 0.0, REST)
    trace = Results(tmp_path, "paper", {}).experiment(m.M.experiment).cells[0]
    assert m.stiffness(trace) == pytest.approx(REST, abs=1e-8)


def test_the_worst_angle_of_each_kind_counts(tmp_path: Path) -> None:
    fill(tmp_path, {("element", 10.0): 0.02, ("element", 30.0): 0.3, ("vertex", 10.0): 0.04, ("vertex", 90.0): 0.2})
    assert number(tmp_path, "warped_constancy.change_element") == pytest.approx(0.3, rel=1e-6)
    assert number(tmp_path, "warped_constancy.change_vertex") == pytest.approx(0.2, rel=1e-6)
    assert number(tmp_path, "warped_constancy.change_at_ten_degrees") == pytest.approx(0.04, rel=1e-6)
    assert number(tmp_path, "warped_constancy.change_linear") == pytest.approx(0.0, abs=1e-7)


def test_missing_poses_and_poses_that_are_no_differences_are_refused(tmp_path: Path) -> None:
    fill(tmp_path, {})
    run(tmp_path, "element", 45.0, REST, poses=2 * SIZE - 1)
    assert "expected two for each" in value_of(tmp_path, "warped_constancy.change_element").note
    run(tmp_path, "vertex", 45.0, REST, step=0.0)
    assert "do not differ" in value_of(tmp_path, "warped_constancy.change_vertex").note
