# SPDX-License-Identifier: BSD-3-Clause
"""Ratio of two step times from interleaved repeats, with a bootstrap interval.

The timing pass runs the cells of a sweep point round by round: the k-th repeats of two cells were run beside each
other, and what the machine did meanwhile (frequency, other load) acts on both. So a ratio is formed within each pair,
and the pairs are resampled. Repeats of two calls of `time` are no pairs, nor are those of two machines, builds of the
harness, or numbers of threads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtrit

from ..arrays import Array
from ..trace import Timing, Trace

LEAST_PAIRS = 5  # the interval of the median of fewer cannot reach 90 %: the whole range of n has 1 − 2^(1−n)
LEVEL = 0.95
RESAMPLES = 10_000
SEED = 20040517
_ALIKE = {  # of the provenance: what must agree between two cells that are paired
    "host": "machine",
    "cpu": "processor",
    "threads": "number of threads",
    "harness_fingerprint": "harness (fingerprint)",
}


@dataclass(frozen=True)
class Ratio:
    """Step time of the other side over the baseline's: `value` is the median over the pairs,
    `low` and `high` its interval."""

    value: float
    low: float
    high: float
    pairs: int
    reason: str = ""  # why no difference can be shown whatever the interval

    @property
    def shows_difference(self) -> bool:
        """Whether the interval excludes 1 and rests on enough pairs."""
        return not self.reason and (self.low > 1.0 or self.high < 1.0)

    @property
    def verdict(self) -> str:
        """`slower`, `faster`, or `no difference shown`."""
        if not self.shows_difference:
            return "no difference shown"
        return "slower" if self.value > 1 else "faster"


def unlike(left: Mapping[str, Any], right: Mapping[str, Any]) -> str:
    """Why two provenances are not of one machine and one harness; "" when they are.
    What is not recorded does not agree."""
    for key, name in _ALIKE.items():
        a, b = left.get(key), right.get(key)
        if a in (None, "") or b in (None, ""):
            return f"the {name} is not recorded"
        if a != b:
            return f"another {name}: {_short(a)} and {_short(b)}"
    return ""


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 24 else text[:12] + "…"


def not_comparable(baseline: Trace, other: Trace) -> str:
    """Why two cells are never paired; "" when they may be."""
    return unlike(baseline.provenance, other.provenance)


def why_not_paired(baseline: Timing | None, other: Timing | None) -> str:
    """Why the repeats of two timings are no pairs; "" when they are."""
    if baseline is None or other is None:
        return "not timed"
    why = unlike(baseline.provenance, other.provenance)
    if why:
        return why
    sessions = [t.protocol.get("session") for t in (baseline, other)]
    if None in sessions or sessions[0] != sessions[1]:
        return "not timed in one call of `deformbench time`: the repeats were not interleaved"
    return ""


def pair_ratios(baseline: Array, other: Array) -> Array:
    """Ratio of the medians of the k-th repeats [repeat, step], over the steps that both sides have;
    NaN samples are none."""
    pairs, steps = min(len(baseline), len(other)), min(baseline.shape[1], other.shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        medians = [
            np.array([np.nanmedian(row) if np.isfinite(row).any() else np.nan for row in side[:pairs, :steps]])
            for side in (baseline, other)
        ]
        ratios = medians[1] / medians[0]
    return np.asarray(ratios[np.isfinite(ratios) & (ratios > 0)])


def run_ratios(baseline: Timing, other: Timing, steps: tuple[int, int]) -> Array:
    """Ratio of the times that the k-th repeats take for their first `steps`, warm-up included: of runs that end where
    the method is done. Empty where fewer steps were timed."""
    sides = [first_steps(timing, count) for timing, count in zip((baseline, other), steps)]
    if sides[0] is None or sides[1] is None:
        return np.zeros(0)
    pairs = min(len(sides[0]), len(sides[1]))
    return np.asarray(sides[1][:pairs] / sides[0][:pairs])


def first_steps(timing: Timing, count: int) -> Array | None:
    """Seconds of the first steps of every repeat, warm-up included; None where fewer were timed."""
    warmup, after = timing.warmup_seconds, timing.step_seconds
    seconds = np.concatenate([warmup, after], axis=1) if len(warmup) == len(after) else after
    if not 0 < count <= seconds.shape[1] or len(warmup) != len(after) or np.isnan(seconds[:, :count]).any():
        return None
    return np.asarray(seconds[:, :count].sum(axis=1))


def log_interval(logs: Array, seed: int = SEED) -> tuple[float, float]:
    """Percentile interval of the bootstrapped median: with logarithms of ratios, exchanging the sides changes its
    sign. The percentiles are moved outwards for few pairs, as Student's t is wider than the normal distribution
    (Hesterberg 2015, section 5.3): without it the interval of 7 pairs contains the true ratio in 87 % of cases only."""
    picks = np.random.default_rng(seed).integers(0, len(logs), (RESAMPLES, len(logs)))
    medians = np.median(logs[picks], axis=1)
    n = len(logs)
    tail = float(ndtr(stdtrit(n - 1, (1 - LEVEL) / 2) * np.sqrt(n / (n - 1)))) if n > 1 else 0.0
    low, high = np.quantile(medians, [tail, 1 - tail])
    return float(low), float(high)


def interval(ratios: Array, seed: int = SEED) -> tuple[float, float]:
    """The same for the ratios themselves."""
    low, high = log_interval(np.log(ratios), seed)
    return float(np.exp(low)), float(np.exp(high))


def ratio_of(ratios: Array, seed: int = SEED) -> Ratio | None:
    """The ratio with its interval; None without a pair."""
    if len(ratios) == 0:
        return None
    low, high = interval(ratios, seed)
    few = f"{len(ratios)} pairs, at least {LEAST_PAIRS} are needed" if len(ratios) < LEAST_PAIRS else ""
    return Ratio(float(np.exp(np.median(np.log(ratios)))), low, high, len(ratios), few)
