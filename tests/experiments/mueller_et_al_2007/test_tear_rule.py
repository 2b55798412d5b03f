# SPDX-License-Identifier: BSD-3-Clause
"""Four triangles round a vertex that tear by the rule of [MHHR07] section 5.4, or against it:
cuts and edges counted by hand."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
WHOLE = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]]
TORN = [[0, 1, 2], [5, 2, 3], [5, 3, 4], [0, 4, 1]]  # by the plane through 0 across the edge to 1
BESIDE = [[0, 1, 2], [0, 2, 3], [5, 3, 4], [5, 4, 1]]  # along that edge
Frame = tuple[dict[int, list[float]], list[list[int]]]
STILL: Frame = ({}, WHOLE)
LONG = {1: [1.6, 0, 0]}  # the edge 0–1 beyond the threshold of 1.5, no other


def cloth(
    folder: Path,
    number: int,
    members: list[list[Frame]],
    *,
    every: int = 1,
    substeps: int = 1,
    rest: np.ndarray = REST,
    slow: int | None = None,
    **arrays: Any,
) -> None:
    """Frames of every member: the places of the vertices that are not at rest, and the triangles. All move with 2 m/s
    along x, but for vertex `slow` of the last member, which stands still."""
    count = len(members)
    path = write_cell(
        folder,
        "tearing",
        "pbd",
        {"number": number},
        seeds=count,
        arrays={"rest_positions": rest, **arrays},
        parameters={"tear_stretch": 1.5, "substeps": substeps},
        step={"torn_vertices": np.zeros((count, 2))},
        frame={"rigid_positions": np.zeros((count, len(members[0]), 1, 3))},
    )
    with h5py.File(path, "a") as file:
        file["series/frame/step"][...] *= every
        for m, frames in enumerate(members):
            for k, (moved, triangles) in enumerate(frames):
                group = file.create_group(f"frames/{m * len(frames) + k}")
                group.attrs.update({"step": np.int64(k * every), "time": 0.01 * k, "member": np.int64(m)})
                vertices = int(np.max(triangles)) + 1
                parents = np.array([*range(len(rest)), 0][:vertices])
                positions = rest[parents]
                for vertex, place in moved.items():
                    positions[vertex] = place
                velocities = np.tile([2.0, 0, 0], (vertices, 1))
                if slow is not None and m == count - 1 and slow < vertices:
                    velocities[slow] = 0
                group["velocities"] = velocities
                group["positions"], group["triangles"], group["parents"] = positions, np.array(triangles), parents


def counts(folder: Path) -> list[float]:
    """Cuts without a reason, edges left whole, edges that cannot split."""
    return [
        number(folder, "tearing." + k) for k in ("cuts_without_reason", "edges_left_whole", "edges_that_cannot_split")
    ]


def test_a_tear_by_the_rule_is_counted_and_found_right(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [[STILL, (LONG, TORN), (LONG, TORN)]])
    assert counts(tmp_path) == [0, 0, 1]  # the edge remains long: its triangles are on one side at both ends
    assert value_of(tmp_path, "tearing.edges_left_whole").note == "1 tears"


def test_a_duplicate_has_the_rest_lengths_of_its_parent(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [[STILL, (LONG, TORN), ({3: [-1.6, 0, 0]}, TORN)]])
    assert counts(tmp_path) == [0, 0, 1]
    cloth(tmp_path / "short", 1, [[STILL, (LONG, TORN), ({3: [-1.4, 0, 0]}, TORN)]])
    assert counts(tmp_path / "short") == [0, 0, 0]


def test_one_edge_left_whole_in_one_step_of_one_member_is_seen(tmp_path: Path) -> None:
    right = [STILL, STILL, (LONG, TORN), ({}, TORN)]
    for k in range(3):
        cloth(tmp_path, k, [right, [STILL, (LONG, WHOLE), STILL, STILL] if k == 1 else right, right])
    assert counts(tmp_path) == [0, 1, 0]
    assert value_of(tmp_path, "tearing.edges_left_whole").note.endswith("number=1): step 1")


def test_an_edge_whose_other_end_has_all_triangles_on_one_side_can_be_left_whole_all_the_same(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [[STILL, (LONG, WHOLE)]])  # vertex 1 is a corner of the cloth, 0 inside
    assert counts(tmp_path) == [0, 1, 0]


def test_one_end_that_splits_is_enough_where_both_could(tmp_path: Path) -> None:
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 1, 0], [-1, 0, 0], [0.5, -1, 0], [3, 0, 0]])
    whole = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [1, 5, 2], [1, 4, 5]]
    torn = [[0, 1, 2], [6, 2, 3], [6, 3, 4], [0, 4, 1], [1, 5, 2], [1, 4, 5]]
    pulled: dict[int, list[float]] = {1: [1.6, 0, 0], 5: [3.6, 0, 0]}
    cloth(tmp_path, 1, [[({}, whole), (pulled, torn)]], rest=rest)
    assert counts(tmp_path) == [0, 0, 0]
    cloth(tmp_path / "whole", 1, [[({}, whole), (pulled, whole)]], rest=rest)
    assert counts(tmp_path / "whole") == [0, 1, 0]


def test_a_cut_where_nothing_is_long_has_no_reason(tmp_path: Path) -> None:
    right = [STILL, (LONG, TORN), ({}, TORN)]
    cloth(tmp_path, 1, [right, [STILL, ({}, TORN), ({}, TORN)], right])
    assert counts(tmp_path) == [2, 0, 0]  # edges 0–2 and 0–4
    assert value_of(tmp_path, "tearing.cuts_without_reason").note.endswith("step 1")


def test_a_cut_along_the_long_edge_instead_of_across_has_no_reason_and_leaves_it_whole(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [[STILL, (LONG, BESIDE)]])
    assert counts(tmp_path) == [2, 1, 0]


def test_one_of_several_long_edges_is_reason_enough(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [[STILL, ({1: [1.6, 0, 0], 2: [0, 1.6, 0], 3: [-0.9, 0, 0]}, TORN)]])
    assert counts(tmp_path)[0] == 0


@pytest.mark.parametrize(
    "held", [{"prescribed_vertices": np.array([4, 0])}, {"attachments": np.array([[4, 9], [0, 7]])}]
)
def test_a_held_end_cannot_split_and_its_steps_in_a_row_are_told(tmp_path: Path, held: dict[str, np.ndarray]) -> None:
    frames = [STILL, (LONG, WHOLE), (LONG, WHOLE), STILL, (LONG, WHOLE)]
    cloth(tmp_path, 1, [frames], **held)
    found = value_of(tmp_path, "tearing.edges_that_cannot_split")
    assert found.value == 3 and found.note == "one edge at most 2 steps in a row"
    assert counts(tmp_path)[:2] == [0, 0]


@pytest.mark.parametrize("gap", [{"every": 2}, {"substeps": 2}])
def test_the_rule_needs_the_frames_of_every_step(tmp_path: Path, gap: dict[str, int]) -> None:
    cloth(tmp_path, 1, [[STILL, STILL]], **gap)
    assert "frames of every step are needed" in value_of(tmp_path, "tearing.cuts_without_reason").note


def test_a_duplicate_moves_with_the_vertex_that_it_was_torn_from(tmp_path: Path) -> None:
    frames = [STILL, (LONG, TORN), (LONG, TORN)]
    cloth(tmp_path / "other", 1, [frames, frames], slow=1)  # not torn
    assert number(tmp_path / "other", "tearing.velocity_jump") == 0
    cloth(tmp_path / "torn", 1, [frames, frames], slow=5)
    assert number(tmp_path / "torn", "tearing.velocity_jump") == pytest.approx(2.0)
    assert counts(tmp_path / "torn") == counts(tmp_path / "other")  # no rule about triangles sees it
