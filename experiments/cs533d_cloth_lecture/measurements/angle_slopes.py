# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/angle_slopes: the slopes of a hinge's angle in three ways, against differences in arithmetic of 60 digits."""

from __future__ import annotations

from functools import lru_cache

import mpmath
import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges

EXPERIMENT = "cs533d_cloth_lecture/angle_slopes"
WAYS = ("modes", "cosine", "automatic")
BENT, FLAT = "decades", "rest"
EPS = float(np.finfo(float).eps)
_DIGITS, _STEP = 60, mpmath.mpf(10) ** -20  # a sliver's differences are then right to some 1e-16 of its largest slope


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
    """Slopes of every hinge whose corners these bytes are, [m,4,3]."""
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
                    if abs(change) > 3:  # across the line where the angle is cut
                        change -= 2 * mpmath.pi * mpmath.sign(change)
                    found[hinge, corner, axis] = float(change / _STEP)
    return found


def exact_slopes(positions: Array) -> Array:
    """∂θ/∂x of corners [m,4,3] in doubles, by differences with 60 digits."""
    return _exact(np.ascontiguousarray(positions, dtype=float).tobytes())


def errors(trace: Trace) -> tuple[Array, Array]:
    """|sin θ| of every hinge, and the largest error of its slopes over the largest slope."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_slopes")
    corners = found["positions"][found["hinge_vertices"]]
    right, given = exact_slopes(corners), found["hinge_slopes"]
    if len(given) != len(right):
        raise MissingData(f"{trace.label}: slopes of {len(given)} hinges, expected {len(right)}")
    error = np.linalg.norm(given - right, axis=2).max(axis=1) / np.linalg.norm(right, axis=2).max(axis=1)
    sine = np.abs(np.sin(hinges.angles(corners.astype(hinges.WIDE)))).astype(float)
    return sine, np.where(np.isfinite(error), error, np.inf)


def _cells(data: ExperimentData, name: str, angles: str) -> list[Trace]:
    return data.every(name=name, where={"scene.parameters.angles": angles})


@measurement("angle_slopes.modes_error", unit="1", experiment=EXPERIMENT)
def modes_error(data: ExperimentData) -> Measured:
    """Largest error of a slope of θ by bending modes over the hinge's largest slope, against differences with 60 digits; folded and
    flat hinges."""
    return extremes.largest({c: float(errors(c)[1].max()) for a in (BENT, FLAT) for c in _cells(data, "modes", a)})


@measurement("angle_slopes.automatic_error", unit="1", experiment=EXPERIMENT)
def automatic_error(data: ExperimentData) -> Measured:
    """Largest error of a slope of θ by automatic differentiation over the hinge's largest slope, against differences with 60 digits; folded
    and flat hinges."""
    return extremes.largest({c: float(errors(c)[1].max()) for a in (BENT, FLAT) for c in _cells(data, "automatic", a)})


@measurement("angle_slopes.cosine_error", unit="1", experiment=EXPERIMENT)
def cosine_error(data: ExperimentData) -> Measured:
    """Largest error by differentiating cos θ over 1e-12 + 20 ε/|sin θ|; folded hinges."""
    found = {}
    for trace in _cells(data, "cosine", BENT):
        sine, error = errors(trace)
        found[trace] = float(np.max(error / (1e-12 + 20 * EPS / sine)))
    return extremes.largest(found)


@measurement("angle_slopes.cosine_error_everywhere", unit="1", experiment=EXPERIMENT)
def cosine_error_everywhere(data: ExperimentData) -> Measured:
    """Largest error by differentiating cos θ over the hinge's largest slope; folded hinges."""
    return extremes.largest({c: float(errors(c)[1].max()) for c in _cells(data, "cosine", BENT)})


@measurement("angle_slopes.cosine_error_flat", unit="1", experiment=EXPERIMENT)
def cosine_error_flat(data: ExperimentData) -> Measured:
    """Error of slopes of θ by differentiating cos θ over the hinge's largest slope, of hinges that are flat but for rounding, the least of
    all such runs; infinite where a slope is no number."""
    return extremes.least({c: float(errors(c)[1].max()) for c in _cells(data, "cosine", FLAT)})


def least_heights(trace: Trace) -> Array:
    """The smaller height of the two triangles of every hinge over the edge's length."""
    found = hinges.start(trace, "positions", "hinge_vertices")
    x = hinges.corners(found["positions"], found["hinge_vertices"])
    edge = hinges.length(x[:, 1] - x[:, 0])
    return np.asarray((2 * np.minimum(*hinges.areas(x)) / edge**2).astype(float))


@measurement("angle_slopes.least_height", unit="1", experiment=EXPERIMENT)
def least_height(data: ExperimentData) -> Measured:
    """Least height of a triangle over the edge, largest of all runs with folded hinges: slivers are among them."""
    return extremes.largest({c: float(least_heights(c).min()) for n in WAYS for c in _cells(data, n, BENT)})


@measurement("angle_slopes.least_count", unit="1", experiment=EXPERIMENT)
def least_count(data: ExperimentData) -> Measured:
    """Least number of hinges in a decade of |sin θ| from 1e-9 to 1, of all runs with folded hinges."""
    found = {}
    for trace in [c for n in WAYS for c in _cells(data, n, BENT)]:
        counts = {name: float(which.sum()) for name, which in hinges.decades(errors(trace)[0])}
        found[trace] = min(counts.get(f"1e{k}", 0.0) for k in range(-9, 0))
    return extremes.least(found)
