# SPDX-License-Identifier: BSD-3-Clause
"""Two methods on the same cells: the median log ratio of what they need, with a bootstrap interval.

A row `<x>.log_ratio < 0` with the spread `Ratio.spread()` is true where the interval lies wholly below 1/1.1, false
where it lies wholly above 1.1, and undecided otherwise. For a stated factor the row is `< log(factor)`, and the
spread `Ratio.spread(log(factor), margin=0)`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .comparison.ratios import LEAST_PAIRS, log_interval
from .errors import MissingData
from .vocabulary import ExperimentData, Measured, Measures

MARGIN = math.log(1.1)  # ratios nearer to 1 are no difference
BEYOND = math.log(1e300)  # log ratio where one of the two failed: finite, so that JSON can hold it


@dataclass(frozen=True)
class Ratio:
    """Median of log(first/second) with its 95 % interval. Pairs in which both fail are in the failures, and not in
    `pairs`."""

    median: float
    low: float
    high: float
    pairs: int
    failures_first: int
    failures_second: int

    @property
    def half_width(self) -> float:
        """Half the interval."""
        return (self.high - self.low) / 2

    def spread(self, bound: float = 0.0, margin: float = MARGIN) -> float:
        """From the median to the end of the interval towards `bound`, plus the margin: the median is nearer to the
        bound than this unless the whole interval is beyond the margin."""
        return (self.high - self.median if self.median < bound else self.median - self.low) + margin

    def __str__(self) -> str:
        text = f"{_ratio(self.median):.3g} [{_ratio(self.low):.3g}, {_ratio(self.high):.3g}] of {self.pairs} pairs"
        failed = self.failures_first, self.failures_second
        return text + (f", {failed[0]} and {failed[1]} failures" if any(failed) else "")


def _ratio(log: float) -> float:
    return math.exp(min(max(log, -BEYOND), BEYOND))


def paired_ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Ratio over the pairs, resampled with a fixed seed, independent of their order. A failure is inf. MissingData
    unless all numbers are positive and there are as many of each. Below LEAST_PAIRS pairs the interval is unbounded."""
    if len(first) != len(second) or not all(value > 0 for value in (*first, *second)):
        raise MissingData(f"{len(first)} and {len(second)} numbers, expected pairs of positive ones, or inf")
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    failed = int(np.isinf(a).sum()), int(np.isinf(b).sum())
    a, b = (side[~(np.isinf(a) & np.isinf(b))] for side in (a, b))
    logs = np.where(np.isinf(a), BEYOND, np.where(np.isinf(b), -BEYOND, np.log(a) - np.log(b)))
    median = float(np.median(logs)) if len(logs) else 0.0
    low, high = _interval(tuple(sorted(logs.tolist())))
    return Ratio(median, low, high, len(logs), *failed)


@lru_cache(maxsize=1024)
def _interval(logs: tuple[float, ...]) -> tuple[float, float]:
    return log_interval(np.array(logs)) if len(logs) >= LEAST_PAIRS else (-BEYOND, BEYOND)


def worst_family(ratios: Mapping[str, Ratio]) -> Ratio:
    """The family whose interval ends highest. MissingData without one."""
    if not ratios:
        raise MissingData("no family of meshes, expected at least one")
    return max(ratios.values(), key=lambda ratio: (ratio.high, ratio.median))


Ratios = Callable[[ExperimentData], Mapping[str, Ratio]]  # by group of problems, such as a family of meshes


def show(measures: Measures, name: str, ratios: Ratios, of: str) -> None:
    """Registers the ratio, for readers."""

    @measures(name, of=of)
    def ratio(data: ExperimentData) -> Measured:
        """Median ratio of pairs in the worst group of problems, with intervals of all groups."""
        found = ratios(data)
        return Measured(_ratio(worst_family(found).median), "; ".join(f"{k} {r}" for k, r in found.items()))


def judge(
    measures: Measures, names: tuple[str, str], ratios: Ratios, of: str, bound: float = 0.0, margin: float = 0.0
) -> None:
    """Registers the log ratio and the spread of a row `<first name> < bound`."""

    @measures(names[0], of=of)
    def log_ratio(data: ExperimentData) -> float:
        """Median log ratio of pairs in the worst group of problems, whose 95 % interval ends highest."""
        return worst_family(ratios(data)).median

    @measures(names[1], of=of)
    def spread(data: ExperimentData) -> float:
        """Distance from that median to the end of its interval towards the bound, and the margin."""
        return worst_family(ratios(data)).spread(bound, margin)
