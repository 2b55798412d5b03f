# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/slope: a block that stays or slides, against Coulomb's friction."""

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.explicit_steps import material
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, extremes, parameter, quantity, rows

M = Measures("cs6967_assignment_2/slope")
friction = parameter("friction", float, "μ.")


def slope(trace: Trace) -> float:
    """tan α, of the tilted gravity."""
    x, y, _ = trace.value("scene.parameters.gravity_m_s2")
    return float(-x / y)


def coulomb(trace: Trace) -> float:
    """g (sin α − μ cos α), m/s²."""
    x, y, _ = trace.value("scene.parameters.gravity_m_s2")
    return float(x + friction(trace) * y)


def acceleration(trace: Trace) -> float:
    """Acceleration of the centre of mass down the slope in the second half of the run, m/s²."""
    speeds = trace.series("step", "velocities")
    masses = Body.of(trace).masses(material(trace)[2], speeds.values.shape[1])
    down = extremes.finite(speeds.values[..., 0] @ masses / masses.sum(), trace.label)
    half = len(down) // 2
    return float((down[-1] - down[half]) / (speeds.time[-1] - speeds.time[half]))


def way(trace: Trace) -> float:
    """Path of the centre of mass down the slope relative to g t²/2, in the second half of the run.

    t is the duration of that half, so the denominator is the path of a free fall of equal duration."""
    places = trace.series("step", "positions")
    masses = Body.of(trace).masses(material(trace)[2], places.values.shape[1])
    down = extremes.finite(places.values[..., 0] @ masses / masses.sum(), trace.label)
    half = len(down) // 2
    gravity = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2")))
    return float((down[-1] - down[half]) / (gravity * (places.time[-1] - places.time[half]) ** 2 / 2))


def slides_clearly(trace: Trace) -> bool:
    """tan α > 1.1 μ."""
    return slope(trace) > 1.1 * friction(trace)


def barely(trace: Trace, sign: int) -> bool:
    """tan α within 0.01 of μ, below (−1) or above it (1)."""
    off = slope(trace) - friction(trace)
    return 0 < sign * off <= 0.01 * (1 + 1e-9)


def barely_below(trace: Trace) -> bool:
    """tan α within 0.01 below μ."""
    return barely(trace, -1)


def barely_above(trace: Trace) -> bool:
    """tan α within 0.01 above μ."""
    return barely(trace, 1)


@quantity("relative error of the acceleration against g (sin α − μ cos α)")
def _sliding_error(trace: Trace) -> float:
    return abs(acceleration(trace) / coulomb(trace) - 1)


@quantity("acceleration / (g cos α)")
def _relative(trace: Trace) -> float:
    return acceleration(trace) / -float(trace.value("scene.parameters.gravity_m_s2")[1])


BLOCKS = rows(says="methods")

M.largest("sliding_error", _sliding_error, BLOCKS.where(slides_clearly))
M.largest("below_edge", _relative.off(0.0, "|acceleration| / (g cos α)"), BLOCKS.where(barely_below))
M.largest(  # detects creep at constant speed
    "creep",
    quantity("path down the slope in the run's second half / free fall in the same time")(lambda c: abs(way(c))),
    BLOCKS.where(barely_below),
)
M.least("above_edge", _relative, BLOCKS.where(barely_above))


@M("methods")
def methods(data: ExperimentData) -> float:
    """Number of different methods."""
    return float(len({c.method_id for c in BLOCKS.runs(data)}))
