# SPDX-License-Identifier: BSD-3-Clause
"""Velocities after one step, and paths of a mass on a spring: one strength, step or order is off."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import ends_of
from measured import number, value_of, write_trace

PAPER = "cs533d_cloth_lecture"
STRENGTHS = (0.1, 1.0, 20.0)
MASSES = 200


def decay(s: float) -> float:
    return float((1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s))


def chain(folder: Path, name: str, s: float, v: np.ndarray, status: str = "completed") -> None:
    """m = 2 kg, Δt = 0.5 s, k = 0.25 N/m: c = 8 s kg/s, k_d = 32 s."""
    velocities = np.zeros((2, MASSES, 3))
    velocities[0, :, 0], velocities[1, :, 0] = -0.5, -0.5 * v
    positions = np.zeros((2, MASSES, 3))
    positions[:, :, 0] = np.arange(MASSES)
    swept = {"method.parameters.stretch_damping_s": 32 * s}
    arrays = {
        "masses": np.full(MASSES, 2.0),
        "constraint_vertices": ends_of(np.arange(MASSES - 1), np.arange(1, MASSES)),
        "constraint_rest_values": np.ones(MASSES - 1),
        "constraint_compliance": np.full(MASSES - 1, 4.0),
    }
    step = {"positions": positions, "velocities": velocities}
    run = f"{PAPER}/velocity_smoothing force_cloth {name}"
    write_trace(folder, run, scene={"time_step_s": 0.5}, swept=swept, status=status, arrays=arrays, step=step)


def smoothing(s: float) -> np.ndarray:
    """1 + s L of the chain."""
    matrix = np.eye(MASSES)
    for i in range(MASSES - 1):
        matrix[i : i + 2, i : i + 2] += s * np.array([[1, -1], [-1, 1]])
    return matrix


def solved(s: float, is_constrained: bool) -> np.ndarray:
    """By a dense solve of (1 + s L) v = v^{n+1/2}."""
    matrix = smoothing(s)
    right = np.ones(MASSES)
    right[0] = 0.0
    if is_constrained:
        matrix[0] = 0
        matrix[0, 0] = 1
    return np.asarray(np.linalg.solve(matrix, right))


def test_a_dense_solve_is_the_closed_form(tmp_path: Path) -> None:
    for s in STRENGTHS:
        chain(tmp_path, "half_step", s, solved(s, False))
        chain(tmp_path, "half_step_constrained", s, solved(s, True))
    chain(tmp_path, "symplectic", 0.0, np.r_[0.0, np.ones(MASSES - 1)])
    for name in ("approach_error", "rate_error", "constrained_rate_error"):
        assert number(tmp_path, f"velocity_smoothing.{name}") < 1e-12, name
    assert number(tmp_path, "velocity_smoothing.rate_without_update") == pytest.approx(1)
    assert number(tmp_path, "velocity_smoothing.rate_of_strong_damping") == pytest.approx((1 - decay(1.0)) ** 2)
    assert number(tmp_path, "velocity_smoothing.least_strength") == pytest.approx(0.1)
    assert number(tmp_path, "velocity_smoothing.largest_strength") == pytest.approx(20)


def test_depths_after_one_more_step(tmp_path: Path) -> None:
    for s in STRENGTHS:
        chain(tmp_path, "half_step", s, solved(s, False))
        chain(tmp_path, "half_step_constrained", s, solved(s, True))
    chain(tmp_path, "forceless", 0.0, np.r_[0.0, np.full(MASSES - 1, 0.75)])
    chain(tmp_path, "elastic", 0.0, np.r_[0.0, 0.875, np.ones(MASSES - 2)])
    ratios = [1 / (2 * (1 - decay(s))) for s in STRENGTHS]
    assert number(tmp_path, "velocity_smoothing.depth_error") < 1e-9
    assert number(tmp_path, "velocity_smoothing.depth_ratio") == pytest.approx(ratios[2])
    assert number(tmp_path, "velocity_smoothing.depth_ratio_below_two") == pytest.approx(ratios[1])
    # Implicit: the dense system once more.
    implicit = [solve_again(s, solved(s, True)) / solve_again(s, solved(s, False)) for s in STRENGTHS]
    assert number(tmp_path, "velocity_smoothing.depth_ratio_implicit") == pytest.approx(max(implicit))
    lost = [(solved(s, False) ** 2 - solved(s, True) ** 2).sum() for s in STRENGTHS]
    assert number(tmp_path, "velocity_smoothing.extra_energy_lost") == pytest.approx(min(lost))
    assert number(tmp_path, "velocity_smoothing.rate_without_force") == pytest.approx(0.75)
    assert number(tmp_path, "velocity_smoothing.rate_of_all") == pytest.approx(0.875)
    # Δt² k/m = 1/32, of which 1/8 − 1/32 is missing.
    assert number(tmp_path, "velocity_smoothing.elastic_rate_error") == pytest.approx(0.125 - 1 / 32)
    assert number(tmp_path, "velocity_smoothing.largest_elasticity") == pytest.approx(1 / 32)
    chain(tmp_path, "half_step_constrained", 20.0, solved(20.0, True) + np.r_[0.125, np.zeros(MASSES - 1)])
    assert number(tmp_path, "velocity_smoothing.depth_error") > 0.1


def test_constrained_over_plain_rates_and_momenta_are_those_of_equal_damping(tmp_path: Path) -> None:
    rates, momenta = [], []
    for s in STRENGTHS:
        plain, constrained = solved(s, False), solved(s, True)
        chain(tmp_path, "half_step", s, plain)
        chain(tmp_path, "half_step_constrained", s, constrained)
        rates.append(np.abs(np.diff(constrained)).max() / np.abs(np.diff(plain)).max())
        momenta.append((1 - constrained[1:]).sum() / (1 - plain[1:]).sum())
    assert number(tmp_path, "velocity_smoothing.rate_ratio") == pytest.approx(rates[2])
    assert "s = 20" in value_of(tmp_path, "velocity_smoothing.rate_ratio").note
    assert number(tmp_path, "velocity_smoothing.taken_ratio") == pytest.approx(momenta[0])
    assert "s = 0.1" in value_of(tmp_path, "velocity_smoothing.taken_ratio").note
    assert number(tmp_path, "velocity_smoothing.taken_error") < 1e-12


@pytest.mark.parametrize("s", STRENGTHS)
@pytest.mark.parametrize("name", ["half_step", "half_step_constrained"])
def test_momentum_is_taken_from_masses_that_did_not_collide(tmp_path: Path, name: str, s: float) -> None:
    for row in ("half_step", "half_step_constrained"):
        for strength in STRENGTHS:
            off = np.zeros(MASSES)
            off[0] = 0.5  # the one that collided
            off[7] = -0.25 if (row, strength) == (name, s) else 0.0
            chain(tmp_path, row, strength, solved(strength, row == "half_step_constrained") + off)
    value = value_of(tmp_path, "velocity_smoothing.taken_error")
    assert value.value == pytest.approx(0.25) and f"stretch_damping_s={32 * s:g}" in value.note


def solve_again(s: float, v: np.ndarray) -> float:
    """The first of (1 + s L) v⁺ = v."""
    return float(np.linalg.solve(smoothing(s), v)[0])


@pytest.mark.parametrize("s", STRENGTHS)
def test_an_update_is_off(tmp_path: Path, s: float) -> None:
    wrong = np.r_[0.25, np.zeros(MASSES - 1)]
    chain(tmp_path, "half_step", s, solved(s, False) + wrong)
    chain(tmp_path, "half_step_constrained", s, solved(s, True) - wrong)
    assert number(tmp_path, "velocity_smoothing.approach_error") == pytest.approx(0.25)
    assert number(tmp_path, "velocity_smoothing.constrained_rate_error") == pytest.approx(0.25)
    assert number(tmp_path, "velocity_smoothing.rate_error") > 0.005


def swing(folder: Path, name: str, dt: float, error: float, damping: float = 0.0, status: str = "completed",
          amplitude: float = 1.0) -> None:  # fmt: skip
    """ω = 2/s, g = 0.4: static elongation 0.1."""
    zeta, time = damping, dt * np.arange(round(4 / dt) + 1)
    turn = 2 * np.sqrt(1 - zeta**2)
    swing_of = np.exp(-2 * zeta * time) * (np.cos(turn * time) + 2 * zeta / turn * np.sin(turn * time))
    stretch = 0.1 * (1 - amplitude * swing_of)
    stretch[-1] += 0.1 * error
    positions = np.zeros((len(time), 2, 3))
    positions[:, 1, 1] = -(10.0 + stretch)
    write_trace(
        folder,
        f"{PAPER}/half_step_order force_cloth {name}",
        parameters={"stretch_damping_s": damping},
        scene={"gravity_m_s2": [0.0, -0.4, 0.0]},
        swept={"time_step_s": dt},
        status=status,
        expect={"status": status},
        dt=dt,
        arrays={
            "masses": np.array([1.0, 0.5]),
            "constraint_vertices": np.array([[0, 1, -1, -1]]),
            "constraint_rest_values": np.array([10.0]),
            "constraint_compliance": np.array([0.5]),
        },
        step={"positions": positions},
    )


@pytest.mark.parametrize(("name", "order"), [("undamped", 2), ("damped", 2), ("both_implicit", 1)])
def test_the_order_is_that_between_two_steps(tmp_path: Path, name: str, order: int) -> None:
    damping = 0.0 if name == "undamped" else 0.2
    for dt in (0.05, 0.1, 0.2):
        swing(tmp_path, name, dt, dt**order, damping)
    assert number(tmp_path, f"half_step_order.{name}") == pytest.approx(0, abs=1e-6)
    swing(tmp_path, name, 0.05, 2 * 0.05**order, damping)
    assert number(tmp_path, f"half_step_order.{name}") == pytest.approx(1, abs=1e-6)


def test_the_limit_of_stability(tmp_path: Path) -> None:
    swing(tmp_path, "limit", 0.995, 0.0, amplitude=1.5)
    swing(tmp_path, "limit", 2.01, 0.0, status="diverged")
    assert number(tmp_path, "half_step_order.amplitude_below_limit") == pytest.approx(1.5)
    assert number(tmp_path, "half_step_order.diverges_above_limit") == 1
