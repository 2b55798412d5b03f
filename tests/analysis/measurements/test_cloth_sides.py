# SPDX-License-Identifier: BSD-3-Clause
"""Heights over a sheet with the sign of the side, and moments of impulses, on two small sheets; one vertex wrong in one row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace

from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.measurements import cloth_sides
from deformbench_analysis.results import Results

NAME = "mueller_et_al_2007/self_collision_distance"
N = 4


def measured(folder: Path, name: str) -> Value:
    return Measurer(Results(folder, "paper", {}), "paper")("self_collision_distance." + name)


def sheet(height: float, shift: float) -> np.ndarray:
    return np.array([[i + shift, height, j + shift] for j in range(N) for i in range(N)], float)


def triangles() -> np.ndarray:
    quads = [(N * j + i, N * j + i + 1, N * (j + 1) + i, N * (j + 1) + i + 1) for j in range(N - 1) for i in range(N - 1)]
    own = np.array([t for a, b, c, d in quads for t in ((a, c, b), (b, c, d))])
    return np.vstack([own, own + N * N])


def two_sheets(folder: Path, positions: np.ndarray, velocities: np.ndarray | None = None, iterations: int = 5, time_step: float = 0.01) -> None:
    v = np.zeros_like(positions) if velocities is None else velocities
    m = np.ones(positions.shape[1])
    write_trace(folder, NAME, "pbd", name="pbd", parameters={"iterations": iterations, "thickness_m": 0.1}, coordinates={"method.parameters.iterations": iterations},
                scene={"side_m": 3.0, "speed_m_s": 1.0, "time_step_s": time_step}, arrays={"triangles": triangles(), "masses": m},
                series={"frame": {"positions": positions, "velocities": v},
                        "step": {"linear_momentum": (m[None, :, None] * v).sum(1), "angular_momentum": (m[None, :, None] * np.cross(positions, v)).sum(1),
                                 "self_contacts": np.ones(len(positions)), "self_intersections": np.zeros(len(positions))}})


def approach() -> np.ndarray:
    rows = np.array([np.vstack([sheet(0, 0), sheet(height, 0.3)]) for height in (1.0, 0.5, 0.2, 0.2, 0.3)])
    return rows


def test_the_height_of_one_vertex_in_one_row_decides(tmp_path: Path) -> None:
    x = approach()
    two_sheets(tmp_path / "good", x)
    assert measured(tmp_path / "good", "shortfall").value == pytest.approx(1 - 0.2 / 0.1)
    x[2, N * N + 5, 1] = 0.05
    two_sheets(tmp_path / "near", x)
    assert measured(tmp_path / "near", "shortfall").value == pytest.approx(0.5, abs=0.01)


def test_a_vertex_that_has_passed_counts_with_the_sign_of_the_other_side(tmp_path: Path) -> None:
    x = approach()
    x[3, N * N + 5, 1] = -0.2  # as far from the sheet as before, and behind it
    two_sheets(tmp_path, x, iterations=5)
    two_sheets(tmp_path, approach(), iterations=320)
    worst = measured(tmp_path, "shortfall")
    assert worst.value == pytest.approx(1 + 0.2 / 0.1, rel=0.02) and "iterations=5" in worst.note
    assert measured(tmp_path, "converged_shortfall").value == pytest.approx(-1.0)


def test_a_point_beside_the_border_has_no_side() -> None:
    x, own = sheet(0, 0), triangles()[: 2 * (N - 1) ** 2]
    found = cloth_sides.heights(np.array([[1.2, 0.3, 1.4], [1.2, -0.3, 1.4], [-0.5, 0.1, 1.0]]), x, own)
    assert np.abs(found[0]) == pytest.approx(0.3) and found[1] == pytest.approx(-found[0]) and np.isnan(found[2])


def test_a_moment_of_one_step_is_seen_and_measured_by_the_way(tmp_path: Path) -> None:
    x = approach()
    v = np.zeros_like(x)
    v[:, N * N:, 1] = -1.0
    two_sheets(tmp_path / "good", x, v)
    steady = measured(tmp_path / "good", "angular_momentum_change").value
    assert steady == pytest.approx(0, abs=1e-12) and measured(tmp_path / "good", "momentum_change").value == 0
    v[3, 0, 1], v[3, 3, 1] = 0.6, -0.6  # a couple: 0.6 kg m/s three metres apart, on a sheet of 16 kg m/s
    two_sheets(tmp_path / "bad", x, v)
    change = 0.6 * 3 / (16 * 3)
    assert measured(tmp_path / "bad", "momentum_change").value == pytest.approx(0, abs=1e-12)
    assert measured(tmp_path / "bad", "angular_momentum_change").value == pytest.approx(change)
    assert measured(tmp_path / "bad", "angular_change_per_way").value == pytest.approx(change / (0.01 / 3))
    assert measured(tmp_path / "bad", "moment").value == pytest.approx(0.6 * 3 / 1.2 / 3)
