# SPDX-License-Identifier: BSD-3-Clause
"""Rest and one step, with the two constraints solved together and one by one, but for one run."""

import math
from pathlib import Path

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, write_trace

from deformbench_analysis.mesh import NO_END
from experiments.macklin_mueller_2021.measurements import solves as m

REST, ONE = np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 1, 2, 3]])
H = np.sqrt(2)


def resting(folder: Path, name: str, family: str, omega: float, far: float, status: str = "completed") -> None:
    write_trace(
        folder,
        f"{m.REST.experiment} xpbd {name}",
        {"family": family, "omega": omega},
        status=status,
        arrays={"rest_positions": REST, "tetrahedra": ONE},
        step={"max_displacement": np.array([0.0, far * H, far * H / 2])},
    )


def test_drifts_and_the_stiffnesses_that_keep_rest(tmp_path: Path) -> None:
    for family in ("kuhn", "animal"):
        for omega, together, apart in ((1e-3, 1e-12, 1e-3), (1.0, 3e-10, 1.0), (100.0, 0.5, 2.0)):
            resting(tmp_path, m.TOGETHER, family, omega, together)
            resting(tmp_path, m.APART, family, omega, apart)
    assert number(tmp_path, "unloaded_body.drift") == pytest.approx(2.0)
    assert number(tmp_path, "unloaded_body.soft_drift_together") == pytest.approx(3e-10, abs=1e-19)
    assert number(tmp_path, "unloaded_body.drift_one_by_one") == pytest.approx(1e-3)
    assert number(tmp_path, "unloaded_body.levels_gained") == 2
    resting(tmp_path, m.TOGETHER, "graded", 1e-3, 1e-5)
    resting(tmp_path, m.APART, "graded", 1e-3, 1e-9)
    assert number(tmp_path, "unloaded_body.levels_gained") == -1
    resting(tmp_path, m.TOGETHER, "graded", 1.0, 0.0, status="diverged")
    assert number(tmp_path, "unloaded_body.soft_drift_together") == NO_END


def stepped(folder: Path, name: str, family: str, seed: int, norms: list[float]) -> None:
    write_trace(
        folder,
        f"{m.STEP.experiment} xpbd {name}",
        {"family": family, "omega": 1.0, "seed": seed},
        iteration=rows(np.linspace(1, 0, len(norms)), gradient_norm=np.array(norms)),
    )


def steps(folder: Path, family: str, together: list[float], apart: list[float]) -> None:
    for seed in range(6):
        stepped(folder, m.TOGETHER, family, seed, together)
        stepped(folder, m.APART, family, seed, apart)


def test_ratios_are_those_of_the_mesh_that_gains_least(tmp_path: Path) -> None:
    steps(tmp_path, "kuhn", [8.0, 0.8, 0.1, math.nan], [8.0, 4.0, 0.8, 0.4])
    assert number(tmp_path, "pair_step.floor_log_ratio") == pytest.approx(math.log(0.25))
    assert number(tmp_path, "pair_step.floor_log_ratio_spread") == pytest.approx(math.log(1.1))
    assert number(tmp_path, "pair_step.failures_one_by_one") == 6
    assert number(tmp_path, "pair_step.sweeps_log_ratio") < -100
    steps(tmp_path, "animal", [8.0, 0.8, 0.3, 0.4], [8.0, 4.0, 0.8, 0.4])
    assert number(tmp_path, "pair_step.floor_log_ratio") == pytest.approx(math.log(0.75))
    assert number(tmp_path, "pair_step.sweeps_log_ratio") == pytest.approx(math.log(2 / 3))
    assert number(tmp_path, "pair_step.sweeps_log_ratio_spread") == 0.0
    assert number(tmp_path, "pair_step.failures_one_by_one") == 0


def test_a_step_that_is_nowhere_finite_has_failed(tmp_path: Path) -> None:
    steps(tmp_path, "kuhn", [8.0, math.nan], [8.0, 4.0])
    assert number(tmp_path, "pair_step.floor_log_ratio") > 100
