# SPDX-License-Identifier: BSD-3-Clause
"""Iterations of a step: one cell takes more than the others, rises, or does not start where its reference does."""

from pathlib import Path

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, value_of, write_trace

EXPERIMENT = "cross/convergence"
LEAST, DROP = -3.0, 8.0  # J
LAWS = ("corotational", "stable_neo_hookean")


def falling(rate: float, count: int = 60) -> np.ndarray:
    """Objectives whose error falls by `rate` in every iteration."""
    return LEAST + DROP * rate ** -np.arange(count, dtype=float)


def newton(folder: Path, law: str, hessian: str, objective: np.ndarray) -> None:
    swept = {"method.parameters.law": law, "method.parameters.hessian": hessian}
    write_trace(folder, f"{EXPERIMENT} implicit_fem newton", swept=swept, iteration=rows(objective))


def references(folder: Path) -> None:
    for law in LAWS:
        series = {"iteration": rows([LEAST + DROP, LEAST])}
        swept = {"method.parameters.law": law}
        parameters = {"hessian": "projected"}
        write_trace(
            folder, f"{EXPERIMENT} implicit_fem newton_reference", parameters=parameters, swept=swept, series=series
        )
    for name in ("linear", "warped"):
        write_trace(folder, f"{EXPERIMENT} x_fem {name}_reference", iteration=rows([LEAST + DROP, LEAST]))


def cg(folder: Path, name: str, preconditioner: str, objective: np.ndarray) -> None:
    swept = {"method.parameters.cg_preconditioner": preconditioner}
    write_trace(folder, f"{EXPERIMENT} {name}_fem {name}", swept=swept, iteration=rows(objective))


@pytest.mark.parametrize("worst", LAWS)
def test_iterations_are_those_of_the_law_that_takes_most(tmp_path: Path, worst: str) -> None:
    references(tmp_path)
    for law in LAWS:
        newton(tmp_path, law, "projected", falling(10.1 if law == worst else 102.0))
        newton(tmp_path, law, "exact", falling(1010.0))
    # Somewhat more than a factor of 10 per iteration is below 1e-6 after six; than 1000 after two, and from below
    # 1e-2, after one, below 1e-10 after three more; than 100, after one, after four more.
    assert number(tmp_path, "convergence.newton_projected_iterations") == 6
    assert number(tmp_path, "convergence.newton_exact_iterations") == 2
    assert number(tmp_path, "convergence.newton_exact_end_iterations") == 3
    assert number(tmp_path, "convergence.newton_projected_end_iterations") == 4


@pytest.mark.parametrize("worst", ("linear", "warped"))
def test_conjugate_gradients_are_counted_by_preconditioner(tmp_path: Path, worst: str) -> None:
    references(tmp_path)
    for name in ("linear", "warped"):
        for preconditioner, rate in (("none", 2.0), ("mass", 3.0), ("jacobi", 5.0)):
            cg(tmp_path, name, preconditioner, falling(rate if name == worst else 10 * rate))
    for preconditioner, rate in (("none", 2.0), ("mass", 3.0), ("jacobi", 5.0)):
        expected = np.ceil(6 * np.log(10) / np.log(rate))
        assert number(tmp_path, f"convergence.cg_{preconditioner}_iterations") == expected


def test_the_least_objective_is_the_references_and_not_the_cells_own(tmp_path: Path) -> None:
    references(tmp_path)
    stalled = falling(10.0)
    stalled[4:] = stalled[4]
    for law in LAWS:
        newton(tmp_path, law, "exact", stalled if law == LAWS[1] else falling(10.0))
    assert "does not come to 1e-06" in value_of(tmp_path, "convergence.newton_exact_iterations").note


def test_a_cell_that_starts_elsewhere_solves_another_problem(tmp_path: Path) -> None:
    references(tmp_path)
    for law in LAWS:
        newton(tmp_path, law, "exact", falling(10.0) + (1e-3 if law == LAWS[1] else 0.0))
    assert "does not start where" in value_of(tmp_path, "convergence.newton_exact_iterations").note


def test_the_rise_is_that_of_the_one_row_that_rises(tmp_path: Path) -> None:
    references(tmp_path)
    for law in LAWS:
        objective = falling(10.0)
        if law == LAWS[0]:
            objective[3] = objective[2] + 0.25 * DROP
        newton(tmp_path, law, "exact", objective)
    assert number(tmp_path, "convergence.largest_rise") == pytest.approx(0.25)


def test_bullet_is_compared_with_stable_neo_hookean_elements_after_its_last_iteration(tmp_path: Path) -> None:
    references(tmp_path)
    series = {"iteration": rows([LEAST + DROP, LEAST + 4.0 * DROP, LEAST + 0.1 * DROP, LEAST + 0.25 * DROP])}
    write_trace(tmp_path, f"{EXPERIMENT} bullet_fem bullet", parameters={"law": "neo_hookean"}, series=series)
    assert number(tmp_path, "convergence.bullet_left") == pytest.approx(0.25)
    assert number(tmp_path, "convergence.bullet_largest_rise") == pytest.approx(3.0)
    newton(tmp_path, "corotational", "exact", falling(10.0))
    assert number(tmp_path, "convergence.largest_rise") < 1e-12  # of those that look at the objective


def test_vertex_block_descent_is_measured_by_the_least_of_newtons_method(tmp_path: Path) -> None:
    references(tmp_path)
    objective = falling(10.1 ** (1 / 7))  # seven iterations for somewhat more than a factor of 10
    objective[20] = objective[19] + 0.25 * DROP
    series = {"iteration": rows(objective)}
    write_trace(tmp_path, f"{EXPERIMENT} vertex_block_descent descent", parameters={}, series=series)
    assert number(tmp_path, "convergence.descent_iterations") == 14
    assert number(tmp_path, "convergence.descent_largest_rise") == pytest.approx(0.25, rel=1e-3)
    for law in LAWS:
        newton(tmp_path, law, "exact", falling(10.0))
    assert number(tmp_path, "convergence.largest_rise") == 0.0  # of Newton and conjugate gradients alone
