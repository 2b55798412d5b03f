# SPDX-License-Identifier: BSD-3-Clause
"""Growth of the condition number on made-up runs: one row of one run beyond the regime, or inside it."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import REST, SCENE, TETS

NAME = "mueller_gross_2004/fracture_conditioning"
YOUNG = 1e5  # with density 10 kg/m³ and the shortest edge 1 m: Δt²E/(ρh²) = 1e4 Δt²


def write(
    folder: Path,
    time_step: float,
    conditions: list[float],
    splits: list[int] | None = None,
    *,
    bound: list[float] | None = None,
    lambda_max: list[float] | None = None,
    unconverged: int | None = None,
) -> None:
    """`bound`: of the condition number, `lambda_max`: of the largest eigenvalue;
    the one over the other is the smallest mass."""
    rows = len(conditions)
    converged = np.ones(rows)
    if unconverged is not None:
        converged[unconverged] = 0
    operator = {
        "condition_number": np.array(conditions),
        "operator_converged": converged,
        "condition_bound": np.array(bound or [9.0] * rows),
        "lambda_max_bound": np.array(lambda_max or [1.0] * rows),
    }
    step = {"split_count": np.array(splits or [0, *[20] * (rows - 1)])}
    arrays = {"rest_positions": REST, "tetrahedra": TETS}
    scene = {**SCENE, "young_modulus_pa": YOUNG}
    swept = {"time_step_s": time_step}
    write_trace(
        folder, f"{NAME} warped_fem warped", scene=scene, swept=swept, arrays=arrays, operator=operator, step=step
    )


def test_the_worst_row_is_judged(tmp_path: Path) -> None:
    write(tmp_path, 0.01, [10, 50, 11])
    assert number(tmp_path, "fracture_conditioning.growth_max") == pytest.approx(5)
    assert number(tmp_path, "fracture_conditioning.splits") == 20


def test_the_regime_is_few_splits_per_vertex_and_a_matrix_that_mass_decides(tmp_path: Path) -> None:
    n = len(REST)
    few, more = n // 4, n // 4 + 1
    write(tmp_path, 0.001, [10, 11, 19], splits=[0, few, more])  # Δt²E/(ρh²) = 0.01
    write(tmp_path, 0.003, [10, 12, 30], splits=[0, 1, n])  # 0.09
    write(tmp_path, 0.01, [10, 50, 11], splits=[0, 1, 1])  # 1
    assert number(tmp_path, "fracture_conditioning.growth_in_regime") == pytest.approx(1.2)
    assert value_of(tmp_path, "fracture_conditioning.growth_in_regime").note.endswith("2 runs")
    assert number(tmp_path, "fracture_conditioning.splits_in_regime") == few + 1
    assert number(tmp_path, "fracture_conditioning.growth_by_more_splits") == pytest.approx(3)
    assert value_of(tmp_path, "fracture_conditioning.growth_by_more_splits").note.endswith(
        "1 splits per vertex at the end"
    )


def test_a_run_in_which_nothing_split_is_no_sample(tmp_path: Path) -> None:
    write(tmp_path, 0.001, [10, 10.5, 10], splits=[0, 0, 0])
    assert value_of(tmp_path, "fracture_conditioning.growth_in_regime").value is None
    assert number(tmp_path, "fracture_conditioning.splits_in_regime") == 0


def test_the_bound_is_that_of_the_first_mesh_with_the_smallest_mass_of_the_row(tmp_path: Path) -> None:
    write(tmp_path, 0.002, [10.0, 50, 11], bound=[2.0, 12, 5], lambda_max=[4.0, 6, 5])  # masses 2, 0.5 and 1 kg
    assert number(tmp_path, "fracture_conditioning.bound_ratio_max") == pytest.approx(50 * 0.5 / 4)


def test_the_ratio_of_masses_is_that_of_the_start_over_the_smallest_of_any_row(tmp_path: Path) -> None:
    write(tmp_path, 0.002, [10.0, 10, 10], bound=[2.0, 12, 5], lambda_max=[4.0, 6, 5])
    assert number(tmp_path, "fracture_conditioning.mass_ratio_max") == pytest.approx(4)


@pytest.mark.parametrize("row", [0, 1, 2])
def test_one_eigenvalue_that_did_not_converge_says_nothing(tmp_path: Path, row: int) -> None:
    write(tmp_path, 0.001, [10.0, 11, 10], unconverged=row)
    assert "an eigenvalue did not converge" in value_of(tmp_path, "fracture_conditioning.growth_max").note
