# SPDX-License-Identifier: BSD-3-Clause
"""Bending modes: those of one hinge of one seed leave a force, a torque, or lean; momenta of one frame are off."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import folded, vertices
from measured import add_frames, number, write_trace
from test_angle_slopes import heights_as_slopes

NAME, SHEET = "cs533d_cloth_lecture/bending_modes", "cs533d_cloth_lecture/crumpled_sheet"
FAR = np.array([600.0, -640.0, 480.0])


def write(folder: Path, change: np.ndarray, member: int = 1) -> None:
    """Two seeds; `change` is added to the slopes of hinge 2 of one, over its largest."""
    x = folded(np.array([0.3, -1.0, 2.0, 0.0]), heights=(0.01, 0.9)) + FAR
    path = write_trace(
        folder, f"{NAME} force_cloth modes", frame={"positions": np.array([x.reshape(1, -1, 3)] * 2)}, seeds=2
    )
    frames = []
    for seed in (0, 1):
        slopes = heights_as_slopes(x)
        if seed == member:
            slopes[2] += np.linalg.norm(slopes[2], axis=1).max() * change
        frames.append([(0, 0.0, {"hinge_vertices": vertices(len(x)), "hinge_slopes": slopes})])
    add_frames(path, frames)


def test_modes_balance(tmp_path: Path) -> None:
    write(tmp_path, np.zeros((4, 3)))
    for what in ("net_force", "torque"):
        assert number(tmp_path, f"bending_modes.{what}") < 1e-12
    assert number(tmp_path, "bending_modes.tilt") < 1e-10
    assert number(tmp_path, "bending_modes.offset") == pytest.approx(999.4 / 1.1, rel=0.01)
    assert number(tmp_path, "bending_modes.least_height") == pytest.approx(0.01 / 1.1, rel=1e-6)


@pytest.mark.parametrize("member", [0, 1])
def test_a_force_that_is_left_is_found(tmp_path: Path, member: int) -> None:
    change = np.zeros((4, 3))
    change[1] = [0, 0, 1e-5]
    write(tmp_path, change, member)
    assert number(tmp_path, "bending_modes.net_force") == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize("member", [0, 1])
def test_exchanged_ends_leave_a_torque_and_no_force(tmp_path: Path, member: int) -> None:
    x = folded(np.array([0.3, -1.0, 2.0, 0.0]), heights=(0.01, 0.9))
    slopes = heights_as_slopes(x)[2]
    change = (slopes[[1, 0, 2, 3]] - slopes) / np.linalg.norm(slopes, axis=1).max()
    write(tmp_path, change, member)
    assert number(tmp_path, "bending_modes.net_force") < 1e-12
    assert number(tmp_path, "bending_modes.torque") > 0.1


def test_a_slope_that_leans_is_found(tmp_path: Path) -> None:
    x = folded(np.array([0.3, -1.0, 2.0, 0.0]), heights=(0.01, 0.9))
    edge = (x[2, 1] - x[2, 0]) / np.linalg.norm(x[2, 1] - x[2, 0])
    change = np.zeros((4, 3))
    change[2] = 1e-4 * edge
    write(tmp_path, change)
    assert number(tmp_path, "bending_modes.tilt") == pytest.approx(1e-4, rel=1e-3)


def sheet(folder: Path, name: str, push: float = 0.0, twist: float = 0.0) -> None:
    """Four vertices of mass 1, 2, 3, 4 in flight; `push` and `twist` are added to the momenta of the middle frame."""
    mass = np.array([1.0, 2, 3, 4])
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]])
    v = np.tile(np.array([1.0, -2, 0.5]), (3, 4, 1))
    x = rest + np.arange(3)[:, None, None] * v
    v[1, 0, 0] += push
    if twist:
        v[1, 0, 1] += twist
        v[1, 1, 1] -= twist / 2
    arrays = {"masses": mass, "triangles": np.array([[0, 1, 2], [1, 3, 2]])}
    write_trace(folder, f"{SHEET} force_cloth {name}", frame={"positions": x, "velocities": v}, arrays=arrays)


def test_a_change_of_momentum_is_found_in_every_frame(tmp_path: Path) -> None:
    size = 10 * np.linalg.norm([1.0, -2, 0.5])
    sheet(tmp_path, "damped", push=1e-6)
    assert number(tmp_path, "crumpled_sheet.momentum_change") == pytest.approx(1e-6 / size, rel=1e-6, abs=0)
    sheet(tmp_path / "twisted", "damped", twist=1e-6)
    assert number(tmp_path / "twisted", "crumpled_sheet.momentum_change") < 1e-15
    assert number(tmp_path / "twisted", "crumpled_sheet.angular_momentum_change") > 1e-8
    assert number(tmp_path / "twisted", "crumpled_sheet.steps") == 2
    assert number(tmp_path / "twisted", "crumpled_sheet.triangles") == 2
    # One triangle lies in the plane, the normal of the other is (−1, −1, 2)/√6.
    assert number(tmp_path / "twisted", "crumpled_sheet.fold") == pytest.approx(
        np.arccos(2 / np.sqrt(6)) * np.sqrt(0.5)
    )
