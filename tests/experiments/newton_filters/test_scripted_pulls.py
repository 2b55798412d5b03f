# SPDX-License-Identifier: BSD-3-Clause
"""Runs with known decrements, one of which is wrong."""

from collections.abc import Sequence
from pathlib import Path

import h5py
import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.paired_ratios import BEYOND
from experiments.newton_filters.measurements import runs as r, scripted_pulls as b

REST = np.array([[-0.2, 0, 0], [0.2, 0, 0], [0, 0.1, 0], [0, -0.1, 0]])  # radius 0.2 m, length 0.4 m
SCENE = {"density_kg_m3": 1000.0, "time_step_s": 0.01, "theta": 1e6}
BODIES = (("quadratic", "kuhn"), ("hexahedra", "hexahedral"))
PULLED = {"poisson_ratio": 0.495, "amount": 4.0}
ROWS = 210


def unit(nu: float) -> float:
    """(λ + μ) r³/3, J."""
    young = 1e6 * 1000.0 * (0.4 / 0.01) ** 2
    return young * (nu / ((1 + nu) * (1 - 2 * nu)) + 1 / (2 * (1 + nu))) * 0.2**3 / 3


def write(folder: Path, name: str, body: tuple[str, str], state: dict[str, float], needed: Sequence[int]) -> None:
    """Members whose half decrement is 1.01e-5 units before the iteration that they need, and 0.99e-5 from there on;
    more than 200: later than the public code iterates, in a run that does not converge."""
    element, family = body
    decrements = np.full((len(needed), ROWS), 2.02e-5 * unit(state["poisson_ratio"]))
    for member, count in enumerate(needed):
        decrements[member, count:] *= 0.99 / 1.01
    decrements[:, -1] = np.nan
    objective = np.tile(np.linspace(1.0, 0.0, ROWS), (len(needed), 1))
    write_trace(
        folder,
        f"newton_filters/scripted_pulls implicit_fem {name}",
        {**state, "family": family},
        SCENE,
        parameters={"elements": element, "newton_max_iterations": 201},
        seeds=len(needed),
        arrays={"rest_positions": REST},
        iteration={"objective": objective, "gradient_norm": objective, "newton_decrement": decrements},
        step={"solver_converged": np.array([[np.nan, 1.0 if count <= 200 else 0.0] for count in needed])},
    )


def both(
    folder: Path, state: dict[str, float], absolute: Sequence[int], clamped: Sequence[int], bodies: int = 2
) -> None:
    for body in BODIES[:bodies]:
        write(folder, r.ABSOLUTE, body, state, absolute)
        write(folder, r.CLAMPED, body, state, clamped)


def test_runs_stop_at_half_the_decrement_that_the_public_code_asks_for(tmp_path: Path) -> None:
    both(tmp_path, PULLED, [20] * 5, [80] * 5)
    assert number(tmp_path, "scripted_pulls.pulled_absolute_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "scripted_pulls.pulled_absolute_log_ratio_spread") == 0
    assert number(tmp_path, "scripted_pulls.both_failed_share") == 0


def test_bodies_that_disagree_leave_the_order_undecided(tmp_path: Path) -> None:
    both(tmp_path, PULLED, [20] * 5, [80] * 5, bodies=1)
    write(tmp_path, r.ABSOLUTE, BODIES[1], PULLED, [80] * 5)
    write(tmp_path, r.CLAMPED, BODIES[1], PULLED, [20] * 5)
    assert number(tmp_path, "scripted_pulls.absolute_log_ratio") == pytest.approx(np.log(4))
    assert number(tmp_path, "scripted_pulls.absolute_log_ratio_spread") > BEYOND


def test_a_pressed_body_is_judged_apart_from_the_same_body_stretched(tmp_path: Path) -> None:
    both(tmp_path, PULLED, [20] * 5, [80] * 5)
    both(tmp_path, {"poisson_ratio": 0.495, "amount": 0.5}, [60] * 5, [60] * 5)
    assert number(tmp_path, "scripted_pulls.pulled_absolute_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "scripted_pulls.absolute_ratio") == 1
    assert number(tmp_path, "scripted_pulls.absolute_log_ratio_spread") > BEYOND


@pytest.mark.parametrize(
    ("absolute", "clamped", "share", "spread"),
    [([50] * 5, [205] * 5, 1.0, 0.0), ([50] * 5, [205] * 4 + [90], 0.8, 0.0), ([205] * 5, [205] * 5, 0.0, 0.0),
     ([50] * 5, [205] * 3 + [90] * 2, 0.6, 1.0)],
)  # fmt: skip
def test_clamping_is_slow_where_it_alone_needs_more_than_two_hundred(
    tmp_path: Path, absolute: list[int], clamped: list[int], share: float, spread: float
) -> None:
    both(tmp_path, {"poisson_ratio": 0.4999, "amount": 11.0}, absolute, clamped)
    both(tmp_path, {"poisson_ratio": 0.4999, "amount": 1.5}, [5] * 5, [6] * 5)
    assert number(tmp_path, "scripted_pulls.slow_share") == share
    assert number(tmp_path, "scripted_pulls.slow_share_spread") == spread
    assert number(tmp_path, "scripted_pulls.barely_stretched_share") == 1
    assert number(tmp_path, "scripted_pulls.elevenfold_clamped_most") == b.MOST + 1


def test_a_direction_that_does_not_descend_is_no_stop(tmp_path: Path) -> None:
    both(tmp_path, PULLED, [20] * 5, [80] * 5)
    for path in tmp_path.rglob("*.h5"):
        with h5py.File(path, "r+") as file:
            file["series/iteration/newton_decrement"][:, 10] *= -1
    assert number(tmp_path, "scripted_pulls.pulled_absolute_ratio") == pytest.approx(0.25)


def failed(folder: Path, name: str, theta: float, ends: Sequence[bool]) -> None:
    left = np.tile(np.array([1.0, 0.0]), (len(ends), 1))
    write_trace(
        folder,
        f"newton_filters/unfiltered_by_inertia implicit_fem {name}",
        {"family": "kuhn", "theta": theta},
        seeds=len(ends),
        iteration={"objective": left, "gradient_norm": left},
        step={"solver_converged": np.array([[np.nan, float(end)] for end in ends])},
    )


def test_failures_of_static_runs_are_told_from_those_with_inertia(tmp_path: Path) -> None:
    failed(tmp_path, r.UNFILTERED, 1e6, [False, False, True])
    failed(tmp_path, r.CLAMPED, 1e6, [False, True, True])
    failed(tmp_path, r.UNFILTERED, 1.0, [True, True, True])
    values = {
        name: number(tmp_path, f"unfiltered_by_inertia.{name}")
        for name in ("static_failed_share", "static_excess", "clamped_static_failed_share", "dynamic_failed_share")
    }
    assert list(values.values()) == pytest.approx([2 / 3, 1 / 3, 1 / 3, 0], abs=1e-12)
    assert number(tmp_path, "unfiltered_by_inertia.static_failed_share_spread") == pytest.approx(0.5)
