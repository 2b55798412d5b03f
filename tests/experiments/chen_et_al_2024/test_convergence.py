# SPDX-License-Identifier: BSD-3-Clause
"""Distances from the solution of a quadratic objective that is known, and sweeps that are given."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, value_of, write_trace

from deformbench_analysis.trace import Trace
from experiments.chen_et_al_2024.measurements import convergence as m, one_step

SOLUTION = np.array([[1.0, 0, 0], [0, 0, 2.0]])
MASSES = np.array([1.0, 4.0])


class Quadratic:
    """Φ = ½ Σ m |x − solution|² from the origin; the drop is 8.5."""

    start, inertia = np.zeros((2, 3)), MASSES

    def objective(self, x: np.ndarray) -> float:
        return float(0.5 * MASSES @ ((x - SOLUTION) ** 2).sum(axis=1)) + 100.0

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(MASSES[:, None] * (x - SOLUTION))

    def minimise(self) -> Any:
        return SimpleNamespace(positions=SOLUTION, objective=100.0, least_eigenvalue=1.0)


@pytest.fixture(autouse=True)
def quadratic(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (one_step, m):
        monkeypatch.setattr(module, "problem", lambda trace: Quadratic())


def solved(folder: Path, run: str, end: np.ndarray, objective: Any, status: str = "completed", **swept: Any) -> Trace:
    frames = np.array([Quadratic.start, end])
    return Trace(
        write_trace(
            folder,
            f"chen_et_al_2024/{run}",
            swept,
            frame={"positions": frames},
            iteration=rows(objective),
            status=status,
        )
    )


def test_residual_and_error_are_relative_to_the_start(tmp_path: Path) -> None:
    end = np.array([[1.0, 0, 0], [0, 0, 1.5]])
    solved(tmp_path, "descent_floor vbd descent", end, [8.5, 0.5], omega=1.0)
    solved(tmp_path, "descent_floor vbd descent", SOLUTION, [8.5, 0.0], omega=2.0)
    assert number(tmp_path, "descent_floor.descent_error") == pytest.approx(0.25)
    assert number(tmp_path, "descent_floor.descent_residual") == pytest.approx(1 / np.sqrt(1 + 16))
    assert number(tmp_path, "descent_floor.sweep_rise") == 0.0


@pytest.mark.parametrize("status,least", [("completed", 0.5), ("diverged", one_step.FAILED)])
def test_the_floor_of_xpbd_is_that_of_its_best_run_and_none_where_all_diverge(
    tmp_path: Path, status: str, least: float
) -> None:
    solved(tmp_path, "descent_floor xpbd xpbd", 0.5 * SOLUTION, [0.0, 0.0], status, solid_solve="coupled")
    solved(tmp_path, "descent_floor xpbd xpbd", 0.2 * SOLUTION, [0.0, 0.0], status, solid_solve="one_by_one")
    assert number(tmp_path, "descent_floor.xpbd_residual") == pytest.approx(least)


def test_the_control_counts_the_steps_that_xpbd_solves_with_second_derivatives(tmp_path: Path) -> None:
    for seed, end in ((1, SOLUTION), (2, 0.5 * SOLUTION)):
        solved(tmp_path, "descent_floor xpbd xpbd_newton", end, [0.0, 0.0], omega=1.0, seed=seed)
    solved(tmp_path, "descent_floor xpbd xpbd_newton", 0.5 * SOLUTION, [0.0, 0.0], omega=100.0)
    assert number(tmp_path, "descent_floor.xpbd_newton_converged") == 0.5


def test_a_run_that_failed_otherwise_is_missing_data(tmp_path: Path) -> None:
    solved(tmp_path, "descent_floor xpbd xpbd", SOLUTION, [0.0, 0.0], "timeout")
    assert "timeout" in value_of(tmp_path, "descent_floor.xpbd_residual").note


def test_sweeps_are_counted_to_a_share_of_the_independent_drop(tmp_path: Path) -> None:
    trace = solved(tmp_path, "stiff_beams implicit_fem newton", SOLUTION, [7 + 8.5, 7 + 0.85, 7 + 8.4e-6, 7.0])
    assert one_step.sweeps(trace, 0.1) == 1 and m.newton_iterations(trace) == 2
    assert one_step.sweeps(trace, -1.0) == one_step.FAILED
    assert one_step.disagreement(trace) == pytest.approx(0.0, abs=1e-14)  # rounding of Φ
    off = solved(tmp_path, "stiff_beams implicit_fem newton", SOLUTION, [8.5, 0.085])
    assert one_step.disagreement(off) == pytest.approx(0.01)


def test_a_run_below_the_minimum_is_in_another_well(tmp_path: Path) -> None:
    solved(tmp_path, "stiff_beams implicit_fem newton", SOLUTION, [8.5, -0.1])
    assert "below the minimum" in value_of(tmp_path, "stiff_beams.newton_iterations").note


def test_steps_are_missed_by_their_distance(tmp_path: Path) -> None:
    for theta, off in ((100.0, 2e-3), (1e4, 5e-4), (1.0, 1.0)):
        solved(tmp_path, "stiff_beams vbd sweeps_500", SOLUTION * (1 - off), [8.5, 0.0], theta=theta)
    assert number(tmp_path, "stiff_beams.missed") == 0.5


def needing(folder: Path, run: str, count: int, **swept: Any) -> None:
    solved(folder, run, SOLUTION, [8.5, *[1.0] * (count - 1), 0.0], **swept)


def test_the_exponent_is_that_of_the_worst_body(tmp_path: Path) -> None:
    for seed, power in ((1, 1), (2, 2)):
        for across in (2, 4, 8):
            needing(
                tmp_path,
                "mesh_refinement vbd descent",
                across**power,
                family="kuhn",
                seed=seed,
                cells_across=across,
                theta=1.0,
            )
    assert number(tmp_path, "mesh_refinement.exponent_of_body") == pytest.approx(2.0)
    assert number(tmp_path, "mesh_refinement.least_exponent_of_body") == pytest.approx(1.0)


@pytest.mark.parametrize("weak", ["kuhn", "graded"])
def test_contrast_is_judged_in_the_family_where_it_slows_least(tmp_path: Path, weak: str) -> None:
    for family in ("kuhn", "graded"):
        for seed in range(5):
            for contrast, omega, count in ((1, 1, 2), (1, 1000, 5), (1000, 1, 8 if family == weak else 20)):
                swept = {"family": family, "seed": seed, "amount": 90, "contrast": contrast, "omega": omega}
                needing(tmp_path, "stiffness_contrast vbd descent", count, **swept)
    assert number(tmp_path, "stiffness_contrast.soft_slowdown") == pytest.approx(4.0)
    assert number(tmp_path, "stiffness_contrast.log_soft_ratio") == pytest.approx(np.log(0.25))
    assert number(tmp_path, "stiffness_contrast.log_soft_ratio_spread") == pytest.approx(
        0.0, abs=1e-12
    )  # rounding of logarithms
    assert number(tmp_path, "stiffness_contrast.stiff_slowdown") == pytest.approx(1.6)
    assert number(tmp_path, "stiffness_contrast.log_stiff_ratio") == pytest.approx(np.log(1 / 1.6))
    assert number(tmp_path, "stiffness_contrast.log_stiff_ratio_spread") == pytest.approx(np.log(1.1))
