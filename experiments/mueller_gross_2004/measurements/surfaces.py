# SPDX-License-Identifier: BSD-3-Clause
"""Queries on a cut surface: whether it is closed, and what it encloses.
No measurement of its own."""

from functools import cache

import numpy as np

from deformbench_analysis.clipped_volumes import clipped_volumes
from deformbench_analysis.mesh import edge_matrices
from deformbench_analysis.vocabulary import Array, Trace
from .broken_meshes import Frame, component_labels, exposed_faces, frames


def unmatched_edges(triangles: Array) -> int:
    """Number of directed edges not met by exactly one opposite: 0 for a closed, edge-manifold, consistently
    oriented surface. Edges are pairs of vertex indices: coincident parts have separate vertices."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).astype(np.int64)
    size = int(edges.max()) + 1
    forward, backward = edges[:, 0] * size + edges[:, 1], edges[:, 1] * size + edges[:, 0]
    kinds, counts = np.unique(forward, return_counts=True)
    single = kinds[counts == 1]
    matched = np.isin(forward, single) & np.isin(backward, single)
    return int((~matched).sum())


def area_vector(positions: Array, triangles: Array) -> float:
    """|Σ A n| / Σ A."""
    corners = positions[triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(cross.sum(axis=0)) / np.linalg.norm(cross, axis=1).sum())


def enclosed_volume(positions: Array, triangles: Array) -> float:
    """Sum of the triangles' signed volumes about the mean vertex, m³: that of all pieces of a cut surface."""
    corners = positions[triangles] - positions.mean(axis=0)
    return float(np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)


def triangles_of(trace: Trace, frame: Frame) -> Array:
    """The surface's triangles in a frame: its own, or those of the scene while nothing is cut."""
    return np.asarray(
        frame.fields["skin_triangles"] if "skin_triangles" in frame.fields else trace.scene("skin_triangles")
    )


@cache
def open_edges(trace: Trace) -> int:
    """Largest number of unmatched edges: of any stored frame, counted here, and of any step,
    counted by the harness."""
    found = [unmatched_edges(triangles_of(trace, frame)) for frame in frames(trace)]
    if not found:
        raise trace.missing("no frames")
    return max(*found, int(trace.values("step", "skin_boundary_edges").max()))


def least_barycentric(trace: Trace) -> Array:
    """Least barycentric coordinate per surface vertex at rest, in its best element; negative outside."""
    rest, tets, skin = trace.scene("rest_positions"), trace.scene("tetrahedra"), trace.scene("skin_rest_positions")
    inverse = np.linalg.inv(edge_matrices(rest, tets))
    origin = rest[tets[:, 0]]
    found = []
    for chunk in np.array_split(skin, max(1, len(skin) // 500)):
        inner = np.einsum("eij,pej->pei", inverse, chunk[:, None, :] - origin[None])
        found.append(np.minimum(inner.min(axis=2), 1 - inner.sum(axis=2)).max(axis=1))
    return np.concatenate(found)


# opened faces against all triangles ---------------------------------------------------------------------------------

CLEAR = (
    1e-9  # of the volumes whose sign is the side of a point, / extent³: rounding cannot flip the sign of larger ones
)


def _sides(points: Array, a: Array, b: Array, c: Array) -> Array:
    """Six times the volume of (a, b, c, point)."""
    return np.asarray(np.einsum("...i,...i->...", points - a, np.cross(b - a, c - a)))


def pierces(first: Array, second: Array, tolerance: float) -> Array:
    """Whether an edge of the first triangle clearly pierces the second, per pair; triangles [p,3,3]."""
    found = np.zeros(len(first), dtype=bool)
    a, b, c = np.moveaxis(second, 1, 0)
    for start, end in ((0, 1), (1, 2), (2, 0)):
        p, q = first[:, start], first[:, end]
        across = _sides(p, a, b, c) * _sides(q, a, b, c) < 0
        clear = np.minimum(np.abs(_sides(p, a, b, c)), np.abs(_sides(q, a, b, c))) > tolerance
        around = np.stack([_sides(q, p, u, v) for u, v in ((a, b), (b, c), (c, a))])
        found |= across & clear & ((around > tolerance).all(axis=0) | (around < -tolerance).all(axis=0))
    return found


def near_boxes(face: Array, low: Array, high: Array) -> Array:
    """Indices of the boxes [`low`, `high`], [t,3] each, that touch a face's bounding box."""
    return np.flatnonzero((low <= face.max(axis=0)).all(axis=1) & (high >= face.min(axis=0)).all(axis=1))


def crossings(faces: Array, triangles: Array) -> Array:
    """[p,2]: (face, triangle) of all pairs that clearly cross, every triangle tried with every face.
    Corners [k,3,3] and [t,3,3]."""
    tolerance = CLEAR * float(np.ptp(triangles.reshape(-1, 3), axis=0).max()) ** 3
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    found = []
    for number, face in enumerate(faces):
        near = near_boxes(face, low, high)
        repeated = np.broadcast_to(face, (len(near), 3, 3))
        hit = near[pierces(repeated, triangles[near], tolerance) | pierces(triangles[near], repeated, tolerance)]
        found.append(np.stack([np.full(len(hit), number), hit], axis=1))
    return np.concatenate(found) if found else np.zeros((0, 2), dtype=int)


def uncut_triangles(trace: Trace, frame: Frame) -> Array:
    """Indices of the triangles of the initial surface that are still whole."""
    origins = frame.field("skin_origins")
    return np.flatnonzero(np.bincount(origins[origins >= 0], minlength=len(trace.scene("skin_triangles"))) == 1)


def face_crossings(trace: Trace, frame: Frame) -> Array:
    """As `crossings`: faces between elements that have come apart, and triangles of the first surface,
    both at rest."""
    rest, skin = trace.scene("rest_positions"), trace.scene("skin_rest_positions")
    return crossings(
        rest[exposed_faces(trace.scene("tetrahedra"), frame.tetrahedra)], skin[trace.scene("skin_triangles")]
    )


def mixed_triangles(frame: Frame) -> int:
    """Number of surface triangles whose corners follow different pieces of the mesh:
    they would span a crack."""
    pieces = component_labels(frame.tetrahedra)[frame.field("skin_elements")][frame.field("skin_triangles")]
    return int((pieces != pieces[:, :1]).any(axis=1).sum())


@cache
def _volumes_inside(rest: bytes, tetrahedra: bytes, skin: bytes, triangles: bytes) -> Array:
    return clipped_volumes(
        np.frombuffer(rest).reshape(-1, 3),
        np.frombuffer(tetrahedra, dtype=np.int64).reshape(-1, 4),
        np.frombuffer(skin).reshape(-1, 3),
        np.frombuffer(triangles, dtype=np.int64).reshape(-1, 3),
    )


def volumes_inside(trace: Trace) -> Array:
    """Volume of every element at rest inside the first surface, m³;
    computed once for all runs with the same mesh and surface."""
    numbers, indices = ("rest_positions", "skin_rest_positions"), ("tetrahedra", "skin_triangles")
    rest, skin = (np.ascontiguousarray(trace.scene(n), dtype=np.float64).tobytes() for n in numbers)
    tetrahedra, triangles = (np.ascontiguousarray(trace.scene(n), dtype=np.int64).tobytes() for n in indices)
    return _volumes_inside(rest, tetrahedra, skin, triangles)


def piece_volumes(trace: Trace, frame: Frame, of_elements: Array | None = None) -> tuple[Array, Array]:
    """Volume of the elements and volume enclosed by the surface, per connected piece of the mesh at rest, m³.

    `of_elements`: volumes per element that replace those of whole elements."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    labels = component_labels(frame.tetrahedra)
    elements = np.bincount(labels, np.linalg.det(edge_matrices(rest, tets)) / 6 if of_elements is None else of_elements)
    skin, triangles = frame.field("skin_rest_positions"), frame.field("skin_triangles")
    corners = skin[triangles] - rest.mean(axis=0)
    signed = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return elements, np.bincount(labels[frame.field("skin_elements")[triangles[:, 0]]], signed, minlength=len(elements))
