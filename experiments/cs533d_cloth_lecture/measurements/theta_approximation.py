# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/theta_approximation and folded_strip: 1 − cos(θ/2) instead of θ²."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from . import hinges

M = Measures("cs533d_cloth_lecture/theta_approximation")
FOLDED = Measures("cs533d_cloth_lecture/folded_strip")
QUARTER = np.pi / 2


@lru_cache(maxsize=4)
def curves(trace: Trace) -> tuple[Array, Array, Array]:
    """In order of θ: θ from positions, W/(B k), and W'/(B k), the part of −f along the analysis's ∂θ/∂x;
    flat rest shapes."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_energies", "elastic_forces")
    x = hinges.corners(found["positions"], found["hinge_vertices"])
    rest = hinges.corners(trace.scene("rest_positions"), found["hinge_vertices"])
    angle = hinges.angles(x)
    scale = trace.setting("bend_stiffness_j") * hinges.weights(rest)
    # Gradients of sine and cosine, as the angle jumps at its branch cut.
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


def _modulus(angle: Array, torque: Array) -> Array:
    """Torque relative to the angle; its magnitude at ±π, where the angle's sign is a matter of rounding."""
    signed = torque / angle
    return np.asarray(np.where(np.abs(angle) < np.pi - 1e-6, signed, np.abs(signed)))


def _bent(angle: Array) -> Array:
    return np.asarray(np.abs(angle) > 1e-3)


@quantity("largest |W/(½ B k θ²) − 1|, B k of the rest shape")
def _energy_error(trace: Trace) -> Array:
    angle, energy, _ = curves(trace)
    bent = _bent(angle)
    return np.asarray(np.abs(energy[bent] / (angle[bent] ** 2 / 2) - 1))


@quantity("largest |W/(½ B k θ²) − 1| over |θ| ≤ 0.1, where angles are small")
def _small_angle_error(trace: Trace) -> Array:
    angle, energy, _ = curves(trace)
    near = _bent(angle) & (np.abs(angle) <= 0.1)
    return np.asarray(np.abs(energy[near] / (angle[near] ** 2 / 2) - 1))


@quantity("largest error of energy and force against ½ B k θ² and B k θ")
def _angle_error(trace: Trace) -> float:
    angle, _, torque = curves(trace)
    bent = _bent(angle)
    return float(max(_energy_error(trace).max(), np.abs(_modulus(angle[bent], torque[bent]) - 1).max()))


def _rises(trace: Trace) -> tuple[Array, Array]:
    """Slope of W/(B k) in θ between neighbouring samples from 0 to π, and their midpoints."""
    angle, energy, _ = curves(trace)
    angle, energy = angle[angle >= 0], energy[angle >= 0]
    return np.diff(energy) / np.diff(angle), (angle[1:] + angle[:-1]) / 2


@quantity("d(W/(B k))/dθ between samples from 0 to π", unit="1/rad")
def _rise(trace: Trace) -> Array:
    return _rises(trace)[0]


@quantity("d²(W/(B k))/dθ² by differences from 0 to π", unit="1/rad^2")
def _curvature(trace: Trace) -> Array:
    slope, middle = _rises(trace)
    return np.asarray(np.diff(slope) / np.diff(middle))


@quantity("largest |−f·u/(|u|² B k θ) − 1| over [−π, π], u = ∂θ/∂x")
def _force_error(trace: Trace) -> Array:
    angle, _, torque = curves(trace)
    bent = _bent(angle)
    return np.asarray(np.abs(_modulus(angle[bent], torque[bent]) - 1))


@quantity("largest |−f·u/(|u|² B k θ) − 1| over |θ| ≤ π/2, u = ∂θ/∂x")
def _force_error_to_quarter(trace: Trace) -> Array:
    angle, _, torque = curves(trace)
    kept = _bent(angle) & (np.abs(angle) <= QUARTER)
    return np.asarray(np.abs(torque[kept] / angle[kept] - 1))


@quantity("largest |W''/(B k) − 1| over |θ| ≤ π/2, W'' by differences of the force")
def _stiffness_error(trace: Trace) -> Array:
    angle, _, torque = curves(trace)
    kept = np.abs(angle) <= QUARTER
    return np.asarray(np.abs(np.diff(torque[kept]) / np.diff(angle[kept]) - 1))


@quantity("largest |2 (1 − cos θ)/θ² − 1|, the control without halving θ")
def _control_error(trace: Trace) -> Array:
    angle = curves(trace)[0]
    bent = _bent(angle)
    return np.asarray(np.abs(2 * (1 - np.cos(angle[bent])) / angle[bent] ** 2 - 1))


def folds(trace: Trace) -> tuple[Array, float]:
    """Equilibrium positions of a strip between its ends, and its hinges' largest |θ|."""
    last = list(trace.frames(last=True))[-1][2]
    x = hinges.corners(last["positions"], last["hinge_vertices"])
    return last["positions"], float(np.abs(hinges.angles(x)).max())


@quantity("largest |θ| of a hinge", unit="rad")
def _fold_angle(trace: Trace) -> float:
    return folds(trace)[1]


@quantity("distance of a vertex from its position with θ² / leg distance")
def _fold_difference(half: Trace, other: Trace) -> float:
    gap, spacing = (half.number(name) for name in ("gap", "spacing_m"))
    return float(np.linalg.norm(folds(half)[0] - folds(other)[0], axis=1).max()) / (gap * spacing)


def _is_bent_to_quarter(*strips: Trace) -> bool:
    """All hinges bent by at most π/2."""
    return bool(max(_fold_angle(s) for s in strips) <= QUARTER)


HALF, ANGLE = rows("half_angle", says="hinges by 1 − cos(θ/2)"), rows("angle", says="hinges by θ²")
STRIPS = rows("half_angle", says="folded strips by 1 − cos(θ/2)")
PAIRS = STRIPS.beside(rows("angle"), "gap", says="")

energy_error = M.only("energy_error", _energy_error, HALF)
M.only("small_angle_error", _small_angle_error, HALF)
M.only("angle_error", _angle_error, ANGLE)
M.only("least_rise", _rise.least(), HALF)
M.only("least_curvature", _curvature.least(), HALF)
force_error = M.only("force_error", _force_error, HALF)
force_error_to_quarter = M.only("force_error_to_quarter", _force_error_to_quarter, HALF)
M.only("stiffness_error_to_quarter", _stiffness_error, HALF)
M.only("control_error", _control_error, HALF)

FOLDED.largest("difference_to_quarter", _fold_difference, PAIRS.having(_is_bent_to_quarter))
FOLDED.largest("difference", _fold_difference, PAIRS)
FOLDED.largest("largest_angle", _fold_angle, STRIPS)
