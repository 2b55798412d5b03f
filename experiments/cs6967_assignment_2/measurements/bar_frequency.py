# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/bar_frequency: how much faster a bar swings with the printed strain."""

from __future__ import annotations

import math

import numpy as np

from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/bar_frequency"


def upward_crossings(trace: Trace) -> list[float]:
    """Times at which the tip rises through its rest place, s, linear between two steps."""
    series = trace.series("step", "tip_displacement")
    height, time = series.values[:, 1], series.time
    at = np.flatnonzero((height[:-1] < 0) & (height[1:] >= 0))
    return [float(time[k] - height[k] * (time[k + 1] - time[k]) / (height[k + 1] - height[k])) for k in at]


def frequency(trace: Trace) -> float:
    """Hz, from the first to the last rise through the rest place."""
    found = upward_crossings(trace)
    if len(found) < 4:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: {len(found)} swings, expected at least 4")
    return (len(found) - 1) / (found[-1] - found[0])


@measurement("bar_frequency.ratio", unit="1", experiment=EXPERIMENT)
def ratio(data: ExperimentData) -> float:
    """Frequency of the bar with the strain FᵀF − I as printed over that with ½(FᵀF − I)."""
    return frequency(data.one(name="as_printed")) / frequency(data.one(name="corrected"))


@measurement("bar_frequency.ratio_error", unit="1", experiment=EXPERIMENT)
def ratio_error(data: ExperimentData) -> float:
    """|ratio/√2 − 1| of the frequencies with FᵀF − I as printed and with ½(FᵀF − I): a stiffness that is twice as large."""
    return abs(ratio(data) / math.sqrt(2) - 1)


@measurement("bar_frequency.swings", unit="1", experiment=EXPERIMENT)
def swings(data: ExperimentData) -> float:
    """Least number of swings that a frequency is taken from."""
    return float(np.min([len(upward_crossings(c)) - 1 for c in data.every()]))
