# SPDX-License-Identifier: BSD-3-Clause
"""Runs with different steps at times that all of them have, and what a simulated second of them costs."""

import numpy as np

from deformbench_analysis.vocabulary import Array, MissingData, Trace


def at_multiples(trace: Trace, channel: str, interval: float) -> Array:
    """Rows of a channel of the clock `step` at every multiple of the interval (s)."""
    series = trace.series("step", channel)
    times = np.arange(1, round(float(series.time[-1]) / interval) + 1) * interval
    rows = np.searchsorted(series.time, times - 1e-9)
    if rows[-1] >= len(series.time) or not np.allclose(series.time[rows], times, atol=1e-9):
        raise MissingData(f"{trace.experiment}: {trace.label} has no rows at all multiples of {interval:g} s")
    return np.asarray(series.values[rows])


def cost(trace: Trace) -> float:
    """Time of a simulated second, s: the lower quartile of a step's time over Δt."""
    step = float(np.nanpercentile(trace.require_timing().step_seconds, 25))
    return step / trace.number("time_step_s")


def cost_if_timed(trace: Trace) -> float | None:
    """The same, None of a run that was not timed."""
    try:
        return cost(trace)
    except MissingData:
        return None
