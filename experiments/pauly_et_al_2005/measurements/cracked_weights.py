# SPDX-License-Identifier: BSD-3-Clause
"""The analysis' own weights of nodes near cracks, from positions,
triangles and front segments of a frame."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.arrays import Array

# Largest number of segment–triangle pairs tested at once.
MOST_AT_ONCE = 2_000_000


def spline(r: Array) -> Array:
    """(1 − r)³ (1 + 3 r), 0 from 1 on."""
    rest = np.clip(1.0 - np.asarray(r, dtype=float), 0.0, None)
    return rest**3 * (1.0 + 3.0 * np.asarray(r, dtype=float))


@dataclass(frozen=True)
class Cracks:
    """Triangles [t,3,3] and front segments [s,2,3], m, with the crack of each."""

    triangles: Array
    of_triangle: Array
    fronts: Array
    of_front: Array

    @staticmethod
    def of(arrays: Mapping[str, Array]) -> "Cracks":
        """Those of a frame."""
        return Cracks(
            np.asarray(arrays["crack_triangles"], dtype=float).reshape(-1, 3, 3),
            np.asarray(arrays["crack_of_triangle"]).ravel(),
            np.asarray(arrays["crack_fronts"], dtype=float).reshape(-1, 2, 3),
            np.asarray(arrays["crack_of_front"]).ravel(),
        )

    def near(self, points: Array) -> "Cracks":
        """Without triangles outside the bounding box of the points [n,3]."""
        low, high = points.min(axis=0), points.max(axis=0)
        meets = np.all((self.triangles.min(axis=1) <= high) & (self.triangles.max(axis=1) >= low), axis=1)
        return Cracks(self.triangles[meets], self.of_triangle[meets], self.fronts, self.of_front)


def front_distances(points: Array, fronts: Array) -> Array:
    """Distance of every point [n,3] from the nearest of the segments [s,2,3]; infinite without one."""
    nearest = np.full(len(points), np.inf)
    for start, end in fronts:
        along = end - start
        share = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(points - start - share[:, None] * along, axis=1))
    return nearest


def crossing_depths(starts: Array, ends: Array, cracks: Cracks) -> Array:
    """d_s of every segment [n]: largest distance of its crossings with a crack from that crack's front; NaN where it
    crosses none. Solves for the segment parameter and two barycentric coordinates; crossings within rounding of an
    edge count."""
    depths = np.full(len(starts), np.nan)
    if not len(cracks.triangles):
        return depths
    corner, u, v = cracks.triangles[:, 0], *(cracks.triangles[:, k] - cracks.triangles[:, 0] for k in (1, 2))
    normal = np.cross(u, v)
    size = max(1, MOST_AT_ONCE // len(corner))
    for first in range(0, len(starts), size):
        a, way = starts[first : first + size, None], (ends - starts)[first : first + size, None]
        slope = np.einsum("ntk,tk->nt", np.broadcast_to(way, (len(way), len(corner), 3)), normal)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.einsum("ntk,tk->nt", corner - a, normal) / slope
            inside = (share >= 0.0) & (share <= 1.0)
            n, t = np.nonzero(inside)
            point = a[n, 0] + share[n, t, None] * way[n, 0]
        arm, squared = point - corner[t], np.einsum("tk,tk->t", normal, normal)[t]
        second = np.einsum("mk,mk->m", np.cross(arm, v[t]), normal[t]) / squared
        third = np.einsum("mk,mk->m", np.cross(u[t], arm), normal[t]) / squared
        hit = (second >= -1e-15) & (third >= -1e-15) & (second + third <= 1.0 + 1e-15)
        n, t, point = n[hit], t[hit], point[hit]
        for crack in np.unique(cracks.of_triangle[t]):
            own = cracks.of_triangle[t] == crack
            found = front_distances(point[own], cracks.fronts[cracks.of_front == crack])
            np.fmax.at(depths, first + n[own], found)
    return depths


def blocked_weights(distances: Array, supports: Array, depths: Array, rule: str, opacity: float) -> Array:
    """ω of nodes with these supports at these distances, behind crossings of these depths (NaN: none)."""
    ratio, is_behind = distances / supports, ~np.isnan(depths)
    if rule == "plain":
        return spline(ratio)
    if rule == "visibility":
        return np.where(is_behind, 0.0, spline(ratio))
    return spline(
        ratio + np.where(is_behind, 2.0 * np.nan_to_num(depths, posinf=1e150) / (opacity * supports), 0.0) ** 2
    )


def weights_at(points: Array, nodes: Array, supports: Array, cracks: Cracks, rule: str, opacity: float) -> Array:
    """ω of every node at every point, [points, nodes]."""
    distances = np.linalg.norm(points[:, None] - nodes[None], axis=2)
    weights: Array = np.zeros_like(distances)
    p, n = np.nonzero(distances < supports[None])
    if len(p):
        depths = crossing_depths(nodes[n], points[p], cracks.near(np.concatenate([nodes[n], points[p]])))
        weights[p, n] = blocked_weights(distances[p, n], supports[n], depths, rule, opacity)
    return weights


def shape_functions(point: Array, nodes: Array, weights: Array) -> Array:
    """Φ of every node at a point by the normal equations of moving least squares with a linear basis,
    about the point."""
    basis = np.concatenate([np.ones((len(nodes), 1)), nodes - point], axis=1)
    used = weights > 0.0
    scale = np.append(1.0, np.full(3, 1.0 / max(float(np.max(np.abs(basis[used, 1:]), initial=0.0)), 1e-300)))
    root = np.sqrt(weights[used])[:, None] * (basis[used] * scale)
    values = np.zeros(len(nodes))
    # The first row of the pseudo-inverse of the weighted basis gives the fitted value at the point.
    values[used] = np.linalg.pinv(root, rcond=1e-6)[0] * root[:, 0]
    return values
