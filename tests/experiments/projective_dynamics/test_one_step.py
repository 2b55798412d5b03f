# SPDX-License-Identifier: BSD-3-Clause
"""Gaps, rises, comparisons in pairs: one run of several is worse, fails, or does not start where the others do."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, value_of, write_trace

from deformbench_analysis.trace import Trace
from experiments.projective_dynamics.measurements import accelerations as a, descent, laws, one_step

FAMILIES = ("kuhn", "graded")
SEEDS = range(1, 6)


def step(folder: Path, run: str, objective: Sequence[float], **more: Any) -> Path:
    """One step with these objectives, and as much work as iterations unless `cost` says how much more."""
    scene = {"family": "kuhn", "seed": 1, "omega": 1.0, "poisson_ratio": 0.0} | more.pop("scene", {})
    parameters = {"law": "corotational", "iterations": 50} | more.pop("parameters", {})
    cost = more.pop("cost", 1.0) * np.arange(len(objective))
    work = {"work_gradients": cost, "work_back_substitutions": np.arange(len(objective))}
    experiment, row = run.split(" ")
    method = "implicit_fem" if row == "reference" else "quasi_newton"
    if more.pop("has_converged", False):
        work["gradient_norm"] = np.linspace(1.0, 0.0, len(objective))
    iteration = rows(objective, **work)
    return write_trace(
        folder, f"{experiment} {method} {row}", {}, scene, parameters=parameters, iteration=iteration, **more
    )


def falling(factor: float, count: int = 40) -> list[float]:
    """Objectives whose gap falls by this factor in every iteration, down to 1."""
    return [1.0 + factor**k for k in range(count)]


def problems(folder: Path, experiment: str, rates: dict[str, dict[str, float]], **more: Any) -> None:
    """A reference, and runs of rows whose gap falls by the factor of their family, for five seeds."""
    for family in FAMILIES:
        for seed in SEEDS:
            scene = {"family": family, "seed": seed} | more.get("scene", {})
            step(folder, f"{experiment} reference", [2.0, 1.0], scene=scene)
            for row, by_family in rates.items():
                step(folder, f"{experiment} {row}", falling(by_family[family]), scene=scene)


def test_gaps_are_relative_to_the_reference_and_runs_start_where_it_does(tmp_path: Path) -> None:
    reference = Trace(step(tmp_path, f"{a.M.experiment} reference", [2.0, 1.2, 1.0]))
    run = Trace(step(tmp_path, f"{a.M.experiment} plain", [2.0, 1.5, 1.25, 1.125]))
    assert one_step.gaps(run, reference) == pytest.approx([1.0, 0.5, 0.25, 0.125])
    assert one_step.needed(run, reference, 0.25, "iteration") == 2
    assert one_step.needed(run, reference, 1e-3, "iteration") == math.inf
    with pytest.raises(Exception, match="does not start where its reference does"):
        one_step.gaps(Trace(step(tmp_path, f"{a.M.experiment} plain", [2.1, 1.0])), reference)


def test_a_rise_counts_above_rounding(tmp_path: Path) -> None:
    objective = [2.0, 1.0, 1.0 + 1e-13, 1.0 + 1e-11, 0.5, 0.6]
    step(tmp_path, f"{descent.M.experiment} rounds", [2.0, 1.0, 1.0])
    step(tmp_path, f"{descent.M.experiment} rounds", objective, scene={"seed": 2})
    step(tmp_path, f"{descent.M.experiment} other_law", [1.0, 2.0, 3.0], status="diverged")
    assert number(tmp_path, "projection_descent.rises") == 2
    assert number(tmp_path, "projection_descent.rounds_judged") == 7
    assert number(tmp_path, "projection_descent.largest_rise") == pytest.approx(0.2)
    assert number(tmp_path, "projection_descent.rises_of_another_law") == 2


def test_a_comparison_is_that_of_the_worst_family(tmp_path: Path) -> None:
    problems(
        tmp_path,
        a.M.experiment,
        {"plain": {"kuhn": 0.5, "graded": 0.5}, "chebyshev": {"kuhn": 0.125, "graded": 0.25}},
    )
    # 1e-4 of the drop: 14 rounds at a half, 7 at a quarter, 5 at an eighth
    assert number(tmp_path, "accelerations.chebyshev_ratio") == pytest.approx(7 / 14)
    assert number(tmp_path, "accelerations.chebyshev_log_ratio") == pytest.approx(math.log(0.5))
    assert number(tmp_path, "accelerations.chebyshev_spread") == pytest.approx(0.0, abs=1e-15)  # equal logarithms
    note = value_of(tmp_path, "accelerations.chebyshev_ratio").note
    assert "kuhn 0.357 [0.357, 0.357] of 5 pairs" in note and "graded 0.5" in note


def test_stiff_problems_are_those_of_their_stiffness(tmp_path: Path) -> None:
    both = {"kuhn": 0.5, "graded": 0.5}
    fast = {"kuhn": 0.25, "graded": 0.25}
    problems(tmp_path, a.M.experiment, {"plain": both, "anderson": both, "chebyshev": both})
    problems(tmp_path, a.M.experiment, {"plain": both, "anderson": fast, "chebyshev": both}, scene={"omega": a.STIFF})
    assert number(tmp_path, "accelerations.anderson_ratio") == pytest.approx(np.exp(np.log([1.0, 0.5]).mean()))
    for name in ("stiff_anderson", "stiff_anderson_cost", "stiff_rivals"):
        assert number(tmp_path, f"accelerations.{name}_ratio") == pytest.approx(0.5), name
    assert number(tmp_path, "accelerations.stiff_chebyshev_gain_ratio") == pytest.approx(1.0)


@pytest.mark.parametrize("status", ["diverged", "completed"])
def test_a_run_that_does_not_reach_the_level_has_failed(tmp_path: Path, status: str) -> None:
    fast = {"kuhn": 0.25, "graded": 0.25}
    problems(tmp_path, a.M.experiment, {"chebyshev": fast})
    expect = {"status": "completed_or_diverged"}
    for family in FAMILIES:
        for seed in SEEDS:
            short = seed < 4 and family == "kuhn"
            objective = [2.0, math.nan] if short else falling(0.25)
            scene = {"family": family, "seed": seed}
            end = {"status": status if short else "completed", "expect": expect}
            step(tmp_path, f"{a.M.experiment} l_bfgs_2", objective, scene=scene, **end)
    assert number(tmp_path, "accelerations.two_ratio") > 1e299  # three failures of five are the median
    assert "3 and 0 failures" in value_of(tmp_path, "accelerations.two_ratio").note
    if status == "completed":
        assert number(tmp_path, "accelerations.two_unreached") == 3
    assert number(tmp_path, "accelerations.chebyshev_unreached") == 0


def test_of_two_channels_the_larger_ratio_counts(tmp_path: Path) -> None:
    for family in FAMILIES:
        for seed in SEEDS:
            scene = {"family": family, "seed": seed}
            step(tmp_path, f"{laws.M.experiment} reference", [2.0, 1.0], scene=scene)
            step(tmp_path, f"{laws.M.experiment} none", falling(0.5), scene=scene)
            step(tmp_path, f"{laws.M.experiment} l_bfgs_5", falling(0.25), scene=scene, cost=1.5)
    assert number(tmp_path, "histories.five_ratio") == pytest.approx(0.5)
    assert number(tmp_path, "histories.five_cost_ratio") == pytest.approx(0.75)
    assert number(tmp_path, "histories.five_by_law_ratio") == pytest.approx(0.5)


def test_problems_with_several_minima_are_left_out(tmp_path: Path) -> None:
    """A run that has converged elsewhere is left out with its partner; one that has not converged has failed."""
    for family in FAMILIES:
        for seed in SEEDS:
            scene = {"family": family, "seed": seed}
            elsewhere = [0.5 + 1.5 * 0.25**k for k in range(40)]
            step(tmp_path, f"{laws.M.experiment} reference", [2.0, 1.0], scene=scene)
            step(tmp_path, f"{laws.M.experiment} none", falling(0.5, 3 if seed == 2 else 60), scene=scene)
            other = family == "graded" and seed == 1
            step(
                tmp_path,
                f"{laws.M.experiment} l_bfgs_5",
                elsewhere if other else falling(0.25),
                scene=scene,
                has_converged=True,
            )
    assert number(tmp_path, "histories.several_minima") == 1
    note = value_of(tmp_path, "histories.five_ratio").note
    assert "kuhn 0.5" in note and "of 5 pairs, 0 and 1 failures" in note and "of 4 pairs" in note


def test_a_rise_of_anderson_or_chebyshev_is_its_own(tmp_path: Path) -> None:
    step(tmp_path, f"{a.M.experiment} anderson", [3.0, 1.0, 1.01, 1.0])
    step(tmp_path, f"{a.M.experiment} chebyshev", [2.0, 2.5, 3.0], status="diverged")
    assert number(tmp_path, "accelerations.anderson_rises") == 1
    assert number(tmp_path, "accelerations.largest_anderson_rise") == pytest.approx(5e-3)
    assert number(tmp_path, "accelerations.chebyshev_rises") == 2


def radius(folder: Path, rho: float, delay: int, objective: Sequence[float], seed: int = 1, **more: Any) -> None:
    parameters = {"spectral_radius": rho, "chebyshev_delay": delay}
    step(folder, f"{a.R.experiment} chebyshev", objective, scene={"seed": seed}, parameters=parameters, **more)


def test_fragility_is_over_radii_with_delay_and_the_median_over_problems(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        step(tmp_path, f"{a.R.experiment} reference", [2.0, 1.0], scene={"seed": seed})
        radius(tmp_path, 0.98, 10, falling(0.5), seed)  # 14 rounds
        radius(tmp_path, 0.99, 10, falling(0.25) if seed < 3 else falling(0.5), seed)  # 7
        radius(tmp_path, 0.99, 1, [2.0, 1.5, 3.0] if seed == 2 else falling(0.9), seed)
    radius(tmp_path, 0.995, 10, [2.0, 1.9], 1)  # never: as many as there may be
    assert number(tmp_path, "chebyshev_radius.fragility") == pytest.approx(np.median([50 / 7, 2.0, 1.0]))
    assert number(tmp_path, "chebyshev_radius.undelayed_above_start") == 1
    assert number(tmp_path, "chebyshev_radius.delayed_above_start") == 0


def test_a_radius_of_zero_is_beside_plain_rounds(tmp_path: Path) -> None:
    step(tmp_path, f"{a.R.experiment} plain", [2.0, 1.0, 0.5])
    step(tmp_path, f"{a.R.experiment} zero", [2.0, 1.0 + 1e-3])
    assert number(tmp_path, "chebyshev_radius.difference_of_zero") == pytest.approx(1e-3)


# ---- Newton's first iteration


def test_ten_iterations_are_beside_the_better_iteration_of_newton(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws, "is_one_minimum", lambda reference: reference.number("seed") != 4)
    for family in FAMILIES:
        for seed, amount in ((1, 90.0), (2, 1.5), (3, laws.NEAR_REST), (4, 2.0)):
            scene = {"family": family, "seed": seed, "amount": amount}
            step(tmp_path, f"{laws.N.experiment} reference", [2.0, 1.0], scene=scene)
            step(tmp_path, f"{laws.N.experiment} clamped", [2.0, 1.5], scene=scene)
            exact = 1.1 if (family, seed) in (("graded", 2), ("kuhn", 3)) or seed == 4 else 1.7
            step(tmp_path, f"{laws.N.experiment} exact", [2.0, exact], scene=scene)
            step(tmp_path, f"{laws.N.experiment} ten", [2.0, 1.4], scene=scene)
    assert number(tmp_path, "first_newton_step.least_share") == pytest.approx(0.5)  # graded: one of two
    assert number(tmp_path, "first_newton_step.largest_share_near_rest") == pytest.approx(1.0)  # graded
    assert number(tmp_path, "first_newton_step.several_minima") == 2


def test_ends_are_compared_by_their_farthest_vertex(tmp_path: Path) -> None:
    start = np.zeros((3, 3))
    ends = {"corotational": [2.0, 0.0], "stable_neo_hookean": [2.5, 0.0]}
    for law, along in ends.items():
        for row, off in (("reference", 0.0), ("l_bfgs_5", 0.1 if law == "corotational" else 0.0)):
            end = start + np.array([[0.0, 0, 0], [1.0, 0, 0], [along[0] + off, 0, 0]])
            step(
                tmp_path,
                f"{laws.G.experiment} {row}",
                falling(0.25) if row == "l_bfgs_5" else [2.0, 1.0],
                parameters={"law": law},
                frame={"positions": np.stack([start, end])},
            )
    assert number(tmp_path, "general_laws.other_minima") == 1
    assert number(tmp_path, "general_laws.distance_of_laws") == pytest.approx(0.25)
    assert number(tmp_path, "general_laws.short_share") == 1.0  # the made-up gradient stays at a ten-thousandth
    assert number(tmp_path, "general_laws.most_iterations") == 39
