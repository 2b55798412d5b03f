# SPDX-License-Identifier: BSD-3-Clause
"""What happens in the big scenes, on made-up runs: one vertex, one body or one row decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace

from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.results import Results

PAPER = "mueller_et_al_2007/"


def measured(folder: Path, name: str) -> Value:
    return Measurer(Results(folder, "paper", {}), "paper")(name)


def about_y(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])


def stripes(folder: Path, leans: np.ndarray, twists: np.ndarray, slip: float = 0.0, kinetic: tuple[float, ...] = (0.0, 1.0, 0.5, 0.2)) -> None:
    """Two bodies below; angles [row, body]. One vertex is attached to the second body and slips in row 2."""
    place = np.stack([np.zeros_like(leans), 1.6 - 0.9 * np.cos(leans), 0.9 * np.sin(leans)], axis=-1)
    turns = np.array([[about_y(a) for a in row] for row in twists])
    x = place[:, 1:2] + np.einsum("rkl,l->rk", turns[:, 1], [0.1, 0, 0])[:, None]
    x[2, 0, 1] += slip
    write_trace(folder, PAPER + "stripes", "pbd", name="pbd", scene={"top_m": 1.6, "length_m": 0.8},
                arrays={"rigid_masses": np.ones(2), "attachments": np.array([[0, 1]]), "masses": np.ones(1)},
                series={"frame": {"positions": x, "rigid_positions": place, "rigid_orientations": turns},
                        "step": {"kinetic_energy": np.array(kinetic), "gravitational_energy": np.array([0.0, -1.0, -0.6, -0.3])}})


SWINGS = np.array([[0.9, 0.9], [0.0, 0.1], [-0.7, -0.5], [0.2, 0.1]])
TWISTS = np.array([[0.0, 0], [0.5, 0.6], [-0.4, -0.8], [0.1, 0]])


def test_the_body_that_swings_and_twists_least_decides(tmp_path: Path) -> None:
    stripes(tmp_path, SWINGS, TWISTS)
    assert measured(tmp_path, "stripes.swing").value == pytest.approx(0.5)
    assert measured(tmp_path, "stripes.twist").value == pytest.approx(0.4)
    assert measured(tmp_path, "stripes.attachment_error").value == pytest.approx(0, abs=1e-12)
    assert measured(tmp_path, "stripes.energy_gain").value == pytest.approx(0)


def test_a_body_that_only_turns_one_way_does_not_twist_and_one_row_off_its_place_is_seen(tmp_path: Path) -> None:
    stripes(tmp_path, SWINGS, np.abs(TWISTS), slip=0.02, kinetic=(0.0, 1.0, 0.9, 0.2))
    assert measured(tmp_path, "stripes.twist").value == pytest.approx(0)
    assert measured(tmp_path, "stripes.attachment_error").value == pytest.approx(0.02 / 0.8)
    assert measured(tmp_path, "stripes.energy_gain").value == pytest.approx(0.3)


def torn(folder: Path, ball_z: list[float], ball_x: float = 0.0, pieces: tuple[int, ...] = (1, 1, 2, 2, 4)) -> None:
    place = np.zeros((5, 2, 3))
    place[:, 1] = [[ball_x, 0.5, z] for z in ball_z]
    write_trace(folder, PAPER + "tearing", "pbd", name="pbd", scene={"ball_start_s": 0.035, "ball_radius_m": 0.1}, dt=0.01,
                arrays={"rest_positions": np.array([[-1.0, 0, 0], [1, 1, 0]])},
                series={"frame": {"positions": np.zeros((5, 2, 3)), "rigid_positions": place},
                        "step": {"torn_vertices": np.array([0.0, 0, 3, 7, 9]), "component_count": np.array(pieces, float)}})


def test_what_the_ball_tears_is_counted_from_when_it_is_thrown(tmp_path: Path) -> None:
    torn(tmp_path, [1, 1, 1, 0.5, -0.3])
    assert measured(tmp_path, "tearing.torn_by_cube").value == 7 and measured(tmp_path, "tearing.pieces_by_ball").value == 2
    assert measured(tmp_path, "tearing.ball_passage").value == pytest.approx(3.0)


@pytest.mark.parametrize("z, x, least", [([1, 1, 1, 0.5, 0.05], 0.0, -0.5), ([1, 1, 1, 0.5, -0.3], 1.5, -np.inf), ([1, 1, 1, 0.5, -0.05], 0.0, 0.5)])
def test_a_ball_that_stays_in_front_or_flies_past_or_sticks_has_not_passed(tmp_path: Path, z: list[float], x: float, least: float) -> None:
    torn(tmp_path, z, x)
    assert measured(tmp_path, "tearing.ball_passage").value == pytest.approx(least)


def squeezed(folder: Path, ends: list[list[float]], volumes: list[float] | None = None) -> None:
    """Three vertices above a pair of gears with the axes at y = 1, x = ±0.5; where they end."""
    start = np.array([[-0.1, 2, 0], [0, 2.2, 0], [0.1, 2, 0]])
    x = np.array([start, start, np.array(ends)])
    place = np.tile([[[-0.5, 1, 0], [0.5, 1, 0]]], (3, 1, 1)).astype(float)
    write_trace(folder, PAPER + "gears", "pbd", name="pbd", scene={"gear_length_m": 0.9}, series={
        "frame": {"positions": x, "rigid_positions": place},
        "operator": {"self_intersections": np.array([0.0, 50, 2])},
        "step": {"component_volumes": np.array(volumes or [2.0, 1.9, 2.2])[:, None], "edge_strain_rms": np.array([0.0, 0.3, 0.05])}})


def test_all_of_the_character_must_pass_between_the_axes(tmp_path: Path) -> None:
    below = [[-0.1, 0.2, 0], [0, 0.2, 0], [0.1, 0.2, 0]]
    squeezed(tmp_path / "good", below)
    assert measured(tmp_path / "good", "gears.passed").value == 1
    assert measured(tmp_path / "good", "gears.crossings_at_end").value == 2 and measured(tmp_path / "good", "gears.strain_at_end").value == 0.05
    for name, wrong in (("on_top", [0.1, 1.5, 0]), ("beside", [3.0, 0.2, 0]), ("off_the_end", [0.1, 0.2, 2.0])):
        squeezed(tmp_path / name, [*below[:2], wrong])
        assert measured(tmp_path / name, "gears.passed").value == pytest.approx(2 / 3), name


def test_a_character_that_is_inside_out_for_one_row_has_a_negative_volume(tmp_path: Path) -> None:
    squeezed(tmp_path, [[0, 0, 0]] * 3, [2.0, -0.4, 2.2])
    assert measured(tmp_path, "gears.least_volume").value == pytest.approx(-0.2)


def test_an_obstacle_that_meets_no_cloth_is_missed(tmp_path: Path) -> None:
    corners = np.array([[0.0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]])
    sides = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    place = np.zeros((2, 3, 3))
    place[:, 1], place[:, 2] = [[5.0, 0, 0], [5.1, 0, 0]], [[1.0, 0, 0], [2.0, 0, 0]]  # the first body stands still
    x = np.array([[[2.05, 0.05, -0.5]], [[2.05, 0.05, -0.01]]])
    arrays = {f"rigid_{k}_{part}": data for k in range(3) for part, data in (("positions", corners), ("triangles", sides))}
    write_trace(tmp_path, PAPER + "level", "pbd", name="pbd", parameters={"contact_offset_m": 0.01}, arrays=arrays,
                series={"frame": {"positions": x, "rigid_positions": place, "rigid_orientations": np.tile(np.eye(3), (2, 3, 1, 1))}})
    assert measured(tmp_path, "level.obstacles_met").value == pytest.approx(1 / 2)


def test_a_run_that_ends_diverged_is_counted(tmp_path: Path) -> None:
    energy = {"step": {"kinetic_energy": np.ones(2)}}
    write_trace(tmp_path, PAPER + "level", "pbd", name="pbd", series=energy)
    write_trace(tmp_path, PAPER + "level", "pbd", name="other", status="diverged", series=energy)
    assert measured(tmp_path, "level.diverged").value == 1


def test_steps_a_second_are_the_slowest_runs(tmp_path: Path) -> None:
    from conftest import write_timing
    for name, seconds in (("a", 2e-3), ("b", 4e-3)):
        write_timing(write_trace(tmp_path, PAPER + "stripes", "pbd", name=name, series={"step": {"kinetic_energy": np.ones(2)}}), np.full((5, 40), seconds))
    assert measured(tmp_path, "stripes.steps_per_second").value == pytest.approx(250.0)


def test_the_highest_rise_of_the_cloth_is_over_the_drums_radius(tmp_path: Path) -> None:
    x = np.zeros((3, 2, 3))
    x[1, :, 1], x[2, :, 1] = [0.3, 0.1], [-0.1, -0.1]
    write_trace(tmp_path, PAPER + "barrel", "pbd", name="pbd", scene={"drum_radius_m": 0.5}, series={"frame": {"positions": x}})
    assert measured(tmp_path, "barrel.carried").value == pytest.approx(0.3 / 0.5)
