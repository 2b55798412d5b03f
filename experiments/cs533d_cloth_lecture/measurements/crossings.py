# SPDX-License-Identifier: BSD-3-Clause
"""Self-intersections of a triangle surface by exact predicates: doubles where rounding cannot change a sign,
rationals where it can. Shares no code with the methods."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.vocabulary import Array, Trace

# Error bound relative to the permanent: 8 unit roundoffs suffice for a 3×3 determinant of differences
# (Shewchuk 1997); these are 64.
_ERROR = 2.0**-47
TRIANGLES_AT_ONCE = 1_000  # arrays of their candidates fit into a cache


def _exact_side(a: Array, b: Array, c: Array, d: Array) -> int:
    u, v, w = ([Fraction(float(q)) - Fraction(float(o)) for q, o in zip(p, a)] for p in (b, c, d))
    value = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
    return (value > 0) - (value < 0)


def certain_sides(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Sign of (b − a) × (c − a) · (d − a) per row where rounding cannot change it, else 0."""
    u, v, w = (b - a).T, (c - a).T, (d - a).T
    value, permanent = np.zeros(len(a)), np.zeros(len(a))
    for k, e, f in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        plus, minus = v[e] * w[f], v[f] * w[e]
        value += u[k] * (plus - minus)
        permanent += np.abs(u[k]) * (np.abs(plus) + np.abs(minus))
    bound = _ERROR * permanent + 1e-280
    return np.asarray(np.where(np.abs(value) > bound, np.sign(value), 0).astype(int))


def sides(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Sign of (b − a) × (c − a) · (d − a) of every row, exact."""
    found = certain_sides(a, b, c, d)
    for row in np.flatnonzero(found == 0):
        found[row] = _exact_side(a[row], b[row], c[row], d[row])
    return found


def _side_in_plane(p: list[Fraction], q: list[Fraction], r: list[Fraction]) -> int:
    value = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (value > 0) - (value < 0)


def _segments_meet(p: list[Fraction], q: list[Fraction], a: list[Fraction], b: list[Fraction]) -> bool:
    s = [_side_in_plane(p, q, a), _side_in_plane(p, q, b), _side_in_plane(a, b, p), _side_in_plane(a, b, q)]
    if s[0] * s[1] > 0 or s[2] * s[3] > 0:
        return False
    if s == [0, 0, 0, 0]:  # on one line
        return all(max(min(p[k], q[k]), min(a[k], b[k])) <= min(max(p[k], q[k]), max(a[k], b[k])) for k in range(2))
    return True


def _cross(u: list[Fraction], v: list[Fraction]) -> list[Fraction]:
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def _segments_meet_in_space(p: list[Fraction], q: list[Fraction], a: list[Fraction], b: list[Fraction]) -> bool:
    u, v, r = ([y - x for x, y in zip(*ends)] for ends in ((p, q), (a, b), (p, a)))
    if sum(x * y for x, y in zip(_cross(u, v), r)) != 0:
        return False
    # Coplanar: they meet if they meet in every projection along an axis not parallel to the plane; collinear: if in
    # all three.
    normals = [n for n in (_cross(u, v), _cross(u, r), _cross(v, r)) if any(n)]
    drops = [k for k in range(3) if normals[0][k] != 0] if normals else range(3)
    return all(_segments_meet(*([x for c, x in enumerate(point) if c != k] for point in (p, q, a, b))) for k in drops)


def _meet_in_plane(p: Array, q: Array, corners: Array) -> bool:
    """Whether a segment in a triangle's plane meets it: projected along the normal's largest component,
    in rationals."""
    exact = [[Fraction(float(x)) for x in point] for point in (*corners, p, q)]
    u, v = ([exact[k][c] - exact[0][c] for c in range(3)] for k in (1, 2))
    normal = [abs(x) for x in _cross(u, v)]
    drop = normal.index(max(normal))
    if normal[drop] == 0:  # a degenerate triangle is its edges
        return any(_segments_meet_in_space(exact[3], exact[4], exact[k], exact[(k + 1) % 3]) for k in range(3))
    flat = [[x for c, x in enumerate(point) if c != drop] for point in exact]
    if any(_segments_meet(flat[3], flat[4], flat[k], flat[(k + 1) % 3]) for k in range(3)):
        return True
    s = [_side_in_plane(flat[k], flat[(k + 1) % 3], flat[3]) for k in range(3)]
    return min(s) >= 0 or max(s) <= 0


def segments_meet_triangles(p: Array, q: Array, corners: Array) -> Array:
    """Whether the closed segment p–q and the closed triangle of every row have a point in common, exact.
    p, q [n,3], corners [n,3,3]."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    at_p, at_q = sides(a, b, c, p), sides(a, b, c, q)
    found = np.zeros(len(p), bool)
    through = np.flatnonzero((at_p * at_q <= 0) & ((at_p != 0) | (at_q != 0)))
    if through.size:
        s = np.stack(
            [sides(p[through], q[through], corners[through, k], corners[through, (k + 1) % 3]) for k in range(3)]
        )
        found[through] = (s.min(axis=0) >= 0) | (s.max(axis=0) <= 0)
    for row in np.flatnonzero((at_p == 0) & (at_q == 0)):
        found[row] = _meet_in_plane(p[row], q[row], corners[row])
    return found


def candidates(positions: Array, triangles: Array) -> Array:
    """Pairs of triangles [m,2] whose boxes meet."""
    corners = positions[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    # Centres of boxes that meet are at most the largest diagonal apart; long boxes are tested one by one.
    size = np.linalg.norm(high - low, axis=1)
    is_long = size > 4.0 * np.median(size)
    middles = 0.5 * (low + high)
    short = np.flatnonzero(~is_long)
    pairs = [np.zeros((0, 2), int)]
    if short.size:
        near = cKDTree(middles[short]).query_pairs(1.001 * size[short].max(), output_type="ndarray")
        pairs.append(short[near])
    for t in np.flatnonzero(is_long):
        others = np.flatnonzero(~is_long | (np.arange(len(size)) > t))
        pairs.append(np.stack([np.full(len(others), t), others], axis=1))
    found = np.concatenate(pairs)
    first, second = found[:, 0], found[:, 1]
    meets = np.all((low[first] <= high[second]) & (low[second] <= high[first]), axis=1)
    return np.asarray(found[meets])


def are_apart(positions: Array, mine: Array, theirs: Array) -> Array:
    """Whether doubles certify that the triangles of a row [m,3] share nothing but common vertices and edges: they are
    separated by the plane of one triangle, or by one through its edge and perpendicular to it."""
    a, b, c = (positions[mine[:, k]] for k in range(3))
    is_common = (theirs[:, :, None] == mine[:, None, :]).any(axis=2)
    across = np.cross(b - a, c - a)
    across /= np.sqrt(np.maximum(np.linalg.norm(across, axis=1), 1e-280))[:, None]
    side = np.stack([certain_sides(a, b, c, positions[theirs[:, k]]) for k in range(3)], axis=1)
    found = ((side == 1) | is_common).all(axis=1) | ((side == -1) | is_common).all(axis=1)
    for k in range(3):
        rows = np.flatnonzero(~found)
        ends = mine[rows][:, [k, (k + 1) % 3]]
        p, q = positions[ends[:, 0]], positions[ends[:, 1]]
        plane = p, q, p + across[rows]
        inside = certain_sides(*plane, positions[mine[rows, (k + 2) % 3]])
        beyond = np.stack([certain_sides(*plane, positions[theirs[rows, j]]) for j in range(3)], axis=1)
        on_edge = (theirs[rows][:, :, None] == ends[:, None, :]).any(axis=2)
        found[rows] = (inside != 0) & ((beyond == -inside[:, None]) | on_edge).all(axis=1)
    rows = np.flatnonzero(~found & (is_common.sum(axis=1) == 1))
    found[rows] = _are_apart_at_a_vertex(positions, mine[rows], theirs[rows], across[rows])
    return np.asarray(found)


def _are_apart_at_a_vertex(positions: Array, mine: Array, theirs: Array, across: Array) -> Array:
    """The same for one common vertex: a separating plane through it and the first triangle's normal."""
    k, j = np.nonzero((mine[:, :, None] == theirs[:, None, :]).reshape(len(mine), 9))[1] // np.array([[3], [1]])
    rows, j = np.arange(len(mine)), j % 3
    vertex = positions[mine[rows, k]]
    own = [positions[mine[rows, (k + i) % 3]] for i in (1, 2)]
    other = [positions[theirs[rows, (j + i) % 3]] for i in (1, 2)]
    along = np.cross(across, sum(own) - sum(other))
    along /= np.sqrt(np.maximum(np.linalg.norm(along, axis=1), 1e-280))[:, None]
    side = np.stack([certain_sides(vertex, vertex + across, vertex + along, p) for p in (*own, *other)], axis=1)
    side[:, 2:] *= -1
    return np.asarray((side == 1).all(axis=1) | (side == -1).all(axis=1))


def crossing_pairs(positions: Array, triangles: Array, among: Array | None = None) -> Array:
    """Pairs of triangles [m,2] that share a point besides their common vertices and edges, among those given
    or all."""
    triangles = np.asarray(triangles)
    pairs = candidates(positions, triangles) if among is None else among
    for own, other in ((0, 1), (1, 0)):
        pairs = pairs[~are_apart(positions, triangles[pairs[:, own]], triangles[pairs[:, other]])]
    hit = np.zeros(len(pairs), bool)
    for own, other in ((0, 1), (1, 0)):
        mine, theirs = triangles[pairs[:, own]], triangles[pairs[:, other]]
        common = (mine[:, :, None] == theirs[:, None, :]).any(axis=2)
        for k in range(3):
            p, q = mine[:, k], mine[:, (k + 1) % 3]
            free = ~common[:, k] & ~common[:, (k + 1) % 3] & ~hit
            rows = np.flatnonzero(free)
            hit[rows] |= segments_meet_triangles(positions[p[rows]], positions[q[rows]], positions[theirs[rows]])
            # Unshared vertex in the other triangle; the pair shares another.
            rows = np.flatnonzero(~common[:, k] & common.any(axis=1) & ~hit)
            hit[rows] |= segments_meet_triangles(positions[p[rows]], positions[p[rows]], positions[theirs[rows]])
    return np.asarray(pairs[hit])


def crossing_counts(frames: Array, triangles: Array, bodies: Array | None = None) -> Array:
    """Number of pairs of triangles that intersect in each of the frames [f,n,3]; with `bodies` [t],
    only pairs of different bodies."""
    frames, triangles = np.asarray(frames), np.asarray(triangles)
    counts = [np.zeros(0, dtype=int)]
    at_once = max(1, TRIANGLES_AT_ONCE // len(triangles))
    for first in range(0, len(frames), at_once):
        part = frames[first : first + at_once]
        f, n = part.shape[:2]
        copies = (triangles + n * np.arange(f)[:, None, None]).reshape(-1, 3)
        among = np.concatenate([candidates(x, triangles) + k * len(triangles) for k, x in enumerate(part)])
        if bodies is not None:
            first, second = (bodies[among[:, k] % len(triangles)] for k in (0, 1))
            among = among[first != second]
        found = crossing_pairs(part.reshape(-1, 3), copies, among)
        counts.append(np.bincount(found[:, 0] // len(triangles), minlength=f))
    return np.concatenate(counts)


def crossing_count(positions: Array, triangles: Array) -> int:
    """Number of pairs of triangles that intersect."""
    return len(crossing_pairs(positions, triangles))


@lru_cache(maxsize=None)
def counts_in_frames(trace: Trace) -> Array:
    """Number of pairs of triangles that intersect, in every stored frame [f], or of every member [m, f]."""
    x = trace.values("frame", "positions")
    return crossing_counts(x.reshape(-1, *x.shape[-2:]), trace.scene("triangles")).reshape(x.shape[:-2])
