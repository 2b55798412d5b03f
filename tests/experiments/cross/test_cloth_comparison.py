# SPDX-License-Identifier: BSD-3-Clause
"""Swinging cloths that are off at one time and at one vertex."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "cross/cloth_comparison"


def swung(folder: Path, name: str, dt: float, off: float, *, iterations: int = 0, end: float = 0.1) -> None:
    """Four vertices that fall; at 0.06 s one of them is `off` sides of 2 m away,
    and all are 1 m away between common times."""
    times = np.arange(round(end / dt) + 1) * dt
    x = np.zeros((len(times), 4, 3))
    x[:, :, 1] = -times[:, None]
    x[np.isclose(times, 0.06), 2, 0] = 2.0 * off
    x[np.abs(times / 0.02 - np.round(times / 0.02)) > 1e-6, :, 2] = 1.0
    parameters = {"iterations": iterations}
    coordinates = {"scene.parameters.time_step_s": dt, "iterations": iterations}
    step = {"positions": x}
    run = f"{EXPERIMENT} force_cloth {name}"
    write_trace(folder, run, parameters=parameters, scene={"side_m": 2.0}, coordinates=coordinates, dt=dt, step=step)


def test_errors_are_those_of_the_worst_common_time(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.02, 0.0)
    for dt, off in ((0.02, 0.1), (0.01, 0.04)):
        swung(tmp_path, "force_cloth", dt, off)
        swung(tmp_path, "xpbd", dt, 2 * off, iterations=2)
        swung(tmp_path, "pbd", dt, 4 * off, iterations=20)
    # One vertex of four: half of its distance.
    assert number(tmp_path, "cloth_comparison.force_cloth_error") == pytest.approx(0.05)
    assert number(tmp_path, "cloth_comparison.xpbd_least_error") == pytest.approx(0.04)
    assert number(tmp_path, "cloth_comparison.pbd_least_error") == pytest.approx(0.08)


def test_a_cloth_that_ends_early_is_missing(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.02, 0.0)
    swung(tmp_path, "force_cloth", 0.02, 0.0, end=0.08)
    assert "does not end" in value_of(tmp_path, "cloth_comparison.force_cloth_error").note
