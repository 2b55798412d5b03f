# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/gradient_convergence: gradients of a wave at the nodes of finer and finer
clouds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .clouds import Frame, frame, seeds, spacing, starts
from .strain_objectivity import gradient

EXPERIMENT = "pauly_et_al_2005/gradient_convergence"
FIELD, SAMPLING = "scene.parameters.field", "scene.parameters.sampling"
WAVES = np.array([[4.0, 2, 1], [-2, 4, 2], [1, -2, 4]])  # of u = a sin(W x/L)
PERCENTILE = 95
CONTROL_ACROSS = 24  # the largest cloud on which the control is computed: its error does not fall


def wave_gradient(trace: Trace, rest: Array) -> Array:
    """∂u_c/∂x_d of the wave at the nodes."""
    length = float(trace.value("scene.parameters.length_m"))
    amplitude = float(trace.value("scene.parameters.amplitude_m"))
    return np.asarray(amplitude / length * np.cos(rest @ WAVES.T / length)[:, :, None] * WAVES)


def interior(trace: Trace, arrays: Frame) -> Array:
    """Nodes farther from every face of the block than their support."""
    return np.asarray(_to_faces(trace, arrays) > arrays["node_supports"])


def boundary(trace: Trace, arrays: Frame) -> Array:
    """Nodes in a cell at a face of the block."""
    return np.asarray(_to_faces(trace, arrays) < _cells(trace, arrays))


def transition(trace: Trace, arrays: Frame) -> Array:
    """Nodes within a coarse cell of where the cells change their size, and not at a face."""
    coarse, length = spacing(trace), float(trace.value("scene.parameters.length_m"))
    middle = coarse * np.floor(length / coarse / 2 + 0.5)
    near = np.abs(arrays["node_rest_positions"][:, 0] - middle) < coarse
    return np.asarray(near & ~boundary(trace, arrays))


def _to_faces(trace: Trace, arrays: Frame) -> Array:
    length, side = (float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
    low, high = np.array([0, -side / 2, -side / 2]), np.array([length, side / 2, side / 2])
    rest = arrays["node_rest_positions"]
    return np.asarray(np.minimum(rest - low, high - rest).min(axis=1))


def _cells(trace: Trace, arrays: Frame) -> Array:
    """Side of each node's cell, m."""
    coarse = np.full(len(arrays["node_supports"]), spacing(trace))
    if trace.value(SAMPLING) == "two_levels":
        length = float(trace.value("scene.parameters.length_m"))
        middle = coarse[0] * np.floor(length / coarse[0] / 2 + 0.5)
        coarse[arrays["node_rest_positions"][:, 0] > middle] /= 2
    return coarse


Region = Callable[[Trace, Frame], Array]


def percentile(trace: Trace, arrays: Frame, region: Region, found: Array | None = None) -> float:
    """95th percentile over the region's nodes of the error of ∇u, over the largest |∇u|."""
    exact = wave_gradient(trace, arrays["node_rest_positions"])
    computed = arrays["node_deformation_gradients"] - np.eye(3) if found is None else found
    errors = np.linalg.norm(computed - exact, axis=(1, 2))[region(trace, arrays)]
    if errors.size < 20:
        raise MissingData(f"{trace.label}: {errors.size} nodes in a region, expected at least 20")
    return float(np.percentile(errors, PERCENTILE) / np.linalg.norm(exact, axis=(1, 2)).max())


def errors_by_size(data: ExperimentData, sampling: str, region: Region) -> list[tuple[float, list[float]]]:
    """Spacing, and the percentile of every seed, the finest first."""
    cells = data.every(where={FIELD: "wave", SAMPLING: sampling})
    found = [(spacing(c), [percentile(c, f, region) for f in starts(c)]) for c in cells]
    if len(found) < 3:
        raise MissingData(f"{EXPERIMENT}: {len(found)} sizes, expected 3")
    return sorted(found, key=lambda e: e[0])


def order(data: ExperimentData, sampling: str, region: Region) -> Measured:
    """Least over seeds of the exponent of the spacing, fitted to all sizes."""
    by_size = errors_by_size(data, sampling, region)
    spacings = np.log([s for s, _ in by_size])
    members = zip(*(errors for _, errors in by_size), strict=True)
    return extremes.least(
        {f"seed {k + 1}": float(np.polyfit(spacings, np.log(e), 1)[0]) for k, e in enumerate(members)}
    )


@measurement("gradient_convergence.interior_order", unit="1", experiment=EXPERIMENT)
def interior_order(data: ExperimentData) -> Measured:
    """Exponent of the spacing in the 95th percentile of the error of ∇u, a wave on jittered clouds of one size, nodes farther than
    their support from the boundary; the least over seeds."""
    return order(data, "one_size", interior)


@measurement("gradient_convergence.boundary_order", unit="1", experiment=EXPERIMENT)
def boundary_order(data: ExperimentData) -> Measured:
    """Exponent of the spacing in the 95th percentile of the error of ∇u, nodes in cells at the boundary; the least over seeds."""
    return order(data, "one_size", boundary)


@measurement("gradient_convergence.transition_order", unit="1", experiment=EXPERIMENT)
def transition_order(data: ExperimentData) -> Measured:
    """Exponent of the spacing in the 95th percentile of the error of ∇u, nodes within a coarse cell of a plane where cells change their size by two; the least over seeds."""
    return order(data, "two_levels", transition)


@measurement("gradient_convergence.finest_error", unit="1", experiment=EXPERIMENT)
def finest_error(data: ExperimentData) -> Measured:
    """Largest 95th percentile of the error of ∇u at the finest cloud, over the largest |∇u|; the worst region and seed."""
    regions: dict[str, tuple[str, Region]] = {
        "interior": ("one_size", interior),
        "boundary": ("one_size", boundary),
        "transition": ("two_levels", transition),
    }
    return extremes.largest({n: max(errors_by_size(data, s, r)[0][1]) for n, (s, r) in regions.items()})


@measurement("gradient_convergence.affine_error", unit="1", experiment=EXPERIMENT)
def affine_error(data: ExperimentData) -> Measured:
    """Largest entry of F − F₀ of a node over the condition number of its A (by the analysis), positions an affine map F₀ of the rest shape."""

    def of(arrays: Frame) -> float:
        conditions = Nodes(arrays["node_rest_positions"], arrays["node_supports"]).conditions
        wrong = np.abs(arrays["node_deformation_gradients"] - gradient(arrays)).max(axis=(1, 2))
        return float(np.max(wrong / conditions))

    cells = data.every(where={FIELD: "affine"})
    return extremes.largest({c: max(of(f) for f in starts(c)) for c in cells})


@measurement("gradient_convergence.deficient_nodes", unit="1", experiment=EXPERIMENT)
def deficient_nodes(data: ExperimentData) -> Measured:
    """Largest number of nodes whose A has a rank below 3."""
    return extremes.largest({c: float(max(np.sum(f["node_ranks"] < 3) for f in starts(c))) for c in data.every()})


@measurement("gradient_convergence.isotropic_error", unit="1", experiment=EXPERIMENT)
def isotropic_error(data: ExperimentData) -> Measured:
    """Least 95th percentile of the error of ∇u where A is replaced by its trace over three times the identity (by the analysis), boundary
    nodes of the first seed of every cloud up to 24 nodes across: the gradient without its matrix."""

    def of(cell: Trace) -> float:
        arrays = frame(cell, seeds(cell)[0])
        nodes = Nodes(arrays["node_rest_positions"], arrays["node_supports"])
        field = arrays["positions"] - nodes.rest
        jumps = field[nodes.pairs[:, 1]] - field[nodes.pairs[:, 0]]
        sums = nodes.summed(nodes.weights[:, None, None] * jumps[:, :, None] * nodes.edges[:, None, :])
        return percentile(cell, arrays, boundary, sums / (np.trace(nodes.moments, axis1=1, axis2=2) / 3)[:, None, None])

    cells = data.every(
        where={FIELD: "wave", SAMPLING: "one_size"},
        keep=lambda c: int(c.value("scene.parameters.nodes_across")) <= CONTROL_ACROSS,
    )
    return extremes.least({c: of(c) for c in cells})
