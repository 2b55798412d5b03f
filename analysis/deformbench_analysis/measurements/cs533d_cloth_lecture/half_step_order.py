# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/half_step_order: half steps of velocity against the closed form of a mass on a spring."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/half_step_order"


def stretch(trace: Trace) -> tuple[Array, Array]:
    """Time and elongation of the spring, m."""
    springs, series = springs_of(trace), trace.series("step", "positions")
    values = extremes.finite(series.values, trace.label)
    return series.time, springs.strains(values)[:, 0] * springs.lengths[0]


def closed_form(trace: Trace, time: Array) -> Array:
    """Elongation of a mass that is let go from rest without elongation under gravity."""
    omega = float(np.sqrt(springs_of(trace).stiffnesses[0] / trace.scene("masses")[1]))
    zeta = parameter(trace, "stretch_damping_s") * omega / 2
    turn = omega * np.sqrt(1 - zeta**2)
    weight = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2")))
    swing = np.exp(-zeta * omega * time) * (np.cos(turn * time) + zeta * omega / turn * np.sin(turn * time))
    return np.asarray(weight / omega**2 * (1 - swing))


def error(trace: Trace) -> float:
    """|u − u_exact| at the end, over the static elongation."""
    time, found = stretch(trace)
    omega2 = float(springs_of(trace).stiffnesses[0] / trace.scene("masses")[1])
    static = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2"))) / omega2
    return float(abs(found[-1] - closed_form(trace, time)[-1]) / static)


def orders(data: ExperimentData, name: str) -> dict[str, float]:
    """Slope of the error against the step between neighbouring steps."""
    cells = sorted(data.every(name=name), key=lambda c: number(c, "time_step_s"))
    if len(cells) < 3:
        raise MissingData(f"{name}: three steps at least were expected")
    steps, errors = [number(c, "time_step_s") for c in cells], [error(c) for c in cells]
    return {
        f"{name}, {steps[i]:g} to {steps[i + 1]:g} s": float(
            np.log(errors[i + 1] / errors[i]) / np.log(steps[i + 1] / steps[i])
        )
        for i in range(len(cells) - 1)
    }


def farthest(data: ExperimentData, name: str, order: float) -> Measured:
    """The largest distance from an order."""
    return extremes.largest({k: abs(v - order) for k, v in orders(data, name).items()})


@measurement("half_step_order.undamped", unit="1", experiment=EXPERIMENT)
def undamped(data: ExperimentData) -> Measured:
    """Largest distance of the order from 2, without damping."""
    return farthest(data, "undamped", 2.0)


@measurement("half_step_order.damped", unit="1", experiment=EXPERIMENT)
def damped(data: ExperimentData) -> Measured:
    """Largest distance of the order from 2, damped, first half explicit."""
    return farthest(data, "damped", 2.0)


@measurement("half_step_order.both_implicit", unit="1", experiment=EXPERIMENT)
def both_implicit(data: ExperimentData) -> Measured:
    """Largest distance of the order from 1, damped, both halves implicit in damping."""
    return farthest(data, "both_implicit", 1.0)


@measurement("half_step_order.amplitude_below_limit", unit="1", experiment=EXPERIMENT)
def amplitude_below_limit(data: ExperimentData) -> float:
    """Largest distance of the mass from where it would rest, over that at the start, at a step of 1.99/ω over 2000 steps: 1 in closed
    form, as such steps are A cos nθ."""
    cell = data.one(name="limit", keep=lambda c: number(c, "time_step_s") < 2)
    found = stretch(cell)[1]
    omega2 = float(springs_of(cell).stiffnesses[0] / cell.scene("masses")[1])
    static = float(np.linalg.norm(cell.value("scene.parameters.gravity_m_s2"))) / omega2
    return float(np.abs(found / static - 1).max())


@measurement("half_step_order.diverges_above_limit", unit="1", experiment=EXPERIMENT)
def diverges_above_limit(data: ExperimentData) -> float:
    """Runs with a step of 2.01/ω that diverge."""
    return float(sum(c.status == "diverged" for c in data.select(name="limit", status=None)))
