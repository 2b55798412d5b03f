# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/theta_approximation and folded_strip: 1 − cos(θ/2) in the place of θ²."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges

EXPERIMENT = "cs533d_cloth_lecture/theta_approximation"
FOLDED = "cs533d_cloth_lecture/folded_strip"
QUARTER = np.pi / 2


@lru_cache(maxsize=4)
def curves(trace: Trace) -> tuple[Array, Array, Array]:
    """By rising θ: θ from positions, W/(B k), and W'/(B k), the part of −f along ∂θ/∂x, slopes by the analysis; flat rest shapes."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_energies", "elastic_forces")
    x = hinges.corners(found["positions"], found["hinge_vertices"])
    rest = hinges.corners(trace.scene("rest_positions"), found["hinge_vertices"])
    angle = hinges.angles(x)
    scale = float(trace.value("method.parameters.bend_stiffness_j")) * hinges.weights(rest)
    # Slopes of the sine and cosine, as the angle itself jumps where it is cut.
    sine, cosine = hinges.sine_and_cosine(x)
    by_sine = hinges.slopes(lambda y: hinges.sine_and_cosine(y)[0], x)
    by_cosine = hinges.slopes(lambda y: hinges.sine_and_cosine(y)[1], x)
    size = (sine**2 + cosine**2)[:, None, None]
    slope = (cosine[:, None, None] * by_sine - sine[:, None, None] * by_cosine) / size
    force = found["elastic_forces"][found["hinge_vertices"]]
    torque = -(force * slope).sum(axis=(1, 2)) / (slope**2).sum(axis=(1, 2))
    order = np.argsort(angle)
    every = angle, found["hinge_energies"] / scale, torque / scale
    return tuple(np.asarray(v[order], dtype=float) for v in every)  # type: ignore[return-value]


def _half(data: ExperimentData) -> tuple[Array, Array, Array]:
    return curves(data.one(name="half_angle"))


def _bent(angle: Array) -> Array:
    return np.asarray(np.abs(angle) > 1e-3)


@measurement("theta_approximation.energy_error", unit="1", experiment=EXPERIMENT)
def energy_error(data: ExperimentData) -> float:
    """Largest |W/(½ B k θ²) − 1| of 1 − cos(θ/2) over [−π, π], B k by the analysis from the rest shape, so that both agree at small θ."""
    angle, energy, _ = _half(data)
    bent = _bent(angle)
    return float(np.abs(energy[bent] / (angle[bent] ** 2 / 2) - 1).max())


@measurement("theta_approximation.small_angle_error", unit="1", experiment=EXPERIMENT)
def small_angle_error(data: ExperimentData) -> float:
    """Largest |W/(½ B k θ²) − 1| of 1 − cos(θ/2) over |θ| ≤ 0.1: the factor is that of small angles."""
    angle, energy, _ = _half(data)
    near = _bent(angle) & (np.abs(angle) <= 0.1)
    return float(np.abs(energy[near] / (angle[near] ** 2 / 2) - 1).max())


@measurement("theta_approximation.angle_error", unit="1", experiment=EXPERIMENT)
def angle_error(data: ExperimentData) -> float:
    """Largest error of the other form's energy and force against ½ B k θ² and B k θ."""
    angle, energy, torque = curves(data.one(name="angle"))
    bent = _bent(angle)
    return float(
        max(
            np.abs(energy[bent] / (angle[bent] ** 2 / 2) - 1).max(),
            np.abs(np.abs(torque[bent] / angle[bent]) - 1).max(),
        )
    )


def _folding(data: ExperimentData) -> tuple[Array, Array]:
    angle, energy, _ = _half(data)
    kept = angle >= 0
    return angle[kept], energy[kept]


@measurement("theta_approximation.least_rise", unit="1/rad", experiment=EXPERIMENT)
def least_rise(data: ExperimentData) -> float:
    """Least slope of W/(B k) by θ between neighbouring samples from 0 to π: above zero where the energy is monotone."""
    angle, energy = _folding(data)
    return float((np.diff(energy) / np.diff(angle)).min())


@measurement("theta_approximation.least_curvature", unit="1/rad^2", experiment=EXPERIMENT)
def least_curvature(data: ExperimentData) -> float:
    """Least change of that slope by θ from 0 to π: not below zero where the energy is convex."""
    angle, energy = _folding(data)
    slope, middle = np.diff(energy) / np.diff(angle), (angle[1:] + angle[:-1]) / 2
    return float((np.diff(slope) / np.diff(middle)).min())


def _worst(data: ExperimentData, judge: Callable[[Array, Array], Array], limit: float) -> float:
    angle, _, torque = _half(data)
    kept = _bent(angle) & (np.abs(angle) <= limit)
    return float(judge(angle[kept], torque[kept]).max())


def _force_errors(angle: Array, torque: Array) -> Array:
    return np.asarray(np.abs(torque / angle - 1))


@measurement("theta_approximation.force_error", unit="1", experiment=EXPERIMENT)
def force_error(data: ExperimentData) -> float:
    """Largest |−f·u/(|u|² B k θ) − 1| of 1 − cos(θ/2) over [−π, π], u = ∂θ/∂x: how far its force is from that of θ²."""
    return _worst(data, lambda angle, torque: _force_errors(angle, np.sign(angle) * np.abs(torque)), 4.0)


@measurement("theta_approximation.force_error_to_quarter", unit="1", experiment=EXPERIMENT)
def force_error_to_quarter(data: ExperimentData) -> float:
    """Largest |−f·u/(|u|² B k θ) − 1| of 1 − cos(θ/2) over |θ| ≤ π/2, u = ∂θ/∂x: how far its force is from that of θ²."""
    return _worst(data, _force_errors, QUARTER)


@measurement("theta_approximation.stiffness_error_to_quarter", unit="1", experiment=EXPERIMENT)
def stiffness_error_to_quarter(data: ExperimentData) -> float:
    """Largest |W''/(B k) − 1| over |θ| ≤ π/2, W'' by differences of the force: cos(θ/2) − 1 by the formula."""
    angle, _, torque = _half(data)
    kept = np.abs(angle) <= QUARTER
    return float(np.abs(np.diff(torque[kept]) / np.diff(angle[kept]) - 1).max())


@measurement("theta_approximation.control_error", unit="1", experiment=EXPERIMENT)
def control_error(data: ExperimentData) -> float:
    """Control: largest |2 (1 − cos θ)/θ² − 1| over the same angles, the form without the half."""
    angle = _half(data)[0]
    bent = _bent(angle)
    return float(np.abs(2 * (1 - np.cos(angle[bent])) / angle[bent] ** 2 - 1).max())


def folds(trace: Trace) -> tuple[Array, float]:
    """Positions of a strip at rest between its ends, and the largest |θ| of its hinges."""
    last = list(trace.frames(last=True))[-1][2]
    x = hinges.corners(last["positions"], last["hinge_vertices"])
    return last["positions"], float(np.abs(hinges.angles(x)).max())


def fold_pairs(data: ExperimentData) -> list[tuple[float, float, float]]:
    """Of every gap, by the largest angle: that of 1 − cos(θ/2), that of θ², and the largest distance of vertices over the gap."""
    found = []
    for trace in data.every(name="half_angle"):
        gap = float(trace.value("scene.parameters.gap"))
        others = [c for c in data.every(name="angle") if float(c.value("scene.parameters.gap")) == gap]
        if len(others) != 1:
            raise MissingData(f"{trace.label}: {len(others)} strips of the other form, expected one")
        (x, most), (y, other) = folds(trace), folds(others[0])
        width = gap * float(trace.value("scene.parameters.spacing_m"))
        found.append((most, other, float(np.linalg.norm(x - y, axis=1).max()) / width))
    return sorted(found)


@measurement("folded_strip.difference_to_quarter", unit="1", experiment=FOLDED)
def fold_difference_to_quarter(data: ExperimentData) -> float:
    """Largest distance of a vertex of a folded strip at rest by 1 − cos(θ/2) from where θ² puts it, over the distance of the legs;
    strips whose hinges are all bent by at most π/2."""
    kept = [d for most, other, d in fold_pairs(data) if max(most, other) <= QUARTER]
    if not kept:
        raise MissingData("every strip has a hinge bent by more than π/2")
    return max(kept)


@measurement("folded_strip.difference", unit="1", experiment=FOLDED)
def fold_difference(data: ExperimentData) -> Measured:
    """Largest distance of a vertex of a folded strip at rest by 1 − cos(θ/2) from where θ² puts it, over the distance of the legs; all
    strips."""
    most, other, difference = max(fold_pairs(data), key=lambda pair: pair[2])
    return Measured(difference, f"largest angles {most:.3g} and {other:.3g} rad")


@measurement("folded_strip.largest_angle", unit="rad", experiment=FOLDED)
def fold_angle(data: ExperimentData) -> float:
    """Largest |θ| of a hinge of all strips by 1 − cos(θ/2)."""
    return max(most for most, _, _ in fold_pairs(data))
