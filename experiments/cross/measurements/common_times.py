# SPDX-License-Identifier: BSD-3-Clause
"""Runs with different time steps at common times, and their computing time per simulated second."""

import numpy as np

from deformbench_analysis.vocabulary import Array, MissingData, Trace


def at_multiples(trace: Trace, channel: str, interval: float) -> Array:
    """Rows of a channel of the clock `step` at every multiple of the interval (s)."""
    series = trace.series("step", channel)
    times = np.arange(1, round(float(series.time[-1]) / interval) + 1) * interval
    rows = np.searchsorted(series.time, times - 1e-9)
    if not len(rows) or rows[-1] >= len(series.time) or not np.allclose(series.time[rows], times, atol=1e-9):
        raise MissingData(f"{trace.experiment}: {trace.label} has no rows at all multiples of {interval:g} s")
    return np.asarray(series.values[rows])


def cost(trace: Trace) -> float:
    """Wall-clock s per simulated s: the lower quartile of a step's time/Δt."""
    step = float(np.nanpercentile(trace.require_timing().step_seconds, 25))
    return step / trace.number("time_step_s")


def cost_if_timed(trace: Trace) -> float | None:
    """The same; None for an untimed run."""
    try:
        return cost(trace)
    except MissingData:
        return None
