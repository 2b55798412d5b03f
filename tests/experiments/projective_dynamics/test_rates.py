# SPDX-License-Identifier: BSD-3-Clause
"""Rates and orders of made-up residuals; the predicted rate of a step that can be done by hand."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from figure_traces import drawn
from iteration_rows import rows
from measured import number, value_of, write_trace

from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.trace import Trace
from experiments.projective_dynamics.measurements import (
    accelerations as a,
    cost as c,
    laws,
    rates as m,
    ten_rounds as t,
)
from paper_figures.projective_dynamics import sec_data_profiles as p


def converges(folder: Path, row: str, residuals: list[float], theta: float = 1.0) -> Path:
    method = "implicit_fem" if row == "newton" else "quasi_newton"
    norms = 7.0 * np.array(residuals)
    iteration = rows(norms, gradient_norm=norms)
    return write_trace(folder, f"{m.M.experiment} {method} {row}", {}, {"theta": theta}, iteration=iteration)


def test_the_tail_begins_below_a_thousandth_and_ends_above_rounding(tmp_path: Path) -> None:
    residuals = [1.0, 0.5, 1e-2] + [1e-3 * 0.5**k for k in range(27)] + [1e-12, 3e-13, 3e-13]
    trace = Trace(converges(tmp_path, "rounds", residuals))
    assert m.tail_ratios(trace) == pytest.approx(np.full(20, 0.5))
    assert m.rate(trace) == pytest.approx(0.5)
    residuals[29] *= 1.5
    assert m.ratio_deviation(Trace(converges(tmp_path, "rounds", residuals))) == pytest.approx(0.5)


def test_too_few_rounds_have_no_rate(tmp_path: Path) -> None:
    converges(tmp_path, "rounds", [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
    assert "rounds between" in value_of(tmp_path, "projection_rates.ratio_deviation").note


def test_slow_and_fast_rates_and_their_exponent(tmp_path: Path) -> None:
    for theta in (1.0, 100.0):
        factor = 1 - 0.5 * theta**-0.5
        converges(tmp_path, "rounds", [factor**k for k in range(600)], theta)
    assert number(tmp_path, "projection_rates.fastest_rate") == pytest.approx(0.5)
    assert number(tmp_path, "projection_rates.slowest_rate") == pytest.approx(0.95)
    assert number(tmp_path, "projection_rates.theta_exponent") == pytest.approx(0.5)


def test_the_constant_is_the_largest_of_small_gradients_above_rounding(tmp_path: Path) -> None:
    converges(tmp_path, "newton", [1.0, 0.02, 1e-2, 3e-4, 9e-8, 9e-14])
    assert number(tmp_path, "projection_rates.newton_constant") == pytest.approx(3.0)
    converges(tmp_path, "newton", [1.0, 1e-2, 5e-4, 1e-14], theta=2.0)
    assert number(tmp_path, "projection_rates.newton_constant") == pytest.approx(5.0)
    converges(tmp_path, "rounds", [1.0, 0.1, 1e-2, 1e-3, 1e-4])
    assert number(tmp_path, "projection_rates.constant_of_rounds") == pytest.approx(100.0)


DT, DENSITY, OMEGA = 0.01, 1000.0, 2.0


def tetrahedron(
    folder: Path,
    run: str = f"{m.M.experiment} quasi_newton rounds",
    moves: Sequence[Sequence[float]] = (),
    **clocks: Any,
) -> Path:
    """One element, of which one vertex is free and is moved by as much at start and end."""
    rest = np.array([[0.0, 0, 0], [1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    scene = {"omega": OMEGA, "theta": 0.0, "density_kg_m3": DENSITY, "time_step_s": DT, "poisson_ratio": 0.0}
    scene |= {"contrast": 1.0, "gravity_m_s2": [0.0, 0.0, 0.0], "family": "kuhn"}
    return write_trace(
        folder,
        run,
        {},
        scene,
        parameters={"law": "corotational"},
        arrays={
            "rest_positions": rest,
            "tetrahedra": np.array([[0, 1, 2, 3]]),
            "masses": np.full(4, DENSITY / 24),
            "prescribed_vertices": np.array([0, 1, 2]),
        },
        frame={"positions": np.stack([rest + np.outer([0, 0, 0, 1], move) for move in moves or np.zeros((2, 3))])},
        **clocks,
    )


def eigenvalue() -> float:
    """With n = ∇N of the free vertex, A = m/Δt² + 2μV |n|², and H is A along n and m/Δt² + μV |n|² across: a turn
    takes half of a shear. I − A⁻¹H is then μV |n|²/A."""
    edges = sorted([1.0] * 3 + [math.sqrt(2.0)] * 3)
    pull = OMEGA * DENSITY * edges[3] ** 2 / DT**2 / 2 / 6  # μ V |n|², ν = 0
    return pull / (DENSITY / 24 / DT**2 + 2 * pull)


def test_the_predicted_rate_is_that_of_a_tetrahedron_done_by_hand(tmp_path: Path) -> None:
    assert m.predicted_rate(Trace(tetrahedron(tmp_path))) == pytest.approx(eigenvalue())


def test_an_end_is_compared_with_the_minimum_found_from_there(tmp_path: Path) -> None:
    run, start = f"{laws.G.experiment} quasi_newton l_bfgs_5", [0.1, 0.0, 0.3]
    step = ReferenceMinimum(Trace(tetrahedron(tmp_path, run, [start, start])))
    end = step.minimise().positions[3] - [0.0, 0.0, 1.0]
    way = np.linalg.norm(end - start)
    for off in (0.0, 1e-3):
        trace = Trace(tetrahedron(tmp_path, run, [start, end + [0.0, off, 0.0]]))
        assert laws.distance_to_minimum(trace, trace) == pytest.approx(off / way, rel=1e-2, abs=1e-9)


# ---- swinging bodies


def swings(folder: Path, row: str, theta: float, off: float, lost: float) -> None:
    """Two vertices, the second of which moves by 1; `off`: where it is not as with converged steps."""
    positions = np.zeros((3, 2, 3))
    positions[1:, 1, 2] = [0.5 + off, 1.0]
    energy = np.array([5.0, 5.0 - lost, 3.0])
    write_trace(
        folder,
        f"{t.M.experiment} any {row}",
        {},
        {"family": "kuhn", "theta": theta},
        step={"total_energy": energy},
        frame={"positions": positions},
    )


def test_errors_are_relative_to_the_motion_and_to_what_converged_steps_lose(tmp_path: Path) -> None:
    for theta, off, lost in ((0.1, 0.01, 1.0), (1.0, 0.04, 1.1), (10.0, 0.2, 1.0), (100.0, 0.0, 1.0)):
        swings(tmp_path, "euler", theta, 0.0, 1.0)
        swings(tmp_path, "ten", theta, off, lost)
        swings(tmp_path, "one", theta, 2 * off, 1.0)
    assert number(tmp_path, "ten_rounds.position_error") == pytest.approx(0.2)
    assert number(tmp_path, "ten_rounds.damping_error") == pytest.approx(0.05)
    assert number(tmp_path, "ten_rounds.theta_limit") == 1.0  # not beyond the first that fails
    assert number(tmp_path, "ten_rounds.error_of_one_round") == pytest.approx(0.4)


def test_energy_too_ends_what_is_enough_for_the_eye(tmp_path: Path) -> None:
    swings(tmp_path, "euler", 0.1, 0.0, 1.0)
    swings(tmp_path, "ten", 0.1, 0.0, 1.5)
    assert number(tmp_path, "ten_rounds.theta_limit") == 0.0


def test_the_figure_has_the_numbers_of_its_runs(tmp_path: Path) -> None:
    residuals = 0.3 ** np.arange(22.0)
    tetrahedron(tmp_path, iteration=rows(residuals, gradient_norm=residuals))
    for theta, off in ((0.1, 0.01), (1.0, 0.2)):
        for row, factor in (("euler", 0.0), ("ten", 1.0), ("one", 3.0)):
            swings(tmp_path, row, theta, factor * off, 1.0)
    for omega, gap in ((1.0, 1e-3), (a.STIFF, 1e-2)):
        for row, least in (("reference", 0.0), ("plain", gap)):
            scene = {"omega": omega, "family": "kuhn", "seed": 1}
            write_trace(tmp_path, f"{a.M.experiment} any {row}", {}, scene, iteration=rows([1.0, least]))
    _, found = drawn(tmp_path, "sec_one_matrix", tmp_path / "out")
    by_panel = {(row["panel"], row["row"], float(row["Ω or Θ"])): row for row in found}
    assert float(by_panel["(a)", "plain rounds", 1.0]["second"]) == pytest.approx(1e-3)
    assert float(by_panel["(b)", "plain rounds", a.STIFF]["second"]) == pytest.approx(1e-2)
    assert float(by_panel["(c)", "kuhn", 0.0]["count or rate"]) == pytest.approx(0.3)
    assert float(by_panel["(c)", "kuhn", 0.0]["second"]) == pytest.approx(eigenvalue(), rel=1e-2)
    assert float(by_panel["(d)", "10 rounds", 1.0]["count or rate"]) == pytest.approx(0.2)
    assert float(by_panel["(d)", "1 round", 0.1]["count or rate"]) == pytest.approx(0.03)


def test_the_cost_is_the_ratio_of_medians_on_the_largest_bars(tmp_path: Path) -> None:
    """A first iteration that takes long, as one that analyses the matrix, does not count."""
    for across, seed, milliseconds in ((2, 1, 5.0), (6, 1, 30.0), (6, 2, 33.0), (6, 3, 90.0)):
        for row, each in (("rounds", 1.0), ("newton", milliseconds)):
            seconds = 1e-3 * np.cumsum([0.0, 500.0, each, each, each])
            iteration = rows([2.0, 1.0, 1.0, 1.0, 1.0], elapsed_seconds=seconds)
            scene = {"cells_across": across, "seed": seed}
            write_trace(tmp_path, f"{c.M.experiment} any {row}", {}, scene, iteration=iteration)
    assert number(tmp_path, "round_cost.rounds_per_iteration") == pytest.approx(33.0)
    assert number(tmp_path, "round_cost.rounds_per_iteration_small") == pytest.approx(5.0)


def test_profiles_are_shares_of_the_problems_whose_gap_is_reached_within_a_budget(tmp_path: Path) -> None:
    """Plain rounds solve one of two problems, at two passes per round."""
    for seed, factor in ((1, 0.5), (2, 0.9999)):
        for row, gaps in (("reference", [1.0, 0.0]), *((name, factor ** np.arange(30.0)) for name in p.ROWS)):
            work = {"work_gradients": 2.0 * np.arange(len(gaps))}
            scene = {"omega": 1.0, "family": "kuhn", "seed": seed}
            write_trace(tmp_path, f"{a.M.experiment} any {row}", {}, scene, tetrahedra=1, iteration=rows(gaps, **work))
    _, found = drawn(tmp_path, "sec_data_profiles", tmp_path / "out")
    share = {(r["panel"], float(r["budget"])): float(r["share"]) for r in found if r["row"] == "plain rounds"}
    assert share["gap 0.01, rounds or iterations", 10.0] == 0.5
    assert share["gap 1e-06, rounds or iterations", 10.0] == 0.0
    assert share["gap 1e-06, rounds or iterations", 100.0] == 0.5
    assert share["gap 0.01, passes over the elements", 10.0] == 0.0  # seven rounds, fourteen passes
    assert share["gap 0.01, passes over the elements", 100.0] == 0.5
