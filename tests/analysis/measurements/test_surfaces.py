# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of cut surfaces, on made-up ones: a crack that a whole triangle spans, caps in the wrong place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from small_bodies import value

from deformbench_analysis.measurements.surfaces import area_vector, crossings, enclosed_volume, pierces, unmatched_edges

P = "mueller_gross_2004/"
# Two tetrahedra with the common face (1, 2, 3): whole, and come apart with vertices of their own.
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
WHOLE = np.array([[0, 1, 2, 3], [4, 2, 1, 3]])
APART = np.array([[0, 1, 2, 3], [4, 6, 5, 7]])
PARENTS = np.array([0, 1, 2, 3, 4, 1, 2, 3])


def boundary(tetrahedron: np.ndarray) -> list[list[int]]:
    a, b, c, d = (int(v) for v in tetrahedron)
    return [[a, c, b], [a, b, d], [b, c, d], [a, d, c]]

TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CORNERS = REST[:4]


def test_a_tetrahedron_is_closed_and_encloses_a_sixth() -> None:
    assert unmatched_edges(TETRAHEDRON) == 0
    assert enclosed_volume(CORNERS, TETRAHEDRON) == pytest.approx(1 / 6, abs=1e-15)
    assert area_vector(CORNERS, TETRAHEDRON) < 1e-15


def test_a_missing_a_turned_and_a_doubled_triangle_are_noticed() -> None:
    assert unmatched_edges(TETRAHEDRON[:3]) == 3
    turned = TETRAHEDRON.copy()
    turned[3] = turned[3, ::-1]
    assert unmatched_edges(turned) > 0
    assert unmatched_edges(np.concatenate([TETRAHEDRON, TETRAHEDRON[:1]])) > 0
    assert area_vector(CORNERS, TETRAHEDRON[:3]) > 0.1


def test_triangles_cross_only_where_an_edge_goes_through_the_other_clearly() -> None:
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    upright = np.array([[[0.2, 0.2, -1.0], [0.2, 0.2, 1], [5, 5, 0]]])
    assert pierces(upright, flat, 1e-12)[0] and not pierces(upright + [2, 0, 0], flat, 1e-12)[0]
    assert not pierces(flat + [0, 0, 1e-15], flat, 1e-12)[0], "lying in each other's plane is no crossing"
    assert crossings(flat, np.concatenate([upright + [2, 0, 0], upright])).tolist() == [[0, 1]]
    assert crossings(upright, np.concatenate([flat, flat + [0, 0, 3]])).tolist() == [[0, 0]]


def cut_trace(folder: Path, experiment: str, *, swap: bool = False, stale: bool = False, status: str = "completed", seed: int = 1) -> None:
    """Both tetrahedra and their boundary surface: a row before and one after they come apart. `swap`: each cap follows the other
    element's side; `stale`: the triangles of the second row still join the two."""
    first = np.array([t for t in boundary(WHOLE[0]) + boundary(WHOLE[1]) if set(t) != {1, 2, 3}])
    second = np.array(boundary(APART[0]) + boundary(APART[1]))
    caps = [k for k, t in enumerate(second.tolist()) if {PARENTS[v] for v in t} == {1, 2, 3}]
    if swap:
        second[caps] = second[caps][:, [0, 2, 1]]
    if stale:
        second[0] = [0, 6, 1]
    own = REST[PARENTS]
    skin_elements = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    pad = np.zeros((8, 3), dtype=int)
    pad[: len(first)] = first
    pad[len(first):] = first[0]  # a series has rows of one length: the first row's spare triangles lie on another and cancel
    pad[-1] = first[0][[0, 2, 1]]
    origins = np.array([[0, 1, 2, 3, 4, 5, -1, -1]] * 2)
    start = np.array([0, 0, 0, 0, 1, 0, 0, 0])
    write_trace(folder, experiment, "warped_fem", name="warped", scene={"seed": seed}, coordinates={"scene.parameters.seed": seed}, status=status,
                arrays={"rest_positions": REST, "tetrahedra": WHOLE, "skin_rest_positions": REST, "skin_triangles": first},
                series={"frame": {"positions": np.stack([own, own * 1.5]), "tetrahedra": np.stack([WHOLE, APART]), "parents": np.stack([PARENTS] * 2),
                                  "skin_positions": np.stack([own, own * 1.5]), "skin_rest_positions": np.stack([own, own]), "skin_triangles": np.stack([pad, second]),
                                  "skin_elements": np.stack([start, skin_elements]), "skin_origins": origins},
                        "step": {"skin_boundary_edges": np.zeros(2), "skin_volume_error": np.zeros(2), "skin_grid_builds": np.ones(2), "split_count": np.array([0, 3.0])}})


def test_pieces_enclose_their_elements(tmp_path: Path) -> None:
    cut_trace(tmp_path, P + "piece_volumes")
    assert value(tmp_path, "piece_volumes.volume_error") < 1e-14
    assert value(tmp_path, "piece_volumes.pieces") == 2 and value(tmp_path, "piece_volumes.unfinished") == 0
    assert value(tmp_path, "piece_volumes.mixed_triangles") == 0


def test_caps_in_each_others_place_are_seen_piece_by_piece_though_their_sum_is_right(tmp_path: Path) -> None:
    cut_trace(tmp_path, P + "piece_volumes")
    cut_trace(tmp_path, P + "piece_volumes", swap=True, seed=2)
    assert value(tmp_path, "piece_volumes.volume_error") > 0.1


def test_a_triangle_that_joins_two_pieces_is_counted(tmp_path: Path) -> None:
    cut_trace(tmp_path, P + "piece_volumes")
    cut_trace(tmp_path, P + "piece_volumes", stale=True, seed=2)
    assert value(tmp_path, "piece_volumes.mixed_triangles") == 1
    cut_trace(tmp_path / "w", P + "watertight_fuzz", stale=True)
    assert value(tmp_path / "w", "watertight_fuzz.mixed_triangles") == 1


def test_a_run_that_failed_is_counted_though_the_others_are_whole(tmp_path: Path) -> None:
    cut_trace(tmp_path, P + "watertight_fuzz")
    cut_trace(tmp_path, P + "watertight_fuzz", seed=2, status="failed")
    cut_trace(tmp_path, P + "piece_volumes", status="failed")
    assert value(tmp_path, "watertight_fuzz.unfinished") == 1 and value(tmp_path, "piece_volumes.unfinished") == 1


def crossed_trace(folder: Path, seed: int, was_cut: bool) -> None:
    """A triangle through the common face of the two elements, which have come apart; and one far from it."""
    skin = np.array([[0.3, 0.3, 0.2], [0.6, 0.6, 0.6], [0.35, 0.2, 0.3], [0.1, 0.1, 0.1], [0.2, 0.1, 0.1], [0.1, 0.2, 0.1]])
    triangles = np.array([[0, 1, 2], [3, 4, 5]])
    origins = np.array([[0, 1, 0, -1]]) if was_cut else np.array([[0, 1, -1, -1]])
    stretched = REST[PARENTS] * [1.2, 1, 1]
    write_trace(folder, P + "watertight_fuzz", "warped_fem", name="warped", scene={"seed": seed}, coordinates={"scene.parameters.seed": seed},
                arrays={"rest_positions": REST, "tetrahedra": WHOLE, "skin_rest_positions": skin, "skin_triangles": triangles},
                series={"frame": {"positions": stretched[None], "tetrahedra": APART[None], "parents": PARENTS[None], "skin_origins": origins}})


def test_a_whole_triangle_that_an_opened_face_crosses_was_missed(tmp_path: Path) -> None:
    crossed_trace(tmp_path, 1, True)
    assert value(tmp_path, "watertight_fuzz.crossings") == 1 and value(tmp_path, "watertight_fuzz.missed_crossings") == 0
    assert value(tmp_path, "watertight_fuzz.uncut_triangles") == 1
    assert value(tmp_path, "watertight_fuzz.stretch") == pytest.approx(0.2)
    crossed_trace(tmp_path, 2, False)
    again = tmp_path / "again"
    crossed_trace(again, 1, True)
    crossed_trace(again, 2, False)
    assert value(again, "watertight_fuzz.crossings") == 2 and value(again, "watertight_fuzz.missed_crossings") == 1
