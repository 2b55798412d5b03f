# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/fragments: moment matrices and stable steps of fragments of a few nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

from deformbench_analysis.explicit_steps import step
from deformbench_analysis.mesh import lame
from deformbench_analysis.moving_least_squares import RANK, over_masses, stiffness, stiffness_products
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import extremes, parameter, quantity, rows
from .clouds import frame, spacing, wave_speeds

M = Measures("pauly_et_al_2005/fragments")
FEW, SOME, MANY = (4, 6), (7, 12), (13, 20)  # nodes of a fragment
Blocks = Sequence[Trace]
DENSE = 600  # rows up to which all eigenvalues are as cheap as one
support = parameter("support_ratio", float, "Size of supports.")


@dataclass(frozen=True)
class Piece:
    """Nodes connected by pairs of positive weight."""

    nodes: int
    condition: float  # largest of its nodes, of A of eq. 2; infinite where singular
    step: float  # 2/ω_max at rest, s; infinite for zero stiffness


def moments(arrays: dict[str, Array]) -> Array:
    """A_i = Σ ω e eᵀ, m², ω the weights after cracks."""
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
    constants = lame(*(trace.number(n) for n in ("young_modulus_pa", "poisson_ratio")))
    return gradients, a @ inverses, constants


def operator(
    trace: Trace, arrays: dict[str, Array], form: Callable[..., csr_matrix | LinearOperator] = stiffness
) -> csr_matrix | LinearOperator:
    """M^-½ K M^-½ about rest, 1/s², as a matrix, or matrix-free by `stiffness_products`."""
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
    uncut = arrays["pair_weights"] > 0  # the others add nothing to any sum
    arrays = arrays | {name: arrays[name][uncut] for name in ("pairs", "pair_weights")}
    kept, count = arrays["pairs"], len(arrays["node_rest_positions"])
    of = connected_components(coo_matrix((np.ones(len(kept)), kept.T), shape=(count, count)), directed=False)[1]
    is_whole = not of.any()
    worst, matrix = conditions(moments(arrays)), operator(trace, arrays, stiffness_products if is_whole else stiffness)
    found = []
    for piece in range(int(of.max()) + 1):
        own = np.flatnonzero(of == piece)
        entries = (3 * own[:, None] + np.arange(3)).ravel()
        part = matrix if is_whole else matrix[entries][:, entries]
        found.append(Piece(len(own), float(worst[own].max()), stable_step(part)))
    return tuple(found)


def courant(trace: Trace, piece: Piece) -> float:
    """Stable step relative to Δ/c_p, Δ the node spacing."""
    return piece.step * wave_speeds(trace)[0] / spacing(trace)


def whole(trace: Trace) -> Piece:
    """A block that is not cut."""
    if len(pieces(trace)) != 1:
        raise MissingData(f"{trace.label}: {len(pieces(trace))} pieces, expected one")
    return pieces(trace)[0]


def whole_step(trace: Trace) -> float:
    """Δt c_p/Δ at 2/ω_max."""
    return courant(trace, whole(trace))


def of_size(blocks: Blocks, size: tuple[int, int]) -> list[tuple[Trace, Piece]]:
    """Fragments with node counts within `size`, inclusive."""
    found = [(c, p) for c in blocks for p in pieces(c) if size[0] <= p.nodes <= size[1]]
    if not found:
        raise MissingData(f"{M.experiment}: no fragment of {size[0]} to {size[1]} nodes")
    return found


def steps(blocks: Blocks, size: tuple[int, int]) -> Array:
    """Courant numbers of the fragments of this size."""
    return np.array([courant(c, p) for c, p in of_size(blocks, size)])


def _median_step(size: tuple[int, int]) -> Quantity:
    return Quantity(
        lambda *blocks: float(np.median(steps(blocks, size))),
        f"median Δt c_p/Δ at 2/ω_max of fragments of {size[0]} to {size[1]} nodes",
    )


@quantity("fewest fragments per class: 4 to 6, 7 to 12, 13 to 20 nodes")
def _count(*blocks: Trace) -> float:
    return min(float(len(of_size(blocks, size))) for size in (FEW, SOME, MANY))


@quantity("median stable step of fragments of 4 to 6 nodes relative to fragments of 13 to 20")
def _few_over_many(*blocks: Trace) -> float:
    return float(np.median(steps(blocks, FEW)) / np.median(steps(blocks, MANY)))


def few_condition(*blocks: Trace) -> float:
    """Median over fragments of 4 to 6 nodes of the largest condition number of a matrix A."""
    return float(np.median([p.condition for _, p in of_size(blocks, FEW)]))


@quantity("share of the runs that diverge")
def _diverged(trace: Trace) -> float:
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}")
    return float(trace.status == "diverged")


@quantity("largest kinetic energy relative to the start")
def _energy(trace: Trace) -> float:
    kinetic = trace.values("step", "kinetic_energy")
    return float(kinetic.max() / kinetic[0])


CHOPPED = rows("chopped", says="cut blocks, not resampled").however_ended("their first frame is there")
BY_SUPPORT = CHOPPED.grouped(support, says="by size of supports").noted(
    lambda *cut: f"supports of {support(cut[0]):.3g} spacings"
)
WHOLE, RIGID = rows("whole", says="whole blocks"), rows("rigid", says="blocks whose small pieces are rigid")
DIVERGES = "runs that diverge are counted"

M.least("count", _count, BY_SUPPORT)
M.least("whole_step", whole_step, WHOLE)
M.least("few_step", _median_step(FEW), BY_SUPPORT)
M.least("many_step", _median_step(MANY), BY_SUPPORT)
M.largest("few_over_many", _few_over_many, BY_SUPPORT)
M.largest("few_condition", few_condition, BY_SUPPORT)
M.mean("diverged", _diverged, CHOPPED)
M.mean("whole_diverged", _diverged, WHOLE.however_ended(DIVERGES))
M.mean("rigid_diverged", _diverged, RIGID.however_ended(DIVERGES))
M.largest("rigid_energy", _energy, RIGID)


@M("few_least_step")
def few_least_step(data: ExperimentData) -> float:
    """5th percentile of Δt c_p/Δ at 2/ω_max of all fragments of 4 to 6 nodes."""
    return float(np.quantile(steps(CHOPPED.runs(data), FEW), 0.05))


def _against_whole(data: ExperimentData, of: Callable[[Blocks, Blocks], float]) -> dict[str, float]:
    """`of` cut and whole blocks, by support size."""
    blocks = WHOLE.runs(data)
    return {name: of(cut, [c for c in blocks if support(c) == support(cut[0])]) for cut, name in BY_SUPPORT.units(data)}


@M("few_over_whole")
def few_over_whole(data: ExperimentData) -> Measured:
    """Median stable step of fragments of 4 to 6 nodes relative to the least of whole blocks, maximum over support
    sizes."""

    def of(cut: Blocks, blocks: Blocks) -> float:
        return float(np.median(steps(cut, FEW))) / min(whole_step(c) for c in blocks)

    return extremes.largest(_against_whole(data, of))


@M("condition_rise")
def condition_rise(data: ExperimentData) -> Measured:
    """Median condition number of fragments of 4 to 6 nodes relative to the largest of whole blocks, minimum over
    support sizes."""
    found = _against_whole(data, lambda cut, blocks: few_condition(*cut) / max(whole(c).condition for c in blocks))
    return extremes.least(found)


@M("step_part")
def step_part(data: ExperimentData) -> Measured:
    """Largest step of the runs relative to the least stable step of whole blocks with the same supports."""
    found = _against_whole(data, lambda cut, blocks: max(map(step, cut)) / min(whole(c).step for c in blocks))
    return extremes.largest(found)
