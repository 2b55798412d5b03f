# SPDX-License-Identifier: BSD-3-Clause
"""The dilation of a regular tetrahedron against the exact recursion of implicit Euler:
one wrong row of one cell shows."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

CENTRE = np.array([2.0, 5.0, -3.0])
SHAPE = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
VOLUME, BULK, MASS = 8.0 / 3.0, 3e3 / (3 * (1 - 2 * 0.25)), 2.0
OMEGA2 = 9 * VOLUME * BULK / (4 * MASS * 3.0)


def moving(
    folder: Path, method: str, dt: float, wrong: tuple[int, float] = (0, 0.0), alpha: float = 0.0, beta: float = 0.0
) -> None:
    x, v, rows = 1.0, 0.0, [1.0]
    for _ in range(4):
        v = (v - dt * OMEGA2 * x) / (1 + alpha * dt + (beta * dt + dt**2) * OMEGA2)
        x += dt * v
        rows.append(x)
    rows[wrong[0]] += wrong[1]
    frame = {"positions": np.array([CENTRE + SHAPE * (1 + 0.01 * a) + [0.1 * k, 0, 0] for k, a in enumerate(rows)])}
    scene = {"young_modulus_pa": 3e3, "poisson_ratio": 0.25, "time_step_s": dt}
    arrays = {"rest_positions": CENTRE + SHAPE, "masses": np.full(4, MASS)}
    parameters = {"mass_damping_1_s": alpha, "stiffness_damping_s": beta}
    write_trace(
        folder, f"cross/implicit_euler_damping {method}", scene=scene, parameters=parameters, arrays=arrays, frame=frame
    )


def test_exact_rows_have_no_error(tmp_path: Path) -> None:
    moving(tmp_path, "linear_fem", 0.01, alpha=0.7, beta=0.02)
    moving(tmp_path, "warped_fem", 0.003)
    assert number(tmp_path, "implicit_euler_damping.linear_recursion_error") < 1e-12
    assert number(tmp_path, "implicit_euler_damping.warped_recursion_error") < 1e-12


@pytest.mark.parametrize("row", [1, 2, 4])
@pytest.mark.parametrize("method,name", [("linear_fem", "linear"), ("warped_fem", "warped")])
def test_one_wrong_row_of_one_cell_is_the_error(tmp_path: Path, method: str, name: str, row: int) -> None:
    for dt, wrong in ((0.01, 0.0), (0.02, 0.125), (0.03, 0.0)):
        moving(tmp_path, method, dt, (row, wrong))
    moving(tmp_path, "linear_fem" if method == "warped_fem" else "warped_fem", 0.01)
    assert number(tmp_path, f"implicit_euler_damping.{name}_recursion_error") == pytest.approx(0.125, rel=1e-6)
