# SPDX-License-Identifier: BSD-3-Clause
"""A free spinning block: one row or one time step of several has another volume or another angular momentum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from measured import number, value_of

EXPERIMENT = "mueller_gross_2004/rigid_motion"
OMEGA = 5.0  # rad/s about z
# Two masses of 3 kg and one of 4 kg: Σ m r² = 3·5 + 3·4 = 27 kg m² about z, whatever their height.
POINTS, MASSES = np.array([[1.0, 2, 7], [0, 2, 5], [0, 0, 3]]), np.array([3.0, 3.0, 4.0])
VOLUME, YOUNG, POISSON = 2.0, 1e5, 0.2
INFLATION = (1 - 2 * POISSON) * OMEGA**2 * 27 / (YOUNG * VOLUME)


def spun(
    folder: Path,
    name: str,
    dt: float,
    ratios: list[float],
    momentum: list[float] | None = None,
    status: str = "completed",
    energy: list[float] | None = None,
) -> None:
    about = np.outer(momentum or np.ones(len(ratios)), [0, -0.6, 0.8])
    write_trace(
        folder,
        EXPERIMENT,
        "warped_fem",
        name=name,
        dt=dt,
        status=status,
        arrays={"rest_positions": POINTS, "masses": MASSES},
        scene={
            "angular_velocity_rad_s": [0.0, 0, OMEGA],
            "time_step_s": dt,
            "poisson_ratio": POISSON,
            "young_modulus_pa": YOUNG,
        },
        coordinates={"scene.parameters.time_step_s": dt},
        series={
            "step": {
                "volume": VOLUME * np.array(ratios),
                "angular_momentum": about,
                "total_energy": np.array(energy or np.ones(len(ratios))),
            }
        },
    )


STEPS = (0.001, 0.01, 0.1)  # ω Δt = 0.005, 0.05 and 0.5


@pytest.mark.parametrize("worst", STEPS)
def test_linear_elements_grow_as_their_spin_says_but_for_one_row(tmp_path: Path, worst: float) -> None:
    for dt in STEPS:
        ratios = [1 + (OMEGA * dt * n) ** 2 for n in range(5)]
        ratios[2] *= 1.25 if dt == worst else 0.99
        spun(tmp_path, "linear", dt, ratios)
    assert number(tmp_path, "rigid_motion.linear_volume_error") == pytest.approx(0.25)


def expected(dt: float) -> float:
    return (OMEGA * dt) ** 2 + INFLATION


@pytest.mark.parametrize("worst", STEPS[:2])
def test_the_estimate_of_the_inflation_is_compared_with_the_last_row_where_it_applies(
    tmp_path: Path, worst: float
) -> None:
    for dt in STEPS:
        spun(tmp_path, "warped", dt, [1.0, 1.5, 1 + expected(dt) * (0.7 if dt == worst else 1.1 if dt < 0.1 else 9)])
    assert number(tmp_path, "rigid_motion.warped_inflation_error") == pytest.approx(0.3)


def test_the_excess_is_that_of_the_worst_row_of_the_worst_time_step(tmp_path: Path) -> None:
    for dt, most in ((0.0005, 0.01), (0.001, 0.04), (0.01, 0.02), (0.1, 0.3), (0.2, 0.25)):
        spun(tmp_path, "warped", dt, [1.0, 1 + most, 1 + most / 4])
    spun(tmp_path, "linear", 0.1, [1.0, 9.0, 1.0])
    assert number(tmp_path, "rigid_motion.warped_volume_excess") == pytest.approx(0.04)
    assert number(tmp_path, "rigid_motion.warped_volume_excess_all") == pytest.approx(0.3)


@pytest.mark.parametrize(
    "quantity",
    [
        "linear_volume_error",
        "warped_inflation_error",
        "warped_volume_excess",
        "warped_volume_excess_all",
    ],
)
def test_the_worst_of_the_others_stands_for_no_time_step_that_diverged(tmp_path: Path, quantity: str) -> None:
    for dt, status in ((0.001, "completed"), (0.01, "diverged")):
        spun(tmp_path, quantity.split("_")[0], dt, [1.0, 1.01, 1.02], status=status)
    assert "1 cells did not complete" in value_of(tmp_path, f"rigid_motion.{quantity}").note


@pytest.mark.parametrize("worst", STEPS[:2])
def test_a_volume_that_is_not_finite_is_no_small_error(tmp_path: Path, worst: float) -> None:
    for dt in STEPS[:2]:
        for name in ("linear", "warped"):
            spun(tmp_path, name, dt, [1.0, 1.01, float("nan") if dt == worst else 1.02])
    for quantity in (
        "linear_volume_error",
        "warped_inflation_error",
        "warped_volume_excess",
        "warped_volume_excess_all",
    ):
        assert value_of(tmp_path, f"rigid_motion.{quantity}").note == "not a number"


def test_energy_rises_from_its_running_minimum_at_whatever_time_step(tmp_path: Path) -> None:
    flat = [1.0] * 4
    spun(tmp_path, "warped", 0.001, flat, energy=[8.0, 7, 6, 5])
    spun(tmp_path, "linear", 0.1, flat, energy=[8.0, 1, 80, 1])
    assert number(tmp_path, "rigid_motion.warped_energy_rise") == 0
    spun(tmp_path, "warped", 0.1, flat, energy=[8.0, 2, 6, 5])  # below the start all the time
    assert number(tmp_path, "rigid_motion.warped_energy_rise") == pytest.approx(4 / 8)
