# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/momentum: what the scheme does to the momenta of a free spinning dumbbell and ring."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_et_al_2007/momentum"
PARTICLES = "scene.parameters.particles"


def turn(trace: Trace) -> float:
    """ω Δt at the start."""
    return float(trace.value("scene.parameters.angular_velocity_rad_s")) * float(
        trace.value("scene.parameters.time_step_s")
    )


def angular_ratio(trace: Trace) -> Array:
    """L/L0 about the axis of the ring, every step."""
    momentum = trace.values("step", "angular_momentum")[:, 2]
    return np.asarray(momentum / momentum[0])


def dumbbell_turns(first: float, steps: int) -> Array:
    """Turn of every step: tan φ₁ = ωΔt, tan φ' = sin φ/(2 − cos φ); closed form `spinning_dumbbell`."""
    turns = [float(np.arctan(first))]
    while len(turns) < steps:
        turns.append(float(np.arctan2(np.sin(turns[-1]), 2 - np.cos(turns[-1]))))
    return np.array(turns)


def _worst(data: ExperimentData, name: str, particles: int | None = None) -> Measured:
    cells = data.some(name=name, keep=lambda c: particles is None or int(c.value(PARTICLES)) == particles)
    loss = {c: float(np.abs(angular_ratio(c) - 1).max()) for c in cells}
    return extremes.largest(loss)


@measurement("momentum.linear_change", unit="1", experiment=EXPERIMENT)
def linear_change(data: ExperimentData) -> float:
    """Largest change of the linear momentum over the sum of m v of the particles at the start, all runs."""
    found: list[float] = []
    for cell in data.some():
        momentum = cell.values("step", "linear_momentum")
        scale = (
            float(cell.scene("masses").sum())
            * float(cell.value("scene.parameters.angular_velocity_rad_s"))
            * float(cell.value("scene.parameters.diameter_m"))
            / 2
        )
        found.append(float(np.linalg.norm(momentum - momentum[0], axis=1).max()) / scale)
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("momentum.angular_loss", unit="1", experiment=EXPERIMENT)
def angular_loss(data: ExperimentData) -> Measured:
    """Largest |L/L0 − 1| over all steps, L the angular momentum, gradients at predicted positions as in the paper."""
    return _worst(data, "pbd")


@measurement("momentum.loss_per_turn_squared", unit="1", experiment=EXPERIMENT)
def loss_per_turn_squared(data: ExperimentData) -> Measured:
    """Largest |change of L| in a step over L at the step's start and over (ωΔt)², ω at the step's start taken in
    proportion to L; gradients at predicted positions, all steps and speeds."""
    found = {}
    for cell in data.some(name="pbd"):
        before, after = angular_ratio(cell)[:-1], angular_ratio(cell)[1:]
        found[cell.label] = float((np.abs(1 - after / before) / (turn(cell) * before) ** 2).max())
    return extremes.largest(found)


@measurement("momentum.start_gradient_loss", unit="1", experiment=EXPERIMENT)
def start_gradient_loss(data: ExperimentData) -> Measured:
    """Largest |L/L0 − 1| over all steps, L the angular momentum, gradients at the positions at the start of the
    step."""
    return _worst(data, "start_gradients")


@measurement("momentum.loss_of_hundred_steps", unit="1", experiment=EXPERIMENT)
def loss_of_hundred_steps(data: ExperimentData) -> float:
    """1 − L/L0 of the dumbbell after 100 steps at ωΔt = 0.05, L the angular momentum."""
    cell = data.one(name="pbd", where={PARTICLES: 2}, keep=lambda c: abs(turn(c) - 0.05) < 1e-9)
    return 1 - float(angular_ratio(cell)[100])


@measurement("momentum.recursion_error", unit="1", experiment=EXPERIMENT)
def recursion_error(data: ExperimentData) -> float:
    """Largest difference of the dumbbell's L/L0 from the recursion tan φ' = sin φ/(2 − cos φ), φ the angle turned in a
    step, all steps and speeds."""
    found: list[float] = []
    for cell in data.some(name="pbd", where={PARTICLES: 2}):
        ratio = angular_ratio(cell)
        found.append(float(np.abs(ratio[1:] - np.sin(dumbbell_turns(turn(cell), len(ratio) - 1)) / turn(cell)).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("momentum.ring_loss", unit="1", experiment=EXPERIMENT)
def ring_loss(data: ExperimentData) -> Measured:
    """Largest |L/L0 − 1| of the ring over all steps, L the angular momentum, gradients at predicted positions."""
    return _worst(data, "pbd", 12)
