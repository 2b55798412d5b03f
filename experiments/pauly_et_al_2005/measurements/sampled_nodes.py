# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of a solid as traces store them: pairs within supports, weights, moment matrices,
frames of an ensemble."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.vocabulary import Array, Trace
from .clouds import seeds

Pairs = tuple[Array, Array, Array]  # i, j, distance
SINGULAR = 1e-12  # of the largest eigenvalue, some thousand times the rounding of the sums


def frames(trace: Trace, *names: str) -> Iterator[list[dict[str, Array]]]:
    """The named arrays, or all, of every frame, by member."""
    for member in seeds(trace):
        yield [arrays for _, _, arrays in trace.frames(member, names=names or None)]


def kernel(distance: Array, support: Array) -> Array:
    """w = 315/(64 π h⁹) (h² − r²)³ within h, else 0; its integral over space is 1."""
    ratio = np.minimum(distance / support, 1.0)
    return 315 / (64 * np.pi * support**3) * (1 - ratio**2) ** 3


def last_frames(trace: Trace) -> Iterator[dict[str, Array]]:
    """The arrays of every member's last frame."""
    for member in seeds(trace):
        yield from (arrays for _, _, arrays in trace.frames(member, last=True))


def weight(r: Array) -> Array:
    """ω(r) = 1 − 6r² + 8r³ − 3r⁴ below 1, else 0."""
    return np.where(r < 1, 1 - 6 * r**2 + 8 * r**3 - 3 * r**4, 0.0)


def pairs(points: Array, supports: Array) -> Pairs:
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


def conditions(points: Array, supports: Array, near: Pairs | None = None) -> tuple[Array, Array, Array]:
    """At every node: condition numbers of the moment matrix M of eq. 1, lengths in units of the node's support, and
    of A of eq. 2, infinite where singular to rounding; how many nodes its support holds, itself among them. `near`:
    the pairs of larger supports."""
    i, j, distance = near or pairs(points, supports)
    inside = distance < supports[i]
    i, j, distance = i[inside], j[inside], distance[inside]
    count = len(points)
    own = weight(distance / supports[i])
    edges = points[j].T - points[i].T
    weighted = own * edges
    a, m = np.zeros((count, 3, 3)), np.zeros((count, 4, 4))
    # M at node j: ω of every node i whose support holds j, and of j itself, with weight 1.
    m[:, 0, 0] = 1 + np.bincount(j, own, count)
    for k in range(3):
        m[:, 0, k + 1] = m[:, k + 1, 0] = -np.bincount(j, weighted[k], count) / supports
        for n in range(k + 1):
            product = weighted[k] * edges[n]
            a[:, k, n] = a[:, n, k] = np.bincount(i, product, count)
            m[:, k + 1, n + 1] = m[:, n + 1, k + 1] = np.bincount(j, product, count) / supports**2
    return _condition(m), _condition(a), 1 + np.bincount(i, minlength=count)


def _condition(matrices: Array) -> Array:
    values = np.linalg.eigvalsh(matrices)
    regular = values[:, 0] > SINGULAR * values[:, -1]
    return np.where(regular, values[:, -1] / np.where(regular, values[:, 0], 1), np.inf)
