# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/fragments: moment matrices and stable steps of fragments of a few nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import lame
from deformbench_analysis.moving_least_squares import RANK, over_masses, stiffness
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .clouds import frame, spacing, wave_speeds

EXPERIMENT = "pauly_et_al_2005/fragments"
FEW, SOME, MANY = (4, 6), (7, 12), (13, 20)  # nodes of a fragment
DENSE = 600  # rows up to which all eigenvalues are as cheap as one


@dataclass(frozen=True)
class Piece:
    """Nodes that the pairs which still have a weight hold together."""

    nodes: int
    condition: float  # largest of its nodes, of A of eq. 2; infinite where singular
    step: float  # 2/ω_max at rest, s; infinite where nothing resists


def moments(arrays: dict[str, Array]) -> Array:
    """A_i = Σ ω e eᵀ of the weights that cracks have left, m²."""
    rest, pairs, weights = arrays["node_rest_positions"], arrays["pairs"], arrays["pair_weights"]
    edges = rest[pairs[:, 1]] - rest[pairs[:, 0]]
    values = (weights[:, None, None] * edges[:, :, None] * edges[:, None, :]).reshape(-1, 9)
    at = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], np.arange(len(pairs)))), shape=(len(rest), len(pairs)))
    return np.asarray(at.tocsr() @ values).reshape(-1, 3, 3)


def conditions(matrices: Array) -> Array:
    """Condition numbers, infinite where a direction has no neighbours."""
    values = np.linalg.eigvalsh(matrices)
    regular = values[:, 0] > RANK * values[:, 2]
    return np.where(regular, values[:, 2] / np.where(regular, values[:, 0], 1.0), np.inf)


def _about_rest(trace: Trace, arrays: dict[str, Array]) -> tuple[Array, Array, tuple[float, float]]:
    """Gradients of pairs and projections by the analysis from the weights, and the constants of Lamé, Pa."""
    rest, pairs, weights = arrays["node_rest_positions"], arrays["pairs"], arrays["pair_weights"]
    a = moments(arrays)
    inverses = np.linalg.pinv(a, rcond=RANK, hermitian=True)
    edges = rest[pairs[:, 1]] - rest[pairs[:, 0]]
    gradients = np.einsum("pij,pj->pi", inverses[pairs[:, 0]], weights[:, None] * edges)
    constants = lame(*(float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio")))
    return gradients, a @ inverses, constants


def operator(
    trace: Trace, arrays: dict[str, Array], form: Callable[..., csr_matrix | LinearOperator] = stiffness
) -> csr_matrix | LinearOperator:
    """M^-½ K M^-½ about rest, 1/s², as a matrix or, by `stiffness_products`, as its products."""
    gradients, projections, constants = _about_rest(trace, arrays)
    return over_masses(
        form(arrays["pairs"], gradients, arrays["node_volumes"], projections, *constants), arrays["node_masses"]
    )


def stable_step(matrix: csr_matrix | LinearOperator) -> float:
    """2/ω_max, s."""
    if matrix.shape[0] <= DENSE:
        highest = float(np.linalg.eigvalsh(matrix @ np.eye(matrix.shape[0]))[-1])
    else:
        start = np.cos(np.arange(matrix.shape[0]) ** 2)  # the same in every run
        highest = float(eigsh(matrix, k=1, which="LA", v0=start, return_eigenvectors=False)[0])
    return 2 / float(np.sqrt(highest)) if highest > 0 else np.inf


@lru_cache(maxsize=None)
def pieces(trace: Trace) -> tuple[Piece, ...]:
    """Connected pieces of the block at the start."""
    arrays = frame(trace, None)
    pairs, weights = arrays["pairs"], arrays["pair_weights"]
    kept, count = pairs[weights > 0], len(arrays["node_rest_positions"])
    of = connected_components(coo_matrix((np.ones(len(kept)), kept.T), shape=(count, count)), directed=False)[1]
    worst, matrix = conditions(moments(arrays)), operator(trace, arrays)
    found = []
    for piece in range(int(of.max()) + 1):
        own = np.flatnonzero(of == piece)
        rows = (3 * own[:, None] + np.arange(3)).ravel()
        found.append(Piece(len(own), float(worst[own].max()), stable_step(matrix[rows][:, rows])))
    return tuple(found)


def courant(trace: Trace, piece: Piece) -> float:
    """Stable step over Δ/c_p, Δ the spacing of the nodes."""
    return piece.step * wave_speeds(trace)[0] / spacing(trace)


def supports(data: ExperimentData) -> list[float]:
    """The support sizes of the blocks, in spacings."""
    return sorted({float(c.value("scene.parameters.support_ratio")) for c in data.cells})


def _of(cells: list[Trace], support: float | None) -> list[Trace]:
    return [c for c in cells if support in (None, float(c.value("scene.parameters.support_ratio")))]


def chopped(data: ExperimentData, support: float | None = None) -> list[Trace]:
    """Blocks that are cut; most of these runs end early, and their first frame is there."""
    return _of(data.some(name="chopped", status=None), support)


def of_size(data: ExperimentData, size: tuple[int, int], support: float | None = None) -> list[tuple[Trace, Piece]]:
    """Fragments of the blocks with so many nodes, bounds among them."""
    found = [(c, p) for c in chopped(data, support) for p in pieces(c) if size[0] <= p.nodes <= size[1]]
    if not found:
        raise MissingData(f"{EXPERIMENT}: no fragment of {size[0]} to {size[1]} nodes")
    return found


def whole(data: ExperimentData, support: float | None = None) -> dict[Trace, Piece]:
    """The blocks that are not cut."""
    found = {}
    for cell in _of(data.every(name="whole"), support):
        if len(pieces(cell)) != 1:
            raise MissingData(f"{cell.label}: {len(pieces(cell))} pieces, expected one")
        found[cell] = pieces(cell)[0]
    return found


def steps(data: ExperimentData, size: tuple[int, int], support: float | None = None) -> Array:
    """Courant numbers of the fragments with so many nodes."""
    return np.array([courant(c, p) for c, p in of_size(data, size, support)])


def median_step(data: ExperimentData, size: tuple[int, int], support: float) -> float:
    """Median Courant number of the fragments with so many nodes."""
    return float(np.median(steps(data, size, support)))


def whole_least(data: ExperimentData, support: float) -> float:
    """Least Courant number of the blocks that are not cut."""
    return min(courant(c, p) for c, p in whole(data, support).items())


def _each(data: ExperimentData, value: Callable[[float], float]) -> dict[str, float]:
    """A value for every support size."""
    return {f"supports of {s:.3g} spacings": value(s) for s in supports(data)}


@measurement("fragments.count", unit="1", experiment=EXPERIMENT)
def count(data: ExperimentData) -> Measured:
    """Fewest fragments of 4 to 6, of 7 to 12, and of 13 to 20 nodes; of the support size with fewest."""
    return extremes.least(_each(data, lambda s: min(float(len(of_size(data, z, s))) for z in (FEW, SOME, MANY))))


@measurement("fragments.whole_step", unit="1", experiment=EXPERIMENT)
def whole_step(data: ExperimentData) -> Measured:
    """Least Δt c_p/Δ at 2/ω_max of a block that is not cut."""
    return extremes.least({c: courant(c, p) for c, p in whole(data).items()})


@measurement("fragments.few_step", unit="1", experiment=EXPERIMENT)
def few_step(data: ExperimentData) -> Measured:
    """Median Δt c_p/Δ at 2/ω_max of fragments of 4 to 6 nodes; of the support size with the least."""
    return extremes.least(_each(data, lambda s: median_step(data, FEW, s)))


@measurement("fragments.few_least_step", unit="1", experiment=EXPERIMENT)
def few_least_step(data: ExperimentData) -> float:
    """5th percentile of Δt c_p/Δ at 2/ω_max of all fragments of 4 to 6 nodes."""
    return float(np.quantile(steps(data, FEW), 0.05))


@measurement("fragments.many_step", unit="1", experiment=EXPERIMENT)
def many_step(data: ExperimentData) -> Measured:
    """Median Δt c_p/Δ at 2/ω_max of fragments of 13 to 20 nodes; of the support size with the least."""
    return extremes.least(_each(data, lambda s: median_step(data, MANY, s)))


@measurement("fragments.few_over_whole", unit="1", experiment=EXPERIMENT)
def few_over_whole(data: ExperimentData) -> Measured:
    """Median stable step of fragments of 4 to 6 nodes relative to the least of the whole blocks. Maximum over support
    sizes."""
    return extremes.largest(_each(data, lambda s: median_step(data, FEW, s) / whole_least(data, s)))


@measurement("fragments.few_over_many", unit="1", experiment=EXPERIMENT)
def few_over_many(data: ExperimentData) -> Measured:
    """Median stable step of fragments of 4 to 6 nodes relative to fragments of 13 to 20. Maximum over support sizes."""
    return extremes.largest(_each(data, lambda s: median_step(data, FEW, s) / median_step(data, MANY, s)))


def _condition(data: ExperimentData, size: tuple[int, int], support: float) -> float:
    return float(np.median([p.condition for _, p in of_size(data, size, support)]))


@measurement("fragments.few_condition", unit="1", experiment=EXPERIMENT)
def few_condition(data: ExperimentData) -> Measured:
    """Median over fragments of 4 to 6 nodes of the largest condition number of a matrix A. Maximum over support
    sizes."""
    return extremes.largest(_each(data, lambda s: _condition(data, FEW, s)))


@measurement("fragments.condition_rise", unit="1", experiment=EXPERIMENT)
def condition_rise(data: ExperimentData) -> Measured:
    """Median condition number of fragments of 4 to 6 nodes relative to the largest of whole blocks. Minimum over
    support sizes."""
    return extremes.least(
        _each(data, lambda s: _condition(data, FEW, s) / max(p.condition for p in whole(data, s).values()))
    )


@measurement("fragments.step_part", unit="1", experiment=EXPERIMENT)
def step_part(data: ExperimentData) -> Measured:
    """Largest step of the runs relative to the least stable step of whole blocks with the same supports."""
    found: dict[Trace, float] = {}
    for support in supports(data):
        least = min(p.step for p in whole(data, support).values())
        found |= {c: float(c.value("scene.parameters.time_step_s")) / least for c in chopped(data, support)}
    return extremes.largest(found)


@measurement("fragments.diverged", unit="1", experiment=EXPERIMENT)
def diverged(data: ExperimentData) -> float:
    """Share of the runs of cut blocks, without resampling, that diverge."""
    cells = chopped(data)
    if odd := [c for c in cells if c.status not in ("completed", "diverged")]:
        raise MissingData(f"{odd[0].label}: {odd[0].status}")
    return float(np.mean([c.status == "diverged" for c in cells]))


@measurement("fragments.whole_diverged", unit="1", experiment=EXPERIMENT)
def whole_diverged(data: ExperimentData) -> float:
    """Share of the runs of whole blocks that diverge."""
    return float(np.mean([c.status != "completed" for c in data.some(name="whole", status=None)]))


@measurement("fragments.rigid_diverged", unit="1", experiment=EXPERIMENT)
def rigid_diverged(data: ExperimentData) -> float:
    """Share of the runs of cut blocks that diverge where pieces of fewer than 40 nodes are rigid bodies, with the same step."""
    cells = data.some(name="rigid", status=None)
    if odd := [c for c in cells if c.status not in ("completed", "diverged")]:
        raise MissingData(f"{odd[0].label}: {odd[0].status}")
    return float(np.mean([c.status == "diverged" for c in cells]))


@measurement("fragments.rigid_energy", unit="1", experiment=EXPERIMENT)
def rigid_energy(data: ExperimentData) -> Measured:
    """Largest kinetic energy of a block of rigid fragments over that at the start, in any step of any block."""
    found = {}
    for cell in data.every(name="rigid"):
        kinetic = cell.values("step", "kinetic_energy")
        found[cell] = float(kinetic.max() / kinetic[0])
    return extremes.largest(found)
