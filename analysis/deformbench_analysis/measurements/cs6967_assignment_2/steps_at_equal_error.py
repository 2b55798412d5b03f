# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/steps_at_equal_error: explicit against implicit steps of a slowly loaded bar."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...explicit_steps import highest_frequency, pressure_wave_speed
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "cs6967_assignment_2/steps_at_equal_error"
FRAMES_PER_SECOND = 30.0
PAINFUL = 50.0  # c_p/(30 h) from which steps are called painful
ALLOWED = 0.01  # of the largest deflection


def young(trace: Trace) -> float:
    """Pa."""
    return float(trace.value("scene.parameters.young_modulus_pa"))


def steps_per_frame(trace: Trace) -> int:
    """Time steps of the scene in a thirtieth of a second."""
    return round(1 / (FRAMES_PER_SECOND * float(trace.value("scene.parameters.time_step_s"))))


def tip(trace: Trace) -> Array:
    """Mean displacement of the end face at every thirtieth of a second, [frame, 3] m."""
    rest = trace.scene("rest_positions")
    end = rest[:, 0] > rest[:, 0].max() - 1e-6 * np.ptp(rest[:, 0])
    every = steps_per_frame(trace)
    series = trace.series("step", "positions")
    rows = series.values[series.step % every == 0]
    return np.asarray((rows[:, end] - rest[end]).mean(axis=1))


def tip_error(trace: Trace, exact: Trace) -> float:
    """Largest distance of the two tips over the largest deflection."""
    here, there = tip(trace), tip(exact)
    if here.shape != there.shape:
        raise MissingData(f"{trace.label}: {len(here)} frames, {exact.label}: {len(there)}")
    errors = np.linalg.norm(here - there, axis=1)
    return float(extremes.finite(errors, trace.label).max() / np.linalg.norm(there, axis=1).max())


def explicit_steps(trace: Trace) -> float:
    """In a thirtieth of a second at the limit 2/ω_max of the held mesh at rest."""
    rest = trace.scene("rest_positions")
    free = rest[:, 0] > rest[:, 0].min() + 1e-6 * np.ptp(rest[:, 0])
    return highest_frequency(trace, free) / (2 * FRAMES_PER_SECOND)


def frame_number(trace: Trace) -> float:
    """c_p/(30 h)."""
    size = float(trace.value("scene.parameters.side_m")) / float(trace.value("scene.parameters.cells_across"))
    return pressure_wave_speed(trace) / (FRAMES_PER_SECOND * size)


def ratios(data: ExperimentData) -> dict[Trace, float]:
    """By explicit run: explicit steps over the fewest implicit ones whose tip is within a hundredth."""
    found = {}
    for exact in data.every(name="explicit"):
        rivals = data.every(name="implicit", where={"scene.parameters.young_modulus_pa": young(exact)})
        enough = [steps_per_frame(c) for c in rivals if tip_error(c, exact) <= ALLOWED]
        if not enough:
            raise MissingData(f"{exact.label}: no implicit run is within a hundredth")
        found[exact] = explicit_steps(exact) / min(enough)
    return found


@measurement("steps_at_equal_error.ratio", unit="1", experiment=EXPERIMENT)
def ratio(data: ExperimentData) -> Measured:
    """Least number of stable explicit steps over that of implicit Euler steps whose tip is within a hundredth, all stiffnesses."""
    return extremes.least(ratios(data))


@measurement("steps_at_equal_error.ratio_in_regime", unit="1", experiment=EXPERIMENT)
def ratio_in_regime(data: ExperimentData) -> Measured:
    """Least number of stable explicit steps over that of implicit Euler steps whose tip is within a hundredth, stiffnesses with
    c_p/(30 h) ≥ 50."""
    return extremes.least({c: r for c, r in ratios(data).items() if frame_number(c) >= PAINFUL})


@measurement("steps_at_equal_error.largest_ratio", unit="1", experiment=EXPERIMENT)
def largest_ratio(data: ExperimentData) -> Measured:
    """Largest number of stable explicit steps over that of implicit Euler steps whose tip is within a hundredth."""
    return extremes.largest(ratios(data))
