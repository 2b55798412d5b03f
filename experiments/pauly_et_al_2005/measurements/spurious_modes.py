# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/spurious_modes: spurious vibration modes of free meshless cubes."""

from functools import lru_cache

import numpy as np
from scipy.linalg import eigvalsh

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, Quantity, Trace, quantity
from .clouds import frame, seeds, stored_operator, wave_speeds

M = Measures("pauly_et_al_2005/spurious_modes")
RIGID = 6
LOWEST = (
    2.85  # ωL/c_s of the lowest vibration of a free cube of Poisson ratio 0.33; `hexahedra` approaches it from above
)
HEXAHEDRA_ACROSS = 7


@lru_cache(maxsize=64)
def frequencies(path: Trace, member: int | None) -> Array:
    """Frequencies ωL/c_s of all modes of the operator that the method stored, ascending;
    ω² < 0 by rounding as 0."""
    values = eigvalsh(stored_operator(path, frame(path, member)).toarray())
    scale = path.number("side_m") / wave_speeds(path)[1]
    return np.asarray(np.sqrt(np.maximum(values, 0)) * scale)


def is_jittered(trace: Trace) -> bool:
    """Jittered cubes."""
    return trace.number("jitter") > 0


JITTERED = EVERY_RUN.where(is_jittered)
LATTICE = EVERY_RUN.where({"scene.parameters.jitter": 0.0}, says="cubes on a lattice")


def jittered(data: ExperimentData) -> list[Trace]:
    """Jittered clouds, the coarsest first."""
    return sorted(JITTERED.runs(data), key=lambda c: int(c.number("nodes_across")))


def below(trace: Trace, member: int | None) -> int:
    """Number of modes below the lowest of a solid cube, the six rigid ones not counted."""
    return int(np.sum(frequencies(trace, member) < LOWEST)) - RIGID


@quantity("modes of a free cube below ωL/c_s = 2.85 of a solid one, the six rigid ones left out")
def modes_below(trace: Trace) -> Array:
    # Eigenvalues by the analysis of M⁻¹K from the pairs, gradients, volumes and masses that the method stored.
    return np.array([below(trace, s) for s in seeds(trace)])


def _frequency(index: int, phrase: str) -> Quantity:
    return quantity(phrase)(lambda c: np.array([frequencies(c, s)[index] for s in seeds(c)]))


most = M.largest("most", modes_below, JITTERED)
fewest = M.least("fewest", modes_below, JITTERED)
M.largest("of_lattice", modes_below, LATTICE)
M.least("lowest", _frequency(RIGID, "frequency ωL/c_s of a non-rigid mode"), JITTERED)
M.largest("rigid_frequency", _frequency(RIGID - 1, "frequency ωL/c_s of the six rigid motions of a cube"), EVERY_RUN)


@M("growth")
def growth(data: ExperimentData) -> float:
    """Smallest number of modes below the lowest of a solid on the finest cube relative to the largest on the
    coarsest."""
    cells = jittered(data)
    return min(below(cells[-1], s) for s in seeds(cells[-1])) / max(below(cells[0], s) for s in seeds(cells[0]))


@lru_cache(maxsize=4)
def hexahedra(poisson: float, across: int = HEXAHEDRA_ACROSS) -> Array:
    """Frequencies ωL/c_s of a free cube of trilinear hexahedra with 8 integration points, ascending: upper bounds,
    as for every conforming element with consistent masses."""
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


@M("of_hexahedra")
def of_hexahedra(data: ExperimentData) -> float:
    """Number of non-rigid modes below the lowest of a solid cube, of a cube of 7³ trilinear hexahedra with eight
    integration points each."""
    poisson = {c.number("poisson_ratio") for c in data.every()}
    return float(max(np.sum(hexahedra(p) < LOWEST) - RIGID for p in poisson))


@M("lowest_of_hexahedra")
def lowest_of_hexahedra(data: ExperimentData) -> float:
    """Lowest non-rigid frequency ωL/c_s of a cube of 7³ hexahedra."""
    poisson = {c.number("poisson_ratio") for c in data.every()}
    return float(min(hexahedra(p)[RIGID] for p in poisson))
