# SPDX-License-Identifier: BSD-3-Clause
"""Damping of the deviation from rigid motion: one wrong particle of one member of one cell is the error."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.mueller_et_al_2007.measurements.rigid_damping import rigid_part

MASSES = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def damped(folder: Path, k: float, wrong: dict[tuple[int, int], list[float]]) -> None:
    """Three members; `wrong`: (member, particle) → what is added to its velocity after the step."""
    random = np.random.default_rng(7)
    positions, velocities = [], []
    for member in range(3):
        x, v = random.standard_normal((5, 3)), random.standard_normal((5, 3))
        rigid = rigid_part(x, v, MASSES)
        after = rigid + (1 - k) * (v - rigid)
        for (m, particle), change in wrong.items():
            if m == member:
                after[particle] += change
        positions.append([x, x + 0.5 * v])
        velocities.append([v, after])
    frame = {"positions": np.array(positions), "velocities": np.array(velocities)}
    swept = {"method.parameters.damping": k}
    arrays = {"masses": MASSES}
    write_trace(folder, "mueller_et_al_2007/damping_rigid pbd", swept=swept, arrays=arrays, seeds=3, frame=frame)


NAMES = ("deviation_error", "linear_momentum_change", "angular_momentum_change", "energy_factor_error")


def test_an_exact_step_has_no_error(tmp_path: Path) -> None:
    for k in (0.1, 0.5, 1.0):
        damped(tmp_path, k, {})
    assert max(number(tmp_path, f"damping_rigid.{n}") for n in NAMES) < 1e-13
    assert number(tmp_path, "damping_rigid.not_finite") == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("member", [0, 1, 2])
def test_one_wrong_particle_is_the_error_whichever_member_has_it(tmp_path: Path, name: str, member: int) -> None:
    for k in (0.1, 0.5, 0.9):
        damped(tmp_path / "clean", k, {})
        damped(tmp_path / "wrong", k, {(member, 3): [0.5, -0.25, 0.125]} if k == 0.5 else {})
    assert number(tmp_path / "clean", f"damping_rigid.{name}") < 1e-13
    assert number(tmp_path / "wrong", f"damping_rigid.{name}") > 0.005


def test_changes_of_momentum_are_measured_against_the_sum_of_the_particles_own(tmp_path: Path) -> None:
    damped(tmp_path, 0.5, {(1, 3): [0.0, 0.25, 0.0]})
    random = np.random.default_rng(7)
    x, v = [(random.standard_normal((5, 3)), random.standard_normal((5, 3))) for _ in range(2)][1]
    assert number(tmp_path, "damping_rigid.linear_momentum_change") == pytest.approx(
        4.0 * 0.25 / (MASSES @ np.linalg.norm(v, axis=1))
    )
    own = MASSES @ np.linalg.norm(np.cross(x, v), axis=1)
    assert number(tmp_path, "damping_rigid.angular_momentum_change") == pytest.approx(
        4.0 * 0.25 * np.hypot(x[3, 0], x[3, 2]) / own
    )
    assert number(tmp_path, "damping_rigid.deviation_error") == pytest.approx(0.25 / np.abs(v).max())
    deviation = v - rigid_part(x, v, MASSES)
    after = 0.5 * deviation
    after[3, 1] += 0.25
    energies = [float(MASSES @ (d**2).sum(axis=1)) for d in (deviation, after)]
    assert number(tmp_path, "damping_rigid.energy_factor_error") == pytest.approx(abs(energies[1] / energies[0] - 0.25))


def test_velocities_that_are_not_finite_are_counted_over_all_members(tmp_path: Path) -> None:
    damped(tmp_path, 0.5, {(0, 1): [np.nan, 0, 0], (2, 4): [0, np.inf, np.nan]})
    damped(tmp_path, 0.9, {(1, 1): [0, 0, np.nan]})
    assert number(tmp_path, "damping_rigid.not_finite") == 4
