# SPDX-License-Identifier: BSD-3-Clause
"""Rotations of made-up poses against singular values: one element's wrong rotation in one pose,
or a moved rest shape that turns it."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import ARRAYS, REST, SCENE, TETS, body, turn

from deformbench_analysis.mesh import deformation_gradients, linear_forces

NAME = "mueller_gross_2004/element_forces"
OFFSET = [0.0, -37.0, 0.0]


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
        pose = {"positions": x, "rotations": rotations.reshape(3, -1, 9)}
        swept = {"schedule.poses.field": field, "rest_offset_m": offset}
        arrays = {**ARRAYS, "rest_positions": REST + np.array(offset)}
        write_trace(folder, f"{NAME} warped_fem warped", scene=SCENE, swept=swept, arrays=arrays, pose=pose)
    return right


def fixed(pose: int) -> np.ndarray:
    """How well a random pose fixes the rotation of each element."""
    random = np.random.default_rng(6)
    x = (REST + 0.1 * random.standard_normal((3, *REST.shape)))[pose]
    s = np.linalg.svd(deformation_gradients(REST, TETS, x), compute_uv=False)
    return np.asarray((s[:, 1] + s[:, 2]) / s[:, 0])


def test_right_rotations_have_no_error_wherever_the_rest_shape_lies(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "element_forces.rotation_error") < 1e-13
    assert number(tmp_path, "element_forces.rest_translation_difference") == 0
    assert number(tmp_path, "element_forces.rest_distance") == pytest.approx(37)


def test_the_identity_in_the_place_of_one_rotation_is_its_error(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_rigid", False].copy()
    wrong[1, 1] = np.eye(3)
    write(tmp_path / "wrong", {("random_rigid", False): wrong})
    assert number(tmp_path / "wrong", "element_forces.rotation_error") == pytest.approx(
        2 * np.abs(turn(2.0) - np.eye(3)).max(), rel=1e-12, abs=0
    )
    assert (
        number(tmp_path / "wrong", "element_forces.rotation_orthogonality") < 1e-13
    ), "that it is a rotation says nothing"


def test_one_rotation_that_changes_with_the_place_of_the_rest_shape_is_the_difference(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_positions", True].copy()
    wrong[2, 0] = turn(1e-3) @ wrong[2, 0]
    write(tmp_path / "wrong", {("random_positions", True): wrong})
    expected = np.abs(wrong[2, 0] - right["random_positions", True][2, 0]).max() * fixed(2)[0]
    assert number(tmp_path / "wrong", "element_forces.rest_translation_difference") == pytest.approx(expected)
    assert number(tmp_path / "wrong", "element_forces.rotation_error") == pytest.approx(expected)


def test_the_largest_rotation_of_any_element_of_any_random_pose_is_found(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_positions", False].copy()
    wrong[1, 1] = turn(2.5)
    write(tmp_path / "wrong", {("random_positions", False): wrong})
    assert number(tmp_path / "wrong", "element_forces.largest_rotation") == pytest.approx(2.5)


def test_the_distance_is_that_of_the_nearest_vertex_over_the_shortest_edge(tmp_path: Path) -> None:
    for moved in (False, True):
        offset = [0.0, 0, 37 * moved]
        rest = 0.5 * REST + np.array(offset)
        rest[3, 2] += 2 * moved
        schedule = {"poses": {"field": "random_positions"}}
        arrays, at = {**ARRAYS, "rest_positions": rest}, {"rest_offset_m": offset}
        write_trace(tmp_path, f"{NAME} warped_fem warped", scene=SCENE, schedule=schedule, swept=at, arrays=arrays)
    assert number(tmp_path, "element_forces.rest_distance") == pytest.approx(37 / 0.5)


def test_one_entry_of_one_elements_rotation_is_the_spread_and_one_that_is_no_rotation_is_seen(tmp_path: Path) -> None:
    right = write(tmp_path / "right")
    wrong = right["random_rigid", False].copy()
    wrong[1, 1] = turn(2.0 + 1e-3) @ np.diag([1, 1, 1.01])
    write(tmp_path / "wrong", {("random_rigid", False): wrong})
    folder = tmp_path / "wrong"
    assert number(folder, "element_forces.rigid_rotation_spread") == pytest.approx(0.01)
    assert number(folder, "element_forces.rotation_orthogonality") == pytest.approx(1.01**2 - 1)
    assert number(folder, "element_forces.rotation_determinant_error") == pytest.approx(0.01)


def test_the_polar_factor_of_an_inverted_element_reflects(tmp_path: Path) -> None:
    mirrored = REST @ np.diag([1.0, 1.0, -1.0])
    for folder, poses in (("upright", [REST @ turn(1.0).T]), ("inverted", [REST @ turn(1.0).T, mirrored])):
        schedule = {"poses": {"field": "random_positions"}}
        scene = {**SCENE, "rest_offset_m": [0.0, 0, 0]}
        arrays = {**ARRAYS, "rest_positions": REST}
        pose = {"positions": np.array(poses)}
        write_trace(
            tmp_path / folder, f"{NAME} warped_fem warped", scene=scene, schedule=schedule, arrays=arrays, pose=pose
        )
    assert number(tmp_path / "upright", "element_forces.polar_determinant_error") < 1e-13
    assert number(tmp_path / "inverted", "element_forces.polar_determinant_error") == pytest.approx(2)
    assert number(tmp_path / "inverted", "element_forces.upright_determinant_error") < 1e-13


def write_forces(
    folder: Path, name: str, field: str, rotation: np.ndarray, wrong: float = 0.0, **more: np.ndarray
) -> float:
    """Three poses with R f_linear(Rᵀx) of one rotation, one force of one pose off by `wrong`;
    returns the largest force."""
    x = REST + 0.1 * np.random.default_rng(6).standard_normal((3, *REST.shape))
    young, poisson = SCENE["young_modulus_pa"], SCENE["poisson_ratio"]
    forces = np.array([linear_forces(REST, TETS, p @ rotation, young, poisson) @ rotation.T for p in x])
    largest = float(np.linalg.norm(forces, axis=2).max())
    at = np.unravel_index(np.linalg.norm(forces, axis=2).argmin(), forces.shape[:2])
    forces[at] += [0, wrong, 0]
    rotations = np.tile(rotation.ravel(), (3, len(TETS), 1))
    pose = {"positions": x, "elastic_forces": forces, "rotations": rotations, **more}
    swept = {"schedule.poses.field": field}
    write_trace(folder, f"{NAME} warped_fem {name}", scene=SCENE, swept=swept, arrays=ARRAYS, pose=pose)
    return largest


@pytest.mark.parametrize(
    "row, name, rotation", [("linear", "linear", np.eye(3)), ("warped_global", "global", turn(0.7))]
)
def test_one_force_of_one_pose_is_the_difference_over_the_largest_force_of_all(
    tmp_path: Path, row: str, name: str, rotation: np.ndarray
) -> None:
    largest = write_forces(tmp_path, row, "random_positions", rotation, wrong=0.3)
    assert number(tmp_path, f"element_forces.{name}_difference") == pytest.approx(0.3 / largest)


def test_two_rotations_of_one_pose_are_not_one_rotation_for_the_body(tmp_path: Path) -> None:
    rotations = np.tile(np.eye(3), (3, len(TETS), 1, 1))
    rotations[1, 1] = turn(0.1)
    write_forces(tmp_path, "warped_global", "random_positions", np.eye(3), rotations=rotations.reshape(3, -1, 9))
    assert "more than one rotation" in value_of(tmp_path, "element_forces.global_difference").note


def test_the_largest_force_of_any_rigid_pose_is_over_young_times_the_squared_edge(tmp_path: Path) -> None:
    for name, peak in (("warped", 3e-10), ("linear", 50.0)):
        forces = np.array([0.1 * peak, peak, 0.2 * peak])
        write_forces(tmp_path, name, "random_rigid", np.eye(3), max_elastic_force=forces)
    assert number(tmp_path, "element_forces.rigid_force") == pytest.approx(3e-10 / 1000, rel=1e-6, abs=0)
    assert number(tmp_path, "element_forces.linear_rigid_force") == pytest.approx(50 / 1000)


def test_one_pose_has_the_largest_error_of_the_gradient(tmp_path: Path) -> None:
    write_forces(tmp_path, "warped", "random_positions", np.eye(3), energy_gradient_error=np.array([1e-9, 1e-6, 1e-8]))
    assert number(tmp_path, "element_forces.energy_gradient_error") == pytest.approx(1e-6)
