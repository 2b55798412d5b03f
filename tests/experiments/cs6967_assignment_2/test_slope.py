# SPDX-License-Identifier: BSD-3-Clause
"""Blocks that slide by made-up accelerations: one method on one slope is off."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1.1, 0.9, 1.2]])
TETS = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
SHARES = np.array([1.0, 3.2, 3.2, 3.2, 2.2]) / 12.8  # of the mass
METHODS = ("linear", "explicit", "implicit")
G, FRICTION, ROWS, DT = 10.0, 0.5, 9, 0.1


def gravity(tangent: float) -> tuple[float, float]:
    angle = np.arctan(tangent)
    return float(G * np.sin(angle)), float(-G * np.cos(angle))


def run(folder: Path, method: str, tangent: float, acceleration: float, speed: float = 0.0) -> None:
    """Writes a run with `acceleration` of the centre of mass in the second half, more before.

    Only vertex 0 moves, so its mass share carries all. Positions move at constant `speed`,
    and faster in the first half."""
    x, y = gravity(tangent)
    v = np.zeros((ROWS, 5, 3))
    steps = np.full(ROWS - 1, acceleration)
    steps[: ROWS // 2] = 7.0
    v[1:, 0, 0] = np.cumsum(steps) * DT / SHARES[0]
    places = np.tile(REST, (ROWS, 1, 1))
    moved = np.full(ROWS - 1, speed * DT)
    moved[: ROWS // 2] = 5.0
    places[1:, 0, 0] += np.cumsum(moved) / SHARES[0]
    write_trace(
        folder,
        f"cs6967_assignment_2/slope {method}_fem {method}",
        dt=DT,
        swept={"gravity_m_s2": [x, y, 0.0]},
        scene={
            "young_modulus_pa": 1e6,
            "poisson_ratio": 0.3,
            "density_kg_m3": 10.0,
            "friction": FRICTION,
            "side_m": 0.5,
            "cells_across": 2,
            "time_step_s": 0.002 if method == "implicit" else 0.001,
        },
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        step={"velocities": v, "positions": places},
    )


def sliding(tangent: float) -> float:
    x, y = gravity(tangent)
    return x + FRICTION * y


@pytest.mark.parametrize("worst", METHODS)
@pytest.mark.parametrize("ratio", [0.5, 1.5])
def test_sliding_is_that_of_the_worst_method(tmp_path: Path, worst: str, ratio: float) -> None:
    for method in METHODS:
        run(tmp_path, method, 0.49, 3.0)
        run(tmp_path, method, 0.51, -3.0)
        run(tmp_path, method, 0.8, sliding(0.8) * (ratio if method == worst else 1.25))
    assert number(tmp_path, "slope.sliding_error") == pytest.approx(0.5)
    assert number(tmp_path, "slope.methods") == 3


@pytest.mark.parametrize("worst", METHODS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_edge_is_that_of_the_worst_method(tmp_path: Path, worst: str, sign: int) -> None:
    for method in METHODS:
        run(tmp_path, method, 0.4, 9.0)
        run(tmp_path, method, 0.8, 0.0)
        run(tmp_path, method, 0.49, sign * (0.5 if method == worst else 0.25) * -gravity(0.49)[1])
        run(tmp_path, method, 0.51, (-0.25 if method == worst else 0.5) * -gravity(0.51)[1])
    assert number(tmp_path, "slope.below_edge") == pytest.approx(0.5)
    assert number(tmp_path, "slope.above_edge") == pytest.approx(-0.25)


@pytest.mark.parametrize("worst", METHODS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_steady_creep_below_the_edge_is_seen(tmp_path: Path, worst: str, sign: int) -> None:
    """Without an acceleration; four steps of 0.1 s, in which a free fall is 0.8 m long."""
    for method in METHODS:
        run(tmp_path, method, 0.49, 0.0, speed=sign * (0.5 if method == worst else 0.25))
        run(tmp_path, method, 0.51, 3.0, speed=9.0)
        run(tmp_path, method, 0.8, sliding(0.8), speed=9.0)
    # Rounding of the means of speeds of 0.5 m/s, over 0.1 s and 8 m/s²: some 1e-16.
    assert number(tmp_path, "slope.below_edge") == pytest.approx(0.0, abs=1e-15)
    assert number(tmp_path, "slope.creep") == pytest.approx(0.5 * 0.4 / 0.8)
