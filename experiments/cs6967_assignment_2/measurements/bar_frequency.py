# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/bar_frequency: how much faster a bar swings with the printed strain."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, quantity, ratio, rows

M = Measures("cs6967_assignment_2/bar_frequency")


def upward_crossings(trace: Trace) -> list[float]:
    """Times (s) at which the tip rises through its rest height, linearly interpolated."""
    series = trace.series("step", "tip_displacement")
    height, time = series.values[:, 1], series.time
    at = np.flatnonzero((height[:-1] < 0) & (height[1:] >= 0))
    return [float(time[k] - height[k] * (time[k + 1] - time[k]) / (height[k + 1] - height[k])) for k in at]


def frequency(trace: Trace) -> float:
    """Mean frequency between the first and last upward crossing, Hz."""
    found = upward_crossings(trace)
    if len(found) < 4:
        raise MissingData(f"{trace.label}: {len(found)} swings, expected at least 4")
    return (len(found) - 1) / (found[-1] - found[0])


@quantity("|r/√2 − 1|, r the ratio of the frequencies")
def _ratio_error(printed: Trace, corrected: Trace) -> float:
    return abs(frequency(printed) / frequency(corrected) / math.sqrt(2) - 1)


@quantity("swings used for the frequency")
def _swings(trace: Trace) -> float:
    return float(len(upward_crossings(trace)) - 1)


BOTH = rows("as_printed", says="strain FᵀF − I as printed").beside(rows("corrected"), says="against ½(FᵀF − I)")

frequency_ratio = M.only("ratio", ratio(frequency, "ratio of the frequencies"), BOTH)
M.only("ratio_error", _ratio_error, BOTH)
M.least("swings", _swings)
