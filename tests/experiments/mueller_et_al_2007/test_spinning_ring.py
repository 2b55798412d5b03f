# SPDX-License-Identifier: BSD-3-Clause
"""Momenta of a free dumbbell and ring: the worst row and run, and the recursion of the dumbbell's turns."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

from experiments.mueller_et_al_2007.measurements import spinning_ring


def test_turns_of_a_dumbbell_are_the_worked_ones() -> None:
    turns = spinning_ring.dumbbell_turns(0.05, 100)
    assert np.sin(turns[[0, 9, 99]]) / 0.05 == pytest.approx([0.99875, 0.97705, 0.81711], abs=5e-6)


def spun(
    folder: Path, ratios: np.ndarray, *, name: str = "pbd", particles: int = 2, speed: float = 5.0, drift: float = 0.0
) -> None:
    """L about the axis is 3 kg m²/s times the ratios; the linear momentum leaves its first value by `drift` in one
    middle row. ω Δt = 0.01 ω."""
    rows = len(ratios)
    angular, linear = np.full((rows, 3), 7.0), np.tile([0.1, 0.2, 0.3], (rows, 1))
    angular[:, 2] = 3 * ratios
    linear[rows // 2, 1] += drift
    linear[-1, 0] += 0.5 * drift
    swept = {"particles": particles, "angular_velocity_rad_s": speed}
    step = {"angular_momentum": angular, "linear_momentum": linear}
    scene = {"time_step_s": 0.01, "diameter_m": 0.4}
    write_cell(folder, "momentum", name, swept, scene=scene, arrays={"masses": np.array([1.0, 3.0])}, step=step)


def test_the_linear_change_is_the_worst_over_the_momentum_of_the_spin(tmp_path: Path) -> None:
    for name, speed, drift in (("pbd", 5.0, 0.4), ("start_gradients", 5.0, 0.8), ("pbd", 20.0, 1.6)):
        spun(tmp_path, np.ones(5), name=name, speed=speed, drift=drift)
    assert number(tmp_path, "momentum.linear_change") == pytest.approx(0.8 / (4 * 5 * 0.2))


def test_the_loss_is_that_of_the_worst_row_and_run_of_each_kind_of_gradients(tmp_path: Path) -> None:
    for name, losses in (
        ("pbd", {(2, 1.0): 0.1, (2, 5.0): 0.4, (12, 5.0): 0.3, (12, 20.0): -0.2, (2, 20.0): 0.1}),
        ("start_gradients", {(2, 5.0): 0.01, (12, 5.0): -0.06, (12, 20.0): 0.02}),
    ):
        for (particles, speed), loss in losses.items():
            spun(tmp_path, np.array([1.0, 0.99, 1 - loss, 0.995]), name=name, particles=particles, speed=speed)
    expected = {"angular_loss": 0.4, "start_gradient_loss": 0.06, "ring_loss": 0.3}
    assert {k: number(tmp_path, "momentum." + k) for k in expected} == pytest.approx(expected)
    assert "particles=2, angular_velocity_rad_s=5" in value_of(tmp_path, "momentum.angular_loss").note


def test_the_loss_of_a_step_is_compared_with_the_square_of_its_own_turn(tmp_path: Path) -> None:
    for speed, particles, worst in ((1.0, 2, 0.5), (5.0, 12, 0.9), (20.0, 2, 0.7)):
        turn = 0.01 * speed
        ratios = [1.0]
        for share in (0.3, 0.2, -worst, 0.4):  # one step gains
            ratios.append(ratios[-1] * (1 - share * (turn * ratios[-1]) ** 2))
        spun(tmp_path, np.array(ratios), speed=speed, particles=particles)
    spun(tmp_path, np.array([1.0, 0.5, 0.5]), name="start_gradients")
    found = value_of(tmp_path, "momentum.loss_per_turn_squared")
    assert found.value == pytest.approx(0.9) and "particles=12" in found.note


def test_the_loss_of_a_hundred_steps_is_the_dumbbells_at_a_twentieth_of_a_radian(tmp_path: Path) -> None:
    ratios = 1 - 0.001 * np.arange(150)
    spun(tmp_path, ratios, speed=5.0)
    spun(tmp_path, ratios**2, speed=20.0)
    spun(tmp_path, ratios**3, speed=5.0, particles=12)
    spun(tmp_path, ratios**4, speed=5.0, name="start_gradients")
    assert number(tmp_path, "momentum.loss_of_hundred_steps") == pytest.approx(0.1)


def test_the_recursion_is_missed_by_the_worst_row_of_any_speed(tmp_path: Path) -> None:
    for speed, off in ((1.0, 1e-4), (5.0, -3e-4), (20.0, 2e-4)):
        turns = [np.arctan(0.01 * speed)]
        for _ in range(20):
            turns.append(np.arctan(np.sin(turns[-1]) / (2 - np.cos(turns[-1]))))
        ratios = np.array([1.0, *(np.sin(turns) / (0.01 * speed))])
        ratios[8] += off
        spun(tmp_path, ratios, speed=speed)
        spun(tmp_path, 0 * ratios + 1, speed=speed, particles=12)
    assert number(tmp_path, "momentum.recursion_error") == pytest.approx(3e-4)
