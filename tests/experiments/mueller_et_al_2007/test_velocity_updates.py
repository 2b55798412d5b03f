# SPDX-License-Identifier: BSD-3-Clause
"""Rebounds and friction: first contacts, the worst particle, run and step, against closed forms of a slope."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

G, DT = 9.81, 0.01


def dropped(
    folder: Path,
    row: str,
    asked: float,
    ratios: list[float],
    number: int = 0,
    experiment: str = "restitution",
    speeds: list[float] | None = None,
) -> None:
    """Particles that fall from another speed each, meet the plane in another step each,
    and bounce a second time with 0.01 of it."""
    count = len(ratios)
    v = np.zeros((2 * count + 4, count, 3))
    for k, ratio in enumerate(ratios):
        speed, bounces = -(speeds or [1.0 + k for k in range(count)])[k], 0
        for step in range(len(v)):
            if step:
                free = speed - G * DT
                if step in (k + 1, k + count + 2):
                    speed, bounces = (ratio if bounces == 0 else 0.01) * abs(free), bounces + 1
                else:
                    speed = free
            v[step, k, 1] = speed
    frame = {"positions": np.zeros_like(v), "velocities": v}
    scene = {"time_step_s": DT}
    write_cell(folder, experiment, row, {"restitution": asked, "number": number}, scene=scene, frame=frame)


def test_restitution_is_the_rebound_over_what_the_speed_would_have_been(tmp_path: Path) -> None:
    v = np.array([[[0.0, -1.0, 0]], [[0.0, -1.0981, 0]], [[0.0, 0.6, 0]], [[0.0, 0.5019, 0]]])
    series = {"frame": {"positions": np.zeros((4, 1, 3)), "velocities": v}}
    scene = {"time_step_s": 0.01}
    write_cell(tmp_path, "restitution", "corrected", {"restitution": 0.5}, scene=scene, series=series)
    assert number(tmp_path, "restitution.corrected_error") == pytest.approx(abs(0.6 / 1.1962 / 0.5 - 1), rel=1e-9)


def test_full_restitution_as_printed_is_told_by_its_mean_and_its_least(tmp_path: Path) -> None:
    dropped(tmp_path, "printed", 1.0, [0.9, 0.2, 0.7])
    assert number(tmp_path, "restitution.printed_mean") == pytest.approx(0.6)
    assert number(tmp_path, "restitution.printed_least") == pytest.approx(0.2)


@pytest.mark.parametrize("row", ["printed", "corrected"])
def test_the_error_is_that_of_the_worst_particle(tmp_path: Path, row: str) -> None:
    dropped(tmp_path, row, 0.5, [0.5, 0.4, 0.55])
    assert number(tmp_path, f"restitution.{row}_error") == pytest.approx(0.2)


def test_a_particle_that_has_not_met_the_plane_says_nothing(tmp_path: Path) -> None:
    dropped(tmp_path, "printed", 1.0, [0.5, -1.0, 0.5])  # the second goes on falling
    v = np.zeros((3, 2, 3))
    v[:, 0, 1], v[:, 1, 1] = [-1, 0.9, 0.8], -1 - G * DT * np.arange(3)
    series = {"frame": {"positions": v, "velocities": v}}
    scene = {"time_step_s": DT}
    write_cell(tmp_path / "one", "restitution", "printed", {"restitution": 1.0}, scene=scene, series=series)
    assert "has not met the plane" in value_of(tmp_path / "one", "restitution.printed_mean").note


def test_the_distance_from_the_uniform_distribution_is_that_of_kolmogorov(tmp_path: Path) -> None:
    dropped(tmp_path, "printed", 1.0, [0.25, 0.3, 0.1, 0.2])  # all low: 1 − 0.3 at the top
    assert number(tmp_path, "restitution.printed_uniform_distance") == pytest.approx(0.7 * 2)
    dropped(
        tmp_path / "high", "printed", 0.5, [0.45, 0.3, 0.35, 0.4]
    )  # 0.9, 0.6, 0.7, 0.8 of it: 0.6 − 0 at the bottom
    assert number(tmp_path / "high", "restitution.printed_uniform_distance") == pytest.approx(0.6 * 2)


def slide(
    folder: Path,
    row: str,
    slope: float,
    friction: float,
    speed: float,
    speeds: list[float],
    way: list[float] | None = None,
) -> None:
    """One particle with its speed downhill (negative uphill) and its way row by row."""
    downhill = np.array([np.cos(np.radians(slope)), -np.sin(np.radians(slope)), 0])
    x = 3.0 + np.cumsum(DT * np.array(speeds)) if way is None else np.array(way)
    frame = {
        "positions": (x[:, None] * downhill)[:, None],
        "velocities": (np.array(speeds)[:, None] * downhill)[:, None],
    }
    swept = {"slope_deg": slope, "friction": friction, "speed_m_s": speed}
    write_cell(folder, "friction_incline", row, swept, frame=frame, dt=DT)


ROWS = pytest.mark.parametrize("row", ["printed", "corrected"])


def other(row: str) -> str:
    return "printed" if row == "corrected" else "corrected"


@ROWS
def test_slopes_on_which_a_particle_at_rest_does_not_do_what_coulomb_says_are_counted(tmp_path: Path, row: str) -> None:
    still, back = [0.0] * 4, [3.0, 3.0, 3.00001, 3.0]
    slide(tmp_path, row, 30, 0.6, 0.0, still, [3.0] * 4)  # stays as it should
    slide(tmp_path, row, 30, 0.59, 0.0, still, back)  # moves in one row though it should stay
    slide(tmp_path, row, 30, 0.5, 0.0, still, [3.0] * 4)  # stays though it should slide
    slide(tmp_path, row, 30, 0.4, 0.0, still, [3.0, 3.1, 3.2, 3.3])
    slide(tmp_path, row, 30, 0.7, 2.0, still, [3.0, 3.1, 3.2, 3.3])  # pushed
    slide(tmp_path, other(row), 30, 0.7, 0.0, still, [3.0, 3.1, 3.2, 3.3])
    assert number(tmp_path, f"friction_incline.{row}_stick_errors") == 2


@ROWS
def test_friction_may_neither_reverse_nor_drive(tmp_path: Path, row: str) -> None:
    # On the level the speed without friction is that of before: 0.5 → 1.3 driven by 0.8; 1.5 → −0.3 reversed.
    slide(tmp_path, row, 0, 0.2, 2.0, [2.0, 0.5, 1.3, 0.2])
    assert number(tmp_path, f"friction_incline.{row}_friction_violation") == pytest.approx(0.4)
    slide(tmp_path / "reversed", row, 0, 0.1, 2.0, [2.0, 1.5, -0.3, -0.1])
    assert number(tmp_path / "reversed", f"friction_incline.{row}_friction_violation") == pytest.approx(0.3 / 2)


@ROWS
def test_a_violation_is_measured_by_the_largest_speed_with_or_without_friction(tmp_path: Path, row: str) -> None:
    slide(tmp_path, row, 30, 0.9, 0.0, [0.0, 0.02, -0.01, 0.0])  # without friction 0.02 m/s would be 0.02 + g Δt/2
    assert number(tmp_path, f"friction_incline.{row}_friction_violation") == pytest.approx(0.01 / (0.02 + 0.5 * G * DT))
    slide(tmp_path / "driven", row, 0, 0.9, 1.0, [1.0, 0.5, 3.0, 0.0])
    assert number(tmp_path / "driven", f"friction_incline.{row}_friction_violation") == pytest.approx(2.5 / 3)
    slide(tmp_path / "right", row, 30, 0.1, 0.0, [0.0, 0.04, 0.08, 0.12])
    assert number(tmp_path / "right", f"friction_incline.{row}_friction_violation") == 0


@ROWS
def test_friction_acts_in_every_step_where_even_the_slowest_damping_is_below_1(tmp_path: Path, row: str) -> None:
    slide(tmp_path, row, 0, 0.2, 2.0, [2.0, 1.0, 0.9, 0.45, 0.0, 0.0])
    assert number(tmp_path, f"friction_incline.{row}_slowest_damping") == pytest.approx(0.9)
    slide(tmp_path / "slope", row, 30, 0.2, 0.0, [0.0, 0.02, 0.03])
    assert number(tmp_path / "slope", f"friction_incline.{row}_slowest_damping") == pytest.approx(
        0.03 / (0.02 + 0.5 * G * DT)
    )


@ROWS
def test_the_acceleration_is_that_of_the_whole_slide_from_rest(tmp_path: Path, row: str) -> None:
    a = G * (np.sin(np.radians(30)) - 0.2 * np.cos(np.radians(30)))
    slide(tmp_path, row, 30, 0.2, 0.0, [0.0, 0.5 * a * DT, 2 * a * DT, 3 * a * DT * 0.9])
    assert number(tmp_path, f"friction_incline.{row}_acceleration_error") == pytest.approx(0.1)


@ROWS
def test_the_way_to_the_stop_is_that_of_the_last_row(tmp_path: Path, row: str) -> None:
    stop = 2.0**2 / (2 * G * (0.5 * np.cos(np.radians(10)) - np.sin(np.radians(10))))
    slide(tmp_path, row, 10, 0.5, 2.0, [2.0, 1.0, 0.0, 0.0], [0.0, 0.5 * stop, 2 * stop, 0.8 * stop])
    assert number(tmp_path, f"friction_incline.{row}_stop_error") == pytest.approx(0.2)


def test_low_drops_are_told_apart_by_twice_what_gravity_adds_in_a_step(tmp_path: Path) -> None:
    low = {"experiment": "restitution_low_drops", "speeds": [0.05, 0.05, 0.15]}  # 0.148, 0.246, 0.444 m/s at contact
    dropped(tmp_path, "corrected", 1.0, [-0.5, 1.0, 1.0], 1, **low)
    dropped(tmp_path, "corrected", 0.5, [-0.1, 0.5, 0.6], 2, **low)
    names = ("error", "error_of_fast", "rebound_of_slow", "slow_share")
    found = [number(tmp_path, f"restitution_low_drops.{n}") for n in names]
    assert found == pytest.approx([1.5, 0.2, -0.2, 1 / 3])


def test_the_printed_law_is_a_factor_up_to_a_coefficient_of_one(tmp_path: Path) -> None:
    slide(tmp_path, "printed", 0, 0.5, 2.0, [2.0, 1.0, 0.7])  # 0.5 was due
    slide(tmp_path, "printed", 0, 1.2, 2.0, [2.0, 1.0, 0.0])
    assert number(tmp_path, "friction_incline.printed_law_error") == pytest.approx(0.1)
