# SPDX-License-Identifier: BSD-3-Clause
"""What judges broken meshes and cut surfaces, on meshes small enough to be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from deformbench_analysis.measurements.broken_meshes import component_sizes, components, exposed_faces, hinge_vertices, shared_faces
from deformbench_analysis.measurements.split_events import _NORMAL, _STRESS
from deformbench_analysis.measurements.split_rule import opened_faces, sides
from deformbench_analysis.measurements.surfaces import area_vector, enclosed_volume, unmatched_edges

# Two tetrahedra on the face (1, 2, 3).
PAIR = np.array([[0, 1, 2, 3], [4, 1, 3, 2]])
POSITIONS = np.array([[-1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)


def test_two_tetrahedra_share_one_face_and_are_one_piece() -> None:
    assert [{f[0], f[2]} for f in shared_faces(PAIR)] == [{0, 1}]
    assert components(PAIR) == 1
    assert hinge_vertices(PAIR) == 0


def test_a_face_is_exposed_as_soon_as_one_of_its_corners_differs() -> None:
    split = np.array([[0, 1, 2, 3], [4, 5, 3, 2]])
    assert sorted(exposed_faces(PAIR, split)[0]) == [1, 2, 3]
    assert exposed_faces(PAIR, PAIR).shape == (0, 3)
    assert components(split) == 2
    assert component_sizes(np.concatenate([PAIR, PAIR + 5, PAIR[:1] + 10])) == [2, 2, 1]


def test_tetrahedra_joined_by_an_edge_alone_are_a_hinge_at_both_its_ends() -> None:
    assert hinge_vertices(np.array([[0, 1, 2, 3], [4, 5, 3, 2]])) == 2


def test_centres_decide_the_side_and_one_in_the_plane_counts_as_above() -> None:
    along = np.array([1.0, 0, 0])
    assert sides(PAIR, POSITIONS, 1, along) == ([1], [0])
    assert sides(PAIR, POSITIONS, 1, -along) == ([0], [1])
    assert sides(PAIR, POSITIONS, 1, np.array([0, 1.0, 0])) == ([0, 1], [])
    assert sides(PAIR, POSITIONS, 2, np.array([0, 0, 1.0]))[1] == []
    assert opened_faces(PAIR, 1, [1], [0]) == [(2, 3)]


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


def test_events_are_read_with_signs_and_exponents() -> None:
    text = "vertex 3 splits into 3 and 9 at element 7: stress 6.00012e+04 Pa, normal (1, -2.5e-07, 0.5), 1 face exposed"
    stress, normal = _STRESS.search(text), _NORMAL.search(text)
    assert stress is not None and float(stress.group(1)) == 60001.2
    assert normal is not None and [float(n) for n in normal.groups()] == [1, -2.5e-7, 0.5]
