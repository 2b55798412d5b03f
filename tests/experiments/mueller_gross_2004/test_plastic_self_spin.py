# SPDX-License-Identifier: BSD-3-Clause
"""The block that turns itself, on made-up ensembles: one row of one member is wrong."""

import math
from pathlib import Path

import numpy as np
import pytest
from made_up_runs import BODY, SPIN_INERTIA, ensemble
from measured import number

from experiments.mueller_gross_2004.measurements import plastic_self_spin as m

STEPS = [0, 5, 10, 15]


def write(
    folder: Path,
    name: str,
    *,
    spin: list[list[float]],
    total: list[list[float]] | None = None,
    torque: list[list[float]] | None = None,
    force: list[list[float]] | None = None,
    largest: list[list[float]] | None = None,
    creep: float = 0.0,
) -> None:
    rows, count = len(STEPS), len(spin)

    def vectors(values: list[list[float]] | None, axis: int) -> np.ndarray:
        out = np.zeros((count, rows, 3))
        out[:, :, axis] = np.zeros((count, rows)) if values is None else values
        return out

    scalars = {
        "total_energy": total or [[9.0, 4, 4, 4]] * count,
        "kinetic_energy": [[0.0, 1, 1, 1]] * count,
        "max_elastic_force": largest or [[2.0] * rows] * count,
    }
    ensemble(
        folder,
        m.M.experiment,
        name,
        {
            **{k: np.array(v, dtype=float) for k, v in scalars.items()},
            "angular_momentum": vectors(spin, 2),
            "elastic_torque_sum": vectors(torque, 0),
            "elastic_force_sum": vectors(force, 1),
        },
        STEPS,
        arrays=BODY,
        scene={"side_m": 0.5, "time_step_s": 0.01},
        swept={"method.parameters.plastic_creep_per_s": creep},
    )


FLAT = [[0.0, 1, 1, 1], [0.0, 1, 1, 1]]


@pytest.mark.parametrize("body", ["elastic", "plastic"])
def test_spin_gained_counts_from_the_start_of_each_member_over_its_own_energy(tmp_path: Path, body: str) -> None:
    write(tmp_path, body, spin=[[0.0, 1, 1, 1], [0.0, 1, 3, 2]], total=[[1.0, 1, 1, 1], [4.0, 1, 1, 1]])
    gained = 3 / math.sqrt(2 * 4 * SPIN_INERTIA)
    assert number(tmp_path, f"plastic_self_spin.{body}_spin_gained") == pytest.approx(gained)


@pytest.mark.parametrize("body", ["elastic", "plastic"])
def test_torque_is_over_the_largest_force_of_the_run(tmp_path: Path, body: str) -> None:
    torque, largest = [[0.0, 0.1, 0, 0], [0.0, 0, 0, 0.3]], [[2.0, 2, 2, 2], [2.0, 2, 1, 1e-9]]  # ends at equilibrium
    write(tmp_path, body, spin=FLAT, torque=torque, largest=largest)
    assert number(tmp_path, f"plastic_self_spin.{body}_torque") == pytest.approx(0.3)


def test_the_least_torque_is_that_of_the_least_member_of_the_least_run(tmp_path: Path) -> None:
    write(tmp_path, "plastic", spin=FLAT, torque=[[0.0, 0.1, 0, 0], [0.0, 0, 0, 0.3]], creep=1.0)
    torque = [[0.0, 0.05, 0, 0], [0.0, 0, 0.02, 0]]
    write(tmp_path, "plastic", spin=FLAT, torque=torque, force=[[0.0, 0, 0, 0], [0.0, 1e-9, 0, 0]], creep=20.0)
    write(tmp_path, "elastic", spin=FLAT, torque=[[0.0, 0, 0, 0], [0.0, 0, 1e-13, 0]])
    assert number(tmp_path, "plastic_self_spin.plastic_torque_least") == pytest.approx(0.02)
    assert number(tmp_path, "plastic_self_spin.plastic_force_sum") == pytest.approx(0.5e-9, rel=1e-6, abs=0)


def test_a_rise_is_over_the_energy_of_its_own_start(tmp_path: Path) -> None:
    write(tmp_path, "plastic", spin=FLAT, total=[[100.0, 2, 103, 8], [10.0, 1, 6, 8]], creep=20.0)
    assert number(tmp_path, "plastic_self_spin.plastic_energy_rise") == pytest.approx(101 / 100)
    assert number(tmp_path, "plastic_self_spin.plastic_energy_over_start") == pytest.approx(1.03)
