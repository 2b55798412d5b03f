# SPDX-License-Identifier: BSD-3-Clause
"""Tips of swinging bars and times of steps: one moment, one step is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_timing, write_trace

EXPERIMENT = "cross/work_precision"


def swung(
    folder: Path,
    name: str,
    dt: float,
    off: float,
    *,
    scheme: str = "",
    seconds: float | None = None,
    end: float = 0.2,
    at: float = 0.1,
) -> None:
    """A tip that moves along −y, and is `off` lengths of 2 m away at the time `at` alone;
    and 1 m away between common times."""
    times = np.arange(round(end / dt) + 1) * dt
    tip = np.stack([0 * times, -times, 0 * times], axis=1)
    tip[np.isclose(times, at), 2] = 2.0 * off
    tip[np.abs((times / 0.05) - np.round(times / 0.05)) > 1e-6, 0] = 1.0
    path = write_trace(
        folder,
        f"{EXPERIMENT} implicit_fem {name}",
        parameters={"scheme": scheme} if scheme else {},
        scene={"length_m": 2.0},
        coordinates={"scene.parameters.time_step_s": dt, "scheme": scheme},
        dt=dt,
        step={"tip_displacement": tip},
    )
    if seconds is not None:
        write_timing(path, np.array([[seconds, seconds, 5 * seconds, 7 * seconds]] * 3))


def test_errors_are_those_of_the_worst_common_time_and_costs_those_of_the_cheapest_precise_step(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.05, 0.0)
    for dt, off, seconds in ((0.05, 0.03, 0.001), (0.025, 0.009, 0.001), (0.0125, 0.002, 0.004)):
        swung(tmp_path, "warped", dt, off, seconds=seconds)
    swung(tmp_path, "linear", 0.025, 0.04, seconds=1e-5)
    swung(tmp_path, "newton", 0.05, 0.001, scheme="implicit_euler", seconds=0.03)
    swung(tmp_path, "newton", 0.05, 0.0005, scheme="bdf2", seconds=1e-6)  # another curve
    swung(tmp_path, "explicit", 0.05, 0.004, seconds=0.006)
    for dt, off in ((0.05, 0.2), (0.025, 0.1)):
        swung(tmp_path, "meshless", dt, off)
    assert number(tmp_path, "work_precision.meshless_least_error") == pytest.approx(0.1)
    # 0.04 s per simulated second of the warped bar at 25 ms; 0.02 at 50 ms is not precise enough.
    assert number(tmp_path, "work_precision.newton_over_warped") == pytest.approx(0.6 / 0.04)
    assert number(tmp_path, "work_precision.explicit_over_warped") == pytest.approx(0.12 / 0.04)


def test_a_curve_that_is_never_precise_enough_has_no_cost(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.05, 0.0)
    swung(tmp_path, "warped", 0.05, 0.03, seconds=0.1)
    swung(tmp_path, "explicit", 0.05, 0.0, seconds=0.1)
    assert "no cell of warped" in value_of(tmp_path, "work_precision.explicit_over_warped").note


@pytest.mark.parametrize("dt, end", [(0.03, 0.21), (0.05, 0.15)])
def test_other_times_than_those_of_the_reference_are_not_compared(tmp_path: Path, dt: float, end: float) -> None:
    swung(tmp_path, "reference", 0.05, 0.0)
    swung(tmp_path, "meshless", dt, 0.0, end=end)
    assert value_of(tmp_path, "work_precision.meshless_least_error").value is None


def test_invertible_elements_are_divided_by_each_implicit_option(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.05, 0.0)
    swung(tmp_path, "invertible", 0.05, 0.004, seconds=0.006)
    swung(tmp_path, "invertible", 0.025, 0.02, seconds=1e-6)  # not precise enough
    swung(tmp_path, "warped", 0.025, 0.009, seconds=0.001)
    swung(tmp_path, "newton", 0.05, 0.001, scheme="implicit_euler", seconds=0.03)
    swung(tmp_path, "newton", 0.05, 0.001, scheme="implicit_midpoint", seconds=0.002)
    assert number(tmp_path, "work_precision.invertible_over_newton") == pytest.approx(0.2)
    assert number(tmp_path, "work_precision.invertible_over_midpoint") == pytest.approx(3.0)
    assert number(tmp_path, "work_precision.invertible_over_warped") == pytest.approx(3.0)
