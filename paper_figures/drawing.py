# SPDX-License-Identifier: BSD-3-Clause
"""Tetrahedral meshes drawn flat: boundary triangles seen along z, shaded, farthest first."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from deformbench_analysis.arrays import Array

_FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
_LIGHT = np.array([0.35, 0.45, 0.82])


def boundary_triangles(tetrahedra: Array) -> Array:
    """Faces that belong to one tetrahedron only, [k, 3] vertex numbers."""
    faces = tetrahedra[:, _FACES].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.asarray(faces[first[count == 1]])


def draw_mesh(axes: Axes, positions: Array, tetrahedra: Array, colour: str) -> None:
    """The mesh in the x–y plane, looking along −z; sets equal scales and axis labels in metres."""
    triangles = positions[boundary_triangles(tetrahedra)]
    triangles = triangles[np.argsort(triangles[:, :, 2].mean(axis=1))]
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    light = np.abs(normal @ _LIGHT) / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    base = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    shade = 1 - (1 - base) * (0.3 + 0.6 * light[:, None])
    axes.add_collection(
        PolyCollection(triangles[:, :, :2], facecolors=np.clip(shade, 0, 1), edgecolors="#ffffff", linewidths=0.3)
    )
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set(xlabel="x [m]", ylabel="y [m]")
