# SPDX-License-Identifier: BSD-3-Clause
"""The patch test: one interior vertex, one element or one force is off, in the last row."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/patch_test"
REST = np.array([[0.0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1], [0.4, 0.3, 0.3], [0.5, 0.2, 0.2]])
BOUNDARY = [0, 1, 2, 3]
SHIFT = np.array([0.1, 0.0, -0.2])


def block(folder: Path, name: str, kind: int, *, off: float = 0.0, stress: float = 0.0, force: float = 0.0) -> None:
    """Two rows: a first one at rest, and the affine map, in which vertex 5 is `off` by so many metres, one stress of
    the second of three elements by so many Pa, and the force on vertex 4 is as large as told, with 8 N on vertex
    1."""
    gradient = np.zeros((3, 3))
    gradient[kind, (kind + 1) % 3] = 0.02  # a shear: σ = μ γ, with ν = 0 and E = 1000 Pa 10 Pa in one place
    moved = REST + REST @ gradient.T + SHIFT
    moved[5] += [0, off, 0]
    stresses = np.zeros((3, 6))
    stresses[:, {0: 3, 1: 4, 2: 5}[kind]] = 10.0
    stresses[1, 0] += stress
    forces = np.array([[0, 0, 1.0], [0, 8, 0], [0, 0, 0], [2, 0, 0], [0, 0, force], [0, 0, 0]])
    frame = {
        "positions": np.stack([REST, moved]),
        "element_stresses": np.stack([np.zeros((3, 6)), stresses]),
        "elastic_forces": np.stack([np.full((6, 3), 3.0), forces]),
    }
    scene = {"translation_m": SHIFT.tolist(), "length_m": 2.0, "young_modulus_pa": 1000.0, "poisson_ratio": 0.0}
    arrays = {"rest_positions": REST, "vertex_set_boundary": np.array(BOUNDARY)}
    swept = {"displacement_gradient": gradient.ravel().tolist()}
    write_trace(folder, f"{EXPERIMENT} warped_fem {name}", arrays=arrays, scene=scene, swept=swept, frame=frame)


@pytest.mark.parametrize("name", ["linear", "warped"])
def test_one_interior_vertex_is_the_error_over_the_length(tmp_path: Path, name: str) -> None:
    block(tmp_path, name, 1, off=0.05)
    assert number(tmp_path, f"patch_test.{name}_position_error") == pytest.approx(0.025)


def test_vertices_of_the_boundary_are_given_and_not_judged(tmp_path: Path) -> None:
    block(tmp_path, "linear", 0)
    assert number(tmp_path, "patch_test.linear_position_error") < 1e-15
    assert number(tmp_path, "patch_test.linear_stress_error") < 1e-14
    assert number(tmp_path, "patch_test.linear_force_residual") == 0


def test_one_stress_of_one_element_is_the_error_over_the_largest(tmp_path: Path) -> None:
    block(tmp_path, "linear", 2, stress=4.0)
    assert number(tmp_path, "patch_test.linear_stress_error") == pytest.approx(0.4)


@pytest.mark.parametrize("force, residual", [(2.0, 0.25), (24.0, 3.0)])
def test_one_force_inside_is_the_residual_over_the_largest_on_the_boundary(
    tmp_path: Path, force: float, residual: float
) -> None:
    block(tmp_path, "linear", 0, force=force)
    assert number(tmp_path, "patch_test.linear_force_residual") == pytest.approx(residual)


@pytest.mark.parametrize(
    "quantity, wrong", [("position_error", "off"), ("stress_error", "stress"), ("force_residual", "force")]
)
def test_a_number_that_is_not_finite_is_no_small_error(tmp_path: Path, quantity: str, wrong: str) -> None:
    block(tmp_path, "linear", 1, **{wrong: float("nan")})
    assert "not a number" in value_of(tmp_path, f"patch_test.linear_{quantity}").note
