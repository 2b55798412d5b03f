# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs with a check and without: two steps of warming up, six that are timed;
in one of them no weight changes."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_timing
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import resampling_checks as m

CHANGED = [0, 3, 3, 3, 3, 3, 0, 3, 3]
BARE = [1.0, 2.0, 4.0, 5.0, 3.0, 2.0]


def run(
    folder: Path,
    name: str,
    ms: list[float],
    *,
    tested: int = 7,
    moved: float = 0.0,
    more: int = 0,
    fronts: int = 12,
    still: int = 0,
    changes: list[int] = CHANGED,
) -> None:
    """The third of five repeats is undisturbed, of the last step the second;
    `still` fronts of the fourth step do not move."""
    frames = []
    for step, changed in enumerate(changes):
        front = np.full((fronts, 2, 3), 0.1 * step)
        if step == 4 and still:
            front[:still] = 0.1 * (step - 1)
        positions = np.zeros((5 + (more if step > 3 else 0), 3))
        positions[2, 1] = moved if step == 5 else 0.0
        frames.append(
            {
                "positions": positions,
                "weight_counts": np.array([[100, tested if step == 4 else 7, changed, 2]]),
                "crack_fronts": front,
            }
        )
    path = write_frames(folder, m.M.experiment, [frames], name=name, swept={"timing.warmup_steps": 2})
    seconds = 1e-3 * np.outer([1.6, 1.4, 1.0, 1.5, 30.0], ms)
    seconds[1, -1], seconds[2, -1] = seconds[2, -1], seconds[1, -1]
    write_timing(path, seconds)


def runs(folder: Path, checked: list[float], **about: int | float) -> None:
    run(folder, "unchecked", BARE)
    run(folder, "checked", checked, **about)  # type: ignore[arg-type]
    run(folder, "all_checked", [2 * x for x in BARE])


def test_time_is_compared_step_by_step_where_weights_change(tmp_path: Path) -> None:
    runs(tmp_path, [1.01, 2.06, 4.16, 50.0, 3.15, 2.4])  # 1, 3, 4, (nothing changes), 5 and 20 %
    assert number(tmp_path, "resampling_checks.extra_time") == pytest.approx(0.04)
    assert number(tmp_path, "resampling_checks.extra_time_of_all") == pytest.approx(1.0)
    assert value_of(tmp_path, "resampling_checks.extra_time").note.startswith("5 steps")


def test_noise_is_how_far_repeats_of_a_step_differ(tmp_path: Path) -> None:
    runs(tmp_path, BARE)
    assert number(tmp_path, "resampling_checks.noise") == pytest.approx(0.1 / 1.5)


def test_the_same_motion_and_queries_differ_by_nothing(tmp_path: Path) -> None:
    runs(tmp_path, BARE)
    assert number(tmp_path, "resampling_checks.motion") == 0
    assert number(tmp_path, "resampling_checks.extra_queries") == 0
    assert number(tmp_path, "resampling_checks.fronts") == 12
    assert number(tmp_path, "resampling_checks.queries") == 7


def test_one_step_with_a_query_more_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, BARE, tested=8)
    assert number(tmp_path, "resampling_checks.extra_queries") == 1


def test_one_node_elsewhere_in_one_step_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, BARE, moved=1e-12)
    assert number(tmp_path, "resampling_checks.motion") == pytest.approx(1e-12, rel=1e-6, abs=0)


def test_an_inserted_node_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, BARE, more=1)
    assert number(tmp_path, "resampling_checks.motion") == np.inf


def test_fronts_that_stand_for_a_step_are_seen(tmp_path: Path) -> None:
    runs(tmp_path, BARE, still=3)
    assert number(tmp_path, "resampling_checks.fronts") == 9


def test_without_a_change_of_weights_there_is_no_check(tmp_path: Path) -> None:
    for name in ("unchecked", *m.CHECKED):
        run(tmp_path, name, BARE, changes=[0] * len(CHANGED))
    assert "no timed step" in value_of(tmp_path, "resampling_checks.extra_time").note
