# SPDX-License-Identifier: BSD-3-Clause
"""Crack fronts of Pauly et al. 2005 as traces store them, and the analysis' own geometry of them,
from positions alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.arrays import cross
from deformbench_analysis.vocabulary import Array, MissingData, Trace, parameter
from .clouds import seeds as seeds

Frame = dict[str, Array]
NO_END, ON_BODY = -2, -1  # sheet codes: node is no end; end on the body's surface
INITIATION, TERMINATION, SPLIT, MERGE, END_RUN, CROSSING, FORCED = range(7)
surfel_radius = parameter("method.parameters.crack_surfel_radius_m", float, "r, m.")


@dataclass(frozen=True)
class Front:
    """Nodes of one front in their order."""

    id: int
    closed: bool
    nodes: Array  # [n, 3]
    ids: Array  # [n]
    cracks: Array  # [n]
    sheets: Array  # [n]

    @property
    def edges(self) -> tuple[Array, Array]:
        """First and second end of every edge, [e, 3] each."""
        following = np.roll(self.nodes, -1, axis=0)
        last = None if self.closed else -1
        return self.nodes[:last], following[:last]

    @property
    def ends(self) -> list[tuple[Array, int]]:
        """Position and sheet of both ends; none of a closed front."""
        return [] if self.closed else [(self.nodes[k], int(self.sheets[k])) for k in (0, -1)]

    @property
    def gaps(self) -> Array:
        """Distances of neighbours, m."""
        first, second = self.edges
        return np.asarray(np.linalg.norm(second - first, axis=1))


def fronts(arrays: Frame) -> list[Front]:
    """All fronts of a frame."""
    ids, nodes = arrays["front_ids"], arrays["front_nodes"]
    found = []
    for front in dict.fromkeys(ids[:, 0].tolist()):
        rows = ids[:, 0] == front
        found.append(Front(front, bool(ids[rows][0, 3]), nodes[rows], ids[rows, 1], ids[rows, 2], ids[rows, 4]))
    return found


def frames(trace: Trace, member: int | None, names: Sequence[str] | None = None) -> Iterator[tuple[int, float, Frame]]:
    """Step, time and arrays (those named, or all) of every frame that has fronts. MissingData where there is none."""
    count = 0
    for step, time, arrays in trace.frames(member, names=None if names is None else ["front_ids", *names]):
        if "front_ids" in arrays:
            count += 1
            yield step, time, arrays
    if count == 0:
        raise trace.missing("no frame with crack fronts")


def last_frame(trace: Trace, member: int | None) -> Frame:
    """Arrays at the end."""
    for _, _, arrays in trace.frames(member, last=True):
        if "front_ids" in arrays:
            return arrays
    raise trace.missing("no last frame with crack fronts")


def near_points(points: Array, others: Array, reach: float) -> tuple[Array, Array, Array]:
    """i, j and distance of all pairs of points [p, 3] and others [o, 3] closer than the reach."""
    pairs = cKDTree(points).sparse_distance_matrix(cKDTree(others), reach, output_type="ndarray")
    return pairs["i"], pairs["j"], pairs["v"]


def spheres(triangles: Array) -> tuple[Array, Array]:
    """Centroids of triangles [t, 3, 3], and the distance of each to its farthest corner."""
    centres = triangles.mean(axis=1)
    return centres, np.linalg.norm(triangles - centres[:, None], axis=2).max(axis=1)


def near_pairs(points: Array, reach: Array | float, triangles: Array) -> tuple[Array, Array]:
    """Indices of points [p, 3] and of triangles [t, 3, 3] that may lie within the reach of each other: a superset."""
    none = np.zeros(0, dtype=int)
    if len(points) == 0 or len(triangles) == 0:
        return none, none
    centres, sizes = spheres(triangles)
    reaches = np.broadcast_to(reach, len(points))
    farthest = reaches + sizes.max()
    # One tree query per group of points of nearly the same reach.
    alike = np.floor(4 * np.log2(farthest / farthest.min())) if farthest.min() > 0 else np.zeros(len(points))
    tree, found = cKDTree(centres), [np.zeros((2, 0), dtype=int)]
    for group in np.unique(alike):
        own = np.flatnonzero(alike == group)
        pairs = cKDTree(points[own]).sparse_distance_matrix(tree, farthest[own].max(), output_type="ndarray")
        i, j = own[pairs["i"]], pairs["j"]
        near = pairs["v"] <= reaches[i] + sizes[j]
        found.append(np.stack([i[near], j[near]]))
    i, j = np.concatenate(found, axis=1)
    return i, j


def pair_shares(first: Array, second: Array, triangles: Array, margin: float = 1e-9) -> Array:
    """Parameter in [0, 1] at which the k-th segment meets the k-th triangle [k, 3, 3];
    NaN where it does not."""
    along = second - first
    e1, e2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = cross(e1, e2)
    towards = np.einsum("ij,ij->i", along, normal)
    flat = np.abs(towards) <= 1e-12 * np.linalg.norm(along, axis=1) * np.linalg.norm(normal, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.einsum("ij,ij->i", triangles[:, 0] - first, normal) / towards
        from_corner = first + share[:, None] * along - triangles[:, 0]
        size = np.einsum("ij,ij->i", normal, normal)
        u = np.einsum("ij,ij->i", cross(from_corner, e2), normal) / size
        v = np.einsum("ij,ij->i", cross(e1, from_corner), normal) / size
        inside = (u >= -margin) & (v >= -margin) & (u + v <= 1 + margin) & (share >= 0) & (share <= 1) & ~flat
    return np.where(inside, share, np.nan)


def meets(first: Array, second: Array, triangles: Array) -> Array:
    """Which segments [s, 3] meet any of the triangles [t, 3, 3]."""
    found = np.zeros(len(first), dtype=bool)
    i, j = near_pairs((first + second) / 2, np.linalg.norm(second - first, axis=1) / 2, triangles)
    found[i[~np.isnan(pair_shares(first[i], second[i], triangles[j]))]] = True
    return found


def pair_distances(points: Array, triangles: Array) -> Array:
    """Distance of the k-th point to the k-th triangle [k, 3, 3]."""
    least = np.full(len(points), np.inf)
    corners = [triangles[:, k] for k in range(3)]
    normal = cross(corners[1] - corners[0], corners[2] - corners[0])
    size = np.linalg.norm(normal, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = normal / size[:, None]
        height = np.einsum("ij,ij->i", points - corners[0], unit)
        foot = points - height[:, None] * unit
        inside = size > 0
        for one, other in ((0, 1), (1, 2), (2, 0)):
            edge = corners[other] - corners[one]
            share = np.einsum("ij,ij->i", points - corners[one], edge) / np.einsum("ij,ij->i", edge, edge)
            share = np.clip(np.nan_to_num(share), 0, 1)
            away = np.linalg.norm(corners[one] + share[:, None] * edge - points, axis=1)
            least = np.minimum(least, away)
            inside &= np.einsum("ij,ij->i", cross(edge, foot - corners[one]), normal) >= 0
    return np.where(inside, np.minimum(least, np.abs(np.nan_to_num(height))), least)


def distance_to_triangles(points: Array, triangles: Array) -> Array:
    """Distance of every point [p, 3] to the nearest triangle [t, 3, 3]; infinite without triangles."""
    best = np.full(len(points), np.inf)
    if len(triangles) == 0 or len(points) == 0:
        return best
    centres, sizes = spheres(triangles)
    # Upper bound: farthest corner of the triangle whose centroid is nearest.
    to_centre, nearest = cKDTree(centres).query(points)
    i, j = near_pairs(points, to_centre + sizes[nearest], triangles)
    np.minimum.at(best, i, pair_distances(points[i], triangles[j]))
    return best


def within(points: Array, triangles: Array, reach: float) -> Array:
    """Which points [p, 3] are at most `reach` away from any of the triangles [t, 3, 3]."""
    found = np.zeros(len(points), dtype=bool)
    i, j = near_pairs(points, reach, triangles)
    found[i[pair_distances(points[i], triangles[j]) <= reach]] = True
    return found


def distance_to_segments(points: Array, first: Array, second: Array) -> Array:
    """Distance of every point [p, 3] to the nearest segment from `first` to `second`, [s, 3] each."""
    along = second - first
    size = np.maximum(np.einsum("sk,sk->s", along, along), 1e-300)
    share = np.clip(np.einsum("psk,sk->ps", points[:, None] - first[None], along) / size, 0, 1)
    feet = first[None] + share[:, :, None] * along[None]
    return np.asarray(np.linalg.norm(points[:, None] - feet, axis=2).min(axis=1))


def swept(arrays: Frame, cracks: Sequence[int] | None = None) -> Array:
    """Corners of the triangles that fronts have swept, [t, 3, 3]."""
    rows = arrays["crack_triangles"]
    if cracks is not None:
        rows = rows[np.isin(rows[:, 3], list(cracks))]
    return np.asarray(arrays["crack_vertices"][rows[:, :3]]) if len(rows) else np.zeros((0, 3, 3))


def outside_distance(trace: Trace, points: Array) -> Array:
    """Signed distances of points [p, 3] to the body's surface in closed form, m; negative inside."""
    scene = str(trace.value("scene.name"))

    if scene == "node_block":
        length, half = trace.number("length_m"), trace.number("side_m") / 2
        box = np.stack(
            [-points[:, 0], points[:, 0] - length, *(sign * points[:, k] - half for k in (1, 2) for sign in (1, -1))]
        )
        return np.asarray(box.max(axis=0))
    radius, inner = trace.number("radius_m"), trace.number("inner_radius_m")
    shape = str(trace.value("scene.parameters.shape"))
    if shape == "cube":
        return np.asarray(np.abs(points).max(axis=1) - radius)
    if shape == "torus":
        return np.asarray(np.hypot(np.hypot(points[:, 0], points[:, 1]) - radius, points[:, 2]) - inner)
    away = np.linalg.norm(points, axis=1)
    return np.asarray(np.maximum(away - radius, inner - away) if shape == "shell" else away - radius)
