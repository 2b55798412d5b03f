# SPDX-License-Identifier: BSD-3-Clause
"""Hinge angles and their gradients from positions, in extended precision: the reference for the methods.

A hinge has the corners a, b of its edge, then c and d: triangles (a, c, b) and (a, b, d)."""

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, Trace

WIDE = np.longdouble  # 64 bits of mantissa: 2,000 times finer than double
TURN = 2 * np.arctan2(WIDE(0), WIDE(-1))  # 2π


def start(trace: Trace, *names: str, member: int | None = None) -> dict[str, Array]:
    """Arrays of the frame at step 0; MissingData if one is absent."""
    for step, _, arrays in trace.frames(member, names=names):
        if step != 0:
            break
        missing = [name for name in names if name not in arrays]
        if missing:
            raise trace.missing(f"no {', '.join(missing)} at the start")
        return arrays
    raise trace.missing("no frame at the start")


def corners(positions: Array, vertices: Array) -> Array:
    """Positions at the corners of every hinge, [m,4,3], extended."""
    return np.asarray(positions)[vertices].astype(WIDE)


def dot(a: Array, b: Array) -> Array:
    """Dot product of vectors in the last axis, in extended precision."""
    return np.asarray((a * b).sum(axis=-1))


def cross(a: Array, b: Array) -> Array:
    """Cross product of vectors in the last axis, in extended precision."""
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def length(a: Array) -> Array:
    """Length of vectors in the last axis."""
    return np.asarray(np.sqrt(dot(a, a)))


def sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """|N1||N2| sin θ and |N1||N2| cos θ: ê·(N1 × N2) and N1·N2, |N| twice the triangle's area."""
    edge = x[..., 1, :] - x[..., 0, :]
    first = cross(x[..., 2, :] - x[..., 0, :], edge)
    second = cross(edge, x[..., 3, :] - x[..., 0, :])
    return dot(cross(first, second), edge) / length(edge), dot(first, second)


def angles(x: Array) -> Array:
    """θ in (−π, π]."""
    sine, cosine = sine_and_cosine(x)
    return np.asarray(np.arctan2(sine, cosine))


def bends(x: Array, at_rest: Array) -> Array:
    """θ − θ₀ in [−π, π]."""
    bend = angles(x) - at_rest
    return np.asarray(bend - TURN * np.round(bend / TURN))


def areas(x: Array) -> tuple[Array, Array]:
    """Areas of the triangles (a, c, b) and (a, b, d)."""
    edge = x[..., 1, :] - x[..., 0, :]
    first, second = x[..., 2, :] - x[..., 0, :], x[..., 3, :] - x[..., 0, :]
    return length(cross(first, edge)) / 2, length(cross(edge, second)) / 2


def weights(rest: Array) -> Array:
    """|e|²/(A1 + A2) of the rest shape."""
    edge = rest[..., 1, :] - rest[..., 0, :]
    return np.asarray(dot(edge, edge) / sum(areas(rest)))


def slopes(of: Callable[[Array], Array], x: Array, step: float = 1e-5) -> Array:
    """∂of/∂x by central differences of fourth order in extended precision, [m,4,3]; `of` takes corners [m,4,3]."""
    found = np.zeros_like(x)
    for corner in range(x.shape[-2]):
        for axis in range(3):
            shift = np.zeros(x.shape[-2:], dtype=x.dtype)
            shift[corner, axis] = step
            near, far = of(x + shift) - of(x - shift), of(x + 2 * shift) - of(x - 2 * shift)
            found[..., corner, axis] = (8 * near - far) / (12 * WIDE(step))
    return found


def decades(angle: Array) -> Iterator[tuple[str, Array]]:
    """Every decade of |θ| with a sample in it, and which samples those are."""
    size = np.floor(np.log10(np.abs(angle).astype(float)))
    for decade in np.unique(size):
        yield f"1e{int(decade)}", size == decade
