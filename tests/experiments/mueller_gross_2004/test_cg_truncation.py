# SPDX-License-Identifier: BSD-3-Clause
"""Fixed numbers of iterations: the ends of free falls, momentum that is lost,
and one row of a tip that swings elsewhere."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

FALL, MOMENTUM, CANTILEVER = (f"mueller_gross_2004/cg_truncation{n}" for n in ("", "_momentum", "_cantilever"))
G = np.array([0.0, -10.0, 0.0])
T = np.array([0.0, 0.1, 0.2, 0.3])
SOFT, STIFF = 1e5, 1e7
PAPER, REMEDY = ("none", "velocity"), ("mass", "velocity_plus_force")


def write(
    folder: Path,
    experiment: str,
    kind: tuple[str, str],
    modulus: float,
    series: dict[str, np.ndarray],
    *,
    iterations: int = 20,
    name: str = "warped",
    gravity: np.ndarray = G,
    solver: str = "cg",
) -> None:
    own: dict[str, Any] = {"cg_iterations": iterations, "cg_preconditioner": kind[0], "cg_start": kind[1]}
    scene = {"young_modulus_pa": modulus, "gravity_m_s2": gravity.tolist()}
    parameters = {"solver": solver}
    coordinates = {
        **{f"method.parameters.{k}": v for k, v in own.items()},
        **{f"scene.parameters.{k}": v for k, v in scene.items()},
    }
    arrays = {"masses": np.array([1.0, 2.0, 5.0])}
    run = f"{experiment} warped_fem {name}"
    write_trace(folder, run, parameters=parameters, dt=0.1, coordinates=coordinates, arrays=arrays, step=series)


def fall(folder: Path, kind: tuple[str, str], modulus: float, end: float, **more: Any) -> None:
    """Falls with g but in its last row, where it is as much too slow as `end` says, a part of it sidewards (3,
    4, 5)."""
    velocity = np.outer(T, G)
    velocity[2] = 0.0  # on the way it does not count
    velocity[3] = [0.6 * 3 * end, -3 + 0.8 * 3 * end, 0]
    write(folder, FALL, kind, modulus, {"centre_of_mass_velocity": velocity}, **more)


@pytest.mark.parametrize("name, modulus", [("soft", SOFT), ("stiff", STIFF)])
def test_the_error_of_a_free_fall_is_that_of_its_end(tmp_path: Path, name: str, modulus: float) -> None:
    fall(tmp_path, PAPER, modulus, 0.2)
    assert number(tmp_path, f"cg_truncation.paper_free_fall_error_{name}") == pytest.approx(0.2)


def thrown(
    folder: Path, kind: tuple[str, str], lost: float, *, gravity: np.ndarray = G, modulus: float = STIFF, **more: Any
) -> None:
    """8 kg with 9 J at first: √(2 M E) = 12 kg m/s. From (1, 2, 3) kg m/s on gravity adds 8 g t,
    but for a share of 12 kg m/s."""
    momentum = np.array([1.0, 2.0, 3.0]) + np.outer(T, 8 * gravity)
    momentum[2] += 50
    momentum[3] += [0, 0.6 * 12 * lost, -0.8 * 12 * lost]
    series = {"linear_momentum": momentum, "kinetic_energy": np.array([9.0, 4.0, 2.0, 1.0])}
    write(folder, MOMENTUM, kind, modulus, series, gravity=gravity, **more)


def test_lost_momentum_is_that_of_the_end_over_that_of_the_motion_at_the_start(tmp_path: Path) -> None:
    thrown(tmp_path, PAPER, 0.25, gravity=0 * G)
    assert number(tmp_path, "cg_truncation_momentum.paper_momentum_drift_stiff") == pytest.approx(0.25)


@pytest.mark.parametrize("gravity", [0 * G, G])
def test_gravity_is_no_drift_of_the_remedy(tmp_path: Path, gravity: np.ndarray) -> None:
    thrown(tmp_path, REMEDY, 0.125, gravity=gravity)
    assert number(tmp_path, "cg_truncation_momentum.remedy_momentum_drift_max") == pytest.approx(0.125)


def tips(folder: Path, modulus: float, off: float, rows: int = 4) -> None:
    """Bends by 4 m in the row before the last; with 20 iterations it is `off` by so much in the second."""
    exact = np.array([[0.0, 0, 0], [0, -1, 0], [0, -2.4, -3.2], [0, -2, 0]])
    write(folder, CANTILEVER, PAPER, modulus, {"tip_displacement": exact}, name="exact", solver="direct")
    moved = exact.copy()
    moved[1] += [0.6 * off, 0.8 * off, 0]
    write(folder, CANTILEVER, PAPER, modulus, {"tip_displacement": moved[:rows]})
    write(folder, CANTILEVER, PAPER, modulus, {"tip_displacement": 9 * exact}, iterations=5)


def test_one_row_off_is_the_error_of_the_tip_over_the_largest_deflection(tmp_path: Path) -> None:
    tips(tmp_path, SOFT, 0.4)
    tips(tmp_path, STIFF, 3.0)
    assert number(tmp_path, "cg_truncation_cantilever.paper_tip_error_soft") == pytest.approx(0.1)
    assert number(tmp_path, "cg_truncation_cantilever.paper_tip_error_stiff") == pytest.approx(0.75)


def test_a_run_that_ended_early_is_not_compared(tmp_path: Path) -> None:
    tips(tmp_path, SOFT, 0.4, rows=3)
    assert "3 rows against 4" in value_of(tmp_path, "cg_truncation_cantilever.paper_tip_error_soft").note
