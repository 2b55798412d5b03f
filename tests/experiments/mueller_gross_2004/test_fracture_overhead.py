# SPDX-License-Identifier: BSD-3-Clause
"""Time a step of a bar that breaks: two steps of warming up, seven that are timed, two of them with splits."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_timing, write_trace

EXPERIMENT = "mueller_gross_2004/fracture_overhead"
SPLITS = [0, 0, 0, 0, 2, 2, 2, 5, 5, 5]
VERTICES = [10, 10, 10, 10, 12, 12, 12, 15, 15, 15]
# Times of steps 3 to 9: before the break, splitting, two of 12 vertices, splitting, two of 15 vertices.
BROKEN = [1.0, 3.0, 1.2 * 1.0, 1.2 * 1.1, 5.0, 1.5 * 1.2, 1.5 * 4.0]
WHOLE = [1.0, 0.5, 0.8, 0.8, 0.8, 0.625, 0.4]


def bar(
    folder: Path, name: str, times: list[float], *, splits: list[int] | None = None, vertices: list[int] | None = None
) -> None:
    """`times`: ms of every timed step, the median of three repeats,
    of which one was disturbed and one was cut short."""
    rows = len(SPLITS)
    step = {"split_count": np.array(splits or [0] * rows), "vertex_count": np.array(vertices or [10] * rows)}
    path = write_trace(folder, f"{EXPERIMENT} warped_fem {name}", swept={"timing.warmup_steps": 2}, step=step)
    seconds = 1e-3 * np.outer([1.0, 30.0, 1.0], times)
    seconds[2, -1] = np.nan
    seconds[1, -1] = seconds[0, -1]
    write_timing(path, seconds)


def bars(
    folder: Path,
    broken: list[float] = BROKEN,
    whole: list[float] = WHOLE,
    splits: list[int] = SPLITS,
    vertices: list[int] = VERTICES,
) -> None:
    bar(folder, "broken", broken, splits=splits, vertices=vertices)
    bar(folder, "armed", [1.0] * 7)
    bar(folder, "whole", whole)


def test_time_a_vertex_is_compared_in_steps_after_the_break_in_which_nothing_splits(tmp_path: Path) -> None:
    bars(tmp_path)
    assert number(tmp_path, "fracture_overhead.time_ratio") == pytest.approx(1.15)  # of 1, 1.1, 1.2 and 4
    assert value_of(tmp_path, "fracture_overhead.time_ratio").note == "4 steps: time × 1.560, vertices × 1.350"


def test_steps_that_one_of_the_bars_has_not_timed_count_for_none(tmp_path: Path) -> None:
    bars(tmp_path, whole=WHOLE[:6])
    assert number(tmp_path, "fracture_overhead.time_ratio") == pytest.approx(1.1)
    assert number(tmp_path, "fracture_overhead.test_ratio") == pytest.approx(1.25)


def test_steps_that_one_of_the_bars_has_not_traced_count_for_none(tmp_path: Path) -> None:
    bars(tmp_path, splits=SPLITS[:9], vertices=VERTICES[:9])
    assert number(tmp_path, "fracture_overhead.time_ratio") == pytest.approx(1.1)


def test_splitting_steps_are_compared_with_the_same_steps_of_the_bar_that_does_not_break(tmp_path: Path) -> None:
    bars(tmp_path)
    assert number(tmp_path, "fracture_overhead.splitting_step_ratio") == pytest.approx(4.0)
    assert value_of(tmp_path, "fracture_overhead.splitting_step_ratio").note == "2 steps"


def test_the_stress_test_costs_the_median_of_its_steps(tmp_path: Path) -> None:
    bars(tmp_path)
    assert number(tmp_path, "fracture_overhead.test_ratio") == pytest.approx(
        1.25
    )  # of 1, 2, 1.25, 1.25, 1.25, 1.6 and 2.5


def test_a_bar_that_does_not_break_gives_no_ratio(tmp_path: Path) -> None:
    bars(tmp_path, splits=[0] * 10, vertices=[10] * 10)
    assert "no timed step with a split" in value_of(tmp_path, "fracture_overhead.splitting_step_ratio").note
    assert "no timed step without a split after the first" in value_of(tmp_path, "fracture_overhead.time_ratio").note


def test_a_bar_that_was_not_timed_gives_no_ratio(tmp_path: Path) -> None:
    bar(tmp_path, "broken", BROKEN, splits=SPLITS, vertices=VERTICES)
    bar(tmp_path, "armed", [1.0] * 7)
    write_trace(tmp_path, f"{EXPERIMENT} warped_fem whole", step={"vertex_count": np.full(10, 10)})
    assert "no timing" in value_of(tmp_path, "fracture_overhead.test_ratio").note
