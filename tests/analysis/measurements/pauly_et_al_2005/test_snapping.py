# SPDX-License-Identifier: BSD-3-Clause
"""Two squares over each other at known distances."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from front_traces import write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/snapping"


def write(folder: Path, gap: float, name: str = "snapping", second: bool = True) -> None:
    """Squares of 2 m, `gap` apart, of surfels of 0.1 m."""
    square = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    vertices = np.vstack([square, square + [0, 0, gap]])
    triangles = np.array([[0, 1, 2, 0], [0, 2, 3, 0], [4, 5, 6, 1], [4, 6, 7, 1]])
    arrays = {
        "front_nodes": np.zeros((0, 3)),
        "front_ids": np.zeros((0, 6), dtype=np.int64),
        "crack_vertices": vertices,
        "crack_triangles": triangles if second else triangles[:2],
    }
    pennies = [0.05, 0.02, 0.0, 0, 0, 1, 0.2, 18, 0.05, 0.02, gap, 0, 0, 1, 0.2, 18]
    write_fronts(
        folder,
        EXPERIMENT,
        [[(0, 0.0, arrays), (1, 0.1, arrays)]],
        name=name,
        parameters={"crack_surfel_radius_m": 0.1, "crack_pennies": pennies},
        coordinates={"method.parameters.crack_pennies": pennies},
    )


def test_the_thinnest_of_all_runs_counts(tmp_path: Path) -> None:
    write(tmp_path, 0.2)
    write(tmp_path, 0.03)
    write(tmp_path, 0.01, "no_snapping")
    assert number(tmp_path, "snapping.least_gap") == pytest.approx(0.3)
    assert number(tmp_path, "snapping.least_gap_without") == pytest.approx(0.1)
    assert number(tmp_path, "snapping.least_start") == pytest.approx(0.3)


def test_one_sheet_alone_has_no_gap(tmp_path: Path) -> None:
    write(tmp_path, 0.2, second=False)
    assert "two sheets" in value_of(tmp_path, "snapping.least_gap").note
