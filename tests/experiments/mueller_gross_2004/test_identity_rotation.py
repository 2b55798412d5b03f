# SPDX-License-Identifier: BSD-3-Clause
"""Warped against linear forces on made-up poses: one wrong force in one pose of one implementation is the
difference."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import ARRAYS, REST, SCENE, body

from deformbench_analysis.corotational import rotation_angles

NAME = "mueller_gross_2004/identity_rotation"


def write(
    folder: Path, name: str, field: str, poses: np.ndarray, forces: np.ndarray | None = None, **parameters: float
) -> np.ndarray:
    elements = body()
    found = np.array([elements.forces(x) for x in poses]) if forces is None else forces
    swept = {"schedule.poses.field": field, "schedule.poses.parameters": parameters}
    pose = {"positions": poses, "elastic_forces": found}
    write_trace(folder, f"{NAME} {name}_fem {name}", scene=SCENE, arrays=ARRAYS, swept=swept, pose=pose)
    return found


def stretches() -> np.ndarray:
    return np.array([REST * [s, 2 - s, 1] for s in (0.8, 1.1, 1.4)])


def near_rest(size: float) -> np.ndarray:
    random = np.random.default_rng(5).standard_normal((4, *REST.shape))
    return np.array(REST + size * random)


def test_warped_forces_are_linear_without_rotation_and_tend_to_them_in_proportion_to_the_angle(tmp_path: Path) -> None:
    for name in ("warped", "naive"):
        write(tmp_path, name, "stretch", stretches())
        for size in (1e-2, 1e-3, 1e-4):
            write(tmp_path, name, "random_positions", near_rest(size), deviation_m=size)
    assert number(tmp_path, "identity_rotation.warped_difference") < 1e-13
    assert number(tmp_path, "identity_rotation.naive_difference") < 1e-13
    assert number(tmp_path, "identity_rotation.strain") == pytest.approx(0.4)
    assert (
        0.9
        < number(tmp_path, "identity_rotation.least_order")
        <= number(tmp_path, "identity_rotation.largest_order")
        < 1.1
    )
    assert 0.01 < number(tmp_path, "identity_rotation.difference_over_angle") < 100


def test_one_wrong_force_of_one_pose_is_the_difference_of_that_implementation_alone(tmp_path: Path) -> None:
    forces = write(tmp_path, "warped", "stretch", stretches())
    forces = forces.copy()
    forces[2, 4, 1] += 0.5
    write(tmp_path, "naive", "stretch", stretches(), forces)
    expected = 0.5 / np.linalg.norm(body().forces(stretches()[2], np.broadcast_to(np.eye(3), (2, 3, 3))), axis=1).max()
    assert number(tmp_path, "identity_rotation.naive_difference") == pytest.approx(expected)
    assert number(tmp_path, "identity_rotation.warped_difference") < 1e-13


def test_linear_forces_in_the_place_of_warped_ones_have_another_order(tmp_path: Path) -> None:
    identity = np.broadcast_to(np.eye(3), (2, 3, 3))
    for name in ("warped", "naive"):
        for size in (1e-2, 1e-3, 1e-4):
            poses = near_rest(size)
            forces = (
                np.array([body().forces(x, identity) * (1 + 3 * size**2) for x in poses]) if name == "naive" else None
            )
            write(tmp_path, name, "random_positions", poses, forces, deviation_m=size)
    assert number(tmp_path, "identity_rotation.largest_order") == pytest.approx(2, abs=0.1)


def test_one_pose_that_does_not_tend_to_linear_forces_is_the_least_order(tmp_path: Path) -> None:
    for name in ("warped", "naive"):
        for size in (1e-2, 1e-3, 1e-4):
            poses = near_rest(size)
            forces = np.array([body().forces(x) for x in poses])
            if name == "warped":
                forces[3] *= 1.05
            write(tmp_path, name, "random_positions", poses, forces, deviation_m=size)
    assert number(tmp_path, "identity_rotation.least_order") < 0.5


@pytest.mark.parametrize("name", ["warped", "naive"])
def test_the_difference_is_that_of_the_worst_field(tmp_path: Path, name: str) -> None:
    identity = np.broadcast_to(np.eye(3), (2, 3, 3))
    for field, off in (("dilate", 1e-3), ("stretch", 2e-3)):
        forces = np.array([body().forces(x, identity) for x in stretches()])
        forces[1] *= 1 + off
        write(tmp_path, name, field, stretches(), forces)
    found = value_of(tmp_path, f"identity_rotation.{name}_difference")
    assert found.value == pytest.approx(2e-3) and "field=stretch" in found.note


def test_orders_are_between_neighbouring_sizes_and_the_largest_angle_of_each_pose_counts(tmp_path: Path) -> None:
    """Two poses a size, forces longer by a factor of the largest angle;
    the middle size of the second is half as long again."""
    identity = np.broadcast_to(np.eye(3), (2, 3, 3))
    directions = np.random.default_rng(5).standard_normal((2, *REST.shape))
    angles = {}
    for scales in ((1e-3, 1e-1), (2e-4, 1e-3), (1e-4, 1e-2)):  # by the largest: the last is the middle one
        poses = REST + np.array(scales)[:, None, None] * directions
        angles[scales] = np.array([rotation_angles(body().rotations(x)).max() for x in poses])
        for name, factor in (("warped", 2.0), ("naive", 1.0)):
            longer = factor * angles[scales]
            if name == "naive":
                longer[1] *= 1.5 if scales[1] == 1e-2 else 1
            forces = np.array([(1 + s) * body().forces(x, identity) for s, x in zip(longer, poses)])
            write(tmp_path, name, "random_positions", poses, forces, deviation_m=scales[1])
    small, middle, large = (angles[k][1] for k in ((2e-4, 1e-3), (1e-4, 1e-2), (1e-3, 1e-1)))
    assert number(tmp_path, "identity_rotation.largest_order") == pytest.approx(
        1 + np.log(1.5) / np.log(middle / small), rel=1e-6
    )
    assert number(tmp_path, "identity_rotation.least_order") == pytest.approx(
        1 - np.log(1.5) / np.log(large / middle), rel=1e-6
    )
    assert number(tmp_path, "identity_rotation.difference_over_angle") == pytest.approx(2, rel=1e-6)


def test_the_difference_over_the_angle_is_that_of_one_pose(tmp_path: Path) -> None:
    identity = np.broadcast_to(np.eye(3), (2, 3, 3))
    for name in ("warped", "naive"):
        for size in (1e-2, 1e-3):
            poses = near_rest(size)
            angles = [rotation_angles(body().rotations(x)).max() for x in poses]
            factors = [1.0, 1.0, 3.0 if name == "warped" and size == 1e-3 else 1.0, 1.0]
            forces = np.array([(1 + f * a) * body().forces(x, identity) for f, a, x in zip(factors, angles, poses)])
            write(tmp_path, name, "random_positions", poses, forces, deviation_m=size)
    assert number(tmp_path, "identity_rotation.difference_over_angle") == pytest.approx(3, rel=1e-6)
