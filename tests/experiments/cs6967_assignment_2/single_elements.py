# SPDX-License-Identifier: BSD-3-Clause
"""Tetrahedra that share no vertex, turned and distorted, for tests of what is judged element by element."""

from typing import Any

import numpy as np

from deformbench_analysis.mesh import linear_forces, volumes

SCENE: dict[str, Any] = {"young_modulus_pa": 1000.0, "poisson_ratio": 0.3, "size_m": 1.0, "rest_offset_m": [0.0, 0, 0]}
COUNT = 6
TETS = np.arange(4 * COUNT).reshape(COUNT, 4)


def rest() -> np.ndarray:
    """Corners of cubes, stretched, each at another place."""
    random = np.random.default_rng(3)
    shape = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return np.concatenate([shape * random.uniform(0.5, 1.0, 3) + random.uniform(-3, 3, 3) for _ in range(COUNT)])


def turn(random: np.random.Generator) -> np.ndarray:
    found = np.linalg.qr(random.standard_normal((3, 3)))[0]
    return found * np.sign(np.linalg.det(found))


def turned(seed: int, size: float = 0.05) -> np.ndarray:
    """Every element turned by itself, its corners displaced."""
    random, points = np.random.default_rng(seed), rest().reshape(COUNT, 4, 3)
    return np.concatenate([x @ turn(random).T + size * random.standard_normal((4, 3)) for x in points])


def squared_frequencies(
    rest: np.ndarray, tets: np.ndarray, young: float, poisson: float, density: float, free: slice = slice(None)
) -> np.ndarray:
    """ω² at rest of the components that are `free`: K by differences of the linear forces, masses of quarters."""
    shifts = np.eye(rest.size).reshape(-1, *rest.shape)
    stiffness = -np.array([linear_forces(rest, tets, rest + shift, young, poisson).ravel() for shift in shifts]).T
    masses = np.bincount(tets.ravel(), np.repeat(density * volumes(rest, tets) / 4, 4))
    root = np.repeat(masses, 3)[free] ** -0.5
    return np.linalg.eigvalsh(root[:, None] * stiffness[free, free] * root)
