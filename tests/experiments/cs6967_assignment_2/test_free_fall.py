# SPDX-License-Identifier: BSD-3-Clause
"""Falling bodies: one vertex of one method in one step feels another force, one element in one row is strained."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1.1, 0.9, 1.2]])
TETS = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
METHODS = ("linear", "explicit", "implicit")
DT = 0.01


def body(reach: float) -> np.ndarray:
    return np.vstack([REST[:4], reach * REST[4]])


def falling(folder: Path, name: str, *, extra: float = 0.0, stretch: float = 0.0, reach: float = 1.0) -> None:
    """`extra`: share of g that vertex 2 gets too much in the second step; `stretch` of x in the third row."""
    times = DT * np.arange(5)
    fall = 9.81 * np.array([0.0, 1, 3, 6, 10]) * DT**2
    rest = body(reach)
    x = rest - fall[:, None, None] * np.array([0, 1, 0])
    x[2, :, 0] *= 1 + stretch
    v = np.zeros_like(x)
    v[..., 1] = -9.81 * times[:, None]
    v[2:, 2, 1] -= extra * 9.81 * DT
    method = "warped_fem" if name == "cg20_plain" else f"{name}_fem"
    scene = {"young_modulus_pa": 1e6, "poisson_ratio": 0.3, "density_kg_m3": 10.0, "gravity_m_s2": [0, -9.81, 0]}
    arrays = {"rest_positions": rest, "tetrahedra": TETS}
    run = f"cs6967_assignment_2/free_fall {method} {name}"
    write_trace(folder, run, dt=DT, scene=scene, arrays=arrays, step={"positions": x, "velocities": v})


@pytest.mark.parametrize("worst", METHODS)
def test_the_force_error_is_that_of_one_vertex_in_one_step(tmp_path: Path, worst: str) -> None:
    for name in METHODS:
        falling(tmp_path, name, extra=0.25 if name == worst else 0.125)
    falling(tmp_path, "cg20_plain", extra=3.0)
    assert number(tmp_path, "free_fall.force_error") == pytest.approx(0.25)
    assert value_of(tmp_path, "free_fall.force_error").note == worst
    assert number(tmp_path, "free_fall.cg20_force_error") == pytest.approx(3.0)
    assert number(tmp_path, "free_fall.methods") == 3


@pytest.mark.parametrize("worst", METHODS)
def test_the_strain_is_that_of_one_row(tmp_path: Path, worst: str) -> None:
    for name in METHODS:
        falling(tmp_path, name, stretch=-0.5 if name == worst else 0.25)
    falling(tmp_path, "cg20_plain", stretch=3.0)
    assert number(tmp_path, "free_fall.strain") == pytest.approx(0.5)


@pytest.mark.parametrize("worst", METHODS)
def test_the_mass_ratio_is_that_of_the_most_even_body(tmp_path: Path, worst: str) -> None:
    """Vertex 0 is in one element, vertices 1 to 3 in both;
    the far vertex at twice its place makes the second heavier."""
    for name in METHODS:
        falling(tmp_path, name, reach=1.0 if name == worst else 2.0)
    small, large = (abs(np.linalg.det(body(r)[[4, 2, 3]] - body(r)[1])) for r in (1.0, 2.0))
    assert small < large
    assert number(tmp_path, "free_fall.mass_ratio") == pytest.approx(max(1 + small, small) / min(1, small))
