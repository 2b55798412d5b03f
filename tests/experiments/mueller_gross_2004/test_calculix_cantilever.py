# SPDX-License-Identifier: BSD-3-Clause
"""Displacements beside CalculiX's: one vertex elsewhere, another load, another mesh."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.calculix import cases, corners, displacements

NAME = "mueller_gross_2004/calculix_cantilever"


def write(
    folder: Path, moved: float = 0.0, force: float | None = None, across: int = 2, swapped: bool = False
) -> float:
    """Returns the largest displacement."""
    identifier = {2: "linear_16x2x2", 4: "linear_32x4x4"}[across]
    u = displacements(identifier)
    tets = corners(identifier)
    if swapped:
        tets = tets[::-1]
    rest = np.zeros_like(u)
    load = cases()[identifier]["force_per_tip_vertex_n"] if force is None else force
    shown = u.copy()
    shown[17, 2] += moved
    scene = {
        "length_m": 0.8,
        "side_m": 0.1,
        "cells_along": 8 * across,
        "young_modulus_pa": 1e5,
        "poisson_ratio": 0.33,
        "tip_vertex_force_n": [0, load, 0],
    }
    arrays = {"rest_positions": rest, "tetrahedra": tets}
    frame = {"positions": np.array([rest, shown])}
    swept = {"cells_across": across}
    write_trace(folder, f"{NAME} linear_fem linear", scene=scene, swept=swept, arrays=arrays, frame=frame)
    return float(np.abs(u).max())


def test_the_same_displacements_have_no_difference_and_one_vertex_elsewhere_is_it(tmp_path: Path) -> None:
    write(tmp_path, across=4)
    assert number(tmp_path, "calculix_cantilever.displacement_difference") == 0
    largest = write(tmp_path, moved=1e-5)
    again = tmp_path / "again"
    write(again, across=4)
    write(again, moved=1e-5)
    assert number(again, "calculix_cantilever.displacement_difference") == pytest.approx(1e-5 / largest)
    assert number(again, "calculix_cantilever.meshes") == 2


def test_another_force_or_mesh_is_no_comparison(tmp_path: Path) -> None:
    write(tmp_path / "force", force=-1.0)
    assert "no case" in value_of(tmp_path / "force", "calculix_cantilever.displacement_difference").note
    write(tmp_path / "mesh", swapped=True)
    assert "other elements" in value_of(tmp_path / "mesh", "calculix_cantilever.displacement_difference").note
