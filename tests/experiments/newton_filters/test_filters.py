# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of Newton runs with known numbers of iterations, one of which is wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.paired_ratios import BEYOND, MARGIN
from experiments.newton_filters.measurements import runs as r, steps as s, volume_change as v

FAMILIES = ("kuhn", "body_centred", "animal")
SEEDS = 5
STRETCHED = {"poisson_ratio": 0.495, "amount": 3.0}


def write(
    folder: Path,
    experiment: str,
    name: str,
    needed: Sequence[int],
    swept: Mapping[str, Any],
    *,
    converged: Sequence[bool] = (True,) * SEEDS,
    end: float = 0.0,
    status: str = "completed",
    **more: Any,
) -> None:
    """A row whose members need these iterations to 1e-8 of the drop, and half of them to 1e-4, end at `end` and take
    two factorisations an iteration; the gradient falls as the root of the drop."""
    length = 3 * max(needed) + 2
    left = np.array([10.0 ** (-8 / n * np.arange(length)) for n in needed])
    left[:, -1] = 0.0
    rows = {
        "iteration": np.tile(np.arange(length), (len(needed), 1)),
        "objective": end + (1 - end) * left,
        "gradient_norm": np.sqrt(left),
        "work_factorisations": np.tile(2.0 * np.arange(length), (len(needed), 1)),
    }
    ends = np.array([[np.nan, float(c)] for c in converged])
    write_trace(
        folder,
        f"newton_filters/{experiment} implicit_fem {name}",
        swept,
        seeds=len(needed),
        status=status,
        parameters={"newton_max_iterations": 250, **more.pop("parameters", {})},
        iteration=rows,
        step={"solver_converged": ends},
        **more,
    )


def both(folder: Path, absolute: Mapping[str, Sequence[int]], clamped: int = 40, **more: Any) -> None:
    for family in FAMILIES:
        swept = {"family": family, **STRETCHED}
        write(folder, "volume_change", r.ABSOLUTE, absolute.get(family, [20] * SEEDS), swept, **more)
        write(folder, "volume_change", r.CLAMPED, [clamped] * SEEDS, swept)


def test_the_ratio_is_that_of_iterations_in_the_worst_family(tmp_path: Path) -> None:
    both(tmp_path, {"animal": [30, 31, 32, 33, 34]})
    assert number(tmp_path, "volume_change.absolute_ratio") == pytest.approx(32 / 40)
    assert number(tmp_path, "volume_change.absolute_log_ratio") == pytest.approx(np.log(32 / 40))
    assert number(tmp_path, "volume_change.absolute_log_ratio_spread") == pytest.approx(np.log(34 / 32))
    assert number(tmp_path, "volume_change.quadratic_log_ratio_spread") == pytest.approx(np.log(34 / 32) + MARGIN)
    assert number(tmp_path, "volume_change.loose_absolute_ratio") == pytest.approx(16 / 20)


def test_runs_that_did_not_converge_need_infinitely_many(tmp_path: Path) -> None:
    both(tmp_path, {}, converged=(False, False, False, True, True))
    assert number(tmp_path, "volume_change.absolute_log_ratio") == BEYOND
    assert number(tmp_path, "volume_change.lower_gain") == 0


def test_pairs_that_end_elsewhere_are_compared_by_the_gradient(tmp_path: Path) -> None:
    both(tmp_path, {}, end=0.5)
    assert number(tmp_path, "volume_change.absolute_ratio") == pytest.approx(0.5)


def test_levels_are_those_of_the_drop_to_the_end_of_the_reference(tmp_path: Path) -> None:
    both(tmp_path, {}, converged=(False,) * SEEDS)  # stopped by the number of iterations
    for family in FAMILIES:
        write(tmp_path, "volume_change", r.REFERENCE, [5] * SEEDS, {"family": family, **STRETCHED})
    assert number(tmp_path, "volume_change.absolute_ratio") == pytest.approx(0.5)
    deeper = {"family": "kuhn", **STRETCHED}
    write(tmp_path, "volume_change", r.REFERENCE, [5] * SEEDS, deeper, end=-1e-6)
    assert number(tmp_path, "volume_change.absolute_log_ratio") == 0  # no pair of that family comes so low
    write(tmp_path, "volume_change", r.REFERENCE, [5] * SEEDS, deeper, end=-1e-6, converged=(False,) * SEEDS)
    assert number(tmp_path, "volume_change.absolute_log_ratio") == BEYOND  # nor has one of them a level without it


def test_a_run_that_broke_off_or_is_not_there_leaves_no_number(tmp_path: Path) -> None:
    both(tmp_path, {})
    write(tmp_path, "volume_change", r.ABSOLUTE, [2] * SEEDS, {"family": "graded", **STRETCHED})
    assert "no clamped run beside it" in value_of(tmp_path, "volume_change.absolute_ratio").note
    write(tmp_path, "volume_change", r.CLAMPED, [2] * SEEDS, {"family": "graded", **STRETCHED}, status="failed")
    assert "did not complete" in value_of(tmp_path, "volume_change.absolute_ratio").note


def test_switching_is_compared_with_the_better_of_each_pair(tmp_path: Path) -> None:
    both(tmp_path, {"kuhn": [20, 20, 20, 80, 80]})
    for family in FAMILIES:
        write(tmp_path, "volume_change", r.SWITCHING, [30] * SEEDS, {"family": family, **STRETCHED})
    assert number(tmp_path, "volume_change.switching_best_log_ratio") == pytest.approx(np.log(1.5))
    assert number(tmp_path, "volume_change.switching_clamped_ratio") == pytest.approx(0.75)
    assert number(tmp_path, "volume_change.switching_absolute_ratio") == pytest.approx(1.5)


def test_failures_are_shares_of_a_family(tmp_path: Path) -> None:
    for family, failed in zip(FAMILIES, (1, 3, 5)):
        ends = [k >= failed for k in range(SEEDS)]
        swept = {"family": family, **STRETCHED}  # 29 rows, before the most iterations
        write(tmp_path, "volume_change", r.UNFILTERED, [9] * SEEDS, swept, converged=ends)
    assert number(tmp_path, "volume_change.unfiltered_failed_share") == pytest.approx(0.2)
    assert number(tmp_path, "volume_change.unfiltered_stopped_share") == pytest.approx(0.6)


@pytest.mark.parametrize("experiment", ["small_deformation", "small_deformation_of_hexahedra"])
def test_void_pairs_do_not_count(tmp_path: Path, experiment: str) -> None:
    for family in FAMILIES:
        for amount, numbers in ((0.8, (4, 6)), (0.9, (2, 3))):
            swept = {"family": family, "poisson_ratio": 0.495, "amount": amount}
            for name, needed in zip((r.CLAMPED, r.ABSOLUTE), numbers):
                write(tmp_path, experiment, name, [needed] * SEEDS, swept)
    assert number(tmp_path, f"{experiment}.pressed_ratio") == pytest.approx(4 / 6)
    assert number(tmp_path, f"{experiment}.void_share") == pytest.approx(0.5)


@pytest.mark.parametrize("quick,expected", [(90, 1.0), (101, 0.8)])
def test_slow_pairs_are_those_that_clamping_alone_takes_long_for(tmp_path: Path, quick: int, expected: float) -> None:
    for split in ("kuhn_six", "body_centred"):
        swept = {"split": split, "poisson_ratio": 0.4999, "stretch": 11.0}
        numbers = [90, 90, 90, 90, quick if split == "kuhn_six" else 90]
        write(tmp_path, "ends_moved", r.ABSOLUTE, numbers, swept)
        write(tmp_path, "ends_moved", r.CLAMPED, [201] * SEEDS, swept)
    assert number(tmp_path, "ends_moved.slow_share") == pytest.approx(expected)


# ---- steps


def of_steps(folder: Path, name: str, needed: int, squeeze: float, **more: Any) -> None:
    """Two elements, one of them squeezed."""
    f = np.tile(np.eye(3), (SEEDS, 2, 2, 1, 1))
    f[:, -1, 1] *= squeeze
    for family in FAMILIES:
        swept = {"family": family, "start": "twisted", "poisson_ratio": 0.45}
        law = {"law": "stable_neo_hookean_core", "elements": "linear"}
        frame = {"deformation_gradients": f.reshape(SEEDS, 2, 2, 9)}
        write(folder, "steps", name, [needed] * SEEDS, swept, parameters=law, frame=frame, **more)


def test_tails_are_of_runs_that_end_with_an_indefinite_element(tmp_path: Path) -> None:
    of_steps(tmp_path, r.CLAMPED, 20, squeeze=0.8)
    assert number(tmp_path, "steps.clamped_tail_rate") == pytest.approx(10 ** (-4 / 20))
    of_steps(tmp_path / "at_rest", r.CLAMPED, 20, squeeze=1.0)
    assert "no clamped run" in value_of(tmp_path / "at_rest", "steps.clamped_tail_rate").note


def test_work_and_iterations_on_demand(tmp_path: Path) -> None:
    for name, needed in ((r.ON_DEMAND, 11), (r.UNFILTERED, 10), (r.CLAMPED, 20)):
        of_steps(tmp_path, name, needed, 0.8, converged=[name != r.CLAMPED] + [True] * (SEEDS - 1))
    assert number(tmp_path, "steps.on_demand_ratio") == pytest.approx(1.1)
    assert number(tmp_path, "steps.on_demand_work_ratio") == pytest.approx(11 / 20)
    assert number(tmp_path, "steps.unfiltered_ratio") == pytest.approx(0.5)
    assert number(tmp_path, "steps.extra_failures") == pytest.approx(-0.2)
    assert number(tmp_path, "steps.definite_runs") == 0  # two factorisations an iteration


def test_runs_in_which_nothing_is_projected_are_compared_bit_by_bit(tmp_path: Path) -> None:
    run = r.Run(np.array([2.0, 1.0, 0.0]), np.array([2.0, 1.0, 0.0]), True, np.array([0.0, 1.0, 2.0]))
    for name, changed in ((r.ON_DEMAND, 0.0), (r.UNFILTERED, 1e-16)):
        objective = np.array([run.objective, run.objective])
        objective[1, 1] -= changed
        write_trace(
            tmp_path,
            f"newton_filters/steps implicit_fem {name}",
            {"family": "kuhn"},
            seeds=2,
            iteration={
                "iteration": np.tile(np.arange(3), (2, 1)),
                "objective": objective,
                "gradient_norm": objective,
                "work_factorisations": np.tile(np.arange(3.0), (2, 1)),
            },
            step={"solver_converged": np.array([[np.nan, 1.0]] * 2)},
        )
    assert number(tmp_path, "steps.definite_runs") == 2
    assert number(tmp_path, "steps.definite_difference") == 1


def test_several_steps_are_summed_and_one_that_fails_is_a_failure(tmp_path: Path) -> None:
    for name, work, ends in (
        (r.PROGRESSIVE, 6.0, [1.0, 1.0]),
        (r.CLAMPED, 9.0, [1.0, 1.0]),
        (r.ON_DEMAND, 9.0, [1.0, 0.0]),
        (r.UNFILTERED, 9.0, [1.0, 1.0]),
    ):
        write_trace(
            tmp_path,
            f"newton_filters/large_steps implicit_fem {name}",
            {"family": "kuhn", "theta": 1.0},
            seeds=SEEDS,
            iteration={"iteration": np.tile([0, 1, 2, 0, 1], (SEEDS, 1))},
            step={
                "solver_converged": np.tile([np.nan, *ends], (SEEDS, 1)),
                "work_factorisations": np.tile([np.nan, work - 2, 2.0], (SEEDS, 1)),
                "work_projections": np.tile([np.nan, 10.0, work], (SEEDS, 1)),
            },
            tetrahedra=20,
        )
    assert number(tmp_path, "large_steps.projected_share") == pytest.approx(16 / (20 * 3))
    assert number(tmp_path, "large_steps.median_projected_share") == pytest.approx(16 / (20 * 3))
    assert number(tmp_path, "large_steps.clamped_projected_share") == pytest.approx(19 / (20 * 3))
    assert number(tmp_path, "large_steps.progressive_work_ratio") == pytest.approx(6 / 9)
    assert number(tmp_path, "large_steps.progressive_ratio") == 1
    assert number(tmp_path, "large_steps.progressive_on_demand_log_ratio") == -BEYOND
    assert number(tmp_path, "large_steps.unit_clamped_work_ratio") == pytest.approx(9 / 6)
    assert number(tmp_path, "large_steps.static_extra_failures") == 1
    assert number(tmp_path, "large_steps.dynamic_failed_share") == 0


def test_regimes_are_told_apart_by_stretch_and_poisson_ratio(tmp_path: Path) -> None:
    assert s.LARGE.short == "large_steps" and v.SMALL.short == "small_deformation"
    both(tmp_path, {})
    for family in FAMILIES:
        for swept in ({"poisson_ratio": 0.495, "amount": 0.4}, {"poisson_ratio": 0.3, "amount": 1.1}):
            for name in (r.ABSOLUTE, r.CLAMPED):
                write(
                    tmp_path,
                    "volume_change",
                    name,
                    [40 if name == r.CLAMPED else 80] * SEEDS,
                    {"family": family, **swept},
                )
    assert number(tmp_path, "volume_change.quadratic_ratio") == pytest.approx(0.5)
    assert number(tmp_path, "volume_change.slight_log_ratio") == pytest.approx(np.log(2))
    assert number(tmp_path, "volume_change.absolute_ratio") == pytest.approx(np.sqrt(0.5 * 2))
