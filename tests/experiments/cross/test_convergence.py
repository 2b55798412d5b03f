# SPDX-License-Identifier: BSD-3-Clause
"""Iterations of a step: one cell takes more than the others, rises, or does not start where its reference does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace
from iteration_rows import rows
from measured import number, value_of

EXPERIMENT = "cross/convergence"
LEAST, DROP = -3.0, 8.0  # J
LAWS = ("corotational", "stable_neo_hookean")


def falling(rate: float, count: int = 60) -> np.ndarray:
    """Objectives whose error falls by `rate` in every iteration."""
    return LEAST + DROP * rate ** -np.arange(count, dtype=float)


def newton(folder: Path, law: str, hessian: str, objective: np.ndarray) -> None:
    write_trace(
        folder,
        EXPERIMENT,
        "implicit_fem",
        name="newton",
        coordinates={"method.parameters.law": law, "method.parameters.hessian": hessian},
        series={"iteration": rows(objective)},
    )


def references(folder: Path) -> None:
    for law in LAWS:
        write_trace(
            folder,
            EXPERIMENT,
            "implicit_fem",
            name="newton_reference",
            parameters={"hessian": "projected"},
            coordinates={"method.parameters.law": law},
            series={"iteration": rows([LEAST + DROP, LEAST])},
        )
    for name in ("linear", "warped"):
        write_trace(
            folder, EXPERIMENT, "x_fem", name=f"{name}_reference", series={"iteration": rows([LEAST + DROP, LEAST])}
        )


def cg(folder: Path, name: str, preconditioner: str, objective: np.ndarray) -> None:
    write_trace(
        folder,
        EXPERIMENT,
        f"{name}_fem",
        name=name,
        coordinates={"method.parameters.cg_preconditioner": preconditioner},
        series={"iteration": rows(objective)},
    )


@pytest.mark.parametrize("worst", LAWS)
def test_iterations_are_those_of_the_law_that_takes_most(tmp_path: Path, worst: str) -> None:
    references(tmp_path)
    for law in LAWS:
        newton(tmp_path, law, "projected", falling(10.0 if law == worst else 100.0))
        newton(tmp_path, law, "exact", falling(1000.0))
    # A factor of 10 per iteration is at 1e-6 after six, and from 1e-2 to 1e-10 in eight more; of 100 in half of them.
    assert number(tmp_path, "convergence.newton_projected_iterations") == pytest.approx(6, abs=1)
    assert number(tmp_path, "convergence.newton_exact_iterations") == pytest.approx(2, abs=1)
    assert number(tmp_path, "convergence.newton_exact_end_iterations") == pytest.approx(3, abs=1)
    assert number(tmp_path, "convergence.newton_projected_end_iterations") == pytest.approx(4, abs=1)


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
    write_trace(
        tmp_path,
        EXPERIMENT,
        "bullet_fem",
        name="bullet",
        parameters={"law": "neo_hookean"},
        series={"iteration": rows([LEAST + DROP, LEAST + 4.0 * DROP, LEAST + 0.1 * DROP, LEAST + 0.25 * DROP])},
    )
    assert number(tmp_path, "convergence.bullet_left") == pytest.approx(0.25)
    assert number(tmp_path, "convergence.bullet_largest_rise") == pytest.approx(3.0)
    newton(tmp_path, "corotational", "exact", falling(10.0))
    assert number(tmp_path, "convergence.largest_rise") < 1e-12  # of those that look at the objective


def test_vertex_block_descent_is_measured_by_the_least_of_newtons_method(tmp_path: Path) -> None:
    references(tmp_path)
    objective = falling(10.0 ** (1 / 7))
    objective[20] = objective[19] + 0.25 * DROP
    series = {"iteration": rows(objective)}
    write_trace(tmp_path, EXPERIMENT, "vertex_block_descent", name="descent", parameters={}, series=series)
    assert number(tmp_path, "convergence.descent_iterations") == pytest.approx(14, abs=1)
    assert number(tmp_path, "convergence.descent_largest_rise") == pytest.approx(0.25, rel=1e-3)
    for law in LAWS:
        newton(tmp_path, law, "exact", falling(10.0))
    assert number(tmp_path, "convergence.largest_rise") == 0.0  # of Newton and conjugate gradients alone
