# SPDX-License-Identifier: BSD-3-Clause
"""Intersecting surfaces, from positions alone: in rational arithmetic at one instant, by distance bounds on straight
paths. Shares no code with the tests of the method that it judges."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.clipped_volumes import winding
from deformbench_analysis.mesh_frames import boundary_triangles

# Relative to the extent cubed: below it a determinant's sign is recomputed in rational arithmetic. Differences are
# at most twice the extent, so that rounding is at most some 7ε · 6 · 2³ = 4e-14.
ROUNDING = 1e-13
TOUCHING = 1e-13  # m: primitives at most this apart meet
CORNERS = ((0, 1), (1, 2), (2, 0))
Distance = Callable[[Array], Array]  # of four points each, [k,4,3]


def orientation(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Sign of the volume of the tetrahedra a, b, c, d, [k,3] each: exact."""
    u, v, w = b - a, c - a, d - a
    volume = np.einsum("ki,ki->k", np.cross(u, v), w)
    size = np.abs(np.stack([a, b, c, d])).max(initial=1e-300)
    sign = np.sign(volume)
    for k in np.flatnonzero(np.abs(volume) <= ROUNDING * size**3):
        p, q, r, s = ([Fraction(float(x)) for x in point[k]] for point in (a, b, c, d))
        (x1, y1, z1), (x2, y2, z2), (x3, y3, z3) = ([m - n for m, n in zip(point, p)] for point in (q, r, s))
        exact = x1 * (y2 * z3 - z2 * y3) - y1 * (x2 * z3 - z2 * x3) + z1 * (x2 * y3 - y2 * x3)
        sign[k] = (exact > 0) - (exact < 0)
    return np.asarray(sign)


@dataclass(frozen=True)
class Surface:
    """The boundary of a mesh of one or more bodies."""

    triangles: Array  # [t,3]
    edges: Array  # [e,2]
    bodies: Array  # of every vertex of the mesh
    tetrahedra: Array

    @staticmethod
    def of(tetrahedra: Array, count: int) -> "Surface":
        """Surface of a mesh of `count` vertices."""
        triangles = boundary_triangles(tetrahedra)
        pairs = np.sort(np.concatenate([triangles[:, ends] for ends in CORNERS]), axis=1)
        bodies = np.arange(count)
        while True:
            least = bodies.copy()
            np.minimum.at(least, tetrahedra, bodies[tetrahedra].min(axis=1)[:, None])
            if (least == bodies).all():
                return Surface(triangles, np.unique(pairs, axis=0), bodies, tetrahedra)
            bodies = least

    def pairs(self, one: Array, other: Array) -> tuple[Array, Array]:
        """Index pairs from both lists without a common vertex."""
        apart = ~(one[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))
        rows, columns = np.nonzero(apart)
        return rows, columns

    def intersections(self, x: Array) -> int:
        """Number of intersecting edge–triangle pairs at x."""
        e, t = self.pairs(self.edges, self.triangles)
        low, high = (getattr(x[self.edges], f)(axis=1)[e] for f in ("min", "max"))
        below, above = (getattr(x[self.triangles], f)(axis=1)[t] for f in ("min", "max"))
        near = ((low <= above) & (below <= high)).all(axis=1)
        (p, q), (a, b, c) = x[self.edges[e[near]]].swapaxes(0, 1), x[self.triangles[t[near]]].swapaxes(0, 1)
        crosses = orientation(a, b, c, p) * orientation(a, b, c, q) <= 0
        sides = np.stack([orientation(p, q, a, b), orientation(p, q, b, c), orientation(p, q, c, a)])
        return int((crosses & ((sides >= 0).all(axis=0) | (sides <= 0).all(axis=0))).sum())

    def contained(self, x: Array) -> int:
        """Number of tetrahedra whose centroid is inside another body, by winding numbers."""
        found, centres = 0, x[self.tetrahedra].mean(axis=1)
        owner = self.bodies[self.tetrahedra[:, 0]]
        for body in np.unique(owner):
            corners = x[self.triangles[self.bodies[self.triangles[:, 0]] == body]]
            low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
            near = (owner != body) & ((centres >= low) & (centres <= high)).all(axis=1)
            found += int((winding(centres[near], corners) > 0.5).sum())
        return found

    def meetings(self, start: Array, end: Array) -> int:
        """Number of point–triangle and edge–edge pairs that cannot be shown to stay apart on the straight paths
        start → end. A pair stays apart in a time interval if its distance at the midpoint exceeds the largest
        possible approach in half of it."""
        points = np.unique(self.triangles)[:, None]
        i, j = self.pairs(points, self.triangles)
        k, m = self.pairs(self.edges, self.edges)
        once = k < m
        lists = (
            (np.hstack([points[i], self.triangles[j]]), point_triangle),
            (np.hstack([self.edges[k[once]], self.edges[m[once]]]), edge_edge),
        )
        return sum(_meetings(start[vertices], end[vertices], distance) for vertices, distance in lists)


def _meetings(start: Array, end: Array, distance: Distance) -> int:
    way = end - start
    # A common translation changes no distance; the rest bounds its rate of change.
    speed = 2 * np.linalg.norm(way - way.mean(axis=1, keepdims=True), axis=2).max(axis=1)
    found = 0
    index, time, half = np.arange(len(start)), np.full(len(start), 0.5), 0.5
    while index.size:
        gap = distance(start[index] + time[:, None, None] * way[index])
        meets = np.unique(index[~(gap > TOUCHING)])  # also NaN
        found += len(meets)
        kept = (gap <= half * speed[index]) & ~np.isin(index, meets)
        half /= 2
        index, time = np.repeat(index[kept], 2), (time[kept][:, None] + [-half, half]).ravel()
    return found


def _to_segment(p: Array, a: Array, b: Array) -> Array:
    along = b - a
    squared = np.maximum((along * along).sum(axis=1), 1e-300)
    s = np.clip(((p - a) * along).sum(axis=1) / squared, 0, 1)
    return np.asarray(np.linalg.norm(p - a - s[:, None] * along, axis=1))


def point_triangle(x: Array) -> Array:
    """Distances of points from triangles, [k,4,3] → [k]."""
    p, a, b, c = x.swapaxes(0, 1)
    best = np.minimum(np.minimum(_to_segment(p, a, b), _to_segment(p, b, c)), _to_segment(p, c, a))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    over = np.ones(len(x), dtype=bool)
    for u, v in ((a, b), (b, c), (c, a)):
        over &= (np.cross(v - u, p - u) * normal).sum(axis=1) >= 0
    height = np.abs(((p - a) * normal).sum(axis=1)) / np.where(length > 0, length, 1.0)
    return np.asarray(np.where(over & (length > 0), height, best))


def edge_edge(x: Array) -> Array:
    """Distances of segments, [k,4,3] → [k]."""
    a, b, c, d = x.swapaxes(0, 1)
    ends = [_to_segment(a, c, d), _to_segment(b, c, d), _to_segment(c, a, b), _to_segment(d, a, b)]
    best = np.min(ends, axis=0)
    u, v, w = b - a, d - c, c - a
    normal = np.cross(u, v)
    squared = (normal * normal).sum(axis=1)
    safe = np.where(squared > 0, squared, 1.0)
    s, t = ((np.cross(w, other) * normal).sum(axis=1) / safe for other in (v, u))
    crosses = (squared > 0) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    return np.asarray(np.where(crosses, np.abs((w * normal).sum(axis=1)) / np.sqrt(safe), best))


def least_determinant(start: Array, end: Array) -> float:
    """Least det of matrices [k,3,3] that vary linearly from start to end: at the ends and the cubic's extrema."""
    at = np.array([0, 1 / 3, 2 / 3, 1])
    values = np.linalg.det(start + at[:, None, None, None] * (end - start))
    least = float(min(values[0].min(), values[-1].min()))
    coefficients = np.linalg.solve(np.vander(at), values)  # of t³, t², t, 1
    for one in coefficients.T:
        turns = np.roots(np.polyder(one))
        inside = turns.real[(np.abs(turns.imag) < 1e-12) & (turns.real > 0) & (turns.real < 1)]
        least = min([least, *np.polyval(one, inside).tolist()])
    return least
