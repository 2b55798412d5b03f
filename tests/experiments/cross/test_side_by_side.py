# SPDX-License-Identifier: BSD-3-Clause
"""Curves that are a known distance from the reference's."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace


def swung(folder: Path, name: str, dt: float, factor: float) -> None:
    times = np.arange(round(0.1 / dt) + 1) * dt
    tip = factor * np.stack([0 * times, times, 0 * times], axis=1)
    method = "xpbd" if name == "xpbd" else "explicit_fem"
    step = {"tip_displacement": tip}
    write_trace(folder, f"cross/side_by_side_swing {method} {name}", swept={"time_step_s": dt}, dt=dt, step=step)


def test_the_error_is_that_of_the_curve_at_the_best_step(tmp_path: Path) -> None:
    for dt, factor in ((0.025, 1.3), (0.0125, 0.9)):
        swung(tmp_path, "reference", dt, 1.0)
        swung(tmp_path, "xpbd", dt, factor)
    times = np.arange(9) * 0.0125
    expected = 0.1 * np.sqrt(np.mean(times**2)) / times[-1]
    assert number(tmp_path, "side_by_side_swing.xpbd_error") == pytest.approx(expected)
