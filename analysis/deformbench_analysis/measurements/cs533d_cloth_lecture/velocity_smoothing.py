# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/velocity_smoothing: what an implicit velocity update leaves of a collision.

The end of a chain of masses m, whose links are dampers c, has been stopped, the others fly at V. With s = Δt c/2m the update solves
(1 + s L) v = v^{n+1/2}, whose solution falls off by λ = (1 + 2s − √(1 + 4s))/2s from mass to mass."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/velocity_smoothing"


def strength(trace: Trace) -> float:
    """s."""
    damping = parameter(trace, "stretch_damping_s") * float(springs_of(trace).stiffnesses[0])
    return number(trace, "time_step_s") * damping / (2 * float(trace.scene("masses")[1]))


def decay(trace: Trace) -> float:
    """λ."""
    s = strength(trace)
    return float((1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s))


def approach(trace: Trace) -> float:
    """Speed of the stopped mass towards the wall after the step, over V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(v[-1, 0] / v[0, 0])


def link_rate(trace: Trace) -> float:
    """Largest speed of one end of a link towards the other after the step, over V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(np.abs(np.diff(v[-1])).max() / abs(v[0, 0]))


@measurement("velocity_smoothing.approach_error", unit="1", experiment=EXPERIMENT)
def approach_error(data: ExperimentData) -> Measured:
    """Largest difference between the residual approach and λV, over V, plain update."""
    return extremes.largest({c: abs(approach(c) - decay(c)) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.rate_error", unit="1", experiment=EXPERIMENT)
def rate_error(data: ExperimentData) -> Measured:
    """Largest difference between the largest link rate and (1 − λ)²V, over V, plain update."""
    return extremes.largest({c: abs(link_rate(c) - (1 - decay(c)) ** 2) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.constrained_approach", unit="1", experiment=EXPERIMENT)
def constrained_approach(data: ExperimentData) -> Measured:
    """Largest residual approach over V, constrained update."""
    return extremes.largest({c: abs(approach(c)) for c in data.every(name="half_step_constrained")})


@measurement("velocity_smoothing.constrained_rate_error", unit="1", experiment=EXPERIMENT)
def constrained_rate_error(data: ExperimentData) -> Measured:
    """Largest difference between the largest link rate and (1 − λ)V, over V, constrained update."""
    cells = data.every(name="half_step_constrained")
    return extremes.largest({c: abs(link_rate(c) - (1 - decay(c))) for c in cells})


@measurement("velocity_smoothing.rate_without_update", unit="1", experiment=EXPERIMENT)
def rate_without_update(data: ExperimentData) -> float:
    """Largest link rate over V without the update."""
    return link_rate(data.one(name="symplectic"))


@measurement("velocity_smoothing.rate_at_half", unit="1", experiment=EXPERIMENT)
def rate_at_half(data: ExperimentData) -> Measured:
    """Largest link rate over V of the plain updates with s ≥ 0.5."""
    return extremes.largest({c: link_rate(c) for c in data.every(name="half_step") if strength(c) >= 0.5})


@measurement("velocity_smoothing.least_strength", unit="1", experiment=EXPERIMENT)
def least_strength(data: ExperimentData) -> Measured:
    """Smallest s."""
    return extremes.least({c: strength(c) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.largest_strength", unit="1", experiment=EXPERIMENT)
def largest_strength(data: ExperimentData) -> Measured:
    """Largest s."""
    return extremes.largest({c: strength(c) for c in data.every(name="half_step")})
