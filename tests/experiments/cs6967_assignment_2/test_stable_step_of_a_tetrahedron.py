# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs of one element: the limit is between the largest step that stays and the smallest that grows."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

SHAPES = {
    "regular": (np.array([[1.0, 1, 1], [1, -1, -1], [-1, -1, 1], [-1, 1, -1]]) / np.sqrt(8), np.sqrt(2 / 3)),
    "corner": (np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1 / np.sqrt(3)),
}
WAVE = float(np.sqrt(1e5 * 0.75 / (1.25 * 0.5) / 1000.0))
NAME = "stable_step_of_a_tetrahedron"


def run(folder: Path, shape: str, dt: float, growth: float, status: str = "completed") -> None:
    rest = SHAPES[shape][0]
    x = np.tile(rest, (4, 1, 1))
    x[:, 1, 2] += 1e-7 * np.array([1.0, -1, growth, 1])
    write_trace(
        folder,
        f"cs6967_assignment_2/{NAME} explicit_fem symplectic",
        swept={"time_step_s": dt},
        scene={"shape": shape, "edge_m": 1.0, "young_modulus_pa": 1e5, "poisson_ratio": 0.25, "density_kg_m3": 1e3},
        status=status,
        arrays={"rest_positions": rest, "tetrahedra": np.array([[0, 1, 2, 3]])},
        step={"positions": x},
    )


def bracket(folder: Path, shape: str, low: float, high: float) -> None:
    run(folder, shape, low / 2, 1.0)
    run(folder, shape, low, 1.5)
    run(folder, shape, high, -2.5)
    run(folder, shape, 2 * high, 1.0, status="diverged")


@pytest.mark.parametrize("slow", ["regular", "corner"])
def test_the_limit_is_the_middle(tmp_path: Path, slow: str) -> None:
    altitudes = {shape: SHAPES[shape][1] for shape in SHAPES}
    limits = {shape: 0.03 if shape == slow else 0.3 for shape in SHAPES}
    for shape, middle in limits.items():
        bracket(tmp_path, shape, middle - 0.01, middle + 0.01)
    over = {shape: limits[shape] * WAVE / altitudes[shape] for shape in SHAPES}
    assert number(tmp_path, f"{NAME}.courant") == pytest.approx(limits["regular"] * WAVE)
    assert number(tmp_path, f"{NAME}.spread_over_altitude") == pytest.approx(max(over.values()) / min(over.values()))


def test_no_limit_between_the_runs_is_no_number(tmp_path: Path) -> None:
    run(tmp_path, "regular", 0.1, 1.0)
    assert number(tmp_path, f"{NAME}.courant") == np.inf
    run(tmp_path, "regular", 0.05, 3.0)
    assert "no limit" in value_of(tmp_path, f"{NAME}.courant").note
    run(tmp_path, "regular", 0.07, 3.0, status="failed")
    assert "failed" in value_of(tmp_path, f"{NAME}.courant").note
