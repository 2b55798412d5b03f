# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/embedded_surface ([MG04] §5.1): a surface under affine maps of its mesh.

The imposed map is fitted to the mesh's own positions; normals are compared with the mapped rest normals
F⁻ᵀ n, computed here."""

from collections.abc import Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, quantity, rows

M = Measures("mueller_gross_2004/embedded_surface")
RIGID = "random_rigid"


def vertex_normals(points: Array, triangles: Array) -> Array:
    """Unit normals, angle-weighted, [n,3]."""
    corners = points[triangles]
    normals = np.zeros_like(points)
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    for k in range(3):
        a, b = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1))
        np.add.at(normals, triangles[:, k], angle[:, None] * face)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def poses(trace: Trace) -> Iterator[tuple[Array, Array, int]]:
    """(F, translation, row) of every pose, fitted by least squares to the mesh's vertices."""
    rest = trace.scene("rest_positions")
    system = np.column_stack([rest, np.ones(len(rest))])
    for row, positions in enumerate(trace.values("pose", "positions")):
        solution = np.linalg.lstsq(system, positions, rcond=None)[0]
        yield solution[:3].T, solution[3], row


def is_rigid(trace: Trace) -> bool:
    """Whether the poses are rigid motions."""
    return bool(trace.value("schedule.poses.field") == RIGID)


def rest_normals(trace: Trace) -> Array:
    """Unit normals of the surface's vertices at rest, [n,3]."""
    return vertex_normals(trace.scene("skin_rest_positions"), trace.scene("skin_triangles"))


def normal_errors(trace: Trace, channel: str) -> Array:
    """Angle between the channel's normals and the true ones, rad, [pose, vertex]."""
    rest, given = rest_normals(trace), trace.values("pose", channel)
    found = np.zeros(given.shape[:2])
    for gradient, _, row in poses(trace):
        true = rest @ np.linalg.inv(gradient) * np.sign(np.linalg.det(gradient))
        true /= np.linalg.norm(true, axis=1, keepdims=True)
        found[row] = np.arctan2(np.linalg.norm(np.cross(true, given[row]), axis=1), (true * given[row]).sum(axis=1))
    return found


def stretch_closed_form(stretch: float, angle: Array) -> Array:
    """Error (rad) of a normal at `angle` φ to the axis of a stretch s if it is not rotated:
    |atan(s tan φ) − φ|; atan(s) − 45° at 45°."""
    return np.asarray(np.abs(np.arctan2(stretch * np.sin(angle), np.cos(angle)) - angle))


def position_error(trace: Trace) -> float:
    """Largest distance of a surface vertex from the imposed affine map / size of the model in that pose."""
    rest, given = trace.scene("skin_rest_positions"), trace.values("pose", "skin_positions")
    found: list[float] = []
    for gradient, translation, row in poses(trace):
        error = np.linalg.norm(given[row] - (rest @ gradient.T + translation), axis=1).max()
        size = np.linalg.norm(given[row].max(axis=0) - given[row].min(axis=0)) + np.linalg.norm(translation)
        found.append(float(error / size))
    return float(extremes.finite(found, trace.label).max())


EXACT, ROTATED = (
    quantity(f"angle between normals {how} and true ones", unit="rad")(
        lambda c, n=n: normal_errors(c, f"skin_normals_{n}")
    )
    for n, how in (("exact", "by F⁻ᵀ"), ("rotated", "turned by R_e"))
)
MAPS = rows(says="all affine maps").noted(lambda _: "")

M.largest("position_error", position_error, MAPS)
M.largest("exact_normal_error_rad", EXACT, MAPS)
M.largest("rotated_normal_error_rad", ROTATED, MAPS.where(lambda c: not is_rigid(c), says="with stretch"))
M.largest("rotated_normal_error_rigid_rad", ROTATED, MAPS.where(is_rigid, says="rigid motions"))
