# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/momentum: change of the momenta of a free spinning dumbbell and
ring."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, extremes, quantity, rows

M = Measures("mueller_et_al_2007/momentum")


def turn(trace: Trace) -> float:
    """ω Δt at the start."""
    return trace.number("angular_velocity_rad_s") * trace.number("time_step_s")


def angular_ratio(trace: Trace) -> Array:
    """L/L0 about the axis of the ring, every step."""
    momentum = trace.values("step", "angular_momentum")[:, 2]
    return np.asarray(momentum / momentum[0])


def dumbbell_turns(first: float, steps: int) -> Array:
    """Angle per step: tan φ₁ = ωΔt, tan φ' = sin φ/(2 − cos φ); closed form `spinning_dumbbell`."""
    turns = [float(np.arctan(first))]
    while len(turns) < steps:
        turns.append(float(np.arctan2(np.sin(turns[-1]), 2 - np.cos(turns[-1]))))
    return np.array(turns)


@quantity("change of linear momentum / sum of m v of the particles at the start")
def linear_change(trace: Trace) -> Array:
    """Every step."""
    momentum = trace.values("step", "linear_momentum")
    scale = float(trace.scene("masses").sum()) * trace.number("angular_velocity_rad_s") * trace.number("diameter_m") / 2
    return extremes.finite(np.linalg.norm(momentum - momentum[0], axis=1) / scale, trace.label)


@quantity("|change of L in a step| / (L (ωΔt)²), L at its start, ω proportional to L")
def loss_per_turn_squared(trace: Trace) -> Array:
    """Every step."""
    before, after = angular_ratio(trace)[:-1], angular_ratio(trace)[1:]
    return np.asarray(np.abs(1 - after / before) / (turn(trace) * before) ** 2)


@quantity("difference of L/L0 from the recursion tan φ' = sin φ/(2 − cos φ), φ the angle per step")
def recursion_error(trace: Trace) -> Array:
    """Per step of a dumbbell."""
    ratio = angular_ratio(trace)
    expected = np.sin(dumbbell_turns(turn(trace), len(ratio) - 1)) / turn(trace)
    return extremes.finite(np.abs(ratio[1:] - expected), trace.label)


angular_loss = quantity("|L/L0 − 1|, L the angular momentum")(lambda c: np.abs(angular_ratio(c) - 1))
loss_of_hundred = quantity("1 − L/L0 after 100 steps, L the angular momentum")(lambda c: 1 - angular_ratio(c)[100])
PREDICTED = rows("pbd", says="gradients at predicted positions")
DUMBBELL = PREDICTED.where(particles=2, says="dumbbells")

M.largest("linear_change", linear_change, EVERY_RUN.noted(lambda c: ""))
M.largest("angular_loss", angular_loss, PREDICTED)
M.largest("loss_per_turn_squared", loss_per_turn_squared, PREDICTED)
M.largest("start_gradient_loss", angular_loss, rows("start_gradients", says="gradients at the start of the step"))
M.only(
    "loss_of_hundred_steps", loss_of_hundred, DUMBBELL.where(lambda c: abs(turn(c) - 0.05) < 1e-9, says="ωΔt = 0.05")
)
M.largest("recursion_error", recursion_error, DUMBBELL.noted(lambda c: ""))
M.largest("ring_loss", angular_loss, PREDICTED.where(particles=12, says="rings"))
