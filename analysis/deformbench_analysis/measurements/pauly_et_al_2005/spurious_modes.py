# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/spurious_modes: vibrations of free cubes of nodes that no solid has."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.linalg import eigvalsh

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .clouds import frame, seeds, stored_operator, wave_speeds

EXPERIMENT = "pauly_et_al_2005/spurious_modes"
RIGID = 6
LOWEST = (
    2.85  # ωL/c_s of the lowest vibration of a free cube of Poisson's ratio 0.33; `hexahedra` comes near it from above
)
HEXAHEDRA_ACROSS = 7


@lru_cache(maxsize=64)
def frequencies(path: Trace, member: int | None) -> Array:
    """ωL/c_s of all modes of the operator that the method stored, ascending; those below 0 by rounding as 0."""
    values = eigvalsh(stored_operator(path, frame(path, member)).toarray())
    scale = float(path.value("scene.parameters.side_m")) / wave_speeds(path)[1]
    return np.asarray(np.sqrt(np.maximum(values, 0)) * scale)


def jittered(data: ExperimentData) -> list[Trace]:
    """Clouds moved at random, the smallest first."""
    found = data.every(keep=lambda c: float(c.value("scene.parameters.jitter")) > 0)
    return sorted(found, key=lambda c: int(c.value("scene.parameters.nodes_across")))


def below(trace: Trace, member: int | None) -> int:
    """Number of modes below the lowest of a solid cube, the six rigid ones not counted."""
    return int(np.sum(frequencies(trace, member) < LOWEST)) - RIGID


@measurement("spurious_modes.most", unit="1", experiment=EXPERIMENT)
def most(data: ExperimentData) -> Measured:
    """Largest number of modes, beside the six rigid ones, of a free jittered cube below the lowest that a solid cube has, ωL/c_s = 2.85;
    eigenvalues by the analysis of M⁻¹K from the pairs, gradients, volumes and masses that the method stored."""
    return extremes.largest({c: float(max(below(c, s) for s in seeds(c))) for c in jittered(data)})


@measurement("spurious_modes.fewest", unit="1", experiment=EXPERIMENT)
def fewest(data: ExperimentData) -> Measured:
    """Least number of modes, beside the six rigid ones, of a free jittered cube below the lowest that a solid cube has."""
    return extremes.least({c: float(min(below(c, s) for s in seeds(c))) for c in jittered(data)})


@measurement("spurious_modes.growth", unit="1", experiment=EXPERIMENT)
def growth(data: ExperimentData) -> float:
    """Least number of them on the finest cube over the largest on the coarsest: finer sampling does not remove them where it is above 1."""
    cells = jittered(data)
    return min(below(cells[-1], s) for s in seeds(cells[-1])) / max(below(cells[0], s) for s in seeds(cells[0]))


@measurement("spurious_modes.of_lattice", unit="1", experiment=EXPERIMENT)
def of_lattice(data: ExperimentData) -> Measured:
    """Number of modes, beside the six rigid ones, of a free cube of nodes on a lattice below the lowest that a solid cube has."""
    cells = data.every(where={"scene.parameters.jitter": 0.0})
    return extremes.largest({c: float(max(below(c, s) for s in seeds(c))) for c in cells})


@measurement("spurious_modes.lowest", unit="1", experiment=EXPERIMENT)
def lowest(data: ExperimentData) -> Measured:
    """Least ωL/c_s of a mode of a jittered cube beside the six rigid ones."""
    return extremes.least({c: min(float(frequencies(c, s)[RIGID]) for s in seeds(c)) for c in jittered(data)})


@measurement("spurious_modes.rigid_frequency", unit="1", experiment=EXPERIMENT)
def rigid_frequency(data: ExperimentData) -> Measured:
    """Largest ωL/c_s of the six rigid motions of a cube: zero but for rounding."""
    return extremes.largest({c: max(float(frequencies(c, s)[RIGID - 1]) for s in seeds(c)) for c in data.every()})


@lru_cache(maxsize=4)
def hexahedra(poisson: float, across: int = HEXAHEDRA_ACROSS) -> Array:
    """ωL/c_s of a free cube of trilinear hexahedra, all integrated at eight points, ascending: from above, as for every conforming element with its consistent
    masses."""
    lam, mu = 2 * poisson / (1 - 2 * poisson), 1.0
    size = 1.0 / across
    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    signs = 2.0 * corners - 1
    element = np.zeros((24, 24))
    law = np.diag([2 * mu] * 3 + [mu] * 3)
    law[:3, :3] += lam
    for point in signs / np.sqrt(3):
        slopes = np.empty((8, 3))
        for c in range(3):
            others = [d for d in range(3) if d != c]
            slopes[:, c] = signs[:, c] / 8 * np.prod(1 + signs[:, others] * point[others], axis=1) * 2 / size
        strain = np.zeros((6, 24))
        for a in range(8):
            x, y, z = slopes[a]
            strain[:, 3 * a : 3 * a + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [z, 0, x], [0, z, y]]
        element += strain.T @ law @ strain * (size / 2) ** 3
    n = across + 1
    number = np.arange(n**3).reshape(n, n, n)
    matrix, masses = np.zeros((3 * n**3, 3 * n**3)), np.zeros((3 * n**3, 3 * n**3))
    along = np.array([[2.0, 1], [1, 2]]) * size / 6
    element_mass = np.kron(np.kron(np.kron(along, along), along), np.eye(3))
    for cell in np.ndindex(across, across, across):
        of = np.array([number[tuple(cell + c)] for c in corners])
        rows = (3 * of[:, None] + np.arange(3)).ravel()
        matrix[np.ix_(rows, rows)] += element
        masses[np.ix_(rows, rows)] += element_mass
    return np.asarray(np.sqrt(np.maximum(eigvalsh(matrix, masses), 0)))


@measurement("spurious_modes.of_hexahedra", unit="1", experiment=EXPERIMENT)
def of_hexahedra(data: ExperimentData) -> float:
    """Number of modes, beside the six rigid ones, below the lowest of a solid cube, of a cube of seven trilinear hexahedra along each axis, by the analysis: eight points an element leave none."""
    poisson = {float(c.value("scene.parameters.poisson_ratio")) for c in data.every()}
    return float(max(np.sum(hexahedra(p) < LOWEST) - RIGID for p in poisson))


@measurement("spurious_modes.lowest_of_hexahedra", unit="1", experiment=EXPERIMENT)
def lowest_of_hexahedra(data: ExperimentData) -> float:
    """ωL/c_s of the lowest vibration of this cube of hexahedra."""
    poisson = {float(c.value("scene.parameters.poisson_ratio")) for c in data.every()}
    return float(min(hexahedra(p)[RIGID] for p in poisson))
