# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of a cut surface: one cap turned in one frame of one run, one triangle across the crack,
one run that did not end."""

from pathlib import Path

import numpy as np
import pytest
from cut_surfaces import PARENTS, REST, TURNED_CAP, cut_trace
from measured import number, value_of

EXPERIMENT = "mueller_gross_2004/piece_volumes"


def test_pieces_enclose_their_elements(tmp_path: Path) -> None:
    cut_trace(tmp_path, EXPERIMENT)
    assert number(tmp_path, "piece_volumes.volume_error") < 1e-14
    assert number(tmp_path, "piece_volumes.mixed_triangles") == 0


def test_one_cap_turned_in_one_frame_of_one_run_is_the_error_of_its_piece(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        cut_trace(tmp_path, EXPERIMENT, ("whole", "apart", "swap 0" if seed == 2 else "apart", "apart"), seed=seed)
    assert number(tmp_path, "piece_volumes.volume_error") == pytest.approx(TURNED_CAP * 6)
    assert value_of(tmp_path, "piece_volumes.volume_error").note == "warped (seed=2)"


def test_caps_in_each_others_place_are_seen_piece_by_piece_though_their_sum_is_right(tmp_path: Path) -> None:
    cut_trace(tmp_path, EXPERIMENT)
    cut_trace(tmp_path, EXPERIMENT, ("whole", "swap"), seed=2)
    assert number(tmp_path, "piece_volumes.volume_error") == pytest.approx(TURNED_CAP * 6)


def test_triangles_that_join_two_pieces_are_those_of_the_worst_frame(tmp_path: Path) -> None:
    for seed, kind in ((1, "stale"), (2, "stale 2"), (3, "apart")):
        cut_trace(tmp_path, EXPERIMENT, ("whole", kind, "apart"), seed=seed)
    assert number(tmp_path, "piece_volumes.mixed_triangles") == 2


def test_a_run_that_failed_is_counted_though_the_others_are_whole(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        cut_trace(tmp_path, EXPERIMENT, seed=seed, status="failed" if seed == 2 else "completed")
    assert number(tmp_path, "piece_volumes.unfinished") == 1


def test_pieces_of_several_elements_are_counted_over_all_runs_however_small_one_of_them_is(tmp_path: Path) -> None:
    for seed, last in (
        (1, "whole"),
        (2, "apart"),
        (3, "whole"),
    ):  # 1/6 and 1/3 m³: no more than one and a half of the larger
        cut_trace(tmp_path, EXPERIMENT, ("whole", "apart", last), seed=seed)
    assert number(tmp_path, "piece_volumes.large_pieces") == 2


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_surface_that_is_not_finite_in_one_frame_leaves_no_error(tmp_path: Path, row: int) -> None:
    cut_trace(tmp_path, EXPERIMENT)
    at_rest = np.stack([REST[PARENTS]] * 3)
    at_rest[row, 6] = np.nan
    cut_trace(tmp_path, EXPERIMENT, ("whole", "apart", "apart"), seed=2, at_rest=at_rest)
    found = value_of(tmp_path, "piece_volumes.volume_error")
    assert found.value is None and "not finite" in found.note and not found.broken
