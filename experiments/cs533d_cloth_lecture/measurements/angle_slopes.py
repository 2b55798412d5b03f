# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/angle_slopes: gradient of a hinge angle in three ways, and to 60 digits."""

from functools import lru_cache

import mpmath
import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from . import hinges

M = Measures("cs533d_cloth_lecture/angle_slopes")
BENT, FLAT = "decades", "rest"
EPS = float(np.finfo(float).eps)
_DIGITS, _STEP = 60, mpmath.mpf(10) ** -20  # a sliver's differences are accurate to about 1e-16 of its largest slope


def _angle(x: list[list[mpmath.mpf]]) -> mpmath.mpf:
    """θ of one hinge, atan2(ê·(N1 × N2), N1·N2)."""

    def minus(p: list[mpmath.mpf], q: list[mpmath.mpf]) -> list[mpmath.mpf]:
        return [p[0] - q[0], p[1] - q[1], p[2] - q[2]]

    def cross(p: list[mpmath.mpf], q: list[mpmath.mpf]) -> list[mpmath.mpf]:
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

    def dot(p: list[mpmath.mpf], q: list[mpmath.mpf]) -> mpmath.mpf:
        return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]

    a, b, c, d = x
    edge = minus(b, a)
    first, second = cross(minus(c, a), edge), cross(edge, minus(d, a))
    return mpmath.atan2(dot(cross(first, second), edge), dot(first, second) * mpmath.sqrt(dot(edge, edge)))


@lru_cache(maxsize=4)
def _exact(content: bytes) -> Array:
    """∂θ/∂x of the hinges whose corners `content` holds, [m,4,3]."""
    positions = np.frombuffer(content).reshape(-1, 4, 3)
    found = np.zeros(positions.shape)
    with mpmath.workdps(_DIGITS):
        for hinge, corners in enumerate(positions):
            x = [[mpmath.mpf(float(v)) for v in corner] for corner in corners]
            at = _angle(x)
            for corner in range(4):
                for axis in range(3):
                    kept = x[corner][axis]
                    x[corner][axis] = kept + _STEP
                    change = _angle(x) - at
                    x[corner][axis] = kept
                    if abs(change) > 3:  # across the branch cut of the angle
                        change -= 2 * mpmath.pi * mpmath.sign(change)
                    found[hinge, corner, axis] = float(change / _STEP)
    return found


def exact_slopes(positions: Array) -> Array:
    """∂θ/∂x of corners [m,4,3] in doubles, by differences with 60 digits."""
    return _exact(np.ascontiguousarray(positions, dtype=float).tobytes())


def errors(trace: Trace) -> tuple[Array, Array]:
    """|sin θ| per hinge, and the largest error of ∂θ/∂x relative to the largest ∂θ/∂x."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_slopes")
    corners = found["positions"][found["hinge_vertices"]]
    right, given = exact_slopes(corners), found["hinge_slopes"]
    if len(given) != len(right):
        raise MissingData(f"{trace.label}: slopes of {len(given)} hinges, expected {len(right)}")
    error = np.linalg.norm(given - right, axis=2).max(axis=1) / np.linalg.norm(right, axis=2).max(axis=1)
    sine = np.abs(np.sin(hinges.angles(corners.astype(hinges.WIDE)))).astype(float)
    return sine, np.where(np.isfinite(error), error, np.inf)


def _slope_error(trace: Trace) -> Array:
    """Error of ∂θ/∂x relative to the hinge's largest, against differences with 60 digits."""
    return errors(trace)[1]


def _cosine_error(trace: Trace) -> Array:
    """Error of ∂θ/∂x relative to the hinge's largest, divided by 1e-12 + 20 ε/|sin θ|."""
    sine, error = errors(trace)
    return np.asarray(error / (1e-12 + 20 * EPS / sine))


def least_heights(trace: Trace) -> Array:
    """Smaller height of each hinge's two triangles relative to the edge's length."""
    found = hinges.start(trace, "positions", "hinge_vertices")
    x = hinges.corners(found["positions"], found["hinge_vertices"])
    edge = hinges.length(x[:, 1] - x[:, 0])
    return np.asarray((2 * np.minimum(*hinges.areas(x)) / edge**2).astype(float))


def _least_count(trace: Trace) -> float:
    """Hinges per decade of |sin θ| from 1e-9 to 1."""
    counts = {name: float(which.sum()) for name, which in hinges.decades(errors(trace)[0])}
    return min(counts.get(f"1e{k}", 0.0) for k in range(-9, 0))


ANGLES = "scene.parameters.angles"
COSINE, FOLDED = rows("cosine", says="differentiated cosines"), rows(says="folded hinges").where(
    {ANGLES: BENT}, says=""
)

modes_error = M.largest("modes_error", _slope_error, rows("modes", says="bending modes, folded and flat"))
M.largest("automatic_error", _slope_error, rows("automatic", says="automatic differentiation, folded and flat"))
M.largest("cosine_error", _cosine_error, COSINE.where({ANGLES: BENT}, says="folded hinges"))
M.largest("cosine_error_everywhere", _slope_error, COSINE.where({ANGLES: BENT}, says="folded hinges"))
M.least(
    "cosine_error_flat",
    quantity()(_slope_error).largest(),
    COSINE.where({ANGLES: FLAT}, says="hinges flat but for rounding"),
)
M.largest("least_height", quantity("triangle height / edge length")(least_heights).least(), FOLDED)
M.least("least_count", _least_count, FOLDED)
