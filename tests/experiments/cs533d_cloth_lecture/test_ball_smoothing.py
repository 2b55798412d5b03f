# SPDX-License-Identifier: BSD-3-Clause
"""A sheet and a block beside a ball, one vertex of which was stopped: one velocity, rotation or strength is off."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import stiffness_matrix
from measured import number, value_of, write_trace

from experiments.cs533d_cloth_lecture.measurements import ball_smoothing as m, squared_constraints as constraints
from deformbench_analysis.vocabulary import Results, Trace

PAPER = "cs533d_cloth_lecture"
DT, SPEED, RADIUS, CELLS = 0.5, 0.01, 0.3, 3
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
TETRAHEDRA = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
YOUNG, POISSON = 1e-6, 0.3


def mesh() -> tuple[np.ndarray, np.ndarray]:
    """A standing square of 3 × 3 cells, its lowest corner on top of the ball."""
    n = CELLS + 1
    i, j = (g.ravel() for g in np.meshgrid(np.arange(n), np.arange(n)))
    x = np.column_stack([(i - j) / CELLS / np.sqrt(2), RADIUS + (i + j) / CELLS / np.sqrt(2), 0.0 * i])
    a = (np.arange(CELLS) + n * np.arange(CELLS)[:, None]).ravel()
    return x, np.vstack([np.column_stack([a, a + 1, a + n + 1]), np.column_stack([a, a + n + 1, a + n])])


def springs(x: np.ndarray, triangles: np.ndarray, c: float) -> np.ndarray:
    """Along every edge of the triangles."""
    return stiffness_matrix(x, {tuple(sorted(t[[k, (k + 1) % 3]])) for t in triangles for k in range(3)}, c)


def by_differences(x: np.ndarray) -> np.ndarray:
    """Σ (∂C/∂x)ᵀ ∂C/∂x of the tetrahedra, slopes of C by differences."""
    matrix = np.zeros((x.size, x.size))
    for tetrahedron in TETRAHEDRA:
        c = constraints.simplices(CORNERS[tetrahedron][None], YOUNG, POISSON)
        places = (3 * tetrahedron[:, None] + np.arange(3)).ravel()
        slope = []
        for k in places:
            moved = [x.astype(np.longdouble).copy() for _ in range(2)]
            for q, step in zip(moved, (1e-6, -1e-6)):
                q.ravel()[k] += step
            slope.append((c(moved[0][tetrahedron][None]) - c(moved[1][tetrahedron][None]))[0] / 2e-6)
        matrix[np.ix_(places, places)] += np.array(slope, dtype=float) @ np.array(slope, dtype=float).T
    return matrix


def test_the_matrix_of_deformed_tetrahedra_is_that_of_differences() -> None:
    x = CORNERS + 0.1 * np.random.default_rng(1).normal(size=CORNERS.shape)
    own = m.tetrahedron_matrix(x, CORNERS, TETRAHEDRA, YOUNG, POISSON).toarray()
    assert np.abs(own - by_differences(x)).max() < 1e-7 * np.abs(own).max()


def beside_a_ball(
    folder: Path, name: str, rate: float, velocities: np.ndarray, body: str = "sheet", **more: str
) -> None:
    """Both members stop the first vertex; velocities after the step are given, k = 1e-3 N/m."""
    if body in ("sheet", "lying"):
        x, triangles = mesh()
        if body == "lying":
            x = np.column_stack([x[:, 0], 0 * x[:, 0] + RADIUS, x[:, 1]])
        arrays = {"triangles": triangles}
    else:
        x = CORNERS + [0, RADIUS, 0]
        arrays = {"tetrahedra": TETRAHEDRA, "rest_positions": CORNERS}
    before = np.tile([0, -SPEED, 0], (len(x), 1))
    before[0] = 0
    places = np.stack([x, x + DT * before])
    first = np.tile([0, -SPEED, 0], (len(x), 1))
    write_trace(
        folder,
        f"{PAPER}/ball_smoothing force_cloth {name}",
        parameters={"stretch_stiffness_n_per_m": 1e-3},
        scene={
            "time_step_s": DT,
            "speed_m_s": SPEED,
            "radius_m": RADIUS,
            "cells": CELLS,
            "young_modulus_pa": YOUNG,
            "poisson_ratio": POISSON,
        },
        swept={
            "method.parameters.stretch_damping_s": rate,
            "body": "sheet" if body == "lying" else body,
            "start": body,
        },
        seeds=2,
        arrays={"masses": np.full(len(x), 2.0), **arrays},
        series={
            "step": {
                "positions": np.stack([places, places]),
                "velocities": np.stack([np.stack([first, v]) for v in velocities]),
            }
        },
        **more,  # type: ignore[arg-type]
    )


def after(rate: float, is_constrained: bool) -> np.ndarray:
    """The update of the sheet by a dense solve."""
    x, triangles = mesh()
    v = np.tile([0, -SPEED, 0], (len(x), 1))
    v[0] = 0
    matrix = 2 * np.eye(x.size) + DT / 2 * springs(x + DT * v, triangles, rate * 1e-3)
    right = 2 * v.ravel()
    if is_constrained:  # the normal is y
        matrix[1], right[1] = 0, 0
        matrix[1, 1] = 1
    return np.asarray(np.linalg.solve(matrix, right).reshape(x.shape))


def test_a_dense_solve_is_the_update(tmp_path: Path) -> None:
    rates = (4e3, 4e4)
    for rate in rates:
        beside_a_ball(tmp_path, "half_step", rate, np.stack([after(rate, False)] * 2))
    assert number(tmp_path, "ball_smoothing.update_error") < 1e-12
    for rate in rates:
        plain = after(rate, False)
        off = plain.copy()
        off[3, 2] += 1e-4 * SPEED * (rate == rates[1])
        beside_a_ball(tmp_path, "half_step", rate, np.stack([plain, off]), finished="2027-01-01T00:00:00Z")
        beside_a_ball(tmp_path, "half_step_constrained", rate, np.stack([after(rate, True)] * 2))
    assert 1e-4 < number(tmp_path, "ball_smoothing.update_error") < 0.1
    assert "40000" in value_of(tmp_path, "ball_smoothing.update_error").note
    # s = Δt c/2m: 0.5 · 4/(2 · 32/9), and ten times that.
    s = np.array([1, 10]) * 0.5 * 4 / (2 * 32 / 9)
    x, triangles = mesh()
    found = []
    for rate in rates:
        v = after(rate, False)
        moved = x.copy()
        moved[1:, 1] -= DT * SPEED
        shares = []
        for a, b in {tuple(sorted(t[[k, (k + 1) % 3]])) for t in triangles for k in range(3)}:
            e = (moved[b] - moved[a]) / np.linalg.norm(moved[b] - moved[a])
            shares.append([abs((v[b] - v[a]) @ e), SPEED * abs(e[1]) if a == 0 else 0.0])
        found.append(np.max(shares, axis=0)[0] / np.max(shares, axis=0)[1])
    law = [(1 - m.decay(q)) ** 2 for q in s]
    worst = max(abs(share / q - 1) for share, q in zip(found, law))
    assert number(tmp_path, "ball_smoothing.unlike_a_chain") == pytest.approx(worst, rel=1e-3)
    assert number(tmp_path, "ball_smoothing.rate_of_strong_damping") == pytest.approx(found[1], rel=1e-3)
    assert found[0] > found[1] and number(tmp_path, "ball_smoothing.rate_of_all") == pytest.approx(found[0], rel=1e-3)
    assert number(tmp_path, "ball_smoothing.depth_ratio_implicit") < 1
    assert number(tmp_path, "ball_smoothing.extra_energy_lost") > 0


def test_the_rate_of_all_is_that_of_the_worst_rotation_of_sheets_and_blocks(tmp_path: Path) -> None:
    beside_a_ball(tmp_path, "half_step", 4e3, np.stack([after(4e3, False)] * 2))
    left = np.tile([0, -SPEED, 0], (len(CORNERS), 1))
    left[0] = 0
    # A block's second rotation keeps three quarters of the speeds; the constrained one's are more than all.
    beside_a_ball(tmp_path, "half_step", 1e6, np.stack([left / 8, 3 * left / 4]), body="block")
    beside_a_ball(tmp_path, "half_step_constrained", 1e6, np.stack([2 * left] * 2), body="block")
    value = value_of(tmp_path, "ball_smoothing.rate_of_all")
    assert value.value == pytest.approx(0.75) and "block, rotation 2" in value.note


def test_depths_are_those_of_the_next_step(tmp_path: Path) -> None:
    rate = 2e3
    beside_a_ball(tmp_path, "half_step", rate, np.stack([after(rate, False)] * 2))
    beside_a_ball(tmp_path, "half_step_constrained", rate, np.stack([after(rate, True), after(rate, False)]))
    # The second rotation is not constrained at all.
    assert number(tmp_path, "ball_smoothing.depth_ratio_implicit") == pytest.approx(1.0)
    assert "rotation 2" in value_of(tmp_path, "ball_smoothing.depth_ratio_implicit").note
    x, triangles = mesh()
    v = np.tile([0, -SPEED, 0], (len(x), 1))
    v[0] = 0
    matrix = DT / 2 * springs(x + DT * v, triangles, rate * 1e-3)
    for is_constrained in (False, True):
        u = after(rate, is_constrained).ravel()
        next_height = (DT * (u - matrix @ u / 2))[1]
        cells = m.members(_one(tmp_path, "half_step_constrained" if is_constrained else "half_step"))
        assert cells[0]["explicit"] == pytest.approx(-next_height / (SPEED * DT), rel=1e-3)


def _one(folder: Path, name: str) -> Trace:
    return Results(folder, "paper", {}).experiment(f"{PAPER}/ball_smoothing").one(name=name)


def test_a_flat_meeting_is_left_out(tmp_path: Path) -> None:
    still = np.tile([0, -SPEED, 0], (16, 1))
    for body, rate in (("sheet", 4e3), ("lying", 8e3)):
        beside_a_ball(tmp_path, "half_step", rate, np.stack([still, still]), body=body)
    assert "no runs block" in value_of(tmp_path, "ball_smoothing.rotations").note
    cells = Results(tmp_path, "paper", {}).experiment(f"{PAPER}/ball_smoothing").cells
    found = {str(c.value("scene.parameters.start")): m.rate_shares(c) for c in cells}
    assert {start: len(of) for start, of in found.items()} == {"sheet": 2, "lying": 0}
    assert all(f"s = {4 * 0.5 / (2 * 32 / 9):.3g}" in name for name in found["sheet"])
