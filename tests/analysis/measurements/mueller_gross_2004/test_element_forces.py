# SPDX-License-Identifier: BSD-3-Clause
"""Rotations of made-up poses against singular values: one element's wrong rotation in one pose, or a moved rest shape that turns it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from small_bodies import ARRAYS, REST, SCENE, TETS, body, value

from deformbench_analysis.mesh import deformation_gradients

NAME = "mueller_gross_2004/element_forces"
OFFSET = [30.0, -20.0, 10.0]


def turn(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def write(folder: Path, wrong: dict[tuple[str, bool], np.ndarray] | None = None) -> dict[tuple[str, bool], np.ndarray]:
    """Three traces with right rotations, or with those of `wrong`; returns the right ones."""
    random = np.random.default_rng(6)
    poses = {
        "random_rigid": np.array([REST @ turn(a).T + a for a in (0.3, 2.0, -1.0)]),
        "random_positions": REST + 0.1 * random.standard_normal((3, *REST.shape)),
    }
    right = {}
    for field, moved in (("random_rigid", False), ("random_positions", False), ("random_positions", True)):
        x = poses[field] + (np.array(OFFSET) if moved else 0)
        right[field, moved] = np.array([body().rotations(p) for p in poses[field]])
        rotations = (wrong or {}).get((field, moved), right[field, moved])
        offset = OFFSET if moved else [0.0, 0, 0]
        write_trace(
            folder,
            NAME,
            "warped_fem",
            name="warped",
            scene={**SCENE, "rest_offset_m": offset},
            schedule={"poses": {"field": field}},
            coordinates={"schedule.poses.field": field, "scene.parameters.rest_offset_m": offset},
            arrays={**ARRAYS, "rest_positions": REST + np.array(offset)},
            series={"pose": {"positions": x, "rotations": rotations.reshape(3, -1, 9)}},
        )
    return right


def fixed(pose: int) -> np.ndarray:
    """How well a random pose fixes the rotation of each element."""
    random = np.random.default_rng(6)
    x = (REST + 0.1 * random.standard_normal((3, *REST.shape)))[pose]
    s = np.linalg.svd(deformation_gradients(REST, TETS, x), compute_uv=False)
    return np.asarray((s[:, 1] + s[:, 2]) / s[:, 0])


def test_right_rotations_have_no_error_wherever_the_rest_shape_lies(tmp_path: Path) -> None:
    write(tmp_path)
    assert value(tmp_path, "element_forces.rotation_error") < 1e-13
    assert value(tmp_path, "element_forces.rest_translation_difference") == 0
    assert value(tmp_path, "element_forces.rest_distance") == pytest.approx(np.sqrt(1400))


def test_the_identity_in_the_place_of_one_rotation_is_its_error(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_rigid", False].copy()
    wrong[1, 1] = np.eye(3)
    write(tmp_path / "wrong", {("random_rigid", False): wrong})
    assert value(tmp_path / "wrong", "element_forces.rotation_error") == pytest.approx(
        2 * np.abs(turn(2.0) - np.eye(3)).max(), rel=1e-12
    )
    assert (
        value(tmp_path / "wrong", "element_forces.rotation_orthogonality") < 1e-13
    ), "that it is a rotation says nothing"


def test_one_rotation_that_changes_with_the_place_of_the_rest_shape_is_the_difference(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_positions", True].copy()
    wrong[2, 0] = turn(1e-3) @ wrong[2, 0]
    write(tmp_path / "wrong", {("random_positions", True): wrong})
    expected = np.abs(wrong[2, 0] - right["random_positions", True][2, 0]).max() * fixed(2)[0]
    assert value(tmp_path / "wrong", "element_forces.rest_translation_difference") == pytest.approx(expected)
    assert value(tmp_path / "wrong", "element_forces.rotation_error") == pytest.approx(expected)


def test_the_largest_rotation_of_any_element_of_any_random_pose_is_found(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_positions", False].copy()
    wrong[1, 1] = turn(2.5)
    write(tmp_path / "wrong", {("random_positions", False): wrong})
    assert value(tmp_path / "wrong", "element_forces.largest_rotation") == pytest.approx(2.5)
