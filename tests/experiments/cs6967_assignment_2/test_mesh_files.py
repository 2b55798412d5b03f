# SPDX-License-Identifier: BSD-3-Clause
"""Meshes given as text: one node, one element, one line that is refused is not as the second parser has it."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

FILES, FAULTS = "cs6967_assignment_2/mesh_files", "cs6967_assignment_2/mesh_faults"
NODES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def read(
    folder: Path, through: str, points: np.ndarray = POINTS, corners: list[int] | None = None, status: str = "completed"
) -> None:
    arrays = {"rest_positions": points, "tetrahedra": np.array([corners or [0, 1, 2, 3]])}
    scene = {"title": "corner", "text": NODES + "t 0 1 2 3\n"}
    swept = {"through": through}
    write_trace(folder, f"{FILES} explicit_fem explicit", status=status, swept=swept, scene=scene, arrays=arrays)


def test_a_mesh_as_it_is_written_has_its_volume_and_its_area(tmp_path: Path) -> None:
    read(tmp_path, "nothing")
    read(tmp_path, "medit", corners=[1, 2, 0, 3])
    assert number(tmp_path, "mesh_files.differing_files") == 0
    assert number(tmp_path, "mesh_files.volume_error") < 1e-15
    assert number(tmp_path, "mesh_files.area_error") < 1e-15
    assert number(tmp_path, "mesh_files.least_volume") == pytest.approx(1 / 6)


def test_a_node_that_is_off_by_a_bit_and_a_corner_that_is_another_are_differences(tmp_path: Path) -> None:
    moved = POINTS.copy()
    moved[3, 2] = np.nextafter(1.0, 2.0)
    read(tmp_path, "nothing")
    read(tmp_path, "assignment", moved)
    read(tmp_path, "medit", np.vstack([POINTS, POINTS[1:2]]), [0, 4, 2, 3])
    assert number(tmp_path, "mesh_files.differing_files") == 2
    grown = POINTS.copy()
    grown[3, 2] = 1.25
    read(tmp_path / "grown", "nothing")
    read(tmp_path / "grown", "medit", grown)
    assert number(tmp_path / "grown", "mesh_files.volume_error") == pytest.approx(0.25)
    assert number(tmp_path / "grown", "mesh_files.area_error") > 0.05


def test_a_sound_text_that_is_refused_and_an_element_inside_out_are_seen(tmp_path: Path) -> None:
    read(tmp_path, "nothing", corners=[0, 2, 1, 3])
    read(tmp_path, "medit", status="unsupported")
    assert number(tmp_path, "mesh_files.differing_files") == 1
    assert "did not complete" in value_of(tmp_path, "mesh_files.volume_error").note
    read(tmp_path / "turned", "nothing")
    read(tmp_path / "turned", "medit", corners=[0, 2, 1, 3])
    assert number(tmp_path / "turned", "mesh_files.least_volume") == pytest.approx(-1 / 6)


def faulty(folder: Path, title: str, text: str, reason: str, status: str = "unsupported") -> None:
    swept = {"title": title}
    write_trace(
        folder, f"{FAULTS} explicit_fem explicit", status=status, reason=reason, swept=swept, scene={"text": text}
    )


def test_refusals_are_held_to_the_line_and_what_is_accepted_is_counted(tmp_path: Path) -> None:
    faulty(tmp_path, "index n", NODES + "t 0 1 2 4\n", "text:5: tetrahedron 0 has vertex 4")
    faulty(tmp_path, "five", NODES + "t 0 1 2 3 1\n", "text:4: too many")
    faulty(tmp_path, "nan", "v 0 0 nan\n" + NODES + "t 0 1 2 3\n", "not a number")
    faulty(tmp_path, "minus", NODES + "t 0 1 2 -1\n", "", status="completed")
    faulty(tmp_path, "none", NODES + "t 0 1 2 3\n", "", status="completed")
    assert number(tmp_path, "mesh_faults.wrong_lines") == 2
    assert number(tmp_path, "mesh_faults.accepted") == 1
    assert number(tmp_path, "mesh_faults.kinds") == 4
