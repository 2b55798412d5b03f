# SPDX-License-Identifier: BSD-3-Clause
"""The filtered matrix and the minimum of the independent program, against traces that are right or a little wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.reference_laws import LAWS
from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.trace import Trace
from experiments.newton_filters.measurements import independent_minimum as i, projection as p

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
TETRAHEDRA = np.array([[0, 1, 2, 3], [4, 2, 1, 3]])
MASSES = np.array([1.0, 2, 2, 2, 1])
SCENE = {
    **{"omega": 1.0, "theta": 50.0, "density_kg_m3": 1.0, "time_step_s": 0.5, "poisson_ratio": 0.4, "contrast": 1.0},
    "start": "mirrored",
}


def write(folder: Path, experiment: str, name: str, positions: np.ndarray, hessian: str, **clocks: Any) -> Path:
    return write_trace(
        folder,
        f"newton_filters/{experiment} implicit_fem {name}",
        None,
        SCENE,
        parameters={"law": "stable_neo_hookean_core", "hessian": hessian, "hessian_precision": "double"},
        arrays={
            "rest_positions": REST,
            "tetrahedra": TETRAHEDRA,
            "masses": MASSES,
            "prescribed_vertices": np.zeros(0, int),
        },
        frame={"positions": positions},
        **clocks,
    )


@pytest.mark.parametrize("share", [0.0, -1.0])
@pytest.mark.parametrize("name", sorted(LAWS))
def test_a_filtered_law_has_the_eigenvalues_of_the_filter(name: str, share: float) -> None:
    f = np.random.default_rng(7).normal(size=(50, 3, 3))
    lam, mu = np.full(50, 4.0), np.full(50, 1.0)
    exact = np.linalg.eigvalsh(LAWS[name](f, lam, mu)[2]())
    expected = np.sort(np.where(exact < 0, share * exact, exact), axis=1)
    found = np.linalg.eigvalsh(p.filtered(LAWS[name], share)(f, lam, mu)[2]())
    assert np.allclose(found, expected, rtol=0, atol=1e-12 * np.abs(exact).max())  # rounding of nine products
    assert (exact < 0).any()


@pytest.mark.parametrize("hessian", ["projected", "absolute"])
def test_an_entry_that_is_wrong_is_found(tmp_path: Path, hessian: str) -> None:
    start = REST * [-1.0, 1.1, 0.9]
    right = write(tmp_path / "empty", "projection", "smooth_laws", np.array([start, start]), hessian)
    step = ReferenceMinimum(Trace(right))
    step.law = p.filtered(step.law, p.SHARES[hessian])
    matrix = SCENE["time_step_s"] ** 2 * step.hessian(start).toarray()
    for folder, wrong in (("right", 0.0), ("wrong", 1e-3)):
        found = matrix.copy()
        found[4, 1] += wrong * np.abs(matrix).max()
        solved = {"solved_matrix": np.array([np.full_like(found, np.nan), found])}
        write(tmp_path / folder, "projection", "smooth_laws", np.array([start, start]), hessian, step=solved)
    assert number(tmp_path / "right", "projection.double_error") < 1e-14  # the same program twice
    assert number(tmp_path / "wrong", "projection.double_error") == pytest.approx(1e-3)
    assert number(tmp_path / "right", "projection.effect") > 0.01
    assert number(tmp_path / "right", "projection.least_eigenvalue") > -1e-14  # rounding


def test_objectives_and_minima_are_those_of_the_independent_program(tmp_path: Path) -> None:
    start = REST * [1.3, 1.0, 0.9]
    step = ReferenceMinimum(Trace(write(tmp_path / "empty", "independent_minimum", "x", np.array([start]), "exact")))
    first, least = step.objective(start), step.minimise()
    for name, wrong in (("reference", 0.0), ("clamped", 1e-3)):
        values = np.array([first, least.objective + wrong * (first - least.objective)])
        rows = {"iteration": np.arange(2), "objective": values, "gradient_norm": np.array([1.0, 0.0])}
        ends = {"solver_converged": np.array([np.nan, 1.0])}
        positions = np.array([start, least.positions])
        write(tmp_path / "found", "independent_minimum", name, positions, "exact", iteration=rows, step=ends)
    assert number(tmp_path / "found", "independent_minimum.minimum_error") < 1e-12  # rounding of energies
    assert number(tmp_path / "found", "independent_minimum.objective_error") == pytest.approx(1e-3, rel=1e-2)
    assert i.M.short == "independent_minimum"
