# SPDX-License-Identifier: BSD-3-Clause
"""Small steps beside symplectic Euler: one run grows, diverges, or ends otherwise."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.macklin_et_al_2019.measurements import stiff_steps as m

DT, MASS, LINK = 0.01, 0.5, 0.1


def run(
    folder: Path, name: str, number_: float, n: int = 2, links: int = 1, status: str = "completed", gain: float = -0.1
) -> None:
    """A run whose fastest mode has ω h = number_ (0: rigid), and whose energy changes by `gain` in its last step."""
    fastest = np.sqrt(
        np.linalg.eigvalsh(2 * np.eye(links) - np.eye(links, k=1) - np.eye(links, k=-1) - _end(links))[-1]
    )
    compliance = (fastest * DT / n / number_) ** 2 / MASS if number_ else 0.0
    unit = links**2 * MASS * 9.81 * LINK if links > 1 else 0.01**2 / (2 * compliance)
    values = np.zeros((3, links))
    if links == 1:
        values[0] = 0.01
    series = {
        "kinetic_energy": unit * np.array([0.0, 1.0, 1.0 + gain] if links == 1 else [0.0, 0.4, 0.5]),
        "gravitational_energy": unit * np.array([0.0, 0.0, 0.0] if links == 1 else [0.0, -0.5, gain - 0.5]),
        "constraint_values": values,
    }
    scene = {"time_step_s": DT, "mass_kg": MASS, "link_m": LINK, "links": links, "compliance_m_per_n": compliance}
    parameters = {"substeps": n, "iterations": 1}
    write_trace(folder, f"{m.M.experiment} xpbd {name}", None, scene, parameters=parameters, step=series, status=status)


def _end(links: int) -> np.ndarray:
    """The last mass of a row has one spring."""
    end = np.zeros((links, links))
    end[-1, -1] = 1.0
    return end


def all_runs(folder: Path, worst: float = 0.0, gain: float = 1e-9, status: str = "completed") -> None:
    for number_, links in ((0.5, 1), (1.5, 4), (3.0, 1), (30.0, 4), (60.0, 1), (0.0, 4)):
        wrong = number_ == worst
        run(
            folder, m.SMALL, number_, links=links, gain=gain if wrong else -0.1, status=status if wrong else "completed"
        )
    for number_, ended in ((0.5, "completed"), (1.5, "completed"), (2.5, "diverged"), (30.0, "diverged")):
        run(folder, m.EXPLICIT, number_, links=4 if number_ == 1.5 else 1, status=ended)


def test_limits_of_both_are_those_of_the_runs(tmp_path: Path) -> None:
    all_runs(tmp_path)
    assert number(tmp_path, "stiff_steps.unstable_small_steps") == 1  # worst is the rigid run, which gains a little
    all_runs(tmp_path / "right", worst=-1.0)
    assert number(tmp_path / "right", "stiff_steps.unstable_small_steps") == 0
    assert number(tmp_path / "right", "stiff_steps.gain") == pytest.approx(40.0)
    assert number(tmp_path / "right", "stiff_steps.largest_stable_explicit") == pytest.approx(1.5)
    assert number(tmp_path / "right", "stiff_steps.least_unstable_explicit") == pytest.approx(2.5)
    assert number(tmp_path / "right", "stiff_steps.rigid_runs") == 1


@pytest.mark.parametrize("worst,gain", [(3.0, 1.0), (30.0, 2.0), (60.0, 20.0)])
@pytest.mark.parametrize("status", ["completed", "diverged"])
def test_one_run_of_small_steps_that_grows_is_found(tmp_path: Path, worst: float, gain: float, status: str) -> None:
    all_runs(tmp_path, worst, status=status)
    assert number(tmp_path, "stiff_steps.unstable_small_steps") == 1
    assert number(tmp_path, "stiff_steps.gain") == pytest.approx(gain)


def test_a_run_that_failed_is_no_limit(tmp_path: Path) -> None:
    all_runs(tmp_path)
    run(tmp_path, m.EXPLICIT, 5.0, status="failed")
    assert "failed" in value_of(tmp_path, "stiff_steps.largest_stable_explicit").note
