# SPDX-License-Identifier: BSD-3-Clause
"""Paired ratios with known samples, and the verdict that a row draws from them."""

import math

import numpy as np
import pytest
from scipy.stats import binom, norm, t

from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Value
from deformbench_analysis.paired_ratios import BEYOND, MARGIN, Ratio, paired_ratio, worst_family
from deformbench_analysis.verdicts import Outcome, compare


def test_the_median_is_of_ratios_and_not_a_ratio_of_medians() -> None:
    ratio = paired_ratio([1, 10, 8, 3, 7], [2, 40, 4, 6, 14])
    assert ratio.median == pytest.approx(math.log(0.5))
    assert (ratio.low, ratio.high) == pytest.approx((math.log(0.25), math.log(2)))  # of five, the whole range
    assert (ratio.pairs, ratio.failures_first, ratio.failures_second) == (5, 0, 0)
    assert ratio.half_width == pytest.approx(math.log(8) / 2)


@pytest.mark.parametrize("count", [7, 15, 51])
def test_the_interval_is_that_of_all_resamples(count: int) -> None:
    """The median of a resample is at most the k-th value where more than half of the draws are."""
    tail = norm.cdf(t.ppf(0.025, count - 1) * math.sqrt(count / (count - 1)))
    at_most = [binom.sf(count // 2, count, k / count) for k in range(1, count + 1)]
    low = next(k for k, probability in enumerate(at_most) if probability >= tail)
    logs = np.arange(count) ** 1.5
    ratio = paired_ratio(np.exp(logs), np.ones(count))
    assert (ratio.low, ratio.high) == pytest.approx((logs[low], logs[-1 - low]), abs=1e-9)


def test_it_depends_on_neither_the_order_nor_the_side() -> None:
    random = np.random.default_rng(3)
    a, b = random.lognormal(size=(2, 41))
    ratio, order = paired_ratio(a, b), random.permutation(41)
    assert paired_ratio(a[order], b[order]) == ratio == paired_ratio(a, b)
    other = paired_ratio(b, a)
    assert other.median == pytest.approx(-ratio.median)
    # The two draw other samples: their ends differ by what 10,000 resamples leave open, a tenth of the interval.
    assert (other.low, other.high) == pytest.approx((-ratio.high, -ratio.low), abs=0.1 * ratio.half_width)


def test_an_interval_contains_the_median_of_the_population_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    samples = [paired_ratio(np.exp(random.normal(size=15)), np.ones(15)) for _ in range(200)]
    # Three standard deviations of a share of 0.95 among 200 are 0.046.
    assert 0.9 < np.mean([r.low <= 0 <= r.high for r in samples]) <= 1.0


def test_a_failure_is_beyond_every_ratio_and_two_of_a_pair_are_no_pair() -> None:
    inf = math.inf
    ratio = paired_ratio([1, inf, inf, 2, 2, 2], [2, 4, inf, 1e300, 4, inf])
    assert (ratio.pairs, ratio.failures_first, ratio.failures_second) == (5, 2, 2)
    assert ratio.median == pytest.approx(math.log(0.5)) and ratio.high == BEYOND == -ratio.low
    assert paired_ratio([inf] * 5, [1] * 5).median == BEYOND and math.isfinite(BEYOND)
    nothing = paired_ratio([inf], [inf])
    assert (nothing.pairs, nothing.median, nothing.high) == (0, 0.0, BEYOND)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_few_pairs_have_an_interval_without_end(count: int) -> None:
    ratio = paired_ratio([1.0] * count, [5.0] * count)
    assert (ratio.low, ratio.high) == (-BEYOND, BEYOND)


@pytest.mark.parametrize("first, second", [([1.0], [1.0, 2.0]), ([0.0], [1.0]), ([math.nan], [1.0]), ([1.0], [-1.0])])
def test_what_is_no_pair_of_positive_numbers_is_missing(first: list[float], second: list[float]) -> None:
    with pytest.raises(MissingData, match="expected pairs of positive"):
        paired_ratio(first, second)


@pytest.mark.parametrize(
    "low, median, high, bound, margin, expected",
    [
        (-2.0, -0.2, -0.0954, 0.0, MARGIN, Outcome.TRUE),  # log 1.1 = 0.09531: wholly below, lopsided
        (-2.0, -0.2, -0.0952, 0.0, MARGIN, Outcome.UNDECIDED),
        (0.0954, 0.2, 3.0, 0.0, MARGIN, Outcome.FALSE),
        (0.0952, 0.2, 3.0, 0.0, MARGIN, Outcome.UNDECIDED),
        (0.0, 0.0, 0.0, 0.0, MARGIN, Outcome.UNDECIDED),
        (-0.1, BEYOND, BEYOND, 0.0, MARGIN, Outcome.UNDECIDED),
        (BEYOND, BEYOND, BEYOND, 0.0, MARGIN, Outcome.FALSE),
        (-0.9, -0.5, -0.23, math.log(0.8), 0.0, Outcome.TRUE),  # log 0.8 = −0.2231
        (-0.9, -0.5, -0.22, math.log(0.8), 0.0, Outcome.UNDECIDED),
        (-0.22, -0.1, 0.0, math.log(0.8), 0.0, Outcome.FALSE),
    ],
)
def test_a_row_is_decided_by_the_interval(
    low: float, median: float, high: float, bound: float, margin: float, expected: Outcome
) -> None:
    ratio = Ratio(median, low, high, 9, 0, 0)
    spread = Value("x.spread", "1", ratio.spread(bound, margin))
    row = {"measurement": "x.log_ratio", "op": "<", "value": bound}
    assert compare(row, Value("x.log_ratio", "1", ratio.median), False, spread) is expected


def test_the_worst_family_is_the_one_whose_interval_ends_highest() -> None:
    kuhn, animal = Ratio(-1.0, -1.1, -0.9, 9, 0, 0), Ratio(-1.5, -2.0, -0.1, 9, 0, 0)
    assert worst_family({"kuhn": kuhn, "animal": animal}) is animal
    with pytest.raises(MissingData, match="no family"):
        worst_family({})
