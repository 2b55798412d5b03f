# SPDX-License-Identifier: BSD-3-Clause
"""Integrals of squared curvature: one patch of one run is off."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import vertices
from measured import add_frames, number, write_trace

NAME = "cs533d_cloth_lecture/curvature_integral"
SPACING, RADIUS, APART = 0.02, 1.0, 10.0


def hinges_on(surface: str, place: float) -> np.ndarray:
    """Hinges of two equilateral triangles around (place, 0) and two other places,
    in three directions each, [9,4,3]."""
    found = []
    for u0, v0 in ((0.0, 0.0), (0.1, 0.05), (-0.07, 0.02)):
        for turn in np.pi / 3 * np.arange(3) + 0.2:
            c, s, h = np.cos(turn), np.sin(turn), np.sqrt(0.75)
            flat = SPACING * np.array([[-0.5, 0], [0.5, 0], [0, h], [0, -h]]) @ np.array([[c, s], [-s, c]])
            u, v = (flat + [u0, v0]).T
            p, q = u / (2 * RADIUS), v / (2 * RADIUS)
            if surface == "cylinder":
                x = [RADIUS * np.sin(u / RADIUS), v, RADIUS * (1 - np.cos(u / RADIUS))]
            elif surface == "sphere":
                x = [
                    u / (1 + p**2 + q**2),
                    v / (1 + p**2 + q**2),
                    2 * RADIUS * (p**2 + q**2) / (1 + p**2 + q**2),
                ]
            else:
                scale = 2 * RADIUS
                x = [
                    scale * (p - p**3 / 3 + p * q**2),
                    scale * (q - q**3 / 3 + q * p**2),
                    scale * (p**2 - q**2),
                ]
            found.append(np.stack(x, axis=1) + [place, 0, 0])
    return np.array(found)


def write(folder: Path, surface: str, mesh: str = "equilateral", patch: int = -1, factor: float = 1.0) -> None:
    """Two patches; the energies of one are multiplied."""
    x = np.concatenate([hinges_on(surface, 0.0), hinges_on(surface, APART)])
    edge = x[:, 1] - x[:, 0]
    normals = np.cross(x[:, 2] - x[:, 0], edge), np.cross(edge, x[:, 3] - x[:, 0])
    sizes = [np.linalg.norm(n, axis=1) for n in normals]
    cosine = (normals[0] * normals[1]).sum(axis=1) / sizes[0] / sizes[1]
    half = np.sqrt(np.maximum(0, (1 - cosine) / 2))
    energy = 3.0 * (edge**2).sum(axis=1) / (sum(sizes) / 2) * 8 * np.sin(np.arcsin(half) / 2) ** 2
    if patch >= 0:
        energy[9 * patch : 9 * patch + 9] *= factor
    triangles = np.concatenate([vertices(18)[:, [0, 2, 1]], vertices(18)[:, [0, 1, 3]]])
    path = write_trace(
        folder,
        f"{NAME} force_cloth hinges",
        parameters={"bend_stiffness_j": 3.0},
        scene={"radius_m": RADIUS, "apart_m": APART, "patches": 2, "factor": factor},
        swept={"surface": surface, "mesh": mesh},
        arrays={"rest_positions": x.reshape(-1, 3), "triangles": triangles},
        frame={"positions": x.reshape(1, -1, 3)},
    )
    add_frames(path, [[(0, 0.0, {"hinge_vertices": vertices(18), "hinge_energies": energy})]])


def test_equilateral_hinges_on_three_surfaces(tmp_path: Path) -> None:
    for surface in ("cylinder", "sphere", "saddle"):
        write(tmp_path, surface)
    assert number(tmp_path, "curvature_integral.equilateral_cylinder_error") < 2e-3
    assert number(tmp_path, "curvature_integral.equilateral_sphere_least") == pytest.approx(4 / 3, rel=2e-3)
    assert number(tmp_path, "curvature_integral.equilateral_saddle_largest") == pytest.approx(8 / 3, rel=5e-3)
    assert number(tmp_path, "curvature_integral.mean_curvature_error") == pytest.approx(8 / 3, rel=5e-3)
    assert number(tmp_path, "curvature_integral.formula_error") < 1e-4
    assert number(tmp_path, "curvature_integral.unweighted_error") == pytest.approx(1 - np.sqrt(0.75), abs=0.01)
    assert number(tmp_path, "curvature_integral.triangles") == 18
    assert number(tmp_path, "curvature_integral.angles") == 2


@pytest.mark.parametrize("patch", [0, 1])
def test_one_patch_is_found(tmp_path: Path, patch: int) -> None:
    write(tmp_path, "cylinder", "right", patch, 1.5)
    assert number(tmp_path, "curvature_integral.right_cylinder_largest") == pytest.approx(1.5, rel=1e-2)
    assert number(tmp_path, "curvature_integral.right_cylinder_least") == pytest.approx(1, rel=1e-2)
    assert number(tmp_path, "curvature_integral.formula_error") == pytest.approx(0.5, rel=1e-2)
