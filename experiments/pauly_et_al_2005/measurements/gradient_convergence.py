# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/gradient_convergence: nodal gradients of a wave on successively finer
clouds."""

from collections.abc import Callable, Sequence

import numpy as np

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Quantity, Trace, quantity, rows
from .clouds import Frame, frame, seeds, spacing, starts
from .strain_objectivity import gradient

M = Measures("pauly_et_al_2005/gradient_convergence")
FIELD, SAMPLING = "scene.parameters.field", "scene.parameters.sampling"
WAVES = np.array([[4.0, 2, 1], [-2, 4, 2], [1, -2, 4]])  # of u = a sin(W x/L)
PERCENTILE = 95
CONTROL_ACROSS = 24  # the largest cloud on which the control is computed: its error does not fall


def wave_gradient(trace: Trace, rest: Array) -> Array:
    """∂u_c/∂x_d of the wave at the nodes."""
    length = trace.number("length_m")
    amplitude = trace.number("amplitude_m")
    return np.asarray(amplitude / length * np.cos(rest @ WAVES.T / length)[:, :, None] * WAVES)


def interior(trace: Trace, arrays: Frame) -> Array:
    """Nodes farther from every face of the block than their support."""
    return np.asarray(_to_faces(trace, arrays) > arrays["node_supports"])


def boundary(trace: Trace, arrays: Frame) -> Array:
    """Nodes in a cell at a face of the block."""
    return np.asarray(_to_faces(trace, arrays) < _cells(trace, arrays))


def transition(trace: Trace, arrays: Frame) -> Array:
    """Nodes within a coarse cell of the change of cell size, and not at a face."""
    coarse, length = spacing(trace), trace.number("length_m")
    middle = coarse * np.floor(length / coarse / 2 + 0.5)
    near = np.abs(arrays["node_rest_positions"][:, 0] - middle) < coarse
    return np.asarray(near & ~boundary(trace, arrays))


def _to_faces(trace: Trace, arrays: Frame) -> Array:
    length, side = (trace.number(n) for n in ("length_m", "side_m"))
    low, high = np.array([0, -side / 2, -side / 2]), np.array([length, side / 2, side / 2])
    rest = arrays["node_rest_positions"]
    return np.asarray(np.minimum(rest - low, high - rest).min(axis=1))


def _cells(trace: Trace, arrays: Frame) -> Array:
    """Side of each node's cell, m."""
    coarse = np.full(len(arrays["node_supports"]), spacing(trace))
    if trace.value(SAMPLING) == "two_levels":
        length = trace.number("length_m")
        middle = coarse[0] * np.floor(length / coarse[0] / 2 + 0.5)
        coarse[arrays["node_rest_positions"][:, 0] > middle] /= 2
    return coarse


Region = Callable[[Trace, Frame], Array]


def percentile(trace: Trace, arrays: Frame, region: Region, found: Array | None = None) -> float:
    """95th percentile of the region's nodal errors of ∇u relative to the largest |∇u|."""
    exact = wave_gradient(trace, arrays["node_rest_positions"])
    computed = arrays["node_deformation_gradients"] - np.eye(3) if found is None else found
    errors = np.linalg.norm(computed - exact, axis=(1, 2))[region(trace, arrays)]
    if errors.size < 20:
        raise MissingData(f"{trace.label}: {errors.size} nodes in a region, expected at least 20")
    return float(np.percentile(errors, PERCENTILE) / np.linalg.norm(exact, axis=(1, 2)).max())


def errors_by_size(runs: Sequence[Trace], region: Region) -> list[tuple[float, list[float]]]:
    """Spacing, and the percentile of every seed, the finest first."""
    if len(runs) < 3:
        raise MissingData(f"{M.experiment}: {len(runs)} sizes, expected 3")
    found = [(spacing(c), [percentile(c, f, region) for f in starts(c)]) for c in runs]
    return sorted(found, key=lambda e: e[0])


def _order(region: Region, where: str) -> Quantity:
    def of(*runs: Trace) -> dict[str, float]:
        by_size = errors_by_size(runs, region)
        spacings = np.log([s for s, _ in by_size])
        members = zip(*(errors for _, errors in by_size), strict=True)
        return {f"seed {k + 1}": float(np.polyfit(spacings, np.log(e), 1)[0]) for k, e in enumerate(members)}

    return Quantity(of, f"order in the spacing of the error of ∇u, 95th percentile of nodes {where}")


@quantity("95th percentile of the error of ∇u on the finest cloud relative to max |∇u|")
def _finest_error(*runs: Trace) -> dict[str, float]:
    return {r.__name__: max(errors_by_size(runs, r)[0][1]) for r in REGIONS[runs[0].value(SAMPLING)]}


@quantity("entry of F − F₀ at a node / condition number of its A")
def _affine_error(trace: Trace) -> Array:
    found = []
    for arrays in starts(trace):
        conditions = Nodes(arrays["node_rest_positions"], arrays["node_supports"]).conditions
        wrong = np.abs(arrays["node_deformation_gradients"] - gradient(arrays)).max(axis=(1, 2))
        found.append(np.max(wrong / conditions))
    return np.array(found)


@quantity("nodes whose A has a rank below 3")
def _deficient_nodes(trace: Trace) -> Array:
    return np.array([np.sum(arrays["node_ranks"] < 3) for arrays in starts(trace)])


@quantity("95th percentile of the error of ∇u, boundary nodes, A replaced by (tr A/3) I")
def _isotropic_error(trace: Trace) -> float:
    """The analysis' gradient for the first seed, without inverting A."""
    arrays = frame(trace, seeds(trace)[0])
    nodes = Nodes(arrays["node_rest_positions"], arrays["node_supports"])
    field = arrays["positions"] - nodes.rest
    jumps = field[nodes.pairs[:, 1]] - field[nodes.pairs[:, 0]]
    sums = nodes.summed(nodes.weights[:, None, None] * jumps[:, :, None] * nodes.edges[:, None, :])
    return percentile(trace, arrays, boundary, sums / (np.trace(nodes.moments, axis1=1, axis2=2) / 3)[:, None, None])


def sampling(trace: Trace) -> str:
    """Sizes of cells."""
    return str(trace.value(SAMPLING))


def is_small(trace: Trace) -> bool:
    """Up to 24 nodes across."""
    return int(trace.number("nodes_across")) <= CONTROL_ACROSS


REGIONS = {"one_size": (interior, boundary), "two_levels": (transition,)}
ONE_SIZE = rows(says="waves on clouds of one size").where({FIELD: "wave", SAMPLING: "one_size"}, says="")
BOTH = (
    rows(says="waves, every region and seed")
    .where({FIELD: "wave"}, says="")
    .grouped(sampling, says="", each=tuple(REGIONS))
)
TWO_LEVELS = rows(says="waves on clouds of two sizes").where({FIELD: "wave", SAMPLING: "two_levels"}, says="")

interior_order = M.least(
    "interior_order", _order(interior, "beyond a support from the boundary"), ONE_SIZE.grouped(sampling, says="")
)
boundary_order = M.least(
    "boundary_order", _order(boundary, "in cells at the boundary"), ONE_SIZE.grouped(sampling, says="")
)
transition_order = M.least(
    "transition_order", _order(transition, "where cells halve"), TWO_LEVELS.grouped(sampling, says="")
)
M.largest("finest_error", _finest_error, BOTH)
M.largest(
    "affine_error", _affine_error, rows(says="affine maps F₀ of the rest shape").where({FIELD: "affine"}, says="")
)
M.largest("deficient_nodes", _deficient_nodes)
M.least("isotropic_error", _isotropic_error, ONE_SIZE.where(is_small))
