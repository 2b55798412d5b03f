# SPDX-License-Identifier: BSD-3-Clause
"""A crack at z = 0 in a cube, half grown or all the way, with one thing wrong at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front_traces import front_arrays, write_fronts
from measured import number
from node_traces import grid

EXPERIMENT = "pauly_et_al_2005/topology_fuzz"
RADIUS = 0.06
GRID = grid(*3 * [np.linspace(-0.44, 0.44, 12)])
ABOVE = (GRID[:, 2] > 0).astype(np.int64)


def rectangle(
    corner: Sequence[float], along: Sequence[float], across: Sequence[float], n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of n × n cells."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    at = np.stack([i.ravel(), j.ravel()], axis=1) / n
    vertices = np.array(corner) + at[:, :1] * np.array(along) + at[:, 1:] * np.array(across)
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)[None]).ravel()
    corners = np.stack([first, first + n + 1, first + n + 2, first + 1], axis=1)
    return vertices, np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])


def swept(*sheets: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of sheets, each of its own crack."""
    vertices, rows, count = [], [], 0
    for crack, (points, triangles) in enumerate(sheets):
        vertices.append(points)
        rows.append(np.column_stack([triangles + count, np.full(len(triangles), crack)]))
        count += len(points)
    return {"crack_vertices": np.vstack(vertices), "crack_triangles": np.vstack(rows).astype(np.int64)}


def half_cut(
    *others: tuple[np.ndarray, np.ndarray], nodes: np.ndarray | None = None, **about: Any
) -> dict[str, np.ndarray]:
    """A crack of the cube's width from x = −0.5 to 0, with its front there; and what else has been swept."""
    sheet = rectangle((-0.5, -0.5, 0), (0.5, 0, 0), (0, 1, 0), 20)
    front = sheet[0][-21:].copy() if nodes is None else nodes
    fronts = front_arrays((front, {"closed": False, **about}))
    return {**fronts, **swept(sheet, *others)}


def all_cut(components: np.ndarray, gap: float = 0.0) -> dict[str, np.ndarray]:
    """The cube cut through at z = 0, without fronts; the last `gap` is not."""
    return {**front_arrays(), **swept(rectangle((-0.5, -0.5, 0), (1 - gap, 0, 0), (0, 1, 0), 20))} | {
        "crack_components": components[:, None]
    }


def write(
    folder: Path,
    *states: dict[str, np.ndarray],
    events: Sequence[int] = (0,),
    causes: Sequence[int] | None = None,
    unclassified: int = 0,
    shape: str = "cube",
) -> None:
    """One sequence of these states; events of these kinds, and causes other than 0, by the end."""
    pairs = zip(events, causes or [0] * len(events), strict=True)
    rows = np.array([[1, kind, 0, -1, 0, -1, cause] for kind, cause in pairs], dtype=np.int64)
    always = {
        "crack_events": rows,
        "crack_tally": np.array([[1, unclassified, 0]]),
        "crack_components": np.zeros((len(GRID), 1), dtype=np.int64),
    }
    scene = {"shape": shape, "radius_m": 0.5, "inner_radius_m": 0.25}
    members = [[(k, 0.1 * k, always | state) for k, state in enumerate(states)]]
    write_fronts(folder, EXPERIMENT, members, rest=GRID, parameters={"crack_surfel_radius_m": RADIUS}, scene=scene)


def moved(index: int, by: Sequence[float]) -> np.ndarray:
    """The front of `half_cut` with one node moved."""
    nodes = rectangle((-0.5, -0.5, 0), (0.5, 0, 0), (0, 1, 0), 20)[0][-21:].copy()
    nodes[index] += by
    return nodes


def test_a_front_from_face_to_face_is_legal(tmp_path: Path) -> None:
    write(tmp_path, half_cut(), half_cut())
    assert number(tmp_path, "topology_fuzz.illegal_states") == 0
    assert number(tmp_path, "topology_fuzz.states") == 2
    assert number(tmp_path, "topology_fuzz.open_boundary") == 0


@pytest.mark.parametrize(
    "state",
    [
        half_cut(nodes=moved(0, (0, -0.02, 0))),  # an end outside
        half_cut(nodes=moved(20, (0, -0.02, 0))),  # an end inside
        half_cut(nodes=moved(7, (0.7, 0, 0))),  # a node outside
        half_cut(rectangle((-0.1, 0.01, -0.2), (0.3, 0, 0), (0, 0, 0.4), 3)),  # an edge through another crack
        half_cut(
            rectangle((-0.1, 0.01, -0.2), (0.3, 0, 0), (0, 0, 0.4), 3), sheets=(1, -1)
        ),  # an end on no sheet of its
    ],
)
def test_one_thing_wrong_in_one_state_is_found(tmp_path: Path, state: dict[str, np.ndarray]) -> None:
    write(tmp_path, half_cut(), state, half_cut())
    assert number(tmp_path, "topology_fuzz.illegal_states") == 1


def test_ends_on_a_crack_and_nodes_that_touch_one_are_legal(tmp_path: Path) -> None:
    wall = rectangle((-0.2, 0.25, -0.2), (0.4, 0, 0), (0, 0, 0.4), 4)
    nodes = moved(0, (0, 0, 0))
    ends_on_it = half_cut(wall, nodes=nodes[nodes[:, 1] < 0.26], sheets=(-1, 1))
    # A node on the wall whose neighbours are both before it.
    touching = moved(15, (0.01, 0, 0))
    touching[16:, 1] = np.linspace(0.2, -0.5, 5)
    touching[16:, 0] = 0.05
    write(tmp_path, ends_on_it, half_cut(wall, nodes=touching))
    assert number(tmp_path, "topology_fuzz.illegal_states") == 0


def test_a_front_that_stops_short_leaves_open_boundary(tmp_path: Path) -> None:
    nodes = moved(0, (0, 0, 0))
    write(tmp_path, half_cut(), half_cut(nodes=nodes + [0.2, 0, 0]))
    assert number(tmp_path, "topology_fuzz.open_boundary") == pytest.approx(1 / RADIUS, rel=0.1)
    assert number(tmp_path, "topology_fuzz.open_states") == 1


def test_pieces_are_those_of_the_flooded_grid(tmp_path: Path) -> None:
    write(tmp_path, all_cut(ABOVE))
    assert number(tmp_path, "topology_fuzz.disagreeing") == 0


@pytest.mark.parametrize("state", [all_cut(0 * ABOVE), all_cut(ABOVE, gap=0.3)])
def test_pieces_that_the_grid_does_not_know_are_counted(tmp_path: Path, state: dict[str, np.ndarray]) -> None:
    write(tmp_path, state)
    assert number(tmp_path, "topology_fuzz.disagreeing") == 1


def test_events_are_counted_over_all_sequences(tmp_path: Path) -> None:
    write(tmp_path, half_cut(), events=[0, 0, 1, 1, 2, 2, 5], unclassified=2)
    assert number(tmp_path, "topology_fuzz.rarest_event") == 1  # the crossing is a split and a merge
    assert number(tmp_path, "topology_fuzz.forced") == 0
    assert number(tmp_path, "topology_fuzz.unclassified") == 2


def test_forced_events_are_counted(tmp_path: Path) -> None:
    write(tmp_path, half_cut(), events=[0, 6, 6])
    assert number(tmp_path, "topology_fuzz.forced") == 2
    assert number(tmp_path, "topology_fuzz.ends_over_edges") == 0
    assert number(tmp_path, "topology_fuzz.end_runs") == 0


def test_runs_that_come_out_of_a_cube_are_ends_over_edges(tmp_path: Path) -> None:
    write(tmp_path, half_cut(), events=[0, 1, 2, 3, 4, 5])
    assert number(tmp_path, "topology_fuzz.ends_over_edges") == 1
    assert number(tmp_path, "topology_fuzz.end_runs") == 1
    assert number(tmp_path, "topology_fuzz.sequences") == 1


def test_runs_through_a_crack_or_out_of_a_body_without_edges_are_end_runs_alone(tmp_path: Path) -> None:
    write(tmp_path, half_cut(), events=[4, 4, 4, 1, 2], causes=[0, 1, 0, 0, 0])
    assert number(tmp_path, "topology_fuzz.ends_over_edges") == 2
    assert number(tmp_path, "topology_fuzz.end_runs") == 3
    write(tmp_path, half_cut(), events=[4] * 5, shape="torus")
    assert number(tmp_path, "topology_fuzz.ends_over_edges") == 2
    assert number(tmp_path, "topology_fuzz.end_runs") == 8
