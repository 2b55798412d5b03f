# SPDX-License-Identifier: BSD-3-Clause
"""Swept areas of cracks and nodes of solids in three dimensions."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

from deformbench_analysis.arrays import Array

EDGES = ((0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7), (6, 7))


def draw_box(axis: Axes, low: Array, high: Array, **look: Any) -> None:
    """Edges of a box."""
    corners = np.array([[(low, high)[k >> c & 1][c] for c in range(3)] for k in range(8)])
    axis.add_collection3d(
        Line3DCollection([corners[list(e)] for e in EDGES], **{"colors": "0.5", "linewidths": 0.7, **look})
    )


def draw_area(axis: Axes, triangles: Array, colours: Any, **look: Any) -> None:
    """Triangles [t, 3, 3], shaded by the direction of their normals."""
    if len(triangles) == 0:
        return
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.maximum(np.linalg.norm(normals, axis=1), 1e-300)
    light = 0.55 + 0.45 * np.abs(normals @ np.array([0.35, -0.5, 0.79])) / size
    shown = np.broadcast_to(np.asarray(colours, dtype=float)[..., :3], (len(triangles), 3)) * light[:, None]
    axis.add_collection3d(Poly3DCollection(triangles, facecolors=shown, edgecolors="none", **look))


def draw_front(axis: Axes, nodes: Array, closed: bool, **look: Any) -> None:
    """A front as a line."""
    line = np.vstack([nodes, nodes[:1]]) if closed else nodes
    axis.plot(*line.T, **{"color": "black", "linewidth": 1.2, **look})


def frame_view(axis: Axes, low: Array, high: Array, elevation: float = 20, azimuth: float = -60) -> None:
    """Equal scales, no panes."""
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    for k, name in enumerate("xyz"):
        getattr(axis, f"set_{name}lim")(low[k], high[k])
    axis.set_box_aspect(tuple(high - low), zoom=1.0)
    axis.view_init(elev=elevation, azim=azimuth)
    axis.set_axis_off()
