# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the step's own equation on made-up swings:
one wrong number in one row of one run is seen with its size."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import ARRAYS, SCENE, TETS, body, swing

from deformbench_analysis.corotational import State, rotation_angles, step_residuals
from experiments.mueller_gross_2004.measurements import step_equation as m
from deformbench_analysis.results import Results

NAME = "mueller_gross_2004/step_equation"
P = "scene.parameters."


def write(
    folder: Path,
    time_step: float,
    wrong_row: int | None = None,
    amount: float = 0.0,
    solves: int = 1,
    name: str = "warped",
) -> None:
    x, v = swing(30, time_step)
    if wrong_row is not None:
        v = v.copy()
        v[wrong_row, 4, 0] += amount
    count = np.ones(len(x))
    count[7] = solves
    frame = {"positions": x, "velocities": v}
    swept = {"time_step_s": time_step}
    step = {"solves": count}
    write_trace(folder, f"{NAME} warped_fem {name}", scene=SCENE, swept=swept, arrays=ARRAYS, frame=frame, step=step)


def test_what_one_solve_gives_leaves_rounding_of_its_own_equation_and_something_of_the_nonlinear_one(
    tmp_path: Path,
) -> None:
    for time_step in (0.04, 0.02, 0.01):
        write(tmp_path, time_step)
    write(tmp_path, 0.02, name="cg20")
    assert number(tmp_path, "step_equation.linear_residual") < 1e-13
    assert number(tmp_path, "step_equation.position_error") < 1e-13
    assert number(tmp_path, "step_equation.newton_residual") > 1e-6
    assert number(tmp_path, "step_equation.newton_residual_order") > 1.5
    assert number(tmp_path, "step_equation.rotation") > 0.01
    assert number(tmp_path, "step_equation.solves") == 1


@pytest.mark.parametrize("row", [3, 29])
def test_one_velocity_of_one_row_of_one_run_that_does_not_solve_the_equation_is_the_residual(
    tmp_path: Path, row: int
) -> None:
    write(tmp_path, 0.02, row, 1e-3)
    write(tmp_path, 0.02, row, 1e-3, name="cg20")
    x, v = swing(30, 0.02)
    v[row, 4, 0] += 1e-3
    free = ~np.isin(np.arange(5), ARRAYS["prescribed_vertices"])
    loads = body().masses(10.0, 5)[:, None] * np.array(SCENE["gravity_m_s2"])
    expected = step_residuals(body(), State(x[row - 1], v[row - 1], TETS), v[row], loads, free, 10.0, 0.02)[0]
    assert number(tmp_path, "step_equation.linear_residual") >= 0.9 * expected > 1e-5
    assert number(tmp_path, "step_equation.cg20_residual") >= 0.9 * expected
    assert number(tmp_path, "step_equation.position_error") == pytest.approx(
        0.02 * 1e-3 / np.abs(0.02 * v[1:]).max(), rel=1e-6
    )


def test_one_step_with_a_second_solve_is_counted(tmp_path: Path) -> None:
    write(tmp_path, 0.02, solves=2)
    assert number(tmp_path, "step_equation.solves") == 2


def test_a_step_of_newtons_method_leaves_nothing_of_the_nonlinear_equation(tmp_path: Path) -> None:
    x, v = np.array([ARRAYS["rest_positions"]] * 3), np.zeros((3, 5, 3))  # at rest without gravity: both equations hold
    still = {**SCENE, "gravity_m_s2": [0, 0, 0]}
    v[1:, 4, 0] = 1e-30
    frame = {"positions": x, "velocities": v}
    step = {"solves": np.ones(3)}
    write_trace(tmp_path, f"{NAME} warped_fem warped", scene=still, arrays=ARRAYS, frame=frame, step=step)
    write(tmp_path, 0.02)
    assert (
        number(tmp_path, "step_equation.newton_residual") < 2.0
    )  # the smallest over the runs is that of the still one
    assert number(tmp_path, "step_equation.rotation") == pytest.approx(0, abs=1e-12)


def test_the_nonlinear_residual_is_the_worst_step_of_the_best_run_and_its_order_that_of_the_root_mean_square(
    tmp_path: Path,
) -> None:
    for time_step in (0.04, 0.02, 0.005):
        write(tmp_path, time_step)
    turned = [rotation_angles(body().rotations(swing(30, dt)[0][-1])).max() for dt in (0.04, 0.02, 0.005)]
    assert number(tmp_path, "step_equation.rotation") == pytest.approx(min(turned))
    assert max(turned) > 1.1 * min(turned)
    cells = Results(tmp_path, "paper", {}).experiment(NAME).cells
    of_step = {float(c.value(P + "time_step_s")): m.residuals(c)[:, 1] for c in cells}
    assert number(tmp_path, "step_equation.newton_residual") == pytest.approx(max(of_step[0.005]))
    assert max(of_step[0.005]) < max(of_step[0.02]) < max(of_step[0.04])
    fine, middle, coarse = (np.linalg.norm(of_step[k]) for k in (0.005, 0.02, 0.04))  # thirty steps each
    orders = [np.log(middle / fine) / np.log(4), np.log(coarse / middle) / np.log(2)]
    assert abs(orders[0] - orders[1]) > 0.01
    found = value_of(tmp_path, "step_equation.newton_residual_order")
    assert found.value == pytest.approx(min(orders)) and found.note == ", ".join(f"{o:.2f}" for o in orders)
