# SPDX-License-Identifier: BSD-3-Clause
"""Problems of one step that a solver does not solve, solves elsewhere, or solves at a cost made of several counts."""

from pathlib import Path

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, write_trace

from deformbench_analysis.trace import Trace
from experiments.cross.measurements import solver_profiles as m

METHODS = {"descent": "vbd", "accelerated": "vbd", "l_bfgs": "quasi_newton"}
NONE = dict.fromkeys(("energies", "gradients", "hessians", "local_solves", "products", "back_substitutions"), 0.0)


def step(folder: Path, name: str, objective: list[float], status: str = "completed", **scene: float | str) -> Path:
    """One step with these objectives, ten elements, ten gradients and three solves with the factor per iteration."""
    count = np.arange(len(objective), dtype=float)
    per_iteration = NONE | {"gradients": 10.0, "back_substitutions": 3.0 if name == "l_bfgs" else 0.0}
    work = {f"work_{item}": number * count for item, number in per_iteration.items()}
    swept = {"family": "kuhn", "omega": 1.0, "poisson_ratio": 0.3, "start": "twisted"} | scene
    parameters = {f"scene.parameters.{key}": value for key, value in swept.items()}
    path = f"{m.M.experiment} {METHODS.get(name, 'implicit_fem')} {name}"
    return write_trace(folder, path, parameters, status=status, tetrahedra=10, iteration=rows(objective, **work))


def falling(factor: float, count: int) -> list[float]:
    """Objectives whose gap to 1 falls from 1 by this factor in every iteration."""
    return [1.0 + factor**k for k in range(count)]


def test_a_solver_is_charged_for_passes_and_for_solves_with_the_factor(tmp_path: Path) -> None:
    reference = Trace(step(tmp_path, "reference", [2.0, 1.0]))
    run, other = (Trace(step(tmp_path, name, falling(0.1, 9))) for name in ("descent", "l_bfgs"))
    assert m.needed(run, reference, 2e-3, m.WORK) == pytest.approx(3.0)
    assert m.needed(other, reference, 2e-3, m.WORK) == pytest.approx(3 * (1.0 + 3 * m.BACK_SUBSTITUTION * 0.5))
    assert m.needed(run, reference, 2e-3, m.TIME) == pytest.approx(3.0)  # ms
    assert m.needed(run, reference, 1e-20, m.TIME) == np.inf


def test_problems_that_are_not_solved_are_counted_by_solver(tmp_path: Path) -> None:
    for omega in (1.0, 100.0, 1e4):
        step(tmp_path, "reference", [2.0, 1.0], omega=omega)
    step(tmp_path, "accelerated", falling(0.1, 9), omega=1.0)
    step(tmp_path, "accelerated", falling(0.9, 9), omega=100.0)
    step(tmp_path, "accelerated", [2.0, 3.0], status="diverged", omega=1e4)
    assert number(tmp_path, "solver_profiles.accelerated_unsolved") == 2
    assert number(tmp_path, "solver_profiles.accelerated_lower") == 0


def test_a_minimum_below_the_reference_is_another(tmp_path: Path) -> None:
    for start in ("twisted", "stretched"):
        step(tmp_path, "reference", [2.0, 1.0], start=start)
    step(tmp_path, "clamped", [2.0, 1.0, 0.9], start="twisted")
    step(tmp_path, "clamped", [2.0, 1.0, 1.0 - 1e-10], start="stretched")
    assert number(tmp_path, "solver_profiles.clamped_lower") == 1
    assert number(tmp_path, "solver_profiles.clamped_unsolved") == 0
