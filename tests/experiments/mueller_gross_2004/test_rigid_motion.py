# SPDX-License-Identifier: BSD-3-Clause
"""A free spinning block: one row has another volume."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/rigid_motion"
OMEGA = 5.0  # rad/s about z
# Two masses of 3 kg and one of 4 kg: Σ m r² = 3·5 + 3·4 = 27 kg m² about z, whatever their height.
POINTS, MASSES = np.array([[1.0, 2, 7], [0, 2, 5], [0, 0, 3]]), np.array([3.0, 3.0, 4.0])
VOLUME, YOUNG, POISSON = 2.0, 1e5, 0.2
INFLATION = (1 - 2 * POISSON) * OMEGA**2 * 27 / (YOUNG * VOLUME)


def spun(folder: Path, name: str, dt: float, ratios: list[float], energy: list[float] | None = None) -> None:
    scene = {"angular_velocity_rad_s": [0.0, 0, OMEGA], "poisson_ratio": POISSON, "young_modulus_pa": YOUNG}
    step = {"volume": VOLUME * np.array(ratios), "total_energy": np.array(energy or np.ones(len(ratios)))}
    arrays = {"rest_positions": POINTS, "masses": MASSES}
    swept = {"time_step_s": dt}
    write_trace(folder, f"{EXPERIMENT} warped_fem {name}", dt=dt, arrays=arrays, scene=scene, swept=swept, step=step)


DT = 0.01  # ω Δt = 0.05


def test_linear_elements_grow_as_their_spin_says_but_for_one_row(tmp_path: Path) -> None:
    ratios = [1 + (OMEGA * DT * n) ** 2 for n in range(5)]
    ratios[2] *= 1.25
    spun(tmp_path, "linear", DT, ratios)
    assert number(tmp_path, "rigid_motion.linear_volume_error") == pytest.approx(0.25)


@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_the_estimate_of_the_inflation_is_compared_with_the_last_row(tmp_path: Path, factor: float) -> None:
    spun(tmp_path, "warped", DT, [1.0, 1.5, 1 + ((OMEGA * DT) ** 2 + INFLATION) * factor])
    assert number(tmp_path, "rigid_motion.warped_inflation_error") == pytest.approx(0.3)


def test_the_excess_is_that_of_the_worst_row(tmp_path: Path) -> None:
    spun(tmp_path, "warped", DT, [1.0, 1.04, 1.01])
    assert number(tmp_path, "rigid_motion.warped_volume_excess") == pytest.approx(0.04)
    assert number(tmp_path, "rigid_motion.warped_volume_excess_all") == pytest.approx(0.04)


def test_a_volume_that_is_not_finite_is_no_small_error(tmp_path: Path) -> None:
    for name in ("linear", "warped"):
        spun(tmp_path, name, DT, [1.0, 1.01, float("nan")])
    quantities = "linear_volume_error warped_inflation_error warped_volume_excess warped_volume_excess_all"
    for quantity in quantities.split():
        assert "not a number" in value_of(tmp_path, f"rigid_motion.{quantity}").note


@pytest.mark.parametrize(
    "energy, rise", [([8.0, 7, 6, 5], 0.0), ([8.0, 2, 6, 5], 4 / 8)]
)  # below the start all the time
def test_energy_rises_from_its_running_minimum(tmp_path: Path, energy: list[float], rise: float) -> None:
    spun(tmp_path, "warped", 0.1, [1.0] * 4, energy=energy)
    assert number(tmp_path, "rigid_motion.warped_energy_rise") == pytest.approx(rise)
