# SPDX-License-Identifier: BSD-3-Clause
"""Cycles of one spring by a small model of its own: some with another yield stress, slope or memory."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import driven
from measured import number

VALUES = [0, 0.15, -0.15, 0.15, -0.15, 0.15]
TENSION, COMPRESSION = 0.05, 0.03
SLOW = [0, 1, 3, 5, 7, 9]
STEPS = (0.04, 0.02, 0.01)


def stresses(strains: np.ndarray, hardening: float, memory: float = 1.0, slope: float = 1.0) -> np.ndarray:
    """`memory`: share of earlier flow that hardens; `slope`: factor on the stress beyond the yield stress."""
    plastic = flow = 0.0
    found = []
    for strain in strains:
        sign = 1 if strain > plastic else -1
        over = sign * (strain - plastic) - (TENSION if sign > 0 else COMPRESSION) - hardening * flow
        if over > 0:
            plastic += sign * over / (1 + hardening)
            flow = memory * flow + over / (1 + hardening)
        found.append(slope * (strain - plastic))
    return np.array(found)


def run(folder: Path, name: str, dt: float, fast: bool = False, hardening: float | None = None,
        **wrong: float) -> None:  # fmt: skip
    of_row = {"perfect": 0.0, "hardening": 0.2, "creep": 0.2}[name]
    times = np.array(SLOW) / (10 if fast else 1)
    t = np.arange(int(round(times[-1] / dt)) + 1) * dt
    strains = np.interp(t, times, VALUES)
    driven(
        folder,
        "spring_cycles",
        name,
        strains[:, None],
        stresses(strains, of_row if hardening is None else hardening, **wrong)[:, None],
        np.array([0.2]),
        parameters={"yield_tension": TENSION, "yield_compression": COMPRESSION, "hardening": of_row},
        scene={"programme_times_s": times.tolist(), "programme_values": VALUES},
        swept={"time_step_s": dt},
        dt=dt,
    )


def all_runs(folder: Path) -> None:
    for name in ("perfect", "hardening", "creep"):
        for dt in STEPS:
            run(folder, name, dt)


def test_right_cycles_have_no_error(tmp_path: Path) -> None:
    all_runs(tmp_path)
    assert number(tmp_path, "spring_cycles.loop_area_error") < 0.005
    assert number(tmp_path, "spring_cycles.hardening_slope_error") < 1e-9
    assert number(tmp_path, "spring_cycles.hardened_stress_error") < 1e-12
    assert number(tmp_path, "spring_cycles.yield_error") < 1e-12
    assert number(tmp_path, "spring_cycles.step_sizes") == 3


def test_a_larger_loop(tmp_path: Path) -> None:
    run(tmp_path, "perfect", 0.01, slope=1.25)
    assert number(tmp_path, "spring_cycles.loop_area_error") == pytest.approx(0.25, abs=0.01)
    assert number(tmp_path, "spring_cycles.yield_error") == pytest.approx(0.25)


def test_hardening_at_another_slope(tmp_path: Path) -> None:
    run(tmp_path, "hardening", 0.01, hardening=0.25)
    assert number(tmp_path, "spring_cycles.hardening_slope_error") == pytest.approx(0.2)


def test_earlier_flow_that_is_forgotten(tmp_path: Path) -> None:
    run(tmp_path, "hardening", 0.01, memory=0.5)
    assert number(tmp_path, "spring_cycles.hardened_stress_error") > 0.05


@pytest.mark.parametrize("name", ["perfect", "hardening"])
def test_a_fast_path_has_another_stress(tmp_path: Path, name: str) -> None:
    all_runs(tmp_path)
    for row in ("perfect", "hardening", "creep"):
        run(tmp_path, row, 0.001, fast=True, slope=1.5 if row == name else 1.0)
    assert number(tmp_path, "spring_cycles.change_with_rate") >= 0.5
    assert number(tmp_path, "spring_cycles.change_with_rate_and_creep") == pytest.approx(0.0, abs=1e-9)
