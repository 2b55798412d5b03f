# SPDX-License-Identifier: BSD-3-Clause
"""A front with one end on a square of the body and one on another crack: ends off their sheets, and a sheet that
changes."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from front_traces import front_arrays, write_fronts
from measured import number, value_of


R = 0.1
SQUARE = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


def state(
    first: list[float], last: list[float], sheets: tuple[int, int] = (-1, 1), events: int = 2
) -> dict[str, np.ndarray]:
    """Crack 0 with two ends; crack 1 has swept the square x = 0.5 of height 1, crack 2 one beside it at x = 0.6."""
    nodes = np.array([first, [0.2, 0, 0.3], last])
    at = [np.array([[x, -1.0, 0], [x, 1, 0], [x, 1, 1], [x, -1, 1]]) for x in (0.5, 0.6)]
    rows = [[*(t + 4 * k), k + 1] for k in range(2) for t in TRIANGLES]
    return {
        **front_arrays((nodes, {"closed": False, "sheets": sheets})),
        "crack_vertices": np.concatenate(at),
        "crack_triangles": np.array(rows),
        "crack_events": np.zeros((events, 7), dtype=int),
    }


START = state([0.0, 0, 0], [0.5, 0, 0.3])


def write(folder: Path, *states: dict[str, np.ndarray], name: str = "round", seed: int = 1) -> None:
    parameters = {"crack_surfel_radius_m": R}
    swept = {"seed": seed}
    members = [[(k, 0.1 * k, s) for k, s in enumerate(states)]]
    path = write_fronts(folder, "pauly_et_al_2005/front_ends", members, name=name, parameters=parameters, swept=swept)
    with h5py.File(path, "a") as file:
        file["scene/skin_rest_positions"], file["scene/skin_triangles"] = SQUARE, TRIANGLES


def test_ends_on_their_sheets_are_there(tmp_path: Path) -> None:
    write(tmp_path, START, state([-0.3, 0, 0], [0.5, 0.2, 0.3]))
    assert number(tmp_path, "front_ends.on_body") == 1
    assert number(tmp_path, "front_ends.on_cracks") == 1
    assert number(tmp_path, "front_ends.off_body") == pytest.approx(0, abs=1e-12)
    assert number(tmp_path, "front_ends.off_crack") == pytest.approx(0, abs=1e-12)
    assert number(tmp_path, "front_ends.changed_sheets") == 0


def test_one_end_off_its_sheet_is_seen_in_any_step(tmp_path: Path) -> None:
    write(tmp_path, START, state([-0.3, 0, 0.02], [0.6, 0.2, 0.3]), state([-0.4, 0, 0], [0.5, 0.3, 0.3]))
    write(tmp_path, START, START, seed=2)
    assert number(tmp_path, "front_ends.off_body") == pytest.approx(0.2)
    assert number(tmp_path, "front_ends.off_crack") == pytest.approx(1.0)  # on crack 2, a radius from its own


def test_a_sheet_may_change_with_an_event_alone(tmp_path: Path) -> None:
    moved, sheets = ([-0.3, 0, 0], [0.6, 0.2, 0.3]), (-1, 2)
    write(tmp_path, START, state(*moved, sheets, events=3))
    assert number(tmp_path, "front_ends.changed_sheets") == 0
    write(tmp_path, START, state(*moved, sheets), seed=2)  # the events are those of the start
    assert number(tmp_path, "front_ends.changed_sheets") == 1


def test_the_way_off_the_first_tangent_plane_is_that_of_the_run_with_the_least(tmp_path: Path) -> None:
    write(tmp_path, START, state([-0.3, 0, -0.4], [0.5, 0.2, 0.3]))
    write(tmp_path, START, state([-0.3, 0, -0.2], [0.5, 0.2, 0.3]), seed=2)
    assert number(tmp_path, "front_ends.off_tangent") == pytest.approx(2.0)


def test_without_ends_there_is_nothing_to_judge(tmp_path: Path) -> None:
    write(tmp_path, START, state([-0.3, 0, 0], [0.5, 0.2, 0], (-1, -1)))
    assert "nothing to compare" in value_of(tmp_path, "front_ends.off_crack").note
