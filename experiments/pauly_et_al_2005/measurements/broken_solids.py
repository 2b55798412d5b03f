# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for scenes that break: pieces and the state before the first crack,
from positions and pairs."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.vocabulary import Array, MissingData, Trace
from .clouds import nodes_of
from .crack_fronts import Frame

SMALLEST = 4  # nodes: fewer determine no gradient and count as debris, not a piece


def states(trace: Trace, member: int | None) -> list[tuple[int, float, Frame]]:
    """Steps, times and arrays of all frames."""
    found = [(step, time, arrays) for step, time, arrays in trace.frames(member) if "crack_triangles" in arrays]
    if len(found) < 2:
        raise MissingData(f"{trace.label}: fewer than two frames with cracks")
    return found


def before_first_crack(found: list[tuple[int, float, Frame]]) -> Frame | None:
    """The last frame before the first crack, or None."""
    for (_, _, before), (_, _, after) in zip(found, found[1:]):
        if len(before["crack_triangles"]) == 0 and len(after["crack_triangles"]) > 0:
            return before
    return None


def pieces(arrays: Frame) -> list[Array]:
    """Nodes of each component connected by pairs of positive weight, largest first;
    fewer than four are left out."""
    count = len(arrays["node_rest_positions"])
    held = arrays["pair_weights"].ravel() > 0
    i, j = arrays["pairs"][held].T
    _, label = connected_components(coo_matrix((np.ones(len(i)), (i, j)), shape=(count, count)), directed=False)
    found = [np.flatnonzero(label == k) for k in np.unique(label)]
    return sorted((f for f in found if len(f) >= SMALLEST), key=len, reverse=True)


def strains(trace: Trace, arrays: Frame) -> Array:
    """Green strain of every node from positions in a state without cracks, [n, 3, 3]."""
    return nodes_of(trace, arrays).strains(arrays["positions"])
