# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/steps_at_equal_error: explicit against implicit steps of a loaded bar."""

import numpy as np

from deformbench_analysis.explicit_steps import highest_frequency, lowest_frequency, pressure_wave_speed
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes, parameter, quantity, rows

M = Measures("cs6967_assignment_2/steps_at_equal_error")
FRAMES_PER_SECOND = 30.0
ALLOWED = 0.01  # of the largest deflection
# Least rise time of a slow load, in first periods: a linear rise over P periods makes the bar swing by 1/(2πP)
# of its deflection, so two swings of any phase differ by at most a hundredth from P = 32 on.
SLOW = 0.99 / (np.pi * ALLOWED)
STIFF = 7.0  # c_p/(30 h): ten stable steps in a thirtieth of a second at Δt c_p/h = 0.7, the limit of regular cells
young = parameter("young_modulus_pa", float, "Pa.")
ramp = parameter("tip_ramp_s", float, "Rise time of the load, s.")


def steps_per_frame(trace: Trace) -> int:
    """Time steps of the scene in a thirtieth of a second."""
    return round(1 / (FRAMES_PER_SECOND * trace.number("time_step_s")))


def tip(trace: Trace, interval: float) -> Array:
    """Mean displacement of the end face at every multiple of `interval` (s), [row, 3] m."""
    rest = trace.scene("rest_positions")
    end = rest[:, 0] > rest[:, 0].max() - 1e-6 * np.ptp(rest[:, 0])
    every = round(interval / trace.number("time_step_s"))
    series = trace.series("step", "positions")
    rows = series.values[series.step % every == 0]
    return np.asarray((rows[:, end] - rest[end]).mean(axis=1))


def tip_error(trace: Trace, exact: Trace) -> float:
    """Largest distance of the two tips / largest deflection,
    at multiples of the explicit run's time step."""
    interval = exact.number("time_step_s")
    here, there = tip(trace, interval), tip(exact, interval)
    if here.shape != there.shape:
        raise MissingData(f"{trace.label}: {len(here)} rows, {exact.label}: {len(there)}")
    errors = np.linalg.norm(here - there, axis=1)
    return float(extremes.finite(errors, trace.label).max() / np.linalg.norm(there, axis=1).max())


def free(trace: Trace) -> Array:
    """Mask of the free vertices: those off the face of least x."""
    rest = trace.scene("rest_positions")
    return np.asarray(rest[:, 0] > rest[:, 0].min() + 1e-6 * np.ptp(rest[:, 0]))


def explicit_steps(trace: Trace) -> float:
    """Steps per 1/30 s at the limit 2/ω_max of the held mesh at rest."""
    return highest_frequency(trace, free(trace)) / (2 * FRAMES_PER_SECOND)


def periods(trace: Trace) -> float:
    """Rise time of the load in first periods of the held rest mesh."""
    return ramp(trace) * lowest_frequency(trace, free(trace)) / (2 * np.pi)


def frame_number(trace: Trace) -> float:
    """Ratio c_p/(30 h)."""
    size = trace.number("side_m") / trace.number("cells_across")
    return pressure_wave_speed(trace) / (FRAMES_PER_SECOND * size)


def ratio(exact: Trace, *rivals: Trace) -> float:
    """Explicit steps / fewest implicit ones whose tip is within a hundredth."""
    if exact.method_name != "explicit" or any(c.method_name != "implicit" for c in rivals):
        raise MissingData(f"{exact.label}: expected one explicit run and implicit ones")
    enough = [steps_per_frame(c) for c in rivals if tip_error(c, exact) <= ALLOWED]
    if not enough:
        raise MissingData(f"{exact.label}: no implicit run is within a hundredth")
    return explicit_steps(exact) / min(enough)


def load(trace: Trace) -> str:
    """Stiffness and rise time."""
    return f"E = {young(trace):g} Pa, {ramp(trace):g} s"


def is_in_regime(exact: Trace, *_: Trace) -> bool:
    """At least ten explicit steps in a thirtieth of a second, and loads too slow to excite swings."""
    return frame_number(exact) >= STIFF and periods(exact) >= SLOW


def is_fast(exact: Trace, *_: Trace) -> bool:
    """As stiff, with loads that make it swing."""
    return frame_number(exact) >= STIFF and periods(exact) < SLOW


RATIO = quantity("stable explicit steps / fewest implicit Euler steps with a tip error ≤ 1 %")(ratio)
LOADS = rows("explicit", "implicit", says="stiffnesses and loads").grouped(load, says="")
EXPLICIT = rows("explicit", says="stiffnesses with c_p/(30 h) ≥ 7, loads rising in ≥ 32 periods of the held bar")
IN_REGIME = EXPLICIT.having(is_in_regime, says="")

M.least("ratio", RATIO, LOADS)
M.least("ratio_in_regime", RATIO, LOADS.having(is_in_regime, says="c_p/(30 h) ≥ 7, rises of 32 periods or more"))
M.least("periods_in_regime", quantity("rise time of the load / period of the held bar")(periods), IN_REGIME)
M.least("frame_number_in_regime", frame_number, IN_REGIME)
M.largest("ratio_of_fast_load", RATIO, LOADS.having(is_fast, says="c_p/(30 h) ≥ 7, rises of fewer than 32 periods"))
M.largest("largest_ratio", RATIO, LOADS)
