# SPDX-License-Identifier: BSD-3-Clause
"""A front that is split and merges again, step by step, with one thing wrong at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/event_duality"
INITIATION, TERMINATION, SPLIT, MERGE, END_RUN, CROSSING, FORCED = range(7)
PENNY = [0.3, 0, 0, 0, 0, 1.0, 0.1, 15]
NOTCH = [0.6, -0.8, 0.0, 0.6, 0.8, 0.0, 0.4, 0, 0]
RADIUS = 0.04

Front = tuple[int, bool]  # id, whether closed
Event = tuple[int, int, int, int, int, int]  # kind, two before, two after, cause


def nodes_of(number: int, closed: bool) -> np.ndarray:
    """A circle, or a line out of the surface of the ball and back to it."""
    if closed:
        return circle(0.06, 6, (0.3, 0.2 * number, 0))
    angle = 0.5 * number + np.linspace(0, 0.3, 6)
    depth = np.array([1, 0.95, 0.92, 0.92, 0.95, 1])
    return np.stack([depth * np.cos(angle), depth * np.sin(angle), 0 * angle], axis=1)


def state(fronts: Sequence[Front], events: Sequence[Event], crack: int = 0) -> dict[str, np.ndarray]:
    """Fronts of six nodes each, what has happened up to then, and a square that has been swept."""
    some = front_arrays(*((nodes_of(n, closed), {"id": n, "closed": closed, "crack": crack}) for n, closed in fronts))
    square = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return {
        **some,
        "crack_events": np.array([[0, 0, -1, -1, 0, -1, 0], *([0, *e] for e in events)], dtype=np.int64),
        "crack_vertices": square,
        "crack_triangles": np.array([[0, 1, 2, 0], [0, 2, 3, 0]]),
    }


def write(
    folder: Path, *states: dict[str, np.ndarray], shape: str = "shell", pennies: Any = PENNY, notches: Any = ()
) -> None:
    """One member that goes through these states."""
    parameters = {
        "crack_surfel_radius_m": RADIUS,
        "crack_pennies": list(pennies),
        "crack_speed_m_s_pa": 1.0,
        "crack_snapping": True,
        "crack_stress_pa": [0.2, 0.5, 1.0, 0, 0, 0],
    }
    scene = {"radius_m": 1.0, "inner_radius_m": 0.12}
    swept = {"shape": shape, "method.parameters.crack_notches": list(notches)}
    members = [[(k, 0.1 * k, arrays) for k, arrays in enumerate(states)]]
    write_fronts(folder, EXPERIMENT, members, parameters=parameters, scene=scene, swept=swept)


CUT: Event = (SPLIT, 0, -1, 0, 0, 0)
JOIN: Event = (MERGE, 0, -1, 0, -1, 1)
CLOSED, OPEN = [(0, True)], [(0, False)]


def test_a_split_opens_and_a_merge_closes(tmp_path: Path) -> None:
    write(tmp_path, state(CLOSED, []), state(OPEN, [CUT]), state(CLOSED, [CUT, JOIN]))
    for name in ("unexplained", "split_error", "merge_error", "not_returned", "other_sheets"):
        assert number(tmp_path, f"event_duality.{name}") == 0, name
    assert number(tmp_path, "event_duality.lone_splits") == 1
    assert number(tmp_path, "event_duality.lone_merges") == 1


def test_ends_that_no_event_gives_are_found(tmp_path: Path) -> None:
    write(tmp_path, state(CLOSED, []), state(OPEN, []), state(CLOSED, []))
    assert number(tmp_path, "event_duality.unexplained") == 2


def test_a_split_that_leaves_the_front_closed_is_off_by_two(tmp_path: Path) -> None:
    write(tmp_path, state(CLOSED, []), state(CLOSED, [CUT]))
    assert number(tmp_path, "event_duality.split_error") == 2
    assert number(tmp_path, "event_duality.unexplained") == 1
    assert number(tmp_path, "event_duality.not_returned") == 1


def test_a_merge_that_leaves_both_fronts_is_off_by_two(tmp_path: Path) -> None:
    two = [(0, False), (1, False)]
    write(tmp_path, state(two, []), state(two, [(MERGE, 0, 1, 0, -1, 0)]))
    assert number(tmp_path, "event_duality.merge_error") == 2
    assert number(tmp_path, "event_duality.unexplained") == 1


def test_events_that_leave_no_trace_are_forced_and_end_runs(tmp_path: Path) -> None:
    write(tmp_path, state(OPEN, []), state(OPEN, [(END_RUN, 0, -1, 0, -1, 0), (FORCED, 0, -1, 0, -1, 0)]))
    assert number(tmp_path, "event_duality.unexplained") == 0
    assert number(tmp_path, "event_duality.forced") == 1


def test_a_surface_crack_becomes_two_and_one_again(tmp_path: Path) -> None:
    two = [(0, False), (1, False)]
    cut: Event = (SPLIT, 0, -1, 0, 1, 0)
    good = [state(OPEN, []), state(two, [cut]), state(OPEN, [cut, (MERGE, 0, 1, 0, -1, 0)])]
    write(tmp_path, *good, pennies=(), notches=NOTCH)
    assert number(tmp_path, "event_duality.not_two_and_one") == 0
    write(tmp_path, *good[:2], shape="shell", pennies=(), notches=[*NOTCH[:6], 0.3, 0, 0])
    assert number(tmp_path, "event_duality.not_two_and_one") == 1


START: Event = (INITIATION, -1, -1, 1, -1, 0)
STOP: Event = (TERMINATION, 1, -1, -1, -1, 0)


@pytest.mark.parametrize("closed", [True, False])
def test_a_start_adds_a_front_with_its_ends_and_a_termination_takes_it(tmp_path: Path, closed: bool) -> None:
    two = [(0, False), (1, closed)]
    write(tmp_path, state(OPEN, []), state(two, [START]), state(OPEN, [START, STOP]), pennies=())
    for name in ("unexplained", "wrong_starts", "wrong_terminations", "lone_starts", "lone_terminations"):
        assert number(tmp_path, f"event_duality.{name}") == 0, name


def test_closed_and_open_fronts_start_and_end(tmp_path: Path) -> None:
    both = [(0, True), (1, False)]
    starts: list[Event] = [(INITIATION, -1, -1, 0, -1, 0), START]
    last: list[Event] = [*starts, (TERMINATION, 0, -1, -1, -1, 0), STOP]
    write(tmp_path, state([], []), state(both, starts), state([], last), pennies=())
    assert number(tmp_path, "event_duality.lone_starts") == 1
    assert number(tmp_path, "event_duality.lone_terminations") == 1
    assert number(tmp_path, "event_duality.unexplained") == 0


@pytest.mark.parametrize("after", [[], [(0, True), (1, True)], [(0, False), (1, True), (2, True)]])
def test_a_start_that_does_something_else_is_wrong(tmp_path: Path, after: list[Front]) -> None:
    write(tmp_path, state(OPEN, []), state(after, [START]), pennies=())
    assert number(tmp_path, "event_duality.wrong_starts") == 1


@pytest.mark.parametrize("after", [[(0, False), (1, False)], [(0, True)], []])
def test_a_termination_that_does_something_else_is_wrong(tmp_path: Path, after: list[Front]) -> None:
    write(tmp_path, state([(0, False), (1, False)], []), state(after, [STOP]), pennies=())
    assert number(tmp_path, "event_duality.wrong_terminations") == 1


def test_ends_of_two_fronts_near_each_other_are_not_merged(tmp_path: Path) -> None:
    two = [(0, False), (1, False)]
    far, near = state(two, []), state(two, [])
    near["front_nodes"] = near["front_nodes"].copy()
    near["front_nodes"][6] = near["front_nodes"][5] + [0, 0, 0.9 * RADIUS]
    write(tmp_path, far, near)
    assert number(tmp_path, "event_duality.unmerged") == 0.5


def test_each_kind_of_event_is_counted(tmp_path: Path) -> None:
    two = [(0, False), (1, False)]
    events: list[Event] = [CUT, (SPLIT, 0, -1, 0, 1, 0), (MERGE, 0, 1, 0, -1, 0), JOIN]
    shapes = [CLOSED, OPEN, two, OPEN, CLOSED]
    write(tmp_path, *(state(shape, events[:k]) for k, shape in enumerate(shapes)))
    assert number(tmp_path, "event_duality.rarest_type") == 1
    assert number(tmp_path, "event_duality.other_types") == 0
    write(tmp_path, state(CLOSED, []), state(two, [CUT]), shape="cube")
    assert number(tmp_path, "event_duality.other_types") == 1


def test_a_front_that_is_not_closed_where_it_is_said_to_be_is_no_circle(tmp_path: Path) -> None:
    last = state(CLOSED, [JOIN])
    last["front_nodes"] = nodes_of(0, False)
    write(tmp_path, state(OPEN, []), last)
    assert number(tmp_path, "event_duality.other_types") == 1
    assert number(tmp_path, "event_duality.rarest_type") == 0


@pytest.mark.parametrize(("count", "missing"), [(4, 0), (3, 1)])
def test_a_crack_through_four_faces_is_four_fronts(tmp_path: Path, count: int, missing: int) -> None:
    many = [(k, False) for k in range(count)]
    write(tmp_path, state(CLOSED, []), state(many, []), shape="cube")
    assert number(tmp_path, "event_duality.not_four") == missing


def test_another_crack_has_other_sheets(tmp_path: Path) -> None:
    write(tmp_path, state(CLOSED, []), state(CLOSED, [], crack=1))
    assert number(tmp_path, "event_duality.other_sheets") == 1


def test_what_a_front_has_passed_must_be_cut(tmp_path: Path) -> None:
    whole = state(CLOSED, [])
    hole = {**whole, "crack_vertices": whole["crack_vertices"] * [1, 1, 1] + [0, 0, 0.5]}
    write(tmp_path, *5 * [whole], shape="cube")
    assert number(tmp_path, "event_duality.missed") == 0
    write(tmp_path, *4 * [whole], hole)
    assert number(tmp_path, "event_duality.missed") == 1


def test_a_merge_of_two_cracks_keeps_the_sheets_of_both(tmp_path: Path) -> None:
    def two(of: tuple[int, int]) -> dict[str, np.ndarray]:
        found = state([(0, False), (1, False)], [])
        found["front_ids"][:, 2] = np.repeat(of, 6)
        return found

    merge: Event = (MERGE, 0, 1, 0, -1, 0)
    good, bad = state(OPEN, [merge]), state(OPEN, [merge])
    good["front_ids"][3:, 2] = 1
    apart = [*PENNY, *PENNY]
    write(tmp_path, two((0, 1)), good, pennies=apart)
    write(tmp_path, two((0, 0)), bad, shape="cube", pennies=apart)  # halves of one crack
    assert number(tmp_path, "event_duality.merged_cracks") == 1
    assert number(tmp_path, "event_duality.lost_sheets") == 0
    assert "no cell with" in value_of(tmp_path, "event_duality.not_returned").note  # of one round crack
    write(tmp_path, two((0, 1)), bad, shape="torus", pennies=apart)
    assert number(tmp_path, "event_duality.lost_sheets") == 1
