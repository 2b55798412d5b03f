# SPDX-License-Identifier: BSD-3-Clause
"""What the measurements of position based dynamics rest on: constraints in numpy and the rigid part of velocities."""

import numpy as np
import pytest

from deformbench_analysis import position_constraints as pc
from experiments.mueller_et_al_2007.measurements import rigid_damping


def random_corners(count: int) -> np.ndarray:
    random = np.random.default_rng(3)
    base = np.array([[0.0, 0, 0], [1, 0, 0], [0.4, 0.9, 0], [0.4, 0.3, 0.6]])
    return base + 0.1 * random.standard_normal((count, 4, 3))


def test_gradients_by_differences_are_those_in_closed_form() -> None:
    x = random_corners(20)
    along = (x[:, 1] - x[:, 0]) / np.linalg.norm(x[:, 1] - x[:, 0], axis=1, keepdims=True)
    found = pc.gradients(pc.DISTANCE, x[:, :2])
    assert np.abs(found[:, 1] - along).max() < 1e-11 and np.abs(found[:, 0] + along).max() < 1e-11
    area = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    assert np.abs(pc.gradients(pc.TETRA_VOLUME, x)[:, 3] - area / 6).max() < 1e-11
    normal = area / np.linalg.norm(area, axis=1, keepdims=True)
    assert np.abs(pc.gradients(pc.TRIANGLE_POINT, x)[:, 3] - normal).max() < 1e-11


@pytest.mark.parametrize("kind", [pc.BEND, pc.TETRA_VOLUME, pc.TRIANGLE_POINT, pc.TRIANGLE_POINT_SCALED])
def test_values_ignore_rigid_motions_so_that_gradients_and_moments_cancel(kind: int) -> None:
    x = random_corners(20)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    assert np.abs(pc.values(kind, x @ turn.T + 0.7) - pc.values(kind, x)).max() < 1e-13
    gradient = pc.gradients(kind, x)
    assert np.abs(gradient.sum(axis=1)).max() < 1e-10
    assert np.abs(np.cross(x, gradient).sum(axis=1)).max() < 1e-10


def test_a_flat_pair_has_the_angle_0_and_a_fold_its_own_with_sign() -> None:
    a, b, c = np.array([0.0, 0, 0]), np.array([1.0, 0, 0]), np.array([0.5, 1, 0])
    for fold in (-2.0, -0.3, 0.0, 0.3, 2.0):
        d = np.array([0.5, -np.cos(fold), np.sin(fold)])
        assert abs(abs(float(pc.dihedral_angle(a, b, c, d))) - abs(fold)) < 1e-14
    up, down = (pc.dihedral_angle(a, b, c, np.array([0.5, -1, z])) for z in (0.2, -0.2))
    assert up * down < 0


def test_the_corrected_weighting_meets_the_linearised_constraint_and_the_printed_one_leaves_one_minus_beta() -> None:
    x = random_corners(50)
    w = 10 ** np.random.default_rng(2).uniform(-2, 2, (50, 4))
    gradient, c = pc.gradients(pc.TRIANGLE_POINT, x), np.full(50, 0.01)
    left = c + (gradient * pc.corrections(c, gradient, w, False)).sum(axis=(1, 2))
    assert np.abs(left).max() < 1e-15
    left = c + (gradient * pc.corrections(c, gradient, w, True)).sum(axis=(1, 2))
    assert np.abs(left / c - (1 - pc.overshoot(gradient, w))).max() < 1e-12
    held = pc.overshoot(np.array([[[0, 0, 1 / 3]] * 3 + [[0, 0, -1.0]]]), np.array([[0.0, 0, 0, 1]]))
    assert held == pytest.approx(3.0)


def test_the_rigid_part_is_all_of_a_rigid_motion_and_keeps_the_momenta_of_any() -> None:
    random = np.random.default_rng(4)
    x, m = random.standard_normal((9, 3)), random.uniform(0.1, 2, 9)
    rigid = np.array([1.0, 2, 3]) + np.cross([0.3, -1, 2], x)
    assert np.abs(rigid_damping.rigid_part(x, rigid, m) - rigid).max() < 1e-13
    v = random.standard_normal((9, 3))
    change = rigid_damping.rigid_part(x, v, m) - v
    assert np.abs(m @ change).max() < 1e-13 and np.abs(m @ np.cross(x, change)).max() < 1e-13
    on_a_line = np.outer(np.arange(9.0), [1, 2, 2])
    assert np.isfinite(rigid_damping.rigid_part(on_a_line, v, m)).all()
