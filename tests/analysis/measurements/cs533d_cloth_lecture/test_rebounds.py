# SPDX-License-Identifier: BSD-3-Clause
"""Rods and cubes whose rebounds are put in: one of them is off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from measured import number, value_of

PAPER = "cs533d_cloth_lecture"
REFERENCE = {5: 0.885, 10: 0.933, 20: 0.961, 40: 0.976, 80: 0.985}


def rod(folder: Path, links: int, rebound: float, name: str = "elastic", restitution: float = 0.0, wave: float = 1.0,
        speed: float = 0.01, damping: float = 0.0, status: str = "completed") -> None:  # fmt: skip
    """Two particles, of which one has three times the mass: the mean speed is not that of the centre."""
    velocities = np.zeros((3, 2, 3))
    velocities[0, :, 0] = -speed
    velocities[2, 0, 0], velocities[2, 1, 0] = 4 * rebound * speed, 0.0
    write_trace(
        folder,
        f"{PAPER}/rebound",
        "force_cloth",
        name=name,
        parameters={"stretch_damping_s": damping},
        scene={"links": links, "restitution": restitution, "wave_speed_m_s": wave, "speed_m_s": speed, "length_m": 1.0},
        coordinates={"scene.parameters.links": links},
        status=status,
        arrays={"masses": np.array([1.0, 3.0])},
        series={"step": {"velocities": velocities}},
    )


@pytest.mark.parametrize("worst", REFERENCE)
def test_one_mesh_rebounds_otherwise(tmp_path: Path, worst: int) -> None:
    for n, e in REFERENCE.items():
        rod(tmp_path, n, e + 0.125 * (n == worst))
        rod(tmp_path, n, e - 0.25 * (n == worst), restitution=1.0)
    assert number(tmp_path, "rebound.error") == pytest.approx(0.125)
    assert number(tmp_path, "rebound.particle_difference") == pytest.approx(0.375)
    assert number(tmp_path, "rebound.particle_difference_of_fine_rods") == pytest.approx(0.375 * (worst == 80))
    assert number(tmp_path, "rebound.meshes") == 5
    assert number(tmp_path, "rebound.finest") == pytest.approx(0.985 - 0.25 * (worst == 80))


def test_a_stiffer_rod_is_compared_at_its_speed_and_mesh(tmp_path: Path) -> None:
    rod(tmp_path, 20, 0.9)
    rod(tmp_path, 20, 0.7, speed=0.02)
    rod(tmp_path, 20, 0.95, wave=10.0)
    assert number(tmp_path, "rebound.stiffness_change") == pytest.approx(0.05)


@pytest.mark.parametrize("worst", [0.02, 0.1, 0.3, 1.0])
def test_one_damping_ratio_is_off(tmp_path: Path, worst: float) -> None:
    for ratio, e in {0.02: 0.82, 0.1: 0.61, 0.3: 0.365, 1.0: 0.11}.items():
        rod(tmp_path, 40, e + 0.25 * (ratio == worst), name="damped", damping=4 * ratio / np.pi)
    assert number(tmp_path, "rebound.damped_error") == pytest.approx(0.25)
    assert number(tmp_path, "rebound.damping_ratios") == 4


def test_other_rods_have_no_reference(tmp_path: Path) -> None:
    rod(tmp_path, 7, 0.9)
    rod(tmp_path, 40, 0.5, name="damped", damping=0.2)
    assert value_of(tmp_path, "rebound.error").value is None
    assert "no reference for a damping ratio" in value_of(tmp_path, "rebound.damped_error").note
    rod(tmp_path, 5, 0.885, status="failed")
    assert "did not complete" in value_of(tmp_path, "rebound.error").note


def cube(folder: Path, cells: int, tilt: float, restitution: float, rebound: float, slide: float = 0.5) -> None:
    momentum = np.array([[0.5, -1.0, 0.0], [slide, 0.0, 0.0], [0.5, rebound, 0.0]])
    write_trace(
        folder,
        f"{PAPER}/rebound_block",
        "force_cloth",
        scene={"cells_across": cells, "tilt_deg": tilt, "restitution": restitution},
        coordinates={"scene.parameters.cells_across": cells},
        series={"step": {"linear_momentum": momentum}},
    )


@pytest.mark.parametrize("worst", [0.0, 30.0])
def test_the_difference_of_one_pose_does_not_fall(tmp_path: Path, worst: float) -> None:
    for tilt in (0.0, 30.0):
        for cells, difference in ((2, 0.2), (4, 0.1), (8, 0.05)):
            wrong = tilt == worst and cells == 8
            cube(tmp_path, cells, tilt, 0.0, 0.5)
            cube(tmp_path, cells, tilt, 1.0, 0.5 - (0.15 if wrong else difference), slide=0.75 if wrong else 0.5)
    assert number(tmp_path, "rebound_block.largest_ratio") == pytest.approx(1.5)
    assert number(tmp_path, "rebound_block.finest_difference") == pytest.approx(0.15)
    assert number(tmp_path, "rebound_block.slide_change") == pytest.approx(0.5)
    assert number(tmp_path, "rebound_block.least") == pytest.approx(0.3)
    assert number(tmp_path, "rebound_block.poses") == 2
