# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/slope: a block that stays or slides, against Coulomb's friction."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.corotational import Body
from deformbench_analysis.explicit_steps import material
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/slope"


def slope(trace: Trace) -> float:
    """tan α, of the tilted gravity."""
    x, y, _ = trace.value("scene.parameters.gravity_m_s2")
    return float(-x / y)


def friction(trace: Trace) -> float:
    """μ."""
    return float(trace.value("scene.parameters.friction"))


def coulomb(trace: Trace) -> float:
    """g (sin α − μ cos α), m/s²."""
    x, y, _ = trace.value("scene.parameters.gravity_m_s2")
    return float(x + friction(trace) * y)


def acceleration(trace: Trace) -> float:
    """Of the centre of mass down the slope in the second half of the run, m/s²."""
    speeds = trace.series("step", "velocities")
    masses = Body.of(trace).masses(material(trace)[2], speeds.values.shape[1])
    down = extremes.finite(speeds.values[..., 0] @ masses / masses.sum(), trace.label)
    half = len(down) // 2
    return float((down[-1] - down[half]) / (speeds.time[-1] - speeds.time[half]))


def way(trace: Trace) -> float:
    """Of the centre of mass down the slope in the second half of the run over g t²/2, t the second half: what a free fall of as
    long would do."""
    places = trace.series("step", "positions")
    masses = Body.of(trace).masses(material(trace)[2], places.values.shape[1])
    down = extremes.finite(places.values[..., 0] @ masses / masses.sum(), trace.label)
    half = len(down) // 2
    gravity = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2")))
    return float((down[-1] - down[half]) / (gravity * (places.time[-1] - places.time[half]) ** 2 / 2))


def slides_clearly(trace: Trace) -> bool:
    """tan α over μ by more than a tenth of μ."""
    return slope(trace) > 1.1 * friction(trace)


def barely(trace: Trace, sign: int) -> bool:
    """Within 0.01 of the edge, below (−1) or above it (1)."""
    off = slope(trace) - friction(trace)
    return 0 < sign * off <= 0.01 * (1 + 1e-9)


@measurement("slope.sliding_error", unit="1", experiment=EXPERIMENT)
def sliding_error(data: ExperimentData) -> Measured:
    """Largest relative error of the acceleration against g (sin α − μ cos α), slopes well over the edge, every method."""
    return extremes.largest({c: abs(acceleration(c) / coulomb(c) - 1) for c in data.every(keep=slides_clearly)})


@measurement("slope.below_edge", unit="1", experiment=EXPERIMENT)
def below_edge(data: ExperimentData) -> Measured:
    """Largest acceleration over g cos α of a block whose slope is within 0.01 below the edge, every method."""
    return extremes.largest(
        {
            c: abs(acceleration(c)) / -float(c.value("scene.parameters.gravity_m_s2")[1])
            for c in data.every(keep=lambda c: barely(c, -1))
        }
    )


@measurement("slope.creep", unit="1", experiment=EXPERIMENT)
def creep(data: ExperimentData) -> Measured:
    """Largest way along the slope in the second half of the run over g t²/2, t the second half's duration, of a block whose slope
    is within 0.01 below the edge, every method: 0 of one that stays, while one that creeps at a constant speed shows here.
    """
    return extremes.largest({c: abs(way(c)) for c in data.every(keep=lambda c: barely(c, -1))})


@measurement("slope.above_edge", unit="1", experiment=EXPERIMENT)
def above_edge(data: ExperimentData) -> Measured:
    """Least acceleration over g cos α of a block whose slope is within 0.01 above the edge, every method."""
    return extremes.least(
        {
            c: acceleration(c) / -float(c.value("scene.parameters.gravity_m_s2")[1])
            for c in data.every(keep=lambda c: barely(c, 1))
        }
    )


@measurement("slope.methods", unit="1", experiment=EXPERIMENT)
def methods(data: ExperimentData) -> float:
    """Number of different methods."""
    return float(len({c.method_id for c in data.every()}))
