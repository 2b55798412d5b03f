# SPDX-License-Identifier: BSD-3-Clause
"""Acceleration with sweeps that are given, work counted by hand, and decays of known rates."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, write_trace

from deformbench_analysis.trace import Trace
from experiments.chen_et_al_2024.measurements import damping_forms, descent_or_newton, one_step, sweep_momentum

# ---- acceleration


@pytest.fixture
def given_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_momentum, "sweeps", lambda trace, level: trace.number("needed"))


def momentum(folder: Path, row: str, needed: float, rho: float = 0.0, **swept: Any) -> None:
    write_trace(
        folder,
        f"chen_et_al_2024/sweep_momentum vbd {row}",
        {"family": "kuhn", "omega": 100.0, "start": "noise", "seed": 1, **swept},
        scene={"needed": needed},
        coordinates={"method.parameters.spectral_radius": rho},
    )


@pytest.mark.usefixtures("given_sweeps")
def test_acceleration_is_judged_in_the_family_that_it_helps_least(tmp_path: Path) -> None:
    for family, gain in (("kuhn", 0.5), ("body_centred", 0.7)):
        for seed in range(1, 7):
            for omega in (1.0, 100.0):
                momentum(tmp_path, "plain", 10.0, family=family, seed=seed, omega=omega)
                lost = family == "kuhn" and seed == 3 and omega == 1.0
                needed = one_step.FAILED if lost else 10.0 * (gain if omega == 100.0 else 2 * gain)
                momentum(tmp_path, "frozen", needed, 0.95, family=family, seed=seed, omega=omega)
    assert number(tmp_path, "sweep_momentum.ratio_stiff") == pytest.approx(0.7)
    assert number(tmp_path, "sweep_momentum.log_ratio_stiff") == pytest.approx(np.log(0.7))
    assert number(tmp_path, "sweep_momentum.log_ratio_stiff_spread") == pytest.approx(
        0.0, abs=1e-12
    )  # rounding of logarithms
    assert number(tmp_path, "sweep_momentum.ratio") == pytest.approx(np.sqrt(0.7 * 1.4))
    assert number(tmp_path, "sweep_momentum.log_ratio_spread") > 0.2
    assert number(tmp_path, "sweep_momentum.more_failures_stiff") == 0
    assert number(tmp_path, "sweep_momentum.more_failures") == 1


@pytest.mark.usefixtures("given_sweeps")
def test_fragility_is_the_worst_radius_relative_to_the_best_in_the_sturdier_family(tmp_path: Path) -> None:
    for family, worst in (("kuhn", 40.0), ("body_centred", 20.0)):
        momentum(tmp_path, "plain", 100.0, family=family)
        momentum(tmp_path, "plain", 1.0, family=family, omega=1.0)
        for rho, needed in ((0.5, worst), (0.9, 5.0)):
            momentum(tmp_path, "grid", needed, rho, family=family)
        momentum(tmp_path, "frozen", 10.0, 0.95, family=family)
        momentum(tmp_path, "frozen", 1.0, 0.95, family=family, seed=2)
    assert number(tmp_path, "sweep_momentum.fragility") == pytest.approx(4.0)
    assert number(tmp_path, "sweep_momentum.new_failures") == 0
    momentum(tmp_path, "grid", one_step.FAILED, 0.99)
    assert number(tmp_path, "sweep_momentum.new_failures") == 1


# ---- work


def counted(folder: Path, run: str, left: list[float], **work: list[float]) -> Trace:
    names = ("energies", "gradients", "hessians", "local_solves", "products")
    columns = {f"work_{name}": np.array(work.get(name, [0.0] * len(left))) for name in names}
    swept = {"omega": 1.0, "family": "kuhn", "start": "twisted"}
    path = write_trace(
        folder, f"chen_et_al_2024/descent_or_newton {run}", swept, tetrahedra=10, iteration=rows(left, **columns)
    )
    return Trace(path)


def test_work_is_counted_in_gradients_of_all_elements(tmp_path: Path) -> None:
    newton = counted(
        tmp_path, "implicit_fem newton", [1, 0], energies=[0, 20], gradients=[0, 10], hessians=[0, 10], products=[0, 6]
    )
    descent = counted(tmp_path, "vbd descent", [1, 0], gradients=[0, 40], hessians=[0, 40], local_solves=[0, 10])
    assert descent_or_newton.work(newton)[1] == pytest.approx(1 + 1 + 10 + 3)
    assert descent_or_newton.work(descent)[1] == pytest.approx(4 + 0.3)
    twice = dict(descent_or_newton.PLAIN, products=2.0, corners=0.5)
    assert descent_or_newton.work(newton, twice)[1] == pytest.approx(1 + 1 + 10 + 6)
    assert descent_or_newton.work(descent, twice)[1] == pytest.approx(2 + 0.3)


@pytest.mark.parametrize("first,ahead,crossing", [(0.95, 1, 0.95), (1e-7, 0, 1.0)])
def test_descent_is_ahead_where_it_is_so_at_all_costs_and_overtaken_where_newton_ends_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: float, ahead: int, crossing: float
) -> None:
    monkeypatch.setattr(descent_or_newton, "gaps", lambda trace: trace.values("iteration", "objective"))
    sweeps = np.arange(600.0)
    gradients, left = (40 * sweeps).tolist(), (0.95**sweeps).tolist()
    counted(tmp_path, "vbd descent", left, gradients=gradients)
    hessians = [0.0, 40.0, 80.0, 120.0]  # 40 gradients of all elements an iteration: ten sweeps
    counted(tmp_path, "implicit_fem newton", [1.0, first, 1e-3 if ahead else 1e-8, 1e-9], hessians=hessians)
    assert number(tmp_path, "descent_or_newton.ahead") == ahead
    assert number(tmp_path, "descent_or_newton.overtaken") == 1
    assert number(tmp_path, "descent_or_newton.crossing_least") == crossing


# ---- damping

SCENE = {
    "time_step_s": 0.01,
    "theta": 1.0,
    "seed": 1,
    "spin_rad_s": 0.0,
    "start": "rest",
    "gravity_m_s2": [0.0, 0.0, 0.0],
}


def damped(folder: Path, row: str, step: dict[str, np.ndarray], **swept: Any) -> None:
    parameters = {"stiffness_damping_s": 0.0 if row == "undamped" else 0.02}
    scene = {**SCENE, **swept}
    write_trace(folder, f"chen_et_al_2024/damping_forms vbd {row}", scene, parameters=parameters, step=step)


@pytest.mark.parametrize("worst", [0.1, 0.3])
def test_a_fall_and_a_spin_that_are_braked(tmp_path: Path, worst: float) -> None:
    fall = np.array([[0.0, 0, -0.1 * k] for k in range(11)])
    spin = np.array([[0.0, 0, 2.0 - 0.1 * k] for k in range(11)])
    for seed, share in ((1, 0.05), (2, worst)):
        damped(
            tmp_path, "as_printed", {"centre_of_mass_velocity": fall * (1 - share)}, gravity_m_s2=[0, 0, -10], seed=seed
        )
        damped(tmp_path, "undamped", {"angular_momentum": spin}, spin_rad_s=1.0, seed=seed)
        changed = {"angular_momentum": spin - 2 * share * np.linspace(0, 1, 11)[:, None] * [0, 0, 1]}
        damped(tmp_path, "as_printed", changed, spin_rad_s=1.0, seed=seed)
    assert number(tmp_path, "damping_forms.as_printed_fall_loss") == pytest.approx(worst)
    assert number(tmp_path, "damping_forms.as_printed_spin_change") == pytest.approx(worst)


@pytest.mark.parametrize("share,error", [(1.0, 0.0), (0.8, 0.2), (1.3, 0.3)])
def test_the_added_decay_is_compared_with_half_the_damping_times_the_square_of_the_frequency(
    tmp_path: Path, share: float, error: float
) -> None:
    t, frequency = 0.01 * np.arange(800), 5.0
    for row, rate in (("undamped", 0.1), ("corrected", 0.1 + share * 0.5 * 0.02 * frequency**2)):
        along = 1e-3 * np.exp(-rate * t) * np.cos(frequency * t)
        damped(tmp_path, row, {"tip_displacement": along[:, None] * [1.0, 0, 0]}, start="stretched")
    assert number(tmp_path, "damping_forms.corrected_decay_error") == pytest.approx(
        error, abs=0.01
    )  # of sampled extremes


def test_a_bar_that_creeps_back_does_not_vibrate(tmp_path: Path) -> None:
    t = 0.01 * np.arange(800)
    for row, along in (("undamped", np.cos(5 * t)), ("as_printed", np.exp(-t))):
        damped(tmp_path, row, {"tip_displacement": along[:, None] * [1.0, 0, 0]}, start="stretched")
    assert number(tmp_path, "damping_forms.as_printed_decay_error") == damping_forms.FAILED
