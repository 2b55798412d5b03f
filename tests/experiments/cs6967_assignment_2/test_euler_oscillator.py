# SPDX-License-Identifier: BSD-3-Clause
"""A tetrahedron that grows and shrinks by made-up numbers: one step of one run has too much energy."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

REST = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(8)  # edge 1 m
TETS = np.array([[0, 1, 2, 3]])
YOUNG, POISSON, DENSITY = 1e5, 0.2, 1000.0
# 9 V K / Σ m r²: K = E/3(1 − 2ν), V = 1/6√2, m = ρV/4, Σ r² = 4 · 3/8
OMEGA = float(np.sqrt(9 * (YOUNG / 1.8) / (DENSITY / 4 * 1.5)))
TURNS = (0.05, 0.2, 0.8)
N = 12


def run(folder: Path, name: str, turn: float, energies: np.ndarray) -> None:
    """Energies over 1e-4 ω²: half in the rate and half in the place, the rate with the sign of odd rows."""
    q = 1e-2 * np.sqrt(energies / 2)
    rate = OMEGA * q * (-1.0) ** np.arange(len(q))
    write_trace(
        folder,
        f"cs6967_assignment_2/euler_oscillator explicit_fem {name}",
        swept={"time_step_s": turn / OMEGA},
        scene={"young_modulus_pa": YOUNG, "poisson_ratio": POISSON, "density_kg_m3": DENSITY},
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        step={"positions": REST * (1 + q)[:, None, None], "velocities": REST * rate[:, None, None]},
    )


def grown(turn: float) -> np.ndarray:
    return (1 + turn**2) ** np.arange(N)


@pytest.mark.parametrize("worst", TURNS)
def test_one_step_of_one_run_is_off_the_growth_of_forward_euler(tmp_path: Path, worst: float) -> None:
    for turn in TURNS:
        energies = grown(turn)
        if turn == worst:
            energies[7] *= 1.5
        run(tmp_path, "forward", turn, energies)
    assert number(tmp_path, "euler_oscillator.forward_error") == pytest.approx(0.5)
    assert number(tmp_path, "euler_oscillator.smallest_forward_turn") == pytest.approx(0.05)


@pytest.mark.parametrize("worst", TURNS)
@pytest.mark.parametrize("side", [-1, 1])
def test_one_step_of_one_run_leaves_the_band(tmp_path: Path, worst: float, side: int) -> None:
    for turn in TURNS:
        energies = np.ones(N)
        energies[3], energies[4] = 1 / (1 + turn / 2), 1 / (1 - turn / 2)
        if turn == worst:
            energies[9] = 1 / (1 + side * -turn / 2) + side * 0.125
        run(tmp_path, "symplectic", turn, energies)
    assert number(tmp_path, "euler_oscillator.symplectic_excess") == pytest.approx(0.125)
    assert number(tmp_path, "euler_oscillator.largest_symplectic_turn") == pytest.approx(0.8)


@pytest.mark.parametrize("worst", TURNS)
def test_a_band_that_is_not_filled_is_seen(tmp_path: Path, worst: float) -> None:
    for turn in TURNS:
        energies = np.ones(N)
        energies[3], energies[4] = 1 / (1 + turn / 2), 1 / (1 - turn / 2)
        if turn == worst:
            energies[3:5] = 1 + 0.25 * (energies[3:5] - 1)
        run(tmp_path, "symplectic", turn, energies)
    assert number(tmp_path, "euler_oscillator.symplectic_excess") == pytest.approx(0.0, abs=1e-12)
    assert number(tmp_path, "euler_oscillator.symplectic_width") == pytest.approx(0.25)


@pytest.mark.parametrize("worst", TURNS[:2])
def test_the_growth_is_that_of_slow_runs(tmp_path: Path, worst: float) -> None:
    run(tmp_path, "forward", 0.8, 9.0 * grown(0.8))
    for turn in TURNS[:2]:
        run(tmp_path, "forward", turn, np.exp(turn**2 * np.arange(N) * (1.2 if turn == worst else 1.1)))
    assert number(tmp_path, "euler_oscillator.forward_growth_high") == pytest.approx(1.2)
    assert number(tmp_path, "euler_oscillator.forward_growth_low") == pytest.approx(1.1)
