# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of broken meshes, on meshes small enough to be counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace

from experiments.mueller_gross_2004.measurements.broken_meshes import component_labels, component_sizes, exposed_faces
from experiments.mueller_gross_2004.measurements.broken_meshes import frame_at, frames, hinge_vertices, last_frame
from experiments.mueller_gross_2004.measurements.broken_meshes import shared_faces
from deformbench_analysis.vocabulary import MissingData, Trace

# Two tetrahedra on the face (1, 2, 3).
PAIR = np.array([[0, 1, 2, 3], [4, 1, 3, 2]])
POSITIONS = np.array([[-1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)


def test_two_tetrahedra_share_one_face_and_are_one_piece() -> None:
    assert [{f[0], f[2]} for f in shared_faces(PAIR)] == [{0, 1}]
    assert component_sizes(PAIR) == [2]
    assert hinge_vertices(PAIR) == 0


def test_a_face_is_exposed_as_soon_as_one_of_its_corners_differs() -> None:
    split = np.array([[0, 1, 2, 3], [4, 5, 3, 2]])
    assert sorted(exposed_faces(PAIR, split)[0]) == [1, 2, 3]
    assert exposed_faces(PAIR, PAIR).shape == (0, 3)
    assert len(exposed_faces(PAIR, np.array([[0, 1, 2, 3], [4, 1, 5, 2]]))) == 1
    assert component_sizes(split) == [1, 1]
    assert component_sizes(np.concatenate([PAIR, PAIR + 5, PAIR[:1] + 10])) == [2, 2, 1]


def test_tetrahedra_joined_by_an_edge_alone_are_a_hinge_at_both_its_ends() -> None:
    assert hinge_vertices(np.array([[0, 1, 2, 3], [4, 5, 3, 2]])) == 2


def test_faces_are_the_same_when_all_their_corners_are() -> None:
    joined_by_an_edge = np.array([[0, 1, 2, 3], [4, 5, 2, 3]])
    assert shared_faces(joined_by_an_edge).shape == (0, 4)
    assert [tuple(f) for f in shared_faces(np.array([[0, 1, 2, 3], [1, 2, 3, 4]]))] == [(0, 0, 1, 3)]


def test_elements_hang_together_through_others_whatever_their_numbers() -> None:
    # 0 and 1 have no common face, element 2 has one with either; all three meet in the edge 2–3.
    fan = np.array([[0, 1, 2, 3], [4, 5, 2, 3], [1, 4, 2, 3]])
    assert hinge_vertices(fan) == 0 and component_sizes(fan) == [3]
    assert component_labels(np.concatenate([fan, fan + 6])).tolist() == [0, 0, 0, 1, 1, 1]


def broken(folder: Path) -> Trace:
    """Whole in its first frame, apart in the second, of which the third has stretched."""
    apart = np.array([[0, 1, 2, 3], [4, 5, 7, 6]])
    rows = {
        "positions": np.stack([np.concatenate([POSITIONS, POSITIONS[1:4]]) * s for s in (1, 1, 2)]),
        "tetrahedra": np.stack([PAIR, apart, apart]),
        "parents": np.stack([[0, 1, 2, 3, 4, 1, 2, 3]] * 3),
    }
    arrays = {"rest_positions": POSITIONS, "tetrahedra": PAIR}
    return Trace(write_trace(folder, "mueller_gross_2004/any warped_fem", arrays=arrays, frame=rows))


def test_frames_come_in_order_with_the_mesh_of_their_own_step(tmp_path: Path) -> None:
    trace = broken(tmp_path)
    assert [(f.step, f.time, len(component_sizes(f.tetrahedra))) for f in frames(trace)] == [
        (0, 0.0, 1),
        (1, 0.01, 2),
        (2, 0.02, 2),
    ]
    assert frame_at(trace, 1).field("positions")[4, 0] == 1 and last_frame(trace).field("positions")[4, 0] == 2
    assert last_frame(trace).parents.tolist() == [0, 1, 2, 3, 4, 1, 2, 3]
    with pytest.raises(MissingData, match="no frame of step 7"):
        frame_at(trace, 7)
    with pytest.raises(MissingData, match="no rotations in the frame of step 2"):
        last_frame(trace).field("rotations")


def test_frames_of_a_body_that_never_breaks_have_the_mesh_of_the_scene(tmp_path: Path) -> None:
    arrays = {"rest_positions": POSITIONS, "tetrahedra": PAIR}
    frame = {"positions": np.stack([POSITIONS] * 2)}
    trace = Trace(write_trace(tmp_path, "mueller_gross_2004/any warped_fem", arrays=arrays, frame=frame))
    assert np.array_equal(last_frame(trace).tetrahedra, PAIR) and last_frame(trace).parents.tolist() == [0, 1, 2, 3, 4]


def test_a_run_without_frames_has_no_last_one(tmp_path: Path) -> None:
    arrays = {"rest_positions": POSITIONS, "tetrahedra": PAIR}
    trace = Trace(write_trace(tmp_path, "mueller_gross_2004/any warped_fem", arrays=arrays))
    with pytest.raises(MissingData, match="no frames"):
        last_frame(trace)
