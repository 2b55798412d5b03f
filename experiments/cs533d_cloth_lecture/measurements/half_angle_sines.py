# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/half_angle_sines: the sine of half the angle of a hinge by two formulas."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from . import hinges

M = Measures("cs533d_cloth_lecture/half_angle_sines")
ROUNDING = {"double": float(np.finfo(np.float64).eps), "float": float(np.finfo(np.float32).eps)}


def rounding(trace: Trace) -> float:
    """ε of the arithmetic of normals and sines."""
    return ROUNDING[str(trace.value("method.parameters.bend_precision"))]


@lru_cache(maxsize=4)  # several measurements ask for the same
def angle_and_sines(trace: Trace) -> tuple[Array, Array, Array]:
    """θ from positions in extended precision, its sin(θ/2), and the method's."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_sines")
    angle = hinges.angles(hinges.corners(found["positions"], found["hinge_vertices"]))
    return angle, np.sin(angle / 2), found["hinge_sines"].astype(hinges.WIDE)


def errors(trace: Trace) -> tuple[Array, Array]:
    """|θ|, and the error of the sine's magnitude."""
    angle, right, given = angle_and_sines(trace)
    return np.abs(angle).astype(float), np.abs(np.abs(given) - np.abs(right)).astype(float)


def allowed(angle: Array, eps: float) -> Array:
    """min(4ε/|θ|, 2√ε)."""
    return np.minimum(4 * eps / np.maximum(angle, np.finfo(float).tiny), 2 * np.sqrt(eps))


def _printed_error(trace: Trace) -> Array:
    """Error of √(½(1 − n1·n2)) against |sin(θ/2)|, in units of min(4ε/|θ|, 2√ε), θ extended."""
    angle, error = errors(trace)
    return np.asarray(error / allowed(angle, rounding(trace)))


def _robust_error(trace: Trace) -> float:
    """Error in ε of ½|n1 − n2| against |sin(θ/2)|."""
    return float(np.max(errors(trace)[1])) / rounding(trace)


def _wrong_signs(trace: Trace) -> float:
    """Number of hinges with |θ| > 10ε whose nonzero sine has the wrong sign."""
    angle, _, given = angle_and_sines(trace)
    is_judged = (np.abs(angle) > 10 * rounding(trace)) & (given != 0)
    return float(np.sum(is_judged & (np.sign(given) != np.sign(angle))))


@quantity("largest |θ| at which the relative error of the sine is at least one half", unit="rad")
def lost_below(trace: Trace) -> float:
    """0 where there is none."""
    angle, error = errors(trace)
    is_lost = error >= 0.5 * np.sin(angle / 2)
    return float(angle[is_lost].max(initial=0.0))


def _relative_error_above(trace: Trace) -> Array:
    """Relative error for |θ| > 100√ε."""
    angle, error = errors(trace)
    is_far = angle > 100 * np.sqrt(rounding(trace))
    return np.asarray(error[is_far] / np.sin(angle[is_far] / 2))


def _relative_error(trace: Trace) -> Array:
    """Largest relative sine error, 1 if a bent hinge counts as flat."""
    angle, error = errors(trace)
    return np.asarray(error / np.sin(angle / 2))


def _least_count(trace: Trace) -> float:
    """Hinges per decade of |θ| from 1e-9 to 1."""
    counts = {name: float(which.sum()) for name, which in hinges.decades(angle_and_sines(trace)[0])}
    return min(counts.get(f"1e{k}", 0.0) for k in range(-9, 0))


@quantity("smallest π − |θ|", unit="rad")
def _nearest_to_closed(trace: Trace) -> float:
    return float(np.pi - np.abs(angle_and_sines(trace)[0]).max())


PRINTED = rows("printed", "printed_float", says="the printed formula, double and float")
ROBUST = rows("robust", "robust_float", says="double and float")
DOUBLE, FLOAT = (
    rows(n, says=f"the printed formula in {a}") for n, a in (("printed", "double"), ("printed_float", "float"))
)

M.largest("printed_error", _printed_error, PRINTED)
robust_error = M.largest("robust_error", _robust_error, ROBUST)
M.largest("wrong_signs", _wrong_signs)
lost_below_double = M.only("lost_below_double", lost_below, DOUBLE)
lost_below_float = M.only("lost_below_float", lost_below, FLOAT)
M.largest("relative_error_above", _relative_error_above, PRINTED)
M.only("printed_error_everywhere", _relative_error, DOUBLE)
M.least("least_count", _least_count)
M.largest("nearest_to_closed", _nearest_to_closed)
