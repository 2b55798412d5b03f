# SPDX-License-Identifier: BSD-3-Clause
"""Relaxation of a held strain: in every test one row is off, and its size is what is measured."""

import math
from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/creep_relaxation"
HELD, YIELD, UNCAPPED = 0.1, 0.02, 10.0
S, M = "scene.parameters.", "method.parameters."


def relaxed(
    folder: Path,
    name: str,
    elastic: list[float],
    *,
    creep: float = 50.0,
    dt: float = 0.01,
    cap: float = UNCAPPED,
    kind: str = "uniaxial",
    across: dict[int, float] | None = None,
    status: str = "completed",
) -> None:
    """A cell whose elastic strain goes through `elastic`; `across`:
    row → plastic shear yz beside the held direction, engineering."""
    plastic = np.zeros((len(elastic), 1, 6))
    plastic[:, 0, 0 if kind == "uniaxial" else 3] = (HELD - np.array(elastic)) * (1 if kind == "uniaxial" else 0.5)
    for row, shear in (across or {}).items():
        plastic[row, 0, 4] = shear / 2
    own = {"plastic_creep_per_s": creep, "plastic_max": cap}
    scene = {"strain_kind": kind, "time_step_s": dt}
    write_trace(
        folder,
        f"{EXPERIMENT} warped_fem {name}",
        parameters={"plastic_yield": YIELD},
        scene={"strain": HELD},
        coordinates={**{S + k: v for k, v in scene.items()}, **{M + k: v for k, v in own.items()}},
        dt=dt,
        status=status,
        frame={"element_plastic_strains": plastic},
    )


def decayed(share: float, rows: int = 5, cap: float = UNCAPPED) -> list[float]:
    """0.1 (1 − share)ⁿ until it is below the yield, and no lower than the cap leaves it."""
    flowing = 0
    while HELD * (1 - share) ** flowing > YIELD:
        flowing += 1
    return [max(HELD * (1 - share) ** min(n, flowing), HELD - cap) for n in range(rows)]


def test_one_row_off_the_printed_recursion_is_the_error(tmp_path: Path) -> None:
    wrong = decayed(0.5, cap=0.07)
    wrong[1] += 0.003
    relaxed(tmp_path, "printed", wrong, cap=0.07)
    assert number(tmp_path, "creep_relaxation.printed_recursion_error") == pytest.approx(0.03)
    assert "plastic_max=0.07" in value_of(tmp_path, "creep_relaxation.printed_recursion_error").note


@pytest.mark.parametrize("creep", [10.0, 50.0, 300.0])
def test_one_row_off_the_exponential_recursion_is_the_error_at_any_rate(tmp_path: Path, creep: float) -> None:
    values = decayed(1 - math.exp(-0.01 * creep))
    values[1] += 0.002
    relaxed(tmp_path, "exponential", values, creep=creep)
    assert number(tmp_path, "creep_relaxation.exponential_recursion_error") == pytest.approx(0.02)


def test_what_one_step_at_the_printed_limit_leaves(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.004, 0.0], creep=100.0, kind="shear")
    assert number(tmp_path, "creep_relaxation.absorbed_residual") == pytest.approx(0.04)


def test_the_order_is_read_from_the_two_smallest_steps_at_a_tenth_of_a_second(tmp_path: Path) -> None:
    for dt, error in ((0.005, 1e-4), (0.01, 3e-4), (0.02, 5e-2)):
        values = [HELD] * 30
        values[round(0.1 / dt)] = HELD * math.exp(-1) + error
        relaxed(tmp_path, "printed", values, creep=10.0, dt=dt)
    assert number(tmp_path, "creep_relaxation.printed_order") == pytest.approx(math.log(3) / math.log(2))
    assert value_of(tmp_path, "creep_relaxation.printed_order").note == "Δt = 0.005 and 0.01 s"


def test_an_order_needs_two_time_steps(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD] * 30, creep=10.0)
    assert "one time step only" in value_of(tmp_path, "creep_relaxation.printed_order").note


def test_one_row_beyond_the_cap_is_the_excess(tmp_path: Path) -> None:
    relaxed(tmp_path, "exponential", [HELD, 0.045, 0.05], cap=0.05)
    assert number(tmp_path, "creep_relaxation.cap_excess") == pytest.approx(0.1)


def test_the_share_of_rows_at_the_cap_counts_every_row_of_every_capped_cell(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.05, 0.05, 0.05], cap=0.05)
    relaxed(tmp_path, "exponential", [HELD, 0.07, 0.06, 0.05], cap=0.05)
    relaxed(tmp_path, "printed", [HELD, 0.07, 0.06, 0.05])
    assert number(tmp_path, "creep_relaxation.capped_share") == pytest.approx(0.5)


def test_one_row_that_flows_across_the_held_strain_is_the_error_of_direction(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.05, 0.04, 0.03], kind="shear", across={2: 0.01})
    assert number(tmp_path, "creep_relaxation.direction_error") == pytest.approx(0.01 / math.hypot(0.06, 0.01))


def test_no_plastic_strain_has_no_direction(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, HELD])
    assert "nothing to compare" in value_of(tmp_path, "creep_relaxation.direction_error").note


def test_undershoot_is_that_of_the_end(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.015, 0.005], creep=90.0)
    relaxed(tmp_path, "printed", [HELD, 0.05, -0.9], creep=95.0, cap=0.05)  # its cap is in the way
    assert number(tmp_path, "creep_relaxation.printed_undershoot") == pytest.approx(0.75)


def test_a_radial_return_that_ends_above_the_yield_is_off_as_well(tmp_path: Path) -> None:
    for creep, end in ((10.0, 0.02), (50.0, 0.026), (100.0, 0.0198)):
        relaxed(tmp_path, "radial_return", [HELD, 0.05, end], creep=creep)
    assert number(tmp_path, "creep_relaxation.return_undershoot") == pytest.approx(-0.3)


@pytest.mark.parametrize("name", ["printed", "exponential"])
@pytest.mark.parametrize("factor", [1.5, 0.5])
def test_the_rate_of_the_first_step_is_compared_with_c(tmp_path: Path, name: str, factor: float) -> None:
    relaxed(tmp_path, name, [HELD, HELD * math.exp(-0.01 * 20.0 * factor), 0.03], creep=20.0)
    assert number(tmp_path, f"creep_relaxation.{name}_rate_error") == pytest.approx(0.5)


def test_a_rate_needs_a_strain_that_is_left(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.0, 0.0], creep=50.0)
    assert "nothing to compare" in value_of(tmp_path, "creep_relaxation.printed_rate_error").note


def test_growth_is_the_largest_strain_of_any_row(tmp_path: Path) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.7, 0.3], creep=300.0)
    assert number(tmp_path, "creep_relaxation.over_relaxed_growth") == pytest.approx(7.0)


@pytest.mark.parametrize("end, counts", [(0.03, False), (0.0201, False), (0.0199, True)])
def test_a_strain_above_the_yield_is_no_undershoot(tmp_path: Path, end: float, counts: bool) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.05, end])
    found = value_of(tmp_path, "creep_relaxation.printed_undershoot")
    assert (found.value is not None) == counts and (counts or "nothing to compare" in found.note)


@pytest.mark.parametrize(
    "quantity, name, creep, cap",
    [
        ("printed_order", "printed", 10.0, UNCAPPED),
        ("capped_share", "printed", 50.0, 0.05),
        ("return_undershoot", "radial_return", 50.0, UNCAPPED),
    ],
)
def test_the_worst_of_the_others_stands_for_no_cell_that_diverged(
    tmp_path: Path, quantity: str, name: str, creep: float, cap: float
) -> None:
    for dt, status in ((0.01, "completed"), (0.01 * (1 + 1e-13), "diverged")):  # another cell of the same setting
        relaxed(tmp_path, name, [HELD, 0.05, 0.01] + [0.01] * 10, creep=creep, cap=cap, dt=dt, status=status)
    assert "1 cells did not complete" in value_of(tmp_path, f"creep_relaxation.{quantity}").note


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("row", [0, 1, 3])
def test_a_plastic_strain_that_is_not_finite_leaves_no_direction(tmp_path: Path, row: int, bad: float) -> None:
    relaxed(tmp_path, "printed", [HELD, 0.05, 0.04, 0.03], across={2: 0.01})
    relaxed(tmp_path, "exponential", [HELD, 0.05, 0.04, 0.03], across={row: bad})
    found = value_of(tmp_path, "creep_relaxation.direction_error")
    assert found.value is None and "not finite" in found.note and not found.broken
