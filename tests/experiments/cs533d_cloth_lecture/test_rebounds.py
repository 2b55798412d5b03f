# SPDX-License-Identifier: BSD-3-Clause
"""Rods and cubes whose rebounds are put in."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

PAPER = "cs533d_cloth_lecture"
REFERENCE = {5: 0.885, 10: 0.933, 20: 0.961, 40: 0.976, 80: 0.985}


def rod(folder: Path, links: int, rebound: float, name: str = "elastic", restitution: float = 0.0, wave: float = 1.0,
        speed: float = 0.01, damping: float = 0.0, status: str = "completed", gap: float = 0.0, courant: float = 0.5,
        stretch: float = 0.0) -> None:  # fmt: skip
    """Two particles, of which one has three times the mass: the mean speed is not that of the centre. `gap` over a
    link, and `stretch` at the end over the way of the start in the step."""
    velocities, positions = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
    step = courant / links / wave
    velocities[0, :, 0] = -speed
    velocities[2, 0, 0], velocities[2, 1, 0] = 4 * rebound * speed, 0.0
    positions[:, 1, 0] = 1.0 / links
    positions[2, 1, 0] += stretch * speed * step
    write_trace(
        folder,
        f"{PAPER}/rebound force_cloth {name}",
        parameters={"stretch_damping_s": damping},
        scene={
            "restitution": restitution,
            "wave_speed_m_s": wave,
            "speed_m_s": speed,
            "length_m": 1.0,
            "gap_m": gap / links,
            "time_step_s": step,
        },
        swept={"links": links},
        status=status,
        arrays={"masses": np.array([1.0, 3.0])},
        step={"velocities": velocities, "positions": positions},
    )


@pytest.mark.parametrize("links", [*REFERENCE, 160])
def test_a_mesh_rebounds_otherwise(tmp_path: Path, links: int) -> None:
    side = -1 if links in (10, 40) else 1  # of the reference
    e = {**REFERENCE, 160: 0.99}[links]
    rod(tmp_path, links, e + side * 0.125)
    rod(tmp_path, links, e - side * 0.25, restitution=1.0)
    assert number(tmp_path, "rebound.particle_difference") == pytest.approx(0.375)
    if links == 160:
        assert number(tmp_path, "rebound.particle_difference_of_fine_rods") == pytest.approx(0.375)
        assert number(tmp_path, "rebound.finest") == pytest.approx(0.74)
    else:
        assert number(tmp_path, "rebound.error") == pytest.approx(0.125)


def test_rods_with_other_gaps_and_steps_have_no_reference_but_an_energy(tmp_path: Path) -> None:
    """One of the two particles comes back: 8 e² of the energy of both, less what the step adds to it."""
    rod(tmp_path, 20, np.sqrt(0.75 / 4))  # a quarter of the mass was stopped
    assert number(tmp_path, "rebound.energy_error") < 1e-12
    # Half a step's way is left in the step of the contact: s² · 3 · ¼ more is lost of the quarter.
    kept = 1 - 0.25 * (1 + 0.8**2 * 3 * 0.25)
    rod(tmp_path, 20, np.sqrt(kept / 4), gap=0.8 * 3.5 * 0.01, courant=0.8)
    assert number(tmp_path, "rebound.energy_error") < 1e-9
    assert number(tmp_path, "rebound.least_energy_kept") == pytest.approx(kept)
    assert number(tmp_path, "rebound.spread_with_steps") == pytest.approx(np.sqrt(0.75 / 4) - np.sqrt(kept / 4))
    assert number(tmp_path, "rebound.longest_step") == pytest.approx(0.8)
    assert number(tmp_path, "rebound.largest_gap") == pytest.approx(0.028)
    rod(tmp_path, 40, np.sqrt(0.75 / 4), stretch=1.0)
    # Elastic 3/2 s² of m/2 v², and the step's share: what pulls the one that moves has braked it.
    s, v = 0.5, 4 * np.sqrt(0.75 / 4)
    wrong = 0.75 + (3 * s**2 + 3 * s**2 * v) / 4 - 0.75
    assert number(tmp_path, "rebound.energy_error") == pytest.approx(wrong)
    rod(tmp_path, 40, 0.75, restitution=1.0)
    assert number(tmp_path, "rebound.largest_energy_thrown_back") == pytest.approx(2.25)


def test_particles_without_springs_that_come_back_are_found(tmp_path: Path) -> None:
    rod(tmp_path, 20, -0.5, name="loose", speed=0.02)
    assert number(tmp_path, "rebound.without_springs") == pytest.approx(0.5)


def test_a_stiffer_rod_is_compared_at_its_speed_and_mesh(tmp_path: Path) -> None:
    rod(tmp_path, 20, 0.9)
    rod(tmp_path, 20, 0.7, speed=0.02)
    rod(tmp_path, 20, 0.95, wave=10.0)
    assert number(tmp_path, "rebound.stiffness_change") == pytest.approx(0.05)


@pytest.mark.parametrize(("ratio", "e"), [(0.02, 0.82), (0.1, 0.61), (0.3, 0.365), (1.0, 0.11)])
def test_a_damping_ratio_is_off(tmp_path: Path, ratio: float, e: float) -> None:
    rod(tmp_path, 40, e + 0.25, name="damped", damping=4 * ratio / np.pi)
    assert number(tmp_path, "rebound.damped_error") == pytest.approx(0.25)
    assert number(tmp_path, "rebound.damping_ratios") == 1


def test_other_rods_have_no_reference(tmp_path: Path) -> None:
    rod(tmp_path, 7, 0.9)
    rod(tmp_path, 40, 0.5, name="damped", damping=0.2)
    assert value_of(tmp_path, "rebound.error").value is None
    assert "no reference for a damping ratio" in value_of(tmp_path, "rebound.damped_error").note


def cube(
    folder: Path, cells: int, tilt: float, restitution: float, rebound: float, slide: float = 0.5, lost: float = 0.0
) -> None:
    """`lost` of the energy of the approach, four fifths of all: a half of the rest is elastic at the end."""
    momentum = np.array([[0.5, -1.0, 0.0], [slide, 0.0, 0.0], [0.5, rebound, 0.0]])
    scene = {"tilt_deg": tilt, "restitution": restitution}
    left = 10 * (1 - 0.8 * lost)
    energies = {"kinetic_energy": np.array([10, 9, left / 2]), "elastic_energy": np.array([0, 9, left / 2])}
    step = {"linear_momentum": momentum, **energies}
    swept = {"cells_across": cells}
    write_trace(folder, f"{PAPER}/rebound_block force_cloth", scene=scene, swept=swept, step=step)


def test_the_rebound_of_one_pose_changes_with_the_mesh(tmp_path: Path) -> None:
    for tilt in (0.0, 30.0):
        for cells, stopped in ((2, 0.9), (4, 0.5), (8, 0.6)):
            wrong = tilt == 30.0 and cells == 8
            stopped -= 0.15 * wrong
            cube(tmp_path, cells, tilt, 0.0, stopped)
            cube(tmp_path, cells, tilt, 1.0, stopped - (0.15 if wrong else 0.05), slide=0.75 if wrong else 0.5)
    assert number(tmp_path, "rebound_block.change_with_mesh") == pytest.approx(0.1)
    assert number(tmp_path, "rebound_block.finest_difference") == pytest.approx(0.15)
    assert number(tmp_path, "rebound_block.slide_change") == pytest.approx(0.5)
    assert number(tmp_path, "rebound_block.least") == pytest.approx(0.3)
    assert number(tmp_path, "rebound_block.poses") == 2


def test_the_energy_that_stopped_cubes_lose_is_that_of_the_approach(tmp_path: Path) -> None:
    for tilt, losses in ((0.0, (0.4, 0.2, 0.1)), (30.0, (0.1, 0.2, 0.15))):
        for cells, lost in zip((2, 4, 8), losses):
            cube(tmp_path, cells, tilt, 0.0, 0.6, lost=lost)
            cube(tmp_path, cells, tilt, 1.0, 0.6, lost=-0.125 * (cells == 4))
    assert number(tmp_path, "rebound_block.finest_loss") == pytest.approx(0.15)
    assert number(tmp_path, "rebound_block.loss_with_mesh") == pytest.approx(0.75)
    assert number(tmp_path, "rebound_block.thrown_back_gain") == pytest.approx(0.125)
