# SPDX-License-Identifier: BSD-3-Clause
"""Ends of Newton runs that take known numbers of iterations."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.paired_ratios import BEYOND
from experiments.newton_filters.measurements import runs as r, switched_ends as e

NEWTON = [1.0, 1e-2, 9e-4, 1e-5, 1e-9]  # two iterations from 1e-3 to 1e-6


def halving(count: int) -> list[float]:
    """Falls by ten down to 1e-3, and in `count` iterations by a thousand."""
    return [1.0, 1e-1, 1e-2, *(1e-3 * 10 ** (-3 * np.arange(count + 1) / count) * (1 - 1e-9)), 0.0]


def write(
    folder: Path, name: str, left: list[float], *, squeeze: float = 0.8, end: float = 0.0, **swept: object
) -> None:
    rows = {"iteration": np.arange(len(left)), "objective": end + (1 - end) * np.array(left) ** 2}
    f = np.tile(np.eye(3), (2, 2, 1, 1))
    f[-1, 1] *= squeeze
    write_trace(
        folder,
        f"newton_filters/switched_ends implicit_fem {name}",
        {"family": "kuhn", "start": "twisted", "amount": 90.0, "poisson_ratio": 0.45, "seed": 1, **swept},
        parameters={"law": "stable_neo_hookean_core"},
        iteration={**rows, "gradient_norm": np.array(left)},
        frame={"deformation_gradients": f.reshape(2, 2, 9)},
        step={"solver_converged": np.array([np.nan, 1.0])},
    )


def three(folder: Path, switching: int, clamped: int = 12, **more: object) -> None:
    for name, left in ((r.UNFILTERED, NEWTON), (r.CLAMPED, halving(clamped)), (r.SWITCHING, halving(switching))):
        write(folder, name, left, **more)  # type: ignore[arg-type]


def test_the_worst_end_is_judged_beside_those_without_filter(tmp_path: Path) -> None:
    three(tmp_path, 3)
    three(tmp_path, 9, seed=2)
    assert number(tmp_path, "switched_ends.extra_iterations") == 7
    assert number(tmp_path, "switched_ends.least_extra_iterations") == 1
    assert number(tmp_path, "switched_ends.extra_relative_to_clamped") == pytest.approx((0.1 + 0.7) / 2)
    assert number(tmp_path, "switched_ends.clamped_rate") == pytest.approx(10**-0.25)
    assert number(tmp_path, "switched_ends.judged_share") == 1


def test_problems_in_which_filters_change_nothing_are_left_out(tmp_path: Path) -> None:
    three(tmp_path, 9)
    three(tmp_path, 40, clamped=4, seed=2)  # two more are too few
    three(tmp_path, 40, squeeze=1.0, seed=3)  # no element is indefinite
    three(tmp_path, 40, clamped=40, seed=4)
    write(tmp_path, r.UNFILTERED, halving(4), seed=4)  # does not end quadratically
    assert number(tmp_path, "switched_ends.extra_iterations") == 7
    assert number(tmp_path, "switched_ends.judged_share") == pytest.approx(1 / 4)


def test_switching_that_ends_elsewhere_fails(tmp_path: Path) -> None:
    three(tmp_path, 3)
    three(tmp_path, 3, seed=2)
    write(tmp_path, r.SWITCHING, halving(3), end=0.5, seed=2)
    assert number(tmp_path, "switched_ends.extra_iterations") == BEYOND


def test_runs_without_their_rivals_leave_no_number(tmp_path: Path) -> None:
    three(tmp_path, 3)
    write(tmp_path, r.CLAMPED, halving(12), seed=2)
    assert "not all three" in value_of(tmp_path, "switched_ends.extra_iterations").note


def test_in_tension_all_three_are_compared(tmp_path: Path) -> None:
    three(tmp_path, 3)
    three(tmp_path, 5, clamped=2, start="stretched", amount=1.1)
    three(tmp_path, 9, start="stretched", amount=0.9)
    assert number(tmp_path, "switched_ends.tension_difference") == 3
    assert number(tmp_path, "switched_ends.extra_iterations") == 7
    assert e.M.short == "switched_ends"
