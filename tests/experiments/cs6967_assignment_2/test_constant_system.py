# SPDX-License-Identifier: BSD-3-Clause
"""Bars that bend by made-up angles: one run gains energy, is broken off, or ends elsewhere."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

EXPERIMENT = "cs6967_assignment_2/constant_system"
REST = np.array([[x, y, 0.0] for x in (0.0, 0.5, 1.0) for y in (0.0, 0.1)])
LOADS = {1e5: (5.0, 40.0), 1e6: (9.0, 60.0)}  # degrees of a small and of a large bend by stiffness


def swing(
    folder: Path,
    name: str,
    young: float,
    degrees: float,
    gain: float = -0.1,
    off: float = 0.0,
    status: str = "completed",
) -> None:
    """The last cell turns by `degrees` in the second row; `gain` of energy there over the supply, `off` of the end
    over the length."""
    turn = np.radians(degrees)
    x = np.tile(REST, (3, 1, 1))
    x[1, 4:, :2] = REST[2:4, :2] + 0.5 * np.array([np.cos(turn), -np.sin(turn)])
    x[2, 4:, 2] += off
    gravity = [0, -degrees, 0]
    step = {
        "positions": x,
        "total_energy": np.array([7.0, 7.0 + 4.0 * gain, 6.0]),
        "gravitational_energy": np.array([2.0, -2.0, 0.0]),
    }
    swept = {"young_modulus_pa": young, "gravity_m_s2": gravity}
    arrays = {"rest_positions": REST}
    write_trace(folder, f"{EXPERIMENT} warped_fem {name}", swept=swept, step=step, arrays=arrays, status=status)


def all_swings(folder: Path, worst: tuple[float, float] = (0.0, 0.0), **fault: object) -> None:
    for young, bends in LOADS.items():
        for degrees in bends:
            swing(folder, "every_step", young, degrees)
            found = fault if (young, degrees) == worst else {}
            swing(folder, "constant", young, degrees, **found)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "worst,is_small", [((1e5, 5.0), True), ((1e6, 9.0), True), ((1e5, 40.0), False), ((1e6, 60.0), False)]
)
def test_one_bend_that_gains_energy_and_ends_elsewhere_is_found(
    tmp_path: Path, worst: tuple[float, float], is_small: bool
) -> None:
    all_swings(tmp_path, worst, gain=0.3, off=0.2)
    assert number(tmp_path, "constant_system.energy_excess") == pytest.approx(0.3)
    assert number(tmp_path, "constant_system.tip_difference") == pytest.approx(0.2)
    small = (0.3, 0.2) if is_small else (0.0, 0.0)
    assert number(tmp_path, "constant_system.energy_excess_of_small_bends") == pytest.approx(small[0])
    assert number(tmp_path, "constant_system.tip_difference_of_small_bends") == pytest.approx(small[1])
    assert number(tmp_path, "constant_system.energy_excess_of_every_step") == 0
    assert number(tmp_path, "constant_system.largest_angle") == pytest.approx(60.0)
    assert number(tmp_path, "constant_system.small_bends") == 2


def test_a_run_that_is_broken_off_has_no_bound(tmp_path: Path) -> None:
    all_swings(tmp_path, (1e6, 60.0), status="diverged")
    assert number(tmp_path, "constant_system.energy_excess") == np.inf
    assert number(tmp_path, "constant_system.tip_difference") == np.inf
    assert number(tmp_path, "constant_system.energy_excess_of_small_bends") == 0
