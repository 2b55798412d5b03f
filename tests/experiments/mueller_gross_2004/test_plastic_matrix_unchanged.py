# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of made-up steps with and without flow: one entry of one step that differs is the difference."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import ARRAYS, SCENE, TETS, body, swing

from deformbench_analysis.corotational import State, step_matrix

NAME = "mueller_gross_2004/plastic_matrix_unchanged"
DT, ALPHA = 0.01, 3.0


def matrices(x: np.ndarray) -> np.ndarray:
    """Row k: of the step that began at row k − 1."""
    masses = np.diag(np.repeat(body().masses(SCENE["density_kg_m3"], 5), 3))
    found = [
        step_matrix(body(), State(p, np.zeros_like(p), TETS), SCENE["density_kg_m3"], DT).toarray()
        + DT * ALPHA * masses
        for p in x[:-1]
    ]
    return np.array([np.full((15, 15), np.nan), *found])


def write(folder: Path, wrong: tuple[int, float] | None = None, moved: bool = False, flow: float = 0.05) -> float:
    """Returns the largest entry. `wrong`: (row, amount) added to one entry of the run with flow."""
    x, _ = swing(6, DT)
    a = matrices(x)
    for name in ("elastic", "plastic"):
        mine, positions = a.copy(), x.copy()
        if name == "plastic" and wrong:
            mine[wrong[0], 14, 13] += wrong[1]
        if name == "plastic" and moved:
            positions[3:, 4, 1] += 1e-9  # one coordinate of one vertex
        strains = np.zeros((7, 2, 6))
        strains[2, 1, 3] = flow if name == "plastic" else 0.0
        forces = np.zeros((7, 5, 3))
        forces[:, :, 0] = [[9.0, 0, 0, 0, 0]] * 6 + [[1.0, 2, 4, 2, 1]]  # the last row's largest: 4
        if name == "plastic":
            forces[:-1, 2, 1] += 99 * flow  # counts not
            forces[-1, 3, 1] += 20 * flow
        series = {
            "frame": {
                "positions": positions,
                "solved_matrix": mine,
                "element_plastic_strains": strains,
                "elastic_forces": forces,
            },
            "step": {"plastic_strain_max": np.array([0.0, 0.3, 0.2]) * (name == "plastic")},
        }
        damped = {"mass_damping_1_s": ALPHA}
        write_trace(folder, f"{NAME} warped_fem {name}", scene=SCENE, parameters=damped, arrays=ARRAYS, series=series)
    return float(np.nanmax(np.abs(a)))


def test_equal_matrices_have_no_difference_and_agree_with_the_assembly(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "plastic_matrix_unchanged.matrix_difference") == 0
    assert number(tmp_path, "plastic_matrix_unchanged.later_matrix_difference") == 0
    assert number(tmp_path, "plastic_matrix_unchanged.assembly_difference") < 1e-14
    assert number(tmp_path, "plastic_matrix_unchanged.solved_condition_difference") < 1e-9
    assert number(tmp_path, "plastic_matrix_unchanged.flowed_at_same_positions") == 0.05
    assert number(tmp_path, "plastic_matrix_unchanged.force_change") == pytest.approx(0.25)


@pytest.mark.parametrize("row", [1, 6])
def test_one_entry_of_one_step_is_the_difference(tmp_path: Path, row: int) -> None:
    largest = write(tmp_path, (row, 1e-3))
    assert number(tmp_path, "plastic_matrix_unchanged.matrix_difference") == pytest.approx(1e-3)
    assert number(tmp_path, "plastic_matrix_unchanged.later_matrix_difference") == pytest.approx(
        1e-3 / largest, rel=1e-2
    )
    assert number(tmp_path, "plastic_matrix_unchanged.assembly_difference") > 0.5e-3 / largest
    assert number(tmp_path, "plastic_matrix_unchanged.solved_condition_difference") > 1e-6


def test_steps_that_begin_elsewhere_are_not_compared_to_the_last_bit_but_to_rounding(tmp_path: Path) -> None:
    write(tmp_path, (6, 1e-3), moved=True)
    assert number(tmp_path, "plastic_matrix_unchanged.matrix_difference") == 0
    assert number(tmp_path, "plastic_matrix_unchanged.later_matrix_difference") > 0
    assert number(tmp_path, "plastic_matrix_unchanged.flowed_at_same_positions") == 0.05


def test_without_flow_nothing_is_shown(tmp_path: Path) -> None:
    write(tmp_path, flow=0.0)
    assert number(tmp_path, "plastic_matrix_unchanged.flowed_at_same_positions") == 0
    assert value_of(tmp_path, "plastic_matrix_unchanged.force_change").value == 0
