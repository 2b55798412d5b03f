# SPDX-License-Identifier: BSD-3-Clause
"""Constraints on positions, as [MHHR07] states them, written anew in numpy: values,
gradients by differences, projections.

Arrays hold one constraint per row: positions are [constraint, vertex, 3]."""

import numpy as np

from .arrays import Array
from .trace import Trace

DISTANCE, BEND, TETRA_VOLUME, TRIANGLE_POINT, TRIANGLE_POINT_SCALED = range(5)
_STEP = 5e-4  # of the differences, over positions of size 1: fourth order leaves some 1e-12


def dihedral_angle(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Signed angle of the triangles (a, c, b) and (a, b, d) across (a, b); 0 where they are flat."""
    edge = b - a
    n1, n2 = np.cross(c - a, edge), np.cross(edge, d - a)
    along = edge / np.linalg.norm(edge, axis=-1, keepdims=True)
    return np.asarray(np.arctan2((along * np.cross(n1, n2)).sum(axis=-1), (n1 * n2).sum(axis=-1)))


def values(kind: int, x: Array) -> Array:
    """C without its rest value."""
    if kind == DISTANCE:
        return np.asarray(np.linalg.norm(x[..., 1, :] - x[..., 0, :], axis=-1))
    a, b, c, d = (x[..., k, :] for k in range(4))
    if kind == BEND:
        return dihedral_angle(a, b, c, d)
    area = np.cross(b - a, c - a)
    product = (area * (d - a)).sum(axis=-1)
    if kind == TRIANGLE_POINT:
        return np.asarray(product / np.linalg.norm(area, axis=-1))
    return np.asarray(product / (6.0 if kind == TETRA_VOLUME else 1.0))


def gradients(kind: int, x: Array) -> Array:
    """∇C by central differences of fourth order, shaped as x."""
    result = np.zeros_like(x)
    for vertex in range(x.shape[-2]):
        for axis in range(3):
            shift = np.zeros_like(x)
            shift[..., vertex, axis] = _STEP
            near = values(kind, x + shift) - values(kind, x - shift)
            far = values(kind, x + 2 * shift) - values(kind, x - 2 * shift)
            result[..., vertex, axis] = (8 * near - far) / (12 * _STEP)
    return result


def corrections(c: Array, gradient: Array, w: Array, as_printed: bool) -> Array:
    """Δp of one projection with k = 1: corrected weighting, or [MHHR07] eq. 7, 8 as printed."""
    square = (gradient**2).sum(axis=-1)
    if as_printed:
        share = w.shape[-1] * w / w.sum(axis=-1, keepdims=True) * (c / square.sum(axis=-1))[..., None]
    else:
        share = w * (c / (w * square).sum(axis=-1))[..., None]
    return np.asarray(-share[..., None] * gradient)


def overshoot(gradient: Array, w: Array) -> Array:
    """β of the printed weighting: one projection leaves C(1 − β)."""
    square = (gradient**2).sum(axis=-1)
    return np.asarray(w.shape[-1] * (w * square).sum(axis=-1) / (w.sum(axis=-1) * square.sum(axis=-1)))


def opposite_vertices(triangles: Array) -> dict[tuple[int, int], list[int]]:
    """Third vertices of the triangles at every edge of a surface, whose lower end comes first."""
    found: dict[tuple[int, int], list[int]] = {}
    for triangle in triangles.astype(int).tolist():
        for k in range(3):
            a, b = sorted((triangle[k], triangle[(k + 1) % 3]))
            found.setdefault((a, b), []).append(triangle[(k + 2) % 3])
    return found


def held_vertices(trace: Trace) -> Array:
    """Indices of the vertices with a prescribed motion; empty without any."""
    return (
        trace.scene("prescribed_vertices").astype(int) if trace.scene_shape("prescribed_vertices") else np.zeros(0, int)
    )


def inverse_masses(trace: Trace) -> Array:
    """1/kg, 0 for held vertices."""
    w = 1.0 / trace.scene("masses")
    w[held_vertices(trace)] = 0.0
    return w


class Samples:
    """The constraints of a trace in which no two share a vertex, before and after its first step."""

    def __init__(self, trace: Trace):
        kinds = np.unique(trace.scene("constraint_kinds"))
        if len(kinds) != 1:
            raise trace.missing("constraints of one kind expected")
        self.kind = int(kinds[0])
        vertices = trace.scene("constraint_vertices").astype(int)
        self.vertices = vertices[:, : 2 if self.kind == DISTANCE else 4]
        positions = trace.values("frame", "positions")
        self.before, self.after = positions[0][self.vertices], positions[1][self.vertices]
        self.moved = self.after - self.before
        self.rest = trace.scene("constraint_rest_values")
        self.stiffness = trace.scene("constraint_stiffness")
        self.masses = trace.scene("masses")[self.vertices]
        self.w = inverse_masses(trace)[self.vertices]
        self.is_free = (self.w > 0).all(axis=1)
        self.c0, self.c1 = values(self.kind, self.before) - self.rest, values(self.kind, self.after) - self.rest
