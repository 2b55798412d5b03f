# SPDX-License-Identifier: BSD-3-Clause
"""A hanging chain over its iterations, and a compliant mass, on made-up traces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from position_cells import write_cell

from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.measurements import constraint_stiffness as m
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace


def measured(folder: Path, name: str) -> Value:
    return Measurer(Results(folder, "paper", {}), "paper")(name)


def hanging(folder: Path, experiment: str, name: str, iterations: int, drop: float, *, links: int = 2, law: str = "per_step", k: float = 0.5, speed: float = 0.0, dt: float = 0.1) -> Path:
    rest = np.array([[0.0, -i, 0] for i in range(links + 1)])
    end = rest.copy()
    end[-1, 1] -= drop
    velocity = np.zeros((2, links + 1, 3))
    velocity[-1, -1, 1] = speed
    return write_cell(folder, experiment, name, {"method.parameters.iterations": iterations, "scene.parameters.time_step_s": dt, "scene.parameters.links": links},
                       scene={"stiffness": k, "gravity_m_s2": [0, -10.0, 0], "compliance_m_per_n": 1e-3, "mass_kg": 2.0}, parameters={"stiffness_law": law},
                       arrays={"rest_positions": rest}, series={"frame": {"positions": np.array([rest, end]), "velocities": velocity}})


def by_steps(links: int, share: float, iterations: int) -> float:
    """Extension of the chain by taking steps until nothing changes."""
    x, before = np.zeros(links + 1), np.zeros(links + 1)
    for _ in range(4000):
        p = x + 0.9 * (x - before)  # less speed: the same place of rest
        p[1:] += 10.0 * 0.1**2
        for _ in range(iterations):
            for i in range(links):
                error = p[i + 1] - p[i]
                p[i + 1] -= share * error * (1.0 if i == 0 else 0.5)
                p[i] += 0.0 if i == 0 else share * error * 0.5
        before, x = x, p
    return float(x[-1])


@pytest.mark.parametrize("law, share", [("per_iteration", 0.5), ("per_step", 1 - 0.5 ** (1 / 3))])
def test_the_fixed_point_of_a_chain_is_where_steps_end(tmp_path: Path, law: str, share: float) -> None:
    trace = Trace(hanging(tmp_path, "chain_iterations", "row", 3, 0.1, law=law))
    assert m.resting_extension(trace) == pytest.approx(by_steps(2, share, 3), rel=1e-9)


def test_a_chain_that_is_off_in_one_cell_is_found_and_the_limit_is_that_of_most_iterations(tmp_path: Path) -> None:
    for iterations, off in ((1, 1.0), (4, 1.0), (16, 1.02)):
        exact = m.resting_extension(Trace(hanging(tmp_path / "probe", "chain_iterations", "per_iteration", iterations, 1.0, law="per_iteration")))
        hanging(tmp_path / "runs", "chain_iterations", "per_iteration", iterations, exact * off, law="per_iteration")
    value = measured(tmp_path / "runs", "chain_iterations.law_error")
    assert value.value == pytest.approx(0.02) and "iterations=16" in value.note
    first = m.resting_extension(Trace(hanging(tmp_path / "probe", "chain_iterations", "per_iteration", 1, 1.0, law="per_iteration")))
    assert measured(tmp_path / "runs", "chain_iterations.per_iteration_limit").value == pytest.approx(1.02 * exact / first)


def test_a_chain_that_still_moves_is_not_measured(tmp_path: Path) -> None:
    hanging(tmp_path, "chain_iterations", "rigid", 1, 0.1)
    hanging(tmp_path, "chain_iterations", "rigid", 8, 0.01, speed=0.1)
    assert measured(tmp_path, "chain_iterations.rigid_limit").is_missing


def test_a_compliance_divided_by_the_time_step_once_is_found_in_one_cell(tmp_path: Path) -> None:
    right = 1e-3 * 2.0 * 10.0
    for dt, drop in ((0.1, right), (0.05, right), (0.2, right * 1.5)):
        hanging(tmp_path, "stiffness_time_step_iterations", "compliant", 4, drop, links=1, dt=dt)
    assert measured(tmp_path, "stiffness_time_step_iterations.compliant_hanging_error").value == pytest.approx(0.5)
