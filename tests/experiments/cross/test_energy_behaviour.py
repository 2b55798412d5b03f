# SPDX-License-Identifier: BSD-3-Clause
"""Energies of swinging bars: one moment of one step is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "cross/energy_behaviour"


def swung(folder: Path, name: str, scheme: str, dt: float, change: float) -> None:
    """Starts with 100 J; in one row alone it has `change` times 50 J more.
    Only the finest leap-frog reaches 50 J elastic."""
    energy = np.full(6, 100.0)
    energy[3] += 50.0 * change
    elastic = np.array([0, 10, 50.0 if (scheme, dt) == ("leap_frog", 0.005) else 80.0, 20, 5, 1])
    method = {"warped": "warped_fem", "meshless": "meshless"}.get(name, "implicit_fem")
    parameters = {"scheme": scheme} if scheme else {}
    coordinates = {"scene.parameters.time_step_s": dt, "scheme": scheme}
    step = {"total_energy": energy, "elastic_energy": elastic, "kinetic_energy": elastic}
    write_trace(
        folder, f"{EXPERIMENT} {method} {name}", parameters=parameters, coordinates=coordinates, dt=dt, step=step
    )


def test_deviations_are_those_of_the_worst_row_and_step(tmp_path: Path) -> None:
    for dt, k in ((0.005, 1), (0.01, 4), (0.02, 10)):
        swung(tmp_path, "explicit", "leap_frog", dt, 1e-4 * k)
        swung(tmp_path, "explicit", "symplectic_euler", dt, {1: 0.001, 4: -0.002, 10: 0.003}[k])
        swung(tmp_path, "newton", "implicit_midpoint", dt, {1: 1e-6, 4: -5e-5, 10: 2e-5}[k])
        swung(tmp_path, "newton", "implicit_euler", dt, -0.1 * k)
        swung(tmp_path, "newton", "bdf2", dt, -0.01 * k)
        swung(tmp_path, "meshless", "", dt, 2e-3 * (dt / 0.01) ** 2)
        swung(tmp_path, "warped", "", dt, -0.1 * k - (0.02 if k == 4 else 0.001))
    assert number(tmp_path, "energy_behaviour.leap_frog_deviation") == pytest.approx(1e-3)
    assert number(tmp_path, "energy_behaviour.symplectic_deviation") == pytest.approx(0.003)
    assert number(tmp_path, "energy_behaviour.midpoint_deviation") == pytest.approx(5e-5)
    assert number(tmp_path, "energy_behaviour.implicit_euler_deviation") == pytest.approx(0.1)
    assert number(tmp_path, "energy_behaviour.bdf2_deviation") == pytest.approx(0.1)
    assert number(tmp_path, "energy_behaviour.warped_against_implicit_euler") == pytest.approx(0.02)
    assert number(tmp_path, "energy_behaviour.leap_frog_order") == pytest.approx(2.0)
    assert number(tmp_path, "energy_behaviour.symplectic_order") == pytest.approx(1.0)
    assert number(tmp_path, "energy_behaviour.meshless_deviation") == pytest.approx(8e-3)
    assert number(tmp_path, "energy_behaviour.meshless_order") == pytest.approx(2.0)


def test_one_step_has_no_order(tmp_path: Path) -> None:
    swung(tmp_path, "explicit", "leap_frog", 0.005, 1e-4)
    assert "an order needs two" in value_of(tmp_path, "energy_behaviour.leap_frog_order").note
