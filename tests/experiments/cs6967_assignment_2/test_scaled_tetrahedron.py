# SPDX-License-Identifier: BSD-3-Clause
"""The double well of a scaled tetrahedron: turning points and ends of made-up swings, one of which is off."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cs6967_assignment_2.measurements import scaled_tetrahedron as m
from deformbench_analysis.results import Results

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def run(folder: Path, factor: float, scales: list[float], gamma: float = 0.0) -> None:
    start = [factor] * 3
    arrays = {"rest_positions": CORNERS, "tetrahedra": np.array([[0, 1, 2, 3]]), "masses": np.full(4, 2.0)}
    swept = {"initial_scale": start, "method.parameters.mass_damping_1_s": gamma}
    frame = {"positions": np.array([s * CORNERS for s in scales])}
    scene = {"young_modulus_pa": 1e5, "poisson_ratio": 0.33}
    write_trace(folder, f"{m.M.experiment} explicit_fem standard", swept, scene, arrays=arrays, frame=frame)


def test_the_first_turn_counts_and_not_a_later_one(tmp_path: Path) -> None:
    run(tmp_path, 1.2, [1.2, 1.0, np.sqrt(2 - 1.44), 1.0, -5.0])
    run(tmp_path, 2.0, [2.0, 1.0, -2.0, 0.0, 2.0])
    assert number(tmp_path, "scaled_tetrahedron.turning_error") == pytest.approx(0, abs=1e-12)
    assert number(tmp_path, "scaled_tetrahedron.starts_that_mirror") == 2.0


def test_the_worst_turn_is_found(tmp_path: Path) -> None:
    run(tmp_path, 1.2, [1.2, np.sqrt(2 - 1.44), 1.0])
    run(tmp_path, 1.5, [1.5, -1.2, 0.0])
    run(tmp_path, 2.0, [2.0, -1.9, 0.0])
    assert number(tmp_path, "scaled_tetrahedron.turning_error") == pytest.approx(0.3 / 1.5)
    assert number(tmp_path, "scaled_tetrahedron.starts_that_mirror") == 1.5
    run(tmp_path, 1.3, [1.3, 1.2, 1.1])
    assert "before the first turn" in value_of(tmp_path, "scaled_tetrahedron.turning_error").note


def test_ends_are_compared_with_the_differential_equation(tmp_path: Path) -> None:
    run(tmp_path, 1.1, [1.1, 1.0, 1.05])  # undamped: no end of its own
    run(tmp_path, 1.0, [1.0, 1.0, 1.0], gamma=10.0)
    run(tmp_path, 1.0, [1.0, 1.0, 1.25], gamma=20.0)
    run(tmp_path, 1.0, [1.0, 1.0, -1.0], gamma=30.0)
    assert number(tmp_path, "scaled_tetrahedron.end_error") == pytest.approx(2.0)
    assert number(tmp_path, "scaled_tetrahedron.mirrored_ends") == 1.0


def test_the_equation_swings_with_its_frequency_and_keeps_its_energy() -> None:
    period = 2 * np.pi / 50.0
    assert m.end_of(1.0001, 50.0, 0.0, period) == pytest.approx(1.0001, abs=1e-7)
    assert m.end_of(1.0001, 50.0, 0.0, period / 2) == pytest.approx(0.9999, abs=1e-7)
    lowest = min(m.end_of(1.3, 50.0, 0.0, t) for t in np.linspace(0.0, 0.2, 400))
    assert lowest == pytest.approx(m.turning_point(1.3), abs=1e-3)
    assert m.turning_point(2.0) == -2.0


def test_the_frequency_is_that_of_the_dilation_mode(tmp_path: Path) -> None:
    run(tmp_path, 2.0, [2.0, 1.0])
    trace = Results(tmp_path, "paper", {}).experiment(m.M.experiment).cells[0]
    # u = (s − 1) x has the strain (s − 1) I: its energy is V · 3/2 (2μ + 3λ)(s − 1)²,
    # its kinetic energy ½ Σ m |x − c|² ṡ².
    mu, first = 1e5 / 2.66, 33000 / (1.33 * 0.34)
    inertia = 2.0 * float(((CORNERS - 0.25) ** 2).sum())
    assert m.frequency(trace) == pytest.approx(np.sqrt(3 * (2 * mu + 3 * first) / 6 / inertia))
