# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces with a fault, refused or not, and what the cuts of sound ones leave: one run of several is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cut_surfaces import REST, WHOLE
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/refused_surfaces"
INSIDE = 0.1 + 0.2 * REST[:4]
CLOSED = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
FAULTS: dict[str, tuple[np.ndarray, np.ndarray, str]] = {
    "open": (INSIDE, CLOSED[1:], "edge 1–2 is in triangle 1 only, expected two"),
    "lone": (INSIDE, CLOSED[:1], "edge 0–2 is in triangle 0 only, expected two"),
    "branching": (
        np.vstack([INSIDE, [0.15, 0.15, 0.15]]),
        np.vstack([CLOSED, [0, 1, 4]]),
        "edge 0–1 is in 3 triangles",
    ),
    "fourfold": (
        np.vstack([INSIDE, [[0.15, 0.15, 0.15], [0.2, 0.15, 0.15]]]),
        np.vstack([CLOSED, [[0, 1, 4], [0, 1, 5]]]),
        "edge 0–1 is in 4 triangles",
    ),
    "inside_out": (INSIDE, CLOSED[:, [0, 2, 1]], "the surface is inside out"),
    "outside": (INSIDE + [0, 0, -0.2], CLOSED, "vertex 0 (0.1, 0.1, -0.1) sticks out"),
}


def refused(
    folder: Path,
    kind: str,
    status: str = "unsupported",
    reason: str | None = None,
    *,
    steps: tuple[list[int], list[int]] = ([0], [10]),
) -> None:
    """`steps`: unmatched edges and triangles of every step."""
    points, triangles, why = FAULTS.get(kind, (INSIDE, CLOSED, ""))
    arrays = {"rest_positions": REST, "tetrahedra": WHOLE, "skin_rest_positions": points, "skin_triangles": triangles}
    write_trace(
        folder,
        f"{EXPERIMENT} warped_fem warped",
        swept={"kind": kind},
        status=status,
        reason=why if reason is None else reason,
        arrays=arrays,
        frame={"skin_triangles": np.stack([triangles] * len(steps[0]))},
        step={"skin_boundary_edges": np.array(steps[0]), "skin_triangle_count": np.array(steps[1], dtype=float)},
    )


def numbers(folder: Path) -> dict[str, Any]:
    return {
        n: number(folder, f"refused_surfaces.{n}")
        for n in ("accepted_faults", "kinds_refused", "unnamed_faults", "refused_sound")
    }


def test_each_fault_refused_by_its_name_and_the_sound_surface_run(tmp_path: Path) -> None:
    for kind in FAULTS:
        refused(tmp_path, kind)
    refused(tmp_path, "sound", "completed")
    assert numbers(tmp_path) == {"accepted_faults": 0, "kinds_refused": 4, "unnamed_faults": 0, "refused_sound": 0}
    assert number(tmp_path, "refused_surfaces.sound_open_edges") == 0
    assert number(tmp_path, "refused_surfaces.sound_crack_triangles") == 6


@pytest.mark.parametrize("kind", FAULTS)
def test_one_fault_that_is_run_all_the_same_is_accepted(tmp_path: Path, kind: str) -> None:
    for other in FAULTS:
        refused(tmp_path, other, "completed" if other == kind else "unsupported")
    found = numbers(tmp_path)
    assert found["accepted_faults"] == 1 and found["kinds_refused"] == (3 if kind in ("inside_out", "outside") else 4)


@pytest.mark.parametrize(
    "kind, reason",
    [
        ("open", "edge 0–3 is in triangle 1 only"),
        ("branching", "edge 2–3 is in 3 triangles"),
        ("inside_out", "bad surface"),
        ("outside", "vertex 3 sticks out"),
        ("open", "the surface is inside out"),
    ],
)
def test_a_refusal_for_another_reason_or_place_is_counted(tmp_path: Path, kind: str, reason: str) -> None:
    refused(tmp_path, kind, reason=reason)
    assert number(tmp_path, "refused_surfaces.unnamed_faults") == 1


def test_a_sound_surface_that_is_refused_is_counted(tmp_path: Path) -> None:
    refused(tmp_path, "open")
    refused(tmp_path, "sound", "unsupported", "vertex 0 sticks out")
    assert number(tmp_path, "refused_surfaces.refused_sound") == 1
    assert number(tmp_path, "refused_surfaces.unnamed_faults") == 1
    assert value_of(tmp_path, "refused_surfaces.sound_open_edges").value is None


def sound(folder: Path, of_runs: list[tuple[list[int], list[int]]]) -> None:
    for run, steps in enumerate(of_runs):
        refused(folder, f"sound {run}", "completed", steps=steps)
    refused(folder, "open", "completed", steps=([0, 9, 0], [3, 3, 3]))  # has a hole: not asked here


def test_open_edges_of_a_sound_surface_are_those_of_its_worst_step_in_the_worst_run(tmp_path: Path) -> None:
    sound(tmp_path, [([0, 0, 0], [4, 9, 10]), ([0, 6, 0], [4, 9, 10]), ([0, 2, 0], [4, 9, 10])])
    assert number(tmp_path, "refused_surfaces.sound_open_edges") == 6


def test_the_fewest_triangles_that_a_crack_added_are_those_of_the_run_that_was_cut_least(tmp_path: Path) -> None:
    sound(tmp_path, [([0, 0, 0], [4, 9, 10]), ([0, 0, 0], [4, 5, 7]), ([0, 0, 0], [4, 30, 20])])
    assert number(tmp_path, "refused_surfaces.sound_crack_triangles") == 3


def test_the_sound_surfaces_that_ran_stand_for_none_that_was_refused(tmp_path: Path) -> None:
    sound(tmp_path, [([0, 0], [4, 9]), ([0, 2], [4, 7])])
    refused(tmp_path, "sound too", "unsupported", "vertex 0 sticks out")
    for quantity in ("sound_open_edges", "sound_crack_triangles"):
        assert "1 cells did not complete" in value_of(tmp_path, f"refused_surfaces.{quantity}").note
