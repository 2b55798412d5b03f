# SPDX-License-Identifier: BSD-3-Clause
"""Tangled starts: one member of one cell gains energy in one row, or ends before the others;
cells that diverged count as well."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/unconditional_stability"
CALM = [8.0, 6.0, 4.0, 2.0]
SWEEP = (0.01, 1.0, 100.0)


def tangled(folder: Path, name: str, dt: float, energies: list[list[float]], *, status: str = "completed") -> None:
    """An ensemble, a member for every list; a member with fewer rows than the longest ended there."""
    count, rows = len(energies), max(len(e) for e in energies)
    padded = np.array([e + [np.nan] * (rows - len(e)) for e in energies])
    steps = np.array([[k if k < len(e) else -1 for k in range(rows)] for e in energies])
    run, step, swept = f"{EXPERIMENT} warped_fem {name}", {"total_energy": padded}, {"time_step_s": dt}
    write_trace(folder, run, swept, tetrahedra=5, status=status, seeds=count, steps=steps, step=step)


RATIO = {
    "exact_energy_ratio_max": "warped_exact",
    "cg20_plain_energy_ratio_max": "warped_cg20_plain",
    "cg20_mass_energy_ratio_max": "warped_cg20_mass",
}
RISE = {"exact_energy_rise": "warped_exact", "cg20_plain_energy_rise": "warped_cg20_plain"}


@pytest.mark.parametrize("status", ["completed", "diverged"])
@pytest.mark.parametrize("name", RATIO)
@pytest.mark.parametrize("worst", SWEEP)
def test_one_row_of_one_member_is_the_largest_energy_however_its_cell_ended(
    tmp_path: Path, name: str, worst: float, status: str
) -> None:
    for dt in SWEEP:
        members = [CALM, [8.0, 7.0, 20.0, 1.0] if dt == worst else CALM, [8.0, 9.0, 1.0, np.nan]]
        tangled(tmp_path, RATIO[name], dt, members, status=status if dt == worst else "completed")
    assert number(tmp_path, f"unconditional_stability.{name}") == pytest.approx(2.5)
    assert value_of(tmp_path, f"unconditional_stability.{name}").note == f"{RATIO[name]} (time_step_s={worst:g})"


@pytest.mark.parametrize("status", ["completed", "diverged"])
@pytest.mark.parametrize("name", RISE)
@pytest.mark.parametrize("worst", SWEEP)
def test_the_rise_is_above_the_least_energy_so_far_however_the_cell_ended(
    tmp_path: Path, name: str, worst: float, status: str
) -> None:
    for dt in SWEEP:
        risen = [8.0, 2.0, 1.0, 5.0, 4.0, np.nan] if dt == worst else [8.0, 7.0, 7.8, 7.0, 7.0, 7.0]
        tangled(tmp_path, RISE[name], dt, [CALM, risen, [8.0, 8.8]], status=status if dt == worst else "completed")
    assert number(tmp_path, f"unconditional_stability.{name}") == pytest.approx(0.5)
    assert value_of(tmp_path, f"unconditional_stability.{name}").note == f"{RISE[name]} (time_step_s={worst:g})"


def test_no_finite_energy_is_no_rise_and_no_ratio(tmp_path: Path) -> None:
    tangled(tmp_path, "warped_exact", 0.01, [[np.nan, np.nan], [np.nan, np.nan]], status="diverged")
    for name in ("exact_energy_rise", "exact_energy_ratio_max"):
        assert "nothing to compare" in value_of(tmp_path, f"unconditional_stability.{name}").note


@pytest.mark.parametrize("name, method", [("exact", "warped_exact"), ("cg20_plain", "warped_cg20_plain")])
def test_members_that_ended_early_or_hold_one_number_that_is_not_finite_are_counted(
    tmp_path: Path, name: str, method: str
) -> None:
    tangled(tmp_path, method, 0.01, [CALM, CALM[:2], CALM], status="diverged")
    tangled(tmp_path, method, 1.0, [CALM, [8.0, np.nan, 4.0, 2.0], [8.0, 6.0, np.inf, 2.0]])
    tangled(tmp_path, method, 100.0, [CALM, CALM, CALM])
    assert number(tmp_path, f"unconditional_stability.{name}_non_finite") == 3


def test_a_cell_whose_members_all_ended_together_is_bad_though_none_is_behind(tmp_path: Path) -> None:
    tangled(tmp_path, "warped_exact", 0.01, [CALM[:2], CALM[:2]], status="diverged")
    tangled(tmp_path, "warped_exact", 1.0, [CALM, CALM])
    assert number(tmp_path, "unconditional_stability.exact_non_finite") == 1
