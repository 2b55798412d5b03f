# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/half_angle_sines: the sine of half the angle of a hinge by two formulas."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges

EXPERIMENT = "cs533d_cloth_lecture/half_angle_sines"
ROUNDING = {"double": float(np.finfo(np.float64).eps), "float": float(np.finfo(np.float32).eps)}


def rounding(trace: Trace) -> float:
    """ε of the arithmetic of normals and sines."""
    return ROUNDING[str(trace.value("method.parameters.bend_precision"))]


@lru_cache(maxsize=4)  # several measurements ask for the same
def angle_and_sines(trace: Trace) -> tuple[Array, Array, Array]:
    """θ from positions in extended precision, sin(θ/2) of it, and the method's."""
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


@measurement("half_angle_sines.printed_error", unit="1", experiment=EXPERIMENT)
def printed_error(data: ExperimentData) -> Measured:
    """Largest error of √(½(1 − n1·n2)) against |sin(θ/2)| over min(4ε/|θ|, 2√ε); θ by atan2 in extended precision from the same
    positions; double and float."""
    found = {}
    for trace in data.every(name="printed") + data.every(name="printed_float"):
        angle, error = errors(trace)
        found[trace] = float(np.max(error / allowed(angle, rounding(trace))))
    return extremes.largest(found)


@measurement("half_angle_sines.robust_error", unit="1", experiment=EXPERIMENT)
def robust_error(data: ExperimentData) -> Measured:
    """Largest error of ½|n1 − n2| against |sin(θ/2)|, over ε; double and float."""
    cells = data.every(name="robust") + data.every(name="robust_float")
    return extremes.largest({c: float(np.max(errors(c)[1])) / rounding(c) for c in cells})


@measurement("half_angle_sines.wrong_signs", unit="1", experiment=EXPERIMENT)
def wrong_signs(data: ExperimentData) -> Measured:
    """Hinges of |θ| > 10ε whose sine, where it is not zero, has another sign than θ; most of a run."""

    def count(trace: Trace) -> float:
        angle, _, given = angle_and_sines(trace)
        is_judged = (np.abs(angle) > 10 * rounding(trace)) & (given != 0)
        return float(np.sum(is_judged & (np.sign(given) != np.sign(angle))))

    return extremes.largest({c: count(c) for c in data.every()})


def lost_below(trace: Trace) -> float:
    """The largest |θ| whose sine is zero, or wrong by half of itself or more; 0 where there is none."""
    angle, error = errors(trace)
    is_lost = error >= 0.5 * np.sin(angle / 2)
    return float(angle[is_lost].max(initial=0.0))


@measurement("half_angle_sines.lost_below_double", unit="rad", experiment=EXPERIMENT)
def lost_below_double(data: ExperimentData) -> float:
    """Largest |θ| at which the printed formula in double is wrong by half of the sine or more, or says that the hinge is flat."""
    return lost_below(data.one(name="printed"))


@measurement("half_angle_sines.lost_below_float", unit="rad", experiment=EXPERIMENT)
def lost_below_float(data: ExperimentData) -> float:
    """Largest |θ| at which the printed formula in float is wrong by half of the sine or more, or says that the hinge is flat."""
    return lost_below(data.one(name="printed_float"))


@measurement("half_angle_sines.relative_error_above", unit="1", experiment=EXPERIMENT)
def relative_error_above(data: ExperimentData) -> float:
    """Largest relative error of the printed formula in double and float over all |θ| > 100√ε."""
    found = {}
    for trace in data.every(name="printed") + data.every(name="printed_float"):
        angle, error = errors(trace)
        is_far = angle > 100 * np.sqrt(rounding(trace))
        found[trace] = float(np.max(error[is_far] / np.sin(angle[is_far] / 2)))
    return max(found.values())


@measurement("half_angle_sines.printed_error_everywhere", unit="1", experiment=EXPERIMENT)
def printed_error_everywhere(data: ExperimentData) -> float:
    """Largest relative error of the printed formula in double over all hinges: 1 where a bent one is taken for flat."""
    angle, error = errors(data.one(name="printed"))
    return float(np.max(error / np.sin(angle / 2)))


@measurement("half_angle_sines.least_count", unit="1", experiment=EXPERIMENT)
def least_count(data: ExperimentData) -> Measured:
    """Least number of hinges in a decade of |θ| from 1e-9 to 1, of all runs."""
    found = {}
    for trace in data.every():
        counts = {name: float(which.sum()) for name, which in hinges.decades(angle_and_sines(trace)[0])}
        found[trace] = min(counts.get(f"1e{k}", 0.0) for k in range(-9, 0))
    return extremes.least(found)


@measurement("half_angle_sines.nearest_to_closed", unit="rad", experiment=EXPERIMENT)
def nearest_to_closed(data: ExperimentData) -> Measured:
    """π less the largest |θ|, least tight of all runs."""
    return extremes.largest({c: float(np.pi - np.abs(angle_and_sines(c)[0]).max()) for c in data.every()})
