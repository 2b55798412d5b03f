# SPDX-License-Identifier: BSD-3-Clause
"""Closed surfaces of solids of nodes, carried by the nodes, and which points lie inside of them:
positions of nodes are all that is read.

A point at rest goes to x(X) = X + Σ w (u_j + G_j (X − X_j)) / Σ w, G by moving least squares, w the spline of the
nodes' supports (Pauly et al. 2005, section 3.2); triangles between such points bound the solid."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from .arrays import Array
from .clipped_volumes import winding
from .moving_least_squares import Nodes, weight


def box_surface(low: Array, high: Array, size: float) -> tuple[Array, Array]:
    """Points [k, 3] and triangles [m, 3] of a box, wound outwards, with edges of at most `size`."""
    points: list[Array] = []
    triangles: list[Array] = []
    first = 0
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        counts = [max(1, int(np.ceil((high[k] - low[k]) / size))) for k in (one, other)]
        u, v = (np.linspace(low[k], high[k], n + 1) for k, n in zip((one, other), counts))
        i, j = (a.ravel() for a in np.meshgrid(np.arange(counts[0]), np.arange(counts[1]), indexing="ij"))
        corner = i * (counts[1] + 1) + j
        across, up = corner + counts[1] + 1, corner + 1
        for end, is_high in ((low[axis], False), (high[axis], True)):
            face = np.empty(((counts[0] + 1) * (counts[1] + 1), 3))
            face[:, axis] = end
            face[:, one], face[:, other] = (a.ravel() for a in np.meshgrid(u, v, indexing="ij"))
            two = np.concatenate([np.stack([corner, across, up], 1), np.stack([across, across + 1, up], 1)])
            triangles.append(first + (two if is_high else two[:, ::-1]))
            points.append(face)
            first += len(face)
    return np.concatenate(points), np.concatenate(triangles)


@dataclass(frozen=True)
class Carrier:
    """Points at rest, moved by nodes."""

    nodes: Nodes
    points: Array  # [k, 3], m, at rest

    @cached_property
    def _pairs(self) -> tuple[Array, Array, Array]:
        """Point, node and share of every pair."""
        near = cKDTree(self.nodes.rest).query_ball_point(self.points, self.nodes.supports.max(), return_sorted=True)
        i = np.repeat(np.arange(len(self.points)), [len(n) for n in near])
        j = np.concatenate([np.asarray(n, dtype=int) for n in near])
        value = weight(np.linalg.norm(self.points[i] - self.nodes.rest[j], axis=1) / self.nodes.supports[j])
        total = np.bincount(i, value, len(self.points))
        if (total <= 0).any():
            raise ValueError("a point has no node in reach")
        return i, j, value / total[i]

    def at(self, positions: Array) -> Array:
        """Where nodes at `positions` take the points."""
        i, j, share = self._pairs
        u = positions - self.nodes.rest
        moved = u[j] + np.einsum("pab,pb->pa", self.nodes.slopes(u)[j], self.points[i] - self.nodes.rest[j])
        result = self.points.copy()
        np.add.at(result, i, share[:, None] * moved)
        return np.asarray(result)


def inside(points: Array, corners: Array) -> Array:
    """Which points are enclosed by the triangles [t, 3, 3]: their winding number is above a half."""
    found = np.zeros(len(points), dtype=bool)
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    found[near] = winding(points[near], corners) > 0.5
    return found
