# SPDX-License-Identifier: BSD-3-Clause
"""Splits whose plane goes through the centre of an element, on a made-up trace:
the one element on the other side is counted."""

from pathlib import Path

import h5py
import numpy as np
from measured import number, write_trace
from small_bodies import SCENE

from experiments.mueller_gross_2004.measurements.split_plane import in_plane

NAME = "mueller_gross_2004/split_plane"
# Vertex 0 with one element above, one below and one halved by the plane z = 0.
REST = np.array([[0.0, 0, 0], [1, 0, 0.2], [0, 1, 0.2], [-1, 0, 0.3], [0, -1, -0.4], [1, -1, -0.2], [-0.5, 1, -0.5]])
TETS = np.array([[0, 1, 2, 3], [0, 5, 4, 6], [0, 1, 2, 4]])  # centres at z = +, −, 0


def write(folder: Path, name: str, halved_above: bool, normal: str = "(0, 0, 1)") -> None:
    after = TETS.copy()
    moved = [1] if halved_above else [1, 2]
    after[moved, 0] = 7
    positions = np.array([np.vstack([REST, REST[:1]])] * 2)
    frame = {"positions": positions, "tetrahedra": np.array([TETS, after]), "parents": np.array([[*range(7), 0]] * 2)}
    arrays, kept = {"rest_positions": REST, "tetrahedra": TETS}, {"fracture_hinges": "keep"}
    scene = {**SCENE, "seed": 1}
    path = write_trace(folder, f"{NAME} warped_fem {name}", scene=scene, parameters=kept, arrays=arrays, frame=frame)
    with h5py.File(path, "a") as file:
        group = file.create_group("events")
        group["step"], group["time"], group["code"] = np.array([1]), np.array([0.01]), np.array([0])
        group["kind"] = np.array(["vertex_split"], dtype=h5py.string_dtype())
        shared = sum(
            len(set(TETS[a].tolist()) & set(TETS[b].tolist())) == 3
            for a in (0, 1, 2)
            for b in (0, 1, 2)
            if a < b and (a in moved) != (b in moved)
        )
        group["detail"] = np.array(
            [f"vertex 0 splits into 0 and 7 at element 0: stress 1 Pa, normal {normal}, {shared} faces exposed"],
            dtype=h5py.string_dtype(),
        )


def test_a_centre_in_the_plane_goes_to_the_side_of_the_normal(tmp_path: Path) -> None:
    write(tmp_path, "keep", True)
    assert number(tmp_path, "split_plane.centres_in_plane") == 1
    assert number(tmp_path, "split_plane.assignment_mismatches") == 0
    assert number(tmp_path, "split_plane.face_mismatches") == 0


def test_one_such_element_on_the_other_side_is_counted_with_its_face(tmp_path: Path) -> None:
    write(tmp_path, "keep", False)
    assert number(tmp_path, "split_plane.assignment_mismatches") == 2, "gone from above, and changed though not below"
    assert number(tmp_path, "split_plane.face_mismatches") == 1


def test_centres_lie_in_the_plane_to_rounding_over_the_size_of_the_element() -> None:
    heights = [0.0, 0.1, 0.2, -0.3, -0.1, -0.2]  # 0.1 + 0.2 − 0.3 is not 0 to the last bit
    points = np.array([[k % 3, k // 3, z] for k, z in enumerate(heights)])
    tetrahedra = np.array([[0, 1, 2, 3], [0, 1, 4, 0], [0, 3, 4, 5], [1, 2, 3, 4], [0, 1, 2, 5]])
    assert abs(points[tetrahedra[0], 2].mean()) > 0
    assert in_plane(tetrahedra, points, 0, np.array([0.0, 0, 1])) == 2  # the fourth is not round the vertex


def test_a_plane_beside_the_centre_halves_nothing(tmp_path: Path) -> None:
    write(tmp_path, "keep", True, normal="(0.1, 0, 1)")
    assert number(tmp_path, "split_plane.centres_in_plane") == 0
