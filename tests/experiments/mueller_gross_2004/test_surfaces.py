# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of cut surfaces, on ones small enough to be counted by hand: whether they are closed,
what they enclose, what crosses."""

import math
from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace
from cut_surfaces import APART, CROSSING_SKIN, PARENTS, REST, TURNED_CAP, WHOLE, cut_trace, surface

from experiments.mueller_gross_2004.measurements import surfaces as m
from experiments.mueller_gross_2004.measurements.broken_meshes import frame_at, last_frame
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/any"
TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CORNERS = REST[:4]


def run(folder: Path, *rows: str, edges: list[int] | None = None) -> Trace:
    cut_trace(folder, EXPERIMENT, rows, step={"skin_boundary_edges": edges or [0] * len(rows)})
    return Trace(next(folder.rglob("*.h5")))


def test_a_tetrahedron_is_closed_and_encloses_a_sixth() -> None:
    assert m.unmatched_edges(TETRAHEDRON) == 0
    assert m.enclosed_volume(CORNERS, TETRAHEDRON) == pytest.approx(1 / 6, abs=1e-15)
    assert m.area_vector(CORNERS, TETRAHEDRON) < 1e-15


def test_a_missing_a_turned_and_a_doubled_triangle_are_noticed() -> None:
    assert m.unmatched_edges(TETRAHEDRON[:3]) == 3
    turned = TETRAHEDRON.copy()
    turned[3] = turned[3, ::-1]
    assert m.unmatched_edges(turned) == 6
    assert (
        m.unmatched_edges(np.concatenate([TETRAHEDRON, TETRAHEDRON[:1]])) == 9
    )  # three edges twice, and their opposites
    # A face of 1/2 m² is missing, or one of √3/2 m² turned, whose cone towards the middle of the corners has 1/24 m³.
    assert m.area_vector(CORNERS, TETRAHEDRON[1:]) == pytest.approx(0.5 / (1 + math.sqrt(3) / 2))
    assert m.area_vector(CORNERS, turned) == pytest.approx(math.sqrt(3) / (1.5 + math.sqrt(3) / 2))
    assert m.enclosed_volume(CORNERS, turned) == pytest.approx(1 / 6 - 2 / 24)


def test_open_edges_are_the_most_of_any_frame_and_of_any_step(tmp_path: Path) -> None:
    assert m.open_edges(run(tmp_path / "closed", "whole", "apart", "apart")) == 0
    assert m.open_edges(run(tmp_path / "stepped", "whole", "apart", "apart", edges=[0, 5, 2])) == 5
    # A turned cap has three edges that run the same way as those of its neighbours.
    assert m.open_edges(run(tmp_path / "turned", "whole", "swap 0", "apart", edges=[0, 5, 2])) == 6


def test_a_vertex_lies_as_deep_as_the_element_that_holds_it_best_says(tmp_path: Path) -> None:
    points = np.array([[0.1, 0.2, 0.3], [0.4, 0.3, 0.2], [0.5, 0.5, 0.5], [0.2, 0.2, -0.3]])
    arrays = {"rest_positions": REST, "tetrahedra": WHOLE, "skin_rest_positions": points}
    trace = Trace(write_trace(tmp_path, f"{EXPERIMENT} warped_fem", arrays=arrays))
    # In element 0 the coordinates are x, y, z and 1 − x − y − z; in element 1 of (1, 1, 1)
    # and its three neighbours (½, ½, ½) has ¼, thrice.
    assert m.least_barycentric(trace) == pytest.approx([0.1, 0.1, 0.25, -0.3])


def test_triangles_cross_only_where_an_edge_goes_through_the_other_clearly() -> None:
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    upright = np.array([[[0.2, 0.2, -1.0], [0.2, 0.2, 1], [5, 5, 0]]])
    assert m.pierces(upright, flat, 1e-12)[0] and not m.pierces(upright + [2, 0, 0], flat, 1e-12)[0]
    assert not m.pierces(flat + [0, 0, 1e-15], flat, 1e-12)[0], "lying in each other's plane is no crossing"
    assert m.crossings(flat, np.concatenate([upright + [2, 0, 0], upright])).tolist() == [[0, 1]]
    assert m.crossings(upright, np.concatenate([flat, flat + [0, 0, 3]])).tolist() == [[0, 0]]


def test_an_edge_that_ends_in_the_plane_but_for_rounding_crosses_nothing() -> None:
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    touching = np.array([[[0.2, 0.2, -1e-12], [0.2, 0.2, 1], [5, 5, 0.5]]])
    assert m.pierces(touching, flat, 0.0)[0] and not m.pierces(touching, flat, 1e-9)[0]
    assert m.crossings(touching, flat).shape == (
        0,
        2,
    ), "what is clear is measured by the largest extent, though the triangles are flat"


def test_boxes_are_near_that_touch_along_every_axis() -> None:
    low = np.array([[0.0, 0, 0], [2, 0, 0], [0, 0, 1], [-1, -1, -1]])
    assert m.near_boxes(np.array([[0.5, 0, 0], [1, 0.5, 0], [0.7, 0, 0.5]]), low, low + 1).tolist() == [0]
    assert m.near_boxes(np.array([[0.5, 0, 0], [2, 0.5, 0], [0.7, 0, 1]]), low, low + 1).tolist() == [0, 1, 2]


def test_triangles_of_the_first_surface_in_one_piece_are_uncut_and_cross_what_opened(tmp_path: Path) -> None:
    arrays = {
        "rest_positions": REST,
        "tetrahedra": WHOLE,
        "skin_rest_positions": CROSSING_SKIN,
        "skin_triangles": np.array([[3, 4, 5], [0, 1, 2]]),
    }
    frame = {
        "tetrahedra": np.stack([WHOLE, APART]),
        "parents": np.stack([PARENTS] * 2),
        "skin_origins": np.array([[0, 1, -1, -1], [0, 1, 1, -1]]),
    }
    trace = Trace(write_trace(tmp_path, f"{EXPERIMENT} warped_fem", arrays=arrays, frame=frame))
    whole, apart = frame_at(trace, 0), last_frame(trace)
    assert m.face_crossings(trace, whole).shape == (0, 2) and m.face_crossings(trace, apart).tolist() == [[0, 1]]
    assert m.uncut_triangles(trace, whole).tolist() == [0, 1] and m.uncut_triangles(trace, apart).tolist() == [0]


def test_every_triangle_that_joins_two_pieces_is_counted_once(tmp_path: Path) -> None:
    trace = run(tmp_path, "whole", "stale", "stale 2", "apart")
    assert [m.mixed_triangles(frame_at(trace, k)) for k in range(4)] == [0, 1, 2, 0]


def test_a_piece_encloses_its_elements_or_what_of_them_is_asked_for(tmp_path: Path) -> None:
    trace = run(tmp_path, "whole", "swap 0", "apart")
    elements, skin = m.piece_volumes(trace, frame_at(trace, 0))
    assert elements == pytest.approx([0.5]) and skin == pytest.approx([0.5])
    elements, skin = m.piece_volumes(trace, frame_at(trace, 1))
    assert elements == pytest.approx([1 / 6, 1 / 3]) and skin == pytest.approx([1 / 6 + TURNED_CAP, 1 / 3])
    elements, skin = m.piece_volumes(trace, last_frame(trace), np.array([0.1, 0.2]))
    assert elements == pytest.approx([0.1, 0.2]) and skin == pytest.approx([1 / 6, 1 / 3])


def test_the_surface_of_the_whole_mesh_holds_all_of_its_elements(tmp_path: Path) -> None:
    trace = run(tmp_path, "whole", "apart")
    assert m.volumes_inside(trace) == pytest.approx([1 / 6, 1 / 3])
    assert np.array_equal(m.triangles_of(trace, last_frame(trace)), surface("apart"))
