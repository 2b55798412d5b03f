# SPDX-License-Identifier: BSD-3-Clause
"""How much of a body, given by its closed surface, lies in each tetrahedron of a mesh: by the divergence theorem in
three, two and one dimensions, from clipped triangles, clipped segments and crossings of edges. Knows nothing of how a
surface is cut."""

import numpy as np

from .arrays import Array, cross

SHIFT = 1e-8  # of the extent: the mesh is shaken by this much at random, so that no vertex of one lies in a face of the other


def winding(points: Array, corners: Array) -> Array:
    """Winding number of the triangles [t,3,3] about each point: 1 inside.
    Solid angles of van Oosterom & Strackee 1983."""
    found = []
    by_axis = np.ascontiguousarray(corners.transpose(1, 2, 0))  # corner, axis, triangle: sums run along rows
    for point in points:
        a, b, c = by_axis - point[:, None]
        x, y, z = (np.sqrt((v * v).sum(axis=0)) for v in (a, b, c))
        top = (a * cross(b.T, c.T).T).sum(axis=0)
        bottom = x * y * z + (a * b).sum(axis=0) * z + (b * c).sum(axis=0) * x + (c * a).sum(axis=0) * y
        found.append(np.arctan2(top, bottom).sum() / (2 * np.pi))
    return np.array(found)


def clipped_polygon(polygon: Array, planes: list[tuple[Array, float]]) -> Array:
    """The part of a convex polygon [k,3] with normal·x ≤ offset for every plane; [0,3] when nothing is left."""
    for normal, offset in planes:
        if len(polygon) == 0:
            break
        distance = polygon @ normal - offset
        kept = []
        for k in range(len(polygon)):
            after = (k + 1) % len(polygon)
            if distance[k] <= 0:
                kept.append(polygon[k])
            if (distance[k] <= 0) != (distance[after] <= 0):
                kept.append(polygon[k] + distance[k] / (distance[k] - distance[after]) * (polygon[after] - polygon[k]))
        polygon = np.array(kept).reshape(-1, 3)
    return polygon


def planes_of(corners: Array) -> list[tuple[Array, float]]:
    """Outward half-spaces of a positively oriented tetrahedron [4,3]; the face opposite to each corner in turn."""
    found = []
    for face in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)):
        a, b, c = corners[list(face)]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        found.append((normal, float(normal @ a)))
    return found


def inside_fraction(start: Array, end: Array, end_is_inside: bool, corners: Array) -> float:
    """Share of a segment that lies inside: Σ t of the exits − Σ t of the entries, and 1 when the end is inside."""
    a, b, c = np.moveaxis(corners, 1, 0)
    way = end - start
    normal = np.cross(b - a, c - a)
    slope = normal @ way
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.einsum("ti,ti->t", a - start, normal) / slope
    t = np.where((t > 0) & (t < 1), t, np.nan)
    at = start + t[:, None] * way
    inner = np.all(
        [np.einsum("ti,ti->t", np.cross(v - u, at - u), normal) >= 0 for u, v in ((a, b), (b, c), (c, a))], axis=0
    ) & ~np.isnan(t)
    return float((t[inner] * np.sign(slope[inner])).sum() + end_is_inside)


def cap_area(face: Array, third_is_inside: bool, corners: Array) -> float:
    """Area of a triangle [3,3] inside the body. Of its boundary only the edge opposite to the first corner and the
    segments in which the surface crosses it have a moment about that corner."""
    a, b, c = face
    normal = np.cross(b - a, c - a)
    whole = float(np.linalg.norm(normal))
    normal /= whole
    edges = [(np.cross(v - u, normal), float(np.cross(v - u, normal) @ u)) for u, v in ((a, b), (b, c), (c, a))]
    twice = whole * inside_fraction(b, c, third_is_inside, corners)
    height = (corners - a) @ normal
    for triangle, h in zip(
        corners[(height.min(axis=1) < 0) & (height.max(axis=1) > 0)],
        height[(height.min(axis=1) < 0) & (height.max(axis=1) > 0)],
    ):
        ends = [
            triangle[k] + h[k] / (h[k] - h[(k + 1) % 3]) * (triangle[(k + 1) % 3] - triangle[k])
            for k in range(3)
            if (h[k] < 0) != (h[(k + 1) % 3] < 0)
        ]
        p, q = ends
        # The body lies to the left of what goes along normal × (outward normal of the surface).
        if np.cross(normal, np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])) @ (q - p) < 0:
            p, q = q, p
        low, high = 0.0, 1.0
        for outward, offset in edges:
            start, slope = float(outward @ p - offset), float(outward @ (q - p))
            if slope > 0:
                high = min(high, -start / slope)
            elif slope < 0:
                low = max(low, -start / slope)
            elif start > 0:
                high = -1.0
        if high > low:
            twice += float(normal @ np.cross(p + low * (q - p) - a, p + high * (q - p) - a))
    return twice / 2


def clipped_volumes(rest: Array, tetrahedra: Array, points: Array, triangles: Array) -> Array:
    """Volume of every tetrahedron that lies inside the closed, outward oriented surface (m³, [m]),
    to some SHIFT of the extent."""
    vertices = rest + SHIFT * float(np.ptp(rest, axis=0).max()) * np.random.default_rng(1).uniform(-1, 1, rest.shape)
    corners = points[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    inside = winding(vertices, corners) > 0.5
    found = np.zeros(len(tetrahedra))
    for element, tetrahedron in enumerate(tetrahedra):
        x = vertices[tetrahedron]
        near = (low <= x.max(axis=0)).all(axis=1) & (high >= x.min(axis=0)).all(axis=1)
        if not near.any():
            found[element] = float(np.linalg.det(x[1:] - x[0])) / 6 if inside[tetrahedron].all() else 0.0
            continue
        planes = planes_of(x)
        normal, offset = planes[0]
        thrice = (offset - float(normal @ x[0])) * cap_area(x[[1, 2, 3]], bool(inside[tetrahedron[3]]), corners[near])
        for triangle in corners[near]:
            polygon = clipped_polygon(triangle, planes)
            if len(polygon) >= 3:
                area = np.cross(polygon[1:-1] - polygon[0], polygon[2:] - polygon[0]).sum(axis=0) / 2
                thrice += float((polygon[0] - x[0]) @ area)
        found[element] = thrice / 3
    return found
