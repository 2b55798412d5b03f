# SPDX-License-Identifier: BSD-3-Clause
"""Performance and data profiles of known costs."""

import math

import numpy as np
import pytest

from deformbench_analysis.errors import MissingData
from deformbench_analysis.profiles import data, performance
from paper_figures import style

INF = math.inf


def test_a_performance_profile_is_the_share_within_a_factor_of_the_better() -> None:
    first, second = performance([1, 2, INF, INF], [2, 1, 5, INF], [1, 1.99, 2, 1e9])
    assert first.share.tolist() == [0.25, 0.25, 0.5, 0.5]
    assert second.share.tolist() == [0.5, 0.5, 0.75, 0.75]  # a cell that both fail is no one's


def test_a_data_profile_is_the_share_within_a_budget() -> None:
    found = data({"a": [1, 10, INF], "b": [3, 3, 3]}, [0.5, 1, 3, 1e300])
    assert found["a"].share == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])
    assert found["b"].share.tolist() == [0, 0, 1, 1]


def test_a_band_has_the_width_of_a_share_and_none_where_all_are_alike() -> None:
    found = data({"a": [1.0] * 50 + [3.0] * 50}, [0.5, 2, 4])["a"]
    assert (found.low[[0, 2]].tolist(), found.high[[0, 2]].tolist()) == ([0, 1], [0, 1])
    # 1.96 √(¼/100) = 0.098; 2000 resamples leave a hundredth open.
    assert (found.high[1] - found.low[1]) / 2 == pytest.approx(0.098, abs=0.012)
    again = data({"a": [1.0] * 50 + [3.0] * 50}, [0.5, 2, 4])["a"]
    assert np.array_equal(found.low, again.low)


@pytest.mark.parametrize("costs", [{"a": []}, {"a": [1.0], "b": [1.0, 2.0]}, {"a": [0.0]}, {"a": [math.nan]}])
def test_costs_that_are_none_are_missing(costs: dict[str, list[float]]) -> None:
    with pytest.raises(MissingData, match="positive costs"):
        data(costs, [1.0])


def test_a_drawn_profile_is_a_staircase_of_its_shares() -> None:
    found, _ = performance([1, 4], [2, 2], [1, 2, 3])
    page, axes = style.new_figure()
    style.profile(axes, found, style.method_style("linear"))
    (line,) = axes.lines
    assert line.get_drawstyle() == "steps-post" and line.get_ydata().tolist() == [0.5, 1, 1]
    style.plt.close(page)
