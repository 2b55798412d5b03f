# SPDX-License-Identifier: BSD-3-Clause
"""The worst of several values, wherever one stands that is not a number."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured

NAN = math.nan


@dataclass(frozen=True)
class Named:
    label: str
    number: int


def test_the_largest_and_the_least_come_with_whose_they_are() -> None:
    found = {"a": 1.0, "b": 3.0, "c": -2.0}
    assert extremes.largest(found) == Measured(3.0, "b") and extremes.least(found) == Measured(-2.0, "c")
    assert extremes.at_largest({4: 1.0, 5: 3.0, 6: 2.0}) == 5 and extremes.at_least({4: 1.0, 5: 3.0, 6: 2.0}) == 4


@pytest.mark.parametrize("values", itertools.permutations([1.0, NAN, 3.0]))
@pytest.mark.parametrize("worst", [extremes.largest, extremes.least, extremes.at_largest, extremes.at_least])
def test_one_that_is_not_a_number_is_named_wherever_it_stands(worst, values: tuple[float, ...]) -> None:  # type: ignore[no-untyped-def]
    found = {f"{value:g}": value for value in values}
    with pytest.raises(MissingData, match="^nan: not a number$"):
        worst(found)


def test_of_two_with_one_label_none_is_lost() -> None:
    assert extremes.largest({Named("warped", 1): 2.0, Named("warped", 2): 1.0}) == Measured(2.0, "warped")


def test_an_infinite_one_is_the_worst() -> None:
    assert extremes.largest({"a": 1.0, "diverged": math.inf}) == Measured(math.inf, "diverged")


def test_nothing_has_no_worst() -> None:
    with pytest.raises(MissingData, match="nothing to compare"):
        extremes.largest({})
    with pytest.raises(MissingData, match="bar: nothing to compare"):
        extremes.finite([], "bar")


@pytest.mark.parametrize("bad", [NAN, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_values_to_be_reduced_are_finite(bad: float, place: int) -> None:
    values = [1.0, 2.0, 3.0]
    assert extremes.finite(values, "bar").max() == 3.0
    values[place] = bad
    with pytest.raises(MissingData, match="bar: a value that is not finite"):
        extremes.finite(np.array(values), "bar")


def test_a_measured_value_prints_as_its_number() -> None:
    assert f"{Measured(0.2525, 'over three runs'):.2f}" == "0.25"
