# SPDX-License-Identifier: BSD-3-Clause
"""What measurements of Pauly et al. 2005 read of clouds of nodes: frames by member, and the analysis' own operators."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags
from scipy.spatial import cKDTree

from ...arrays import Array
from ...errors import MissingData
from ...moving_least_squares import Nodes, stiffness
from ...trace import Trace

Frame = dict[str, Array]


def seeds(trace: Trace) -> list[int | None]:
    """Indices of the members; one None where the run is no ensemble."""
    count = len(trace.value("ensemble.seeds", []) or [])
    return list(range(count)) if count else [None]


def frame(trace: Trace, member: int | None, index: int = 0) -> Frame:
    """Arrays of the frame with this index, 0 the start."""
    found = list(trace.frames(member))
    if not found or index >= len(found) or "node_rest_positions" not in found[index][2]:
        raise MissingData(f"{trace.experiment}: {trace.label}: no frame {index} with nodes")
    return found[index][2]


def starts(trace: Trace) -> Iterator[Frame]:
    """The first frame of every member."""
    for member in seeds(trace):
        yield frame(trace, member)


def nodes_of(trace: Trace, arrays: Frame) -> Nodes:
    """The analysis' own operators of these nodes, with the scene's material."""
    return Nodes.of_material(
        arrays["node_rest_positions"],
        arrays["node_supports"],
        float(trace.value("scene.parameters.young_modulus_pa")),
        float(trace.value("scene.parameters.poisson_ratio")),
    )


def wave_speeds(trace: Trace) -> tuple[float, float]:
    """Of pressure and of shear waves, m/s."""
    of = Nodes.of_material(
        np.zeros((1, 3)),
        np.ones(1),
        float(trace.value("scene.parameters.young_modulus_pa")),
        float(trace.value("scene.parameters.poisson_ratio")),
    )
    density = float(trace.value("scene.parameters.density_kg_m3"))
    return float(np.sqrt((of.first_lame + 2 * of.shear_modulus) / density)), float(np.sqrt(of.shear_modulus / density))


def spacing(trace: Trace) -> float:
    """Δ, the side of the cells that hold a node each, m."""
    return float(trace.value("scene.parameters.side_m")) / float(trace.value("scene.parameters.nodes_across"))


def stored_operator(trace: Trace, arrays: Frame) -> csr_matrix:
    """M^-½ K M^-½ about rest, 1/s², of the pairs, gradients, volumes and masses that the method stored."""
    own = nodes_of(trace, arrays)
    matrix = stiffness(
        arrays["pairs"],
        arrays["pair_gradients"],
        arrays["node_volumes"],
        own.projections,
        own.first_lame,
        own.shear_modulus,
    )
    root = diags(np.repeat(arrays["node_masses"], 3) ** -0.5)
    return csr_matrix(root @ matrix @ root)


def frames(trace: Trace) -> Iterator[list[dict[str, Array]]]:
    """The arrays of every frame, member by member."""
    for member in seeds(trace):
        yield [arrays for _, _, arrays in trace.frames(member)]


def last_frames(trace: Trace) -> Iterator[dict[str, Array]]:
    """The arrays of every member's last frame."""
    for member in seeds(trace):
        yield from (arrays for _, _, arrays in trace.frames(member, last=True))


def weight(r: Array) -> Array:
    """ω(r) = 1 − 6r² + 8r³ − 3r⁴ below 1, else 0."""
    return np.where(r < 1, 1 - 6 * r**2 + 8 * r**3 - 3 * r**4, 0.0)


def pairs(points: Array, supports: Array) -> tuple[Array, Array, Array]:
    """i, j and the distance of every pair in which j lies in the support of i, without i itself."""
    tree = cKDTree(points)
    found: list[Array] = []
    classes = np.floor(np.log2(supports / supports.min() * (1 + 1e-12)))
    for k in np.unique(classes):
        own = np.flatnonzero(classes == k)
        near = cKDTree(points[own]).sparse_distance_matrix(tree, supports[own].max(), output_type="ndarray")
        i, j, distance = own[near["i"]], near["j"], near["v"]
        keep = (distance < supports[i]) & (i != j)
        found.append(np.stack([i[keep], j[keep], distance[keep]]))
    i, j, distance = np.concatenate(found, axis=1)
    return i.astype(int), j.astype(int), distance


def sums(index: Array, values: Array, count: int) -> Array:
    """Sum of the rows of values that have the same index."""
    flat = values.reshape(len(values), -1)
    spread = coo_matrix((np.ones(len(index)), (index, np.arange(len(index)))), shape=(count, len(index)))
    return np.asarray(spread.tocsr() @ flat).reshape(count, *values.shape[1:])


def counts_in_support(points: Array, supports: Array) -> Array:
    """How many nodes each support holds, its own among them."""
    i, _, _ = pairs(points, supports)
    return 1 + np.bincount(i, minlength=len(points))


def conditions(points: Array, supports: Array) -> tuple[Array, Array]:
    """Condition numbers at every node of the moment matrix M of eq. 1, lengths in units of the node's support, and of A of eq. 2;
    infinite where singular to rounding."""
    i, j, distance = pairs(points, supports)
    edges = points[j] - points[i]
    own = weight(distance / supports[i])
    a = sums(i, own[:, None, None] * edges[:, :, None] * edges[:, None, :], len(points))
    # At the node j, ω of the node i whose support it lies in; and of j itself, with the weight 1.
    p = np.concatenate([np.ones((len(i), 1)), -edges / supports[j][:, None]], axis=1)
    m = sums(j, own[:, None, None] * p[:, :, None] * p[:, None, :], len(points))
    m[:, 0, 0] += 1
    return _condition(m), _condition(a)


def _condition(matrices: Array) -> Array:
    values = np.linalg.eigvalsh(matrices)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = values[:, -1] / values[:, 0]
    return np.where(values[:, 0] > 1e-12 * values[:, -1], ratio, np.inf)
