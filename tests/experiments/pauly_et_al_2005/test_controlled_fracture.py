# SPDX-License-Identifier: BSD-3-Clause
"""Cracks drawn on the upper face of a block at known distances from two painted lines."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/controlled_fracture"
R = 0.1
LINES = [1.0, -0.5, 0.5, 1.0, 0.5, 0.5, 5.0, 2.0, -0.5, 0.5, 2.0, 0.5, 0.5, 7.0]
BOX = [0.5, -0.6, -0.6, 1.5, 0.6, 0.0]


def strip(x: float, depth: float, bend: float = 0.0) -> np.ndarray:
    """Triangles of a plane across x, from the face z = 0.5 down by `depth`;
    the middle of its upper edge is off by `bend` along x."""
    corners = []
    ys = np.linspace(-0.5, 0.5, 41)
    for a, b in zip(ys, ys[1:]):
        up = [np.array([x + bend * (abs(y) < 0.01), y, 0.5]) for y in (a, b)]
        down = [np.array([x, y, 0.5 - depth]) for y in (a, b)]
        corners += [(up[0], up[1], down[0]), (up[1], down[1], down[0])]
    return np.array(corners)


def state(strips: list[np.ndarray], starts: list[tuple[float, float, float]]) -> dict[str, np.ndarray]:
    triangles = np.concatenate(strips) if strips else np.zeros((0, 3, 3))
    count = len(triangles)
    rows = np.zeros((len(starts), 8))
    rows[:, :3] = np.reshape(starts, (-1, 3))
    return {
        **front_arrays((circle(0.1, 3), {})),
        "crack_vertices": triangles.reshape(-1, 3),
        "crack_triangles": np.concatenate([np.arange(3 * count).reshape(-1, 3), np.zeros((count, 1), int)], axis=1),
        "crack_starts": rows,
    }


ON_LINES = [(1.0, 0.0, 0.5), (2.0, 0.3, 0.5)]
GOOD = ([strip(1.0, 0.4), strip(2.0, 1.0)], ON_LINES)


def write(folder: Path, name: str, *members: tuple) -> None:
    painted = {"crack_painted": LINES} if name in ("all", "no_texture", "no_history") else {}
    write_fronts(
        folder,
        EXPERIMENT,
        [[(10, 1.0, state(*member))] for member in members],
        name=name,
        scene_name="strained_block",
        parameters={"crack_surfel_radius_m": R, "crack_hard_box_m": BOX, **painted},
        coordinates={"row": name, "scene.parameters.side_m": 1.0},
    )


def write_all(folder: Path, **other: tuple) -> None:
    """Good members, and others in second place."""
    for name in ("all", "no_texture", "no_history", "no_painting", "none"):
        write(folder, name, GOOD, other.get(name, GOOD))


def test_cracks_on_the_lines_are_no_distance_away(tmp_path: Path) -> None:
    write_all(tmp_path)
    for name in ("stray_starts", "unopened_lines", "trace_away", "depth_in_hard_box", "unpainted_away"):
        assert number(tmp_path, f"controlled_fracture.{name}") == pytest.approx(0.0, abs=1e-9)
    assert number(tmp_path, "controlled_fracture.hausdorff_all") == pytest.approx(0.0, abs=0.126)


def test_a_sheet_beside_the_body_is_no_trace_on_its_face(tmp_path: Path) -> None:
    beside = np.array([[[1.4, 0.6, 0.5], [1.4, 0.7, 0.5], [1.4, 0.6, 0.3]]])
    write_all(tmp_path, all=([*GOOD[0], beside], ON_LINES))
    assert number(tmp_path, "controlled_fracture.trace_away") == pytest.approx(0.0, abs=1e-9)
    write_all(tmp_path, all=([*GOOD[0], beside - [0.0, 0.2, 0.0]], ON_LINES))
    assert number(tmp_path, "controlled_fracture.trace_away") == pytest.approx(4.0)


def test_the_worst_member_of_a_trace_is_judged_and_what_is_deep_inside_is_not_trace(tmp_path: Path) -> None:
    bent = ([strip(1.0, 0.4, bend=0.3), strip(2.0, 1.0)], ON_LINES)
    write_all(tmp_path, no_texture=bent)
    assert number(tmp_path, "controlled_fracture.trace_away") == pytest.approx(3.0)
    assert number(tmp_path, "controlled_fracture.trace_away_spread") == pytest.approx(1.5)  # 0, 0, 0, 3
    inside = ([strip(1.0, 0.4), strip(2.0, 1.0), strip(1.5, 0.2) - [0, 0, 0.4]], ON_LINES)
    write_all(tmp_path / "inside", no_texture=inside)
    assert number(tmp_path / "inside", "controlled_fracture.trace_away") == pytest.approx(0.0, abs=1e-9)


def test_a_line_without_a_crack_is_far_from_the_trace(tmp_path: Path) -> None:
    write_all(tmp_path, all=([strip(1.0, 0.4)], ON_LINES[:1]))
    assert number(tmp_path, "controlled_fracture.unopened_lines") == 1
    assert number(tmp_path, "controlled_fracture.trace_away") == pytest.approx(0.0, abs=1e-9)
    assert number(tmp_path, "controlled_fracture.hausdorff_all") == pytest.approx(10.0)


def test_starts_off_the_lines_count(tmp_path: Path) -> None:
    write_all(tmp_path, no_history=(GOOD[0], [*ON_LINES, (1.5, 0.0, 0.5), (1.0, 0.0, -0.5)]))
    assert number(tmp_path, "controlled_fracture.stray_starts") == 2


def test_depth_in_the_box_is_that_of_the_deepest_member(tmp_path: Path) -> None:
    write_all(tmp_path, no_history=([strip(1.0, 0.6), strip(2.0, 1.0)], ON_LINES))
    assert number(tmp_path, "controlled_fracture.depth_in_hard_box") == pytest.approx(1.0)
    assert number(tmp_path, "controlled_fracture.depth_in_soft_box") == 0


def test_the_unpainted_run_nearest_to_the_lines_is_the_control(tmp_path: Path) -> None:
    for name in ("all", "no_texture", "no_history"):
        write(tmp_path, name, GOOD, GOOD)
    for name, x in (("no_painting", 0.2), ("none", 0.4)):
        write(tmp_path, name, ([strip(x, 0.4)], []), ([strip(0.1, 0.4)], []))
    assert number(tmp_path, "controlled_fracture.unpainted_away") == pytest.approx(6.0)


def test_a_missing_run_is_named(tmp_path: Path) -> None:
    write(tmp_path, "all", GOOD, GOOD)
    assert "no_texture" in value_of(tmp_path, "controlled_fracture.trace_away").note
