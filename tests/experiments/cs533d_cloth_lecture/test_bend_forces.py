# SPDX-License-Identifier: BSD-3-Clause
"""Bending forces: one is off, one loop does work, one strip is too stiff."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import folded, write_hinges
from measured import add_frames, number, write_trace
from test_angle_slopes import heights_as_slopes
from test_constraint_forces import angles

FORCES, LOOPS = "cs533d_cloth_lecture/bend_forces", "cs533d_cloth_lecture/bend_loops"
STRIPS = "cs533d_cloth_lecture/strip_stiffness"
B, POINTS = 2.0, 64


def forces(rest: np.ndarray, x: np.ndarray) -> np.ndarray:
    edge = np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
    weight = 2 * edge / (0.8 + 0.9)
    size = 2 * B * weight * np.sin((angles(x) - angles(rest)) / 2)
    return np.asarray(-size[:, None, None] * heights_as_slopes(x))


def bent(strain: float) -> tuple[np.ndarray, np.ndarray]:
    """Five hinges at rest, and bent with edges that are strained."""
    rest = folded(np.linspace(-0.5, 0.5, 5))
    return rest, folded(np.linspace(1.5, -1.2, 5), heights=(0.8 + strain, 0.9), edge=1.1 * (1 + strain))


def strained(folder: Path, strain: float, by: float = 0.0, form: float = 1.0) -> None:
    rest, x = bent(strain)
    f = form * forces(rest, x)
    f[3, 1, 2] += by * np.linalg.norm(f[3], axis=1).max()
    swept = {"in_plane_strain": strain}
    arrays = {"rest_positions": rest.reshape(-1, 3)}
    start = {"positions": x, "elastic_forces": f}
    write_hinges(folder, FORCES, "hinges", start, parameters={"bend_stiffness_j": B}, swept=swept, arrays=arrays)


def test_one_wrong_force_is_found(tmp_path: Path) -> None:
    strained(tmp_path, 0.1, by=1e-6)
    assert number(tmp_path, "bend_forces.formula_difference") == pytest.approx(1e-6, rel=1e-3)
    assert number(tmp_path, "bend_forces.left_out_at_10_percent") == pytest.approx(left_out(0.1), rel=1e-5)


def left_out(strain: float) -> float:
    """4 B (1 − cos(bend/2)) ∂k/∂x over the force without it, k = |e|²/(A1 + A2) by central differences."""
    rest, x = bent(strain)

    def weights(y: np.ndarray) -> np.ndarray:
        e = y[:, 1] - y[:, 0]
        areas = sum(np.linalg.norm(np.cross(e, y[:, k] - y[:, 0]), axis=1) / 2 for k in (2, 3))
        return np.asarray((e**2).sum(axis=1) / areas)

    slopes, step = np.zeros_like(x), 1e-6
    for k, c in np.ndindex(4, 3):
        move = np.zeros((4, 3))
        move[k, c] = step
        slopes[:, k, c] = (weights(x + move) - weights(x - move)) / (2 * step)
    added = 4 * B * (1 - np.cos((angles(x) - angles(rest)) / 2))[:, None, None] * slopes
    largest = [np.linalg.norm(f, axis=2).max(axis=1) for f in (added, forces(rest, x))]
    return float(np.median(largest[0] / largest[1]))


def test_a_factor_is_found(tmp_path: Path) -> None:
    strained(tmp_path, 0.0, form=2.0)
    assert number(tmp_path, "bend_forces.formula_difference") == pytest.approx(1, rel=1e-6)


def loop_run(folder: Path, fold: float, stir: float = 0.0) -> None:
    """Two loops; `stir` adds a force across the second that drives it round."""
    rest = np.repeat(folded(np.array([fold, -fold])), POINTS, axis=0)
    random, phase = np.random.default_rng(2), np.tile(2 * np.pi * np.arange(POINTS) / POINTS, 2)
    a, b = (np.repeat(0.1 * random.normal(size=(2, 4, 3)), POINTS, axis=0) for _ in range(2))
    x = rest + np.cos(phase)[:, None, None] * a + np.sin(phase)[:, None, None] * b
    f = forces(rest, x)
    f[POINTS:] += stir * (np.cos(phase)[:, None, None] * b - np.sin(phase)[:, None, None] * a)[POINTS:]
    scene = {"loop_points": POINTS}
    swept = {"rest_fold_rad": fold}
    arrays = {"rest_positions": rest.reshape(-1, 3)}
    write_hinges(
        folder, LOOPS, "hinges", {"positions": x, "elastic_forces": f}, scene=scene, swept=swept, arrays=arrays
    )


def test_one_loop_with_work_is_found(tmp_path: Path) -> None:
    loop_run(tmp_path / "right", 0.8)
    loop_run(tmp_path / "wrong", 0.8, 1e-4)
    assert number(tmp_path / "right", "bend_loops.work") < 1e-8
    assert number(tmp_path / "wrong", "bend_loops.work") > 1e-6
    assert number(tmp_path / "right", "bend_loops.loops") == 2
    assert number(tmp_path / "right", "bend_loops.folded_at_rest") == pytest.approx(0.8, rel=1e-6)


def strip_run(folder: Path, rows: int, factor: float = 1.0, mesh: str = "right") -> None:
    """Right triangles: every hinge has the energy ½ θ² |e|²/(A1 + A2),
    its angle linear in the heights of its four corners."""
    columns, spacing = 12 * rows + 1, 0.5
    number_of = lambda i, j: j * columns + i  # noqa: E731
    x = np.array([[spacing * i, spacing * j, 0] for j in range(rows + 1) for i in range(columns)])
    hinges_: list[tuple[int, int, int, int]] = []
    for j in range(rows + 1):
        for i in range(columns):
            if i + 1 < columns and j < rows:
                hinges_.append((number_of(i + 1, j), number_of(i, j + 1), number_of(i, j), number_of(i + 1, j + 1)))
            if 0 < i < columns - 1 and j < rows:
                hinges_.append((number_of(i, j), number_of(i, j + 1), number_of(i - 1, j + 1), number_of(i + 1, j)))
            if 0 < j < rows and i + 1 < columns:
                hinges_.append((number_of(i, j), number_of(i + 1, j), number_of(i, j + 1), number_of(i + 1, j - 1)))
    matrix = np.zeros((len(x), len(x)))
    for a, b, c, d in hinges_:
        row = np.zeros(len(x))
        edge = np.linalg.norm(x[b] - x[a])
        area = 0.0
        for corner in (c, d):
            twice = abs(np.cross((x[b] - x[a])[:2], (x[corner] - x[a])[:2]))
            foot = (x[corner] - x[a]) @ (x[b] - x[a]) / edge**2
            height = twice / edge
            row[corner] += 1 / height
            row[a] -= (1 - foot) / height
            row[b] -= foot / height
            area += twice / 2
        matrix += factor * edge**2 / area * np.outer(row, row)
    rows_, columns_ = np.nonzero(matrix)
    path = write_trace(
        folder,
        f"{STRIPS} force_cloth hinges",
        parameters={"bend_stiffness_j": 1.0},
        scene={"spacing_m": spacing},
        swept={"mesh": mesh, "cells_across": rows},
        arrays={"rest_positions": x},
        frame={"positions": x[None]},
    )
    places = np.stack([3 * rows_ + 2, 3 * columns_ + 2], axis=1)
    add_frames(path, [[(0, 0.0, {"stiffness_places": places, "stiffness_entries": matrix[rows_, columns_]})]])


def test_right_triangles_have_one_and_four_fifths(tmp_path: Path) -> None:
    strip_run(tmp_path, 2)
    strip_run(tmp_path, 3)
    strip_run(tmp_path, 2, mesh="equilateral")
    assert number(tmp_path, "strip_stiffness.straight_error") < 1e-6
    assert number(tmp_path, "strip_stiffness.free_right") == pytest.approx(0.8, rel=2e-3)
    assert number(tmp_path, "strip_stiffness.free_right_error") < 2e-3
    assert number(tmp_path, "strip_stiffness.free_equilateral") == pytest.approx(0.8, rel=2e-3)
    assert number(tmp_path, "strip_stiffness.free_equilateral_error") == pytest.approx(0.1, rel=1e-2)
    assert number(tmp_path, "strip_stiffness.rows") == 2


def test_a_strip_that_is_too_stiff_is_found(tmp_path: Path) -> None:
    strip_run(tmp_path, 2, 1.03)
    assert number(tmp_path, "strip_stiffness.straight_right_error") == pytest.approx(0.03, rel=1e-3)
