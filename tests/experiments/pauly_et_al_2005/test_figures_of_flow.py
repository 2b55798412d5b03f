# SPDX-License-Identifier: BSD-3-Clause
"""Figures 5, 8 and 10: their tables have the events, phases and stretches that were put in."""

from pathlib import Path

import numpy as np
import pytest
import test_broken_solids as solids
from made_up_traces import write_timing
from figure_traces import drawn
from front_traces import circle, front_arrays, write_fronts

SPLIT, MERGE, END_RUN = 2, 3, 4


def gum(folder: Path) -> Path:
    """Stretched to 2.2 before it cracks, a tenth of it elastic; four splats,
    two on the face of a crack at the end."""
    paths = []
    for name in ("plastic", "fixed"):
        states = [
            solids.solid(solids.REST, False, False),
            solids.flowed(1.5, 1.1, False, 1.2),
            solids.flowed(2.2, 1.1, False, 1.9),
            solids.flowed(2.4, 1.1, True, 1.9),
        ]
        for k, arrays in enumerate(states):
            count = 4 if k == 3 else 2
            axes = np.tile([[0.1, 0, 0], [0, 0, 0.1]], (count, 1, 1))
            arrays["surfel_positions"] = np.arange(3.0 * count).reshape(count, 3) / 10
            arrays["surfel_axes"] = axes
            arrays["surfel_sheets"] = np.array([0, 1, 2, 3][:count])
            arrays["surfel_counts"] = np.array([2, 4, 0, 0, 0, 0, 0])
        paths.append(solids.write_gum(folder, name, states))
    solids.write_gum(folder, "elastic", [solids.solid(solids.REST, False, False), solids.flowed(2.0, 2.0, False, 1.0)])
    return paths[0]


def test_gum_is_shown_before_its_first_crack_and_at_the_end(tmp_path: Path) -> None:
    gum(tmp_path)
    entry, rows = drawn(tmp_path, "fig_10_plastic_gum", tmp_path / "out")
    by_state = {r["state"]: r for r in rows}
    before, end = by_state["before the first crack"], by_state["end"]
    assert float(before["median stretch"]) == pytest.approx(2.2, rel=1e-2)
    assert float(before["stretch that would stay"]) == pytest.approx(2.0, rel=1e-2)
    assert float(end["median stretch"]) == pytest.approx(2.4, rel=1e-2)
    assert (before["pieces"], end["pieces"]) == ("1", "2")
    assert (before["surfels"], end["surfels"]) == ("2", "4")
    assert "stretched 2.20 times, 2.00 times after unloading" in entry.caption


def test_phases_have_their_shares_of_all_timed_steps(tmp_path: Path) -> None:
    path = gum(tmp_path)
    forces = np.array([[1e-3, 3e-3], [2e-3, 2e-3]])
    write_timing(path, 4 * forces, {"weights": forces, "forces": 3 * forces})
    entry, rows = drawn(tmp_path, "fig_08_pipeline", tmp_path / "out")
    assert [r["phase"] for r in rows] == ["weights", "forces"]
    assert [float(r["share"]) for r in rows] == [0.25, 0.75]
    assert [float(r["ms a step [ms]"]) for r in rows] == [2.0, 6.0]
    assert "all 4 timed steps" in entry.caption and "64 nodes, 2 surfels" in entry.caption


def cut(*fronts: tuple[np.ndarray, dict[str, object]], events: list[list[int]]) -> dict[str, np.ndarray]:
    return {
        **front_arrays(*fronts),
        "crack_vertices": np.eye(3),
        "crack_triangles": np.array([[0, 1, 2, 0]]),
        "crack_events": np.array(events, dtype=np.int64).reshape(-1, 7),
        "crack_event_positions": np.zeros((len(events), 3)),
    }


def test_events_are_shown_in_the_step_in_which_they_come_alone(tmp_path: Path) -> None:
    line = np.stack([np.zeros(9), np.linspace(-1, 1, 9), np.zeros(9)], axis=1)
    one, two = (line, {"closed": False}), (line + [1, 0, 0], {"closed": False, "id": 1})
    split, run = [2, SPLIT, 0, -1, 0, 1, 0], [2, END_RUN, 0, -1, 0, -1, 0]
    merge = [3, MERGE, 0, 1, 0, -1, 0]
    surface = [
        (0, 0.0, cut(one, events=[])),
        (1, 0.1, cut(one, events=[run])),
        (2, 0.2, cut(one, two, events=[run, split, run])),
        (3, 0.3, cut(one, events=[run, split, run, merge])),
    ]
    whole = (circle(1.0, 12), {})
    cube = [(0, 0.0, cut(whole, events=[])), (1, 0.1, cut(one, events=[split]))]
    for shape, pennies, rows in (("shell", [], surface), ("cube", [0.0], cube)):
        parameters = {"crack_pennies": pennies, "crack_surfel_radius_m": 0.1}
        swept = {"shape": shape}
        write_fronts(
            tmp_path, "pauly_et_al_2005/event_duality", [rows], name="snapping", parameters=parameters, swept=swept
        )
    _, rows = drawn(tmp_path, "fig_05_splitting_merging", tmp_path / "out")
    assert [(r["step"], r["state"], r["fronts"], r["closed"], r["end nodes"]) for r in rows] == [
        ("2", "before", "1", "0", "2"),
        ("2", "after", "2", "0", "4"),
        ("3", "before", "2", "0", "4"),
        ("3", "after", "1", "0", "2"),
        ("1", "before", "1", "1", "0"),
        ("1", "after", "1", "0", "2"),
    ]
