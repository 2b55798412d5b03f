# SPDX-License-Identifier: BSD-3-Clause
"""Where 20 iterations suffice, on made-up runs: one run inside or outside the regime is off, one step takes 19."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.mueller_gross_2004.measurements import cg_truncation_regime as m

BLOCK = {"cells_across": 4, "density_kg_m3": 1000.0, "young_modulus_pa": 1e5, "time_step_s": 0.01}


def write_fall(
    folder: Path, side: float, condition: list[float], lost: float, counts: list[int], unconverged: int | None = None
) -> None:
    rows = len(counts)
    converged = np.ones(len(condition))
    if unconverged is not None:
        converged[unconverged] = 0
    velocity = np.outer(0.01 * np.arange(rows) * (1 - lost), [0, -9.81, 0])
    scene = {**BLOCK, "gravity_m_s2": [0, -9.81, 0]}
    step = {"centre_of_mass_velocity": velocity, "solver_iterations": np.array(counts)}
    operator = {"condition_number": np.array(condition), "operator_converged": converged}
    swept = {"side_m": side}
    write_trace(
        folder, f"{m.STIFFNESS.experiment} warped_fem plain", swept=swept, scene=scene, step=step, operator=operator
    )


def test_the_regime_ends_where_the_bound_allows_one_per_cent(tmp_path: Path) -> None:
    write_fall(tmp_path, 0.8, [20.0, 30], 0.002, [0, 20, 20])
    write_fall(tmp_path, 0.4, [40.0, 57], 0.004, [0, 20, 20])
    write_fall(tmp_path, 0.2, [40.0, 58], 0.3, [0, 20, 20])  # its last matrix is beyond
    assert number(tmp_path, "cg_truncation_stiffness.free_fall_error_in_regime") == pytest.approx(0.004)
    assert number(tmp_path, "cg_truncation_stiffness.free_fall_error") == pytest.approx(0.3)
    assert number(tmp_path, "cg_truncation_stiffness.iterations") == 20
    assert value_of(tmp_path, "cg_truncation_stiffness.free_fall_error_in_regime").note == (
        "2 runs, Δt²E/(ρh²) up to 1, condition number up to 57"
    )


@pytest.mark.parametrize("row", [0, 1, 2])
def test_one_eigenvalue_that_did_not_converge_leaves_the_regime_open(tmp_path: Path, row: int) -> None:
    write_fall(tmp_path, 0.8, [20.0, 30, 20], 0.002, [0, 20, 20], unconverged=row)
    assert (
        "an eigenvalue did not converge" in value_of(tmp_path, "cg_truncation_stiffness.free_fall_error_in_regime").note
    )


def test_runs_beyond_the_bound_are_judged_up_to_the_stiffness_number_that_was_seen(tmp_path: Path) -> None:
    write_fall(tmp_path, 0.8, [20.0, 30], 0.002, [0, 20, 20])  # 0.25
    write_fall(tmp_path, 0.2, [90.0, 130], 0.006, [0, 20, 20])  # 4
    write_fall(tmp_path, 0.18, [90.0, 130], 0.2, [0, 20, 20])  # 4.9
    assert number(tmp_path, "cg_truncation_stiffness.free_fall_error_seen") == pytest.approx(0.006)
    for length, off in ((4.0, 0.01), (0.66, 0.02), (0.6, 0.4)):  # 0.01 · 16² / length²: 0.01, 5.9, 7.1
        write_swing(tmp_path, "exact", length, [0, 1.0, 0.1])
        write_swing(tmp_path, "plain", length, [0, 1.0 - off, 0.1], 500.0)
    assert number(tmp_path, "cg_truncation_swing.tip_error_seen") == pytest.approx(0.02)


@pytest.mark.parametrize("count", [19, 23])
def test_one_step_with_another_number_of_iterations_is_found(tmp_path: Path, count: int) -> None:
    write_fall(tmp_path, 0.8, [20.0, 30], 0.0, [0, 20, 20, 20])
    write_fall(tmp_path, 0.4, [20.0, 30], 0.0, [0, 20, count, 20])
    assert number(tmp_path, "cg_truncation_stiffness.iterations") == count


def write_swing(folder: Path, name: str, length: float, tip: list[float], condition: float = 20.0) -> None:
    rows = len(tip)
    scene = {**BLOCK, "side_m": length / 4}
    step = {"tip_displacement": np.outer(tip, [0, -1.0, 0]), "solver_iterations": np.full(rows, 20)}
    operator = {"condition_number": np.full(2, condition), "operator_converged": np.ones(2)}
    at = {"length_m": length}
    write_trace(folder, f"{m.SWING.experiment} warped_fem {name}", at, scene, step=step, operator=operator)


def test_a_tip_is_compared_with_the_exact_run_of_its_own_body(tmp_path: Path) -> None:
    for length, peak, condition in ((1.0, 0.5, 20.0), (1.5, 1.0, 20.0), (2.0, 2.0, 500.0)):
        write_swing(tmp_path, "exact", length, [0, peak, 0.1])
        write_swing(tmp_path, "plain", length, [0, peak - 0.1, 0.1], condition)
    assert number(tmp_path, "cg_truncation_swing.tip_error") == pytest.approx(0.2)
    assert number(tmp_path, "cg_truncation_swing.tip_error_in_regime") == pytest.approx(0.2)
    write_swing(tmp_path, "plain", 4.0, [0, 1.0, 0.4], 500.0)
    write_swing(tmp_path, "exact", 4.0, [0, 1.0, 0.1])
    assert number(tmp_path, "cg_truncation_swing.tip_error") == pytest.approx(0.3)
    assert number(tmp_path, "cg_truncation_swing.tip_error_in_regime") == pytest.approx(0.2)
    assert number(tmp_path, "cg_truncation_swing.iterations") == 20
