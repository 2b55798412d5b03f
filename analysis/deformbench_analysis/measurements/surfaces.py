# SPDX-License-Identifier: BSD-3-Clause
"""What may be asked of a surface that is cut: whether it is closed, and what it encloses. No measurement of its own."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..errors import MissingData
from ..trace import Trace
from .broken_meshes import Frame, frames


def unmatched_edges(triangles: np.ndarray) -> int:
    """Directed edges that do not meet their opposite exactly once: 0 for a closed, edge-manifold, consistently oriented surface.
    Edges are those of vertex indices: parts that lie on each other have vertices of their own."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).astype(np.int64)
    size = int(edges.max()) + 1
    forward, backward = edges[:, 0] * size + edges[:, 1], edges[:, 1] * size + edges[:, 0]
    kinds, counts = np.unique(forward, return_counts=True)
    single = kinds[counts == 1]
    matched = np.isin(forward, single) & np.isin(backward, single)
    return int((~matched).sum())


def area_vector(positions: np.ndarray, triangles: np.ndarray) -> float:
    """|Σ A n| over Σ A."""
    corners = positions[triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(cross.sum(axis=0)) / np.linalg.norm(cross, axis=1).sum())


def enclosed_volume(positions: np.ndarray, triangles: np.ndarray) -> float:
    """Σ over the triangles of the signed volumes towards the middle; the sum over all pieces of a cut surface. m³"""
    corners = positions[triangles] - positions.mean(axis=0)
    return float(np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)


def triangles_of(trace: Trace, frame: Frame) -> np.ndarray:
    """The surface's triangles in a frame: its own, or those of the scene while nothing is cut."""
    return np.asarray(frame.fields["skin_triangles"] if "skin_triangles" in frame.fields else trace.scene("skin_triangles"))


@cache
def open_edges(trace: Trace) -> int:
    """Largest number of unmatched edges: of any stored frame, counted here, and of any step, counted by the harness."""
    found = [unmatched_edges(triangles_of(trace, frame)) for frame in frames(trace)]
    if not found:
        raise MissingData(f"{trace.experiment}: {trace.label}: no frames")
    return max(*found, int(trace.values("step", "skin_boundary_edges").max()))
