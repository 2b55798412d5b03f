# SPDX-License-Identifier: BSD-3-Clause
"""The reference that several measurements rest on: warped stiffness in numpy, against what does not depend on it."""

import numpy as np
import pytest
from small_bodies import REST, TETS, body, turn

from deformbench_analysis.corotational import ENGINEERING, Body, polar, rotation_angles
from deformbench_analysis.mesh import linear_forces, volumes


def test_an_element_at_an_edge_length_of_one_has_the_stiffness_worked_by_hand() -> None:
    corner = Body.made(REST[:4], TETS[:1], 1.0, 0.0)  # V = 1/6, lambda = 0, mu = 1/2
    assert corner.stiffness[0, 3, 3] == pytest.approx(1 / 6)  # pulled along its own axis: V E
    assert corner.stiffness[0, 4, 4] == pytest.approx(1 / 12)  # sheared: V mu
    assert corner.stiffness[0, 0, 0] == pytest.approx(1 / 6 + 2 / 12)


def test_linear_forces_are_those_of_the_other_formula_and_rigid_motions_have_none() -> None:
    x = REST + 0.2 * np.random.default_rng(1).standard_normal(REST.shape)
    identity = np.broadcast_to(np.eye(3), (2, 3, 3))
    other = linear_forces(REST, TETS, x, 1000.0, 0.3)
    assert np.abs(body().forces(x, identity) - other).max() < 1e-12 * np.abs(other).max()
    assert np.abs(body().forces(REST @ turn(2.5).T + 7.0)).max() < 1e-11


def test_warped_forces_are_the_gradient_of_their_energy_and_the_matrix_gives_them_up_to_a_constant() -> None:
    elements, x = body(), REST + 0.1 * np.random.default_rng(2).standard_normal(REST.shape)

    def energy(points: np.ndarray) -> float:
        strain = elements.displacements(points, elements.rotations(points))
        return 0.5 * float(np.einsum("mi,mij,mj->", strain, elements.stiffness, strain))

    h, force = 1e-6, elements.forces(x)
    for i, k in ((0, 0), (2, 1), (4, 2)):
        step = np.zeros_like(x)
        step[i, k] = h
        assert (energy(x + step) - energy(x - step)) / (2 * h) == pytest.approx(
            -force[i, k], abs=1e-5 * np.abs(force).max()
        )
    turns, d = elements.rotations(x), 0.01 * np.random.default_rng(3).standard_normal(x.shape)
    change = elements.forces(x + d, turns) - elements.forces(x, turns)
    assert (
        np.abs(elements.stiffness_matrix(turns, len(x)) @ d.ravel() + change.ravel()).max()
        < 1e-11 * np.abs(force).max()
    )


def test_a_plastic_strain_equal_to_the_strain_leaves_no_force() -> None:
    strain = np.array([[0.1, 0.02, -0.03, 0.04, 0.01, -0.02]] * 2)
    xx, yy, zz, xy, yz, zx = strain[0]
    stretch = np.eye(3) + np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    x = REST @ stretch.T @ turn(1.2).T
    assert np.abs(body().forces(x)).max() > 1 and np.abs(body().forces(x, plastic=strain)).max() < 1e-11
    assert ENGINEERING[3] == 2


def test_the_polar_factor_is_a_rotation_for_inverted_elements_too_and_its_angle_is_read_off() -> None:
    assert np.abs(polar(turn(0.7) @ np.diag([1, 2, 3.0])) - turn(0.7)).max() < 1e-14
    inverted = polar(turn(0.7) @ np.diag([1, 2, -0.1]))
    assert np.linalg.det(inverted) == pytest.approx(1) and np.abs(inverted - turn(0.7)).max() < 1e-14
    angles = [0.0, 1e-9, 1.0, np.pi]  # at π rounding ε of the sine is 2√(2ε) = 4e-8 of the angle
    assert rotation_angles(np.array([turn(a) for a in angles])) == pytest.approx(angles, rel=1e-6, abs=0)


def test_masses_are_quarters_of_the_elements() -> None:
    masses = body().masses(10.0, len(REST))
    assert masses.sum() == pytest.approx(10 * volumes(REST, TETS).sum()) and masses[0] == pytest.approx(10 / 24)
