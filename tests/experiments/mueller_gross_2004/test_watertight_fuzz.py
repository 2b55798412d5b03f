# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces of blocks that are torn: one triangle, one row or one run of several is off."""

import math
from pathlib import Path

import numpy as np
import pytest
from cut_surfaces import APART, CROSSING_SKIN, FIRST, PARENTS, REST, TURNED_CAP, WHOLE, cut_trace
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/watertight_fuzz"
ROWS = ("whole", "apart", "apart")


def stepped(folder: Path, channel: str, values: dict[int, list[float]]) -> None:
    for seed, of_steps in values.items():
        cut_trace(folder, EXPERIMENT, ROWS, seed=seed, step={channel: of_steps})


def test_open_edges_are_those_of_the_worst_step_of_the_worst_run(tmp_path: Path) -> None:
    stepped(tmp_path, "skin_boundary_edges", {1: [0, 0, 0], 2: [0, 4, 0], 3: [0, 2, 0]})
    assert number(tmp_path, "watertight_fuzz.open_edges") == 4
    assert value_of(tmp_path, "watertight_fuzz.open_edges").note == "warped (seed=2)"


def test_an_open_surface_in_one_step_of_one_run_has_an_area_vector(tmp_path: Path) -> None:
    stepped(tmp_path, "skin_area_vector", {1: [0, 0, 0], 2: [0, 0.6, 0], 3: [0, 0.2, 0]})
    assert number(tmp_path, "watertight_fuzz.area_vector") == pytest.approx(0.6)


def test_a_triangle_turned_in_one_stored_frame_has_an_area_vector_that_the_steps_need_not_show(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        cut_trace(tmp_path, EXPERIMENT, ("whole", "swap 0" if seed == 2 else "apart", "apart"), seed=seed)
    # The cap of area √3/2 counts twice; the others are three of 1/2 m² and three of √3/2 m² with a cap each.
    assert number(tmp_path, "watertight_fuzz.area_vector") == pytest.approx(math.sqrt(3) / (1.5 + 5 * math.sqrt(3) / 2))


def test_the_error_of_volume_has_either_sign_and_is_that_of_the_worst_step(tmp_path: Path) -> None:
    stepped(tmp_path, "skin_volume_error", {1: [0, 0.1, 0], 2: [0, -0.3, 0.1], 3: [0, 0, 0]})
    assert number(tmp_path, "watertight_fuzz.volume_error") == pytest.approx(0.3)


def test_counts_are_those_of_the_end(tmp_path: Path) -> None:
    cut_trace(tmp_path, EXPERIMENT, ROWS, step={"split_count": [0, 1, 5], "skin_grid_builds": [1, 1, 6]})
    assert number(tmp_path, "watertight_fuzz.splits") == 5
    assert number(tmp_path, "watertight_fuzz.grid_rebuilds") == 5
    assert number(tmp_path, "watertight_fuzz.crack_triangles") == 8 - 6


def test_one_surface_vertex_of_one_run_outside_the_mesh_is_the_least(tmp_path: Path) -> None:
    inside = 0.1 + 0.2 * REST
    for seed, out in ((1, 0.0), (2, 0.35), (3, 0.15)):  # the third coordinate of vertex 1 is 0.1 there
        cut_trace(tmp_path, EXPERIMENT, seed=seed, skin=inside - np.outer(np.arange(5) == 1, [0, 0, out]))
    assert number(tmp_path, "watertight_fuzz.least_barycentric") == pytest.approx(-0.25)


def test_the_surface_as_given_is_judged(tmp_path: Path) -> None:
    cut_trace(tmp_path, EXPERIMENT, first=FIRST[1:])
    assert number(tmp_path, "watertight_fuzz.first_open_edges") == 3


def test_the_largest_stretch_of_the_end_says_how_far_a_block_is_deformed(tmp_path: Path) -> None:
    own = REST[PARENTS]
    cut_trace(tmp_path, EXPERIMENT, moved=[own * [1, 9, 1], own * [1, 1.3, 1.1]])
    assert number(tmp_path, "watertight_fuzz.stretch") == pytest.approx(0.3)


def test_a_run_that_failed_is_counted_though_the_others_are_whole(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        cut_trace(tmp_path, EXPERIMENT, seed=seed, status="diverged" if seed == 2 else "completed")
    assert number(tmp_path, "watertight_fuzz.unfinished") == 1


def crossed_trace(folder: Path, seed: int, was_cut: bool) -> None:
    """Two triangles through the common face of the two elements, which have come apart; and two far from it."""
    triangles = np.array([[0, 1, 2], [3, 4, 5], [3, 5, 4], [0, 2, 1]])
    origins = np.array([[0, 1, 2, 3, 0, 3]]) if was_cut else np.array([[0, 1, 2, 3, -1, -1]])
    arrays = {
        "rest_positions": REST,
        "tetrahedra": WHOLE,
        "skin_rest_positions": CROSSING_SKIN,
        "skin_triangles": triangles,
    }
    frame = {
        "positions": REST[PARENTS][None],
        "tetrahedra": APART[None],
        "parents": PARENTS[None],
        "skin_origins": origins,
    }
    write_trace(folder, f"{EXPERIMENT} warped_fem warped", swept={"seed": seed}, arrays=arrays, frame=frame)


def test_whole_triangles_that_an_opened_face_crosses_were_missed_and_are_counted_over_all_runs(tmp_path: Path) -> None:
    for seed, was_cut in ((1, False), (2, True), (3, False)):
        crossed_trace(tmp_path, seed, was_cut)
    assert number(tmp_path, "watertight_fuzz.crossings") == 6
    assert number(tmp_path, "watertight_fuzz.missed_crossings") == 4
    assert number(tmp_path, "watertight_fuzz.uncut_triangles") == 4 + 2 + 4


def test_triangles_that_join_two_pieces_are_those_of_the_worst_frame(tmp_path: Path) -> None:
    for seed, kind in ((1, "stale"), (2, "stale 2"), (3, "apart")):
        cut_trace(tmp_path, EXPERIMENT, ("whole", kind, "apart"), seed=seed)
    assert number(tmp_path, "watertight_fuzz.mixed_triangles") == 2


def test_one_cap_turned_at_the_end_of_one_run_is_the_error_over_the_mean_element_of_the_block(tmp_path: Path) -> None:
    for seed, kind in ((1, "apart"), (2, "swap 0"), (3, "apart")):
        cut_trace(tmp_path, EXPERIMENT, ("whole", "apart", kind), seed=seed)
    assert number(tmp_path, "watertight_fuzz.piece_volume_error") == pytest.approx(TURNED_CAP / 0.5)
    assert value_of(tmp_path, "watertight_fuzz.piece_volume_error").note == "warped (seed=2)"


def test_the_surface_as_given_is_judged_in_runs_that_failed_too(tmp_path: Path) -> None:
    cut_trace(tmp_path, EXPERIMENT, seed=1)
    cut_trace(tmp_path, EXPERIMENT, seed=2, status="failed", skin=REST * 1.5, first=FIRST[1:])
    assert number(tmp_path, "watertight_fuzz.first_open_edges") == 3
    assert number(tmp_path, "watertight_fuzz.least_barycentric") < -0.1
