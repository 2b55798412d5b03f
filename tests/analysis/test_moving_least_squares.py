# SPDX-License-Identifier: BSD-3-Clause
"""The analysis' own moving least squares, against closed forms and differences."""

import numpy as np
import pytest
from scipy.integrate import quad

from deformbench_analysis.moving_least_squares import Nodes, density_kernel, weight


def nodes(flat: bool = False, seed: int = 3) -> Nodes:
    random = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    rest = grid + random.uniform(-0.3, 0.3, grid.shape)
    if flat:
        rest[:, 2] = 0.0
    return Nodes.of_material(rest, random.uniform(2.0, 2.6, len(rest)), 1e5, 0.3)


def test_the_weight_has_its_known_values_and_integral() -> None:
    assert weight(np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.2])) == pytest.approx(
        [1, 0.73828125, 0.3125, 0.05078125, 0, 0], rel=1e-6, abs=0
    )
    assert quad(lambda r: 4 * np.pi * r**2 * weight(r), 0, 1)[0] == pytest.approx(16 * np.pi / 105)


def test_the_kernel_integrates_to_one() -> None:
    h = 0.7
    found = quad(lambda r: 4 * np.pi * r**2 * float(density_kernel(np.array(r / h), np.array(h))), 0, h)[0]
    assert found == pytest.approx(1)


def test_pairs_are_those_within_the_own_support() -> None:
    cloud = nodes()
    away = np.linalg.norm(cloud.rest[:, None] - cloud.rest, axis=2)
    np.fill_diagonal(away, np.inf)
    i, j = np.nonzero(away < cloud.supports[:, None])
    assert (cloud.pairs == np.stack([i, j], axis=1)).all()


@pytest.mark.parametrize("flat", [False, True])
def test_gradients_of_affine_maps_are_exact(flat: bool) -> None:
    cloud = nodes(flat)
    gradient = np.array([[1.2, 0.3, -0.1], [0.0, 0.8, 0.2], [0.1, -0.2, 1.1]])
    found = cloud.deformation_gradients(cloud.rest @ gradient.T + [3, 2, 1])
    assert found == pytest.approx(gradient @ cloud.projections, abs=1e-12)
    assert set(cloud.ranks) == {2 if flat else 3}
    assert np.isinf(cloud.conditions).all() == flat


@pytest.mark.parametrize("flat", [False, True])
def test_forces_are_the_slopes_of_the_energy(flat: bool) -> None:
    cloud, random = nodes(flat), np.random.default_rng(1)
    x = cloud.rest + 0.1 * random.normal(size=cloud.rest.shape)
    direction = random.normal(size=x.shape)
    assert cloud.energy_slope(x, direction) == pytest.approx(-(cloud.forces(x) * direction).sum(), rel=1e-10, abs=0)
    small = 1e-6 * random.normal(size=x.shape)
    linear = -(cloud.stiffness @ small.ravel()).reshape(-1, 3)
    assert cloud.forces(cloud.rest + small) == pytest.approx(linear, rel=1e-4, abs=1e-5 * np.abs(linear).max())


def test_a_homogeneous_stretch_has_its_energy() -> None:
    cloud = nodes()
    x = cloud.rest * [1.2, 1, 1]
    density = (cloud.first_lame / 2 + cloud.shear_modulus) * 0.22**2
    assert cloud.energy(x) == pytest.approx(cloud.volumes.sum() * density)
