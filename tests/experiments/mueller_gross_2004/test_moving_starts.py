# SPDX-License-Identifier: BSD-3-Clause
"""Energy that no work supplies, on made-up runs: one row of one run rises, inside the regime or outside."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from made_up_runs import BODY, CORNERS
from measured import number, value_of, write_trace

from experiments.mueller_gross_2004.measurements import moving_starts as m
from experiments.mueller_gross_2004.measurements.condition_number import stiffness_number
from deformbench_analysis.results import Results

LEAST_INERTIA = 2.5  # of BODY, across the diagonal: 4.5 less the largest second moment, 2
REST = {
    "angular_velocity_rad_s": [0, 0, 1],
    "velocity_m_s": [0, 0, 0],
    "gravity_m_s2": [0, 0, 0],
    "held": "none",
    "poisson_ratio": 0.0,
    "density_kg_m3": 48.0,
    "side_m": 1.0,
    "cells_across": 1,
}


def write(
    folder: Path,
    time_step: float,
    young: float,
    *,
    kinetic: list[float],
    elastic: list[float],
    gravity: list[float] | None = None,
    name: str = "exact",
    status: str = "completed",
    arrays: Mapping[str, np.ndarray] = BODY,
    **scene: object,
) -> None:
    energies = {
        "kinetic_energy": kinetic,
        "elastic_energy": elastic,
        "gravitational_energy": gravity or [0.0] * len(kinetic),
    }
    series = {k: np.array(v, dtype=float) for k, v in energies.items()}
    series["total_energy"] = sum(series.values())
    coordinates = {
        "scene.parameters.time_step_s": time_step,
        "scene.parameters.young_modulus_pa": young,
        **{f"scene.parameters.{k}": v for k, v in scene.items()},
    }
    run = f"{m.M.experiment} warped_fem {name}"
    write_trace(folder, run, status=status, arrays=arrays, coordinates=coordinates, scene=REST, step=series)


def test_the_least_moment_of_inertia_is_that_of_the_best_axis(tmp_path: Path) -> None:
    write(tmp_path, 0.01, 1.0, kinetic=[1, 1], elastic=[0, 0])
    cell = Results(tmp_path, "paper", {}).experiment(m.M.experiment).one()
    arm = CORNERS - CORNERS.mean(axis=0)
    axes = np.random.default_rng(1).standard_normal((4000, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    moments = [2.0 * float((np.cross(a, arm) ** 2).sum()) for a in axes]
    assert m.least_inertia(cell) == pytest.approx(LEAST_INERTIA)
    assert m.least_inertia(cell) <= min(moments) and m.least_inertia(cell) == pytest.approx(min(moments), rel=1e-2)
    assert m.rest_volume(cell) == pytest.approx(1 / 6)


def test_a_rise_counts_from_the_running_minimum_and_not_from_the_start(tmp_path: Path) -> None:
    write(tmp_path, 0.001, 1.0, kinetic=[2.0, 2.0, 2.0], elastic=[0, 0, 0])
    write(tmp_path, 0.002, 1.0, kinetic=[2.0, 0.5, 0.5, 0.5], elastic=[0, 0, 0.25, 0.1])  # falls to 0.5, rises to 0.75
    assert number(tmp_path, "moving_starts.energy_rise") == pytest.approx(0.25 / 2)


def test_a_rise_at_the_papers_step_is_that_of_exact_solves_in_the_regime_or_not(tmp_path: Path) -> None:
    for name, step, young, rise in (
        ("exact", 0.01, 1.0, 0.125),
        ("exact", 0.01, 1e9, 0.25),  # q about 1
        ("exact", 0.001, 1.0, 0.5),
        ("exact", 0.1, 1.0, 0.75),
        ("cg20_plain", 0.01, 1.0, 0.9),
    ):
        write(tmp_path, step, young, kinetic=[4.0, 4.0], elastic=[0, 4 * rise], name=name)
    assert number(tmp_path, "moving_starts.energy_rise_at_paper_step") == pytest.approx(0.25)
    assert "q 1.1" in value_of(tmp_path, "moving_starts.energy_rise_at_paper_step").note
    assert number(tmp_path, "moving_starts.energy_rise") == pytest.approx(0.75)


def test_energy_that_gravity_releases_is_no_rise_but_energy_beyond_it_is(tmp_path: Path) -> None:
    # Gravity's potential falls by 4 J: that is the energy put in.
    write(tmp_path, 0.001, 1.0, kinetic=[0, 3.0, 1.0], elastic=[0, 1.0, 0.5], gravity=[10.0, 6.0, 8.0], held="root")
    assert number(tmp_path, "moving_starts.energy_rise") == 0
    write(tmp_path, 0.002, 1.0, kinetic=[0, 3.0, 1.0], elastic=[0, 1.0, 2.0], gravity=[10.0, 6.0, 8.0], held="root")
    assert number(tmp_path, "moving_starts.energy_rise") == pytest.approx(1.0 / 4)
    assert number(tmp_path, "moving_starts.kinetic_share") == pytest.approx(3.0 / 4)


def test_the_regime_is_set_by_the_turn_and_by_what_it_stores(tmp_path: Path) -> None:
    inertia_turn = math.sqrt(2 * 4.0 / LEAST_INERTIA)  # ω that 4 J pay
    for step, young, rise in (
        (0.03 / inertia_turn, 1.0, 0.004),
        (0.04 / inertia_turn, 1.0, 0.01),
        (0.06 / inertia_turn, 1.0, 0.5),
        (0.04 / inertia_turn, 1e9, 0.9),
    ):
        write(tmp_path, step, young, kinetic=[4.0, 4.0], elastic=[0, 4 * rise])
    assert number(tmp_path, "moving_starts.energy_rise") == pytest.approx(0.9)
    assert number(tmp_path, "moving_starts.energy_rise_in_regime") == pytest.approx(0.01)


def test_iterated_solves_count_in_the_regime_up_to_a_stiffness_number_of_one_only(tmp_path: Path) -> None:
    write(tmp_path, 0.001, 48.0, kinetic=[4.0, 4.0], elastic=[0, 0.02])
    write(tmp_path, 0.001, 48e6 * 0.9, kinetic=[4.0, 4.0], elastic=[0, 0.04], name="cg20_plain")
    write(tmp_path, 0.001, 48e6 * 1.1, kinetic=[4.0, 4.0], elastic=[0, 4.0], name="cg20_plain")
    runs = m.runs(Results(tmp_path, "paper", {}).experiment(m.M.experiment))
    assert sorted(round(stiffness_number(r.trace), 6) for r in runs) == [1e-6, 0.9, 1.1]
    assert number(tmp_path, "moving_starts.energy_rise") == pytest.approx(0.005)  # exact solves alone
    assert not next(r for r in runs if stiffness_number(r.trace) > 1).in_regime


def test_kinetic_energy_above_what_was_put_in_and_bad_ends_are_seen_in_one_run_of_many(tmp_path: Path) -> None:
    write(tmp_path, 0.001, 1.0, kinetic=[1.0, 0.9], elastic=[0, 0])
    write(tmp_path, 0.002, 1.0, kinetic=[1.0, 1.5, 0.2], elastic=[0, 0, 0], name="cg20_plain")
    assert number(tmp_path, "moving_starts.kinetic_share") == pytest.approx(1.5)
    write(tmp_path, 0.003, 1.0, kinetic=[1.0, 0.5], elastic=[0, 0], status="diverged")
    write(tmp_path, 0.004, 1.0, kinetic=[1.0, 0.5], elastic=[0, float("nan")], name="cg20_plain", status="failed")
    write(tmp_path, 0.005, 1.0, kinetic=[1.0, 0.5, 0.5], elastic=[0, float("nan"), 0])
    assert number(tmp_path, "moving_starts.bad_ends") == 3


TWO = {
    "rest_positions": np.concatenate([CORNERS, 2 * CORNERS + [3, 0, 0]]),
    "tetrahedra": np.array([[0, 1, 2, 3], [4, 6, 5, 7]]),
    "masses": np.ones(8),
}


def test_the_volume_is_that_of_all_elements_and_the_fewest_elements_of_a_run_are_counted(tmp_path: Path) -> None:
    write(tmp_path, 0.001, 1.0, kinetic=[1.0, 1.0], elastic=[0, 0], arrays=TWO)
    cell = Results(tmp_path, "paper", {}).experiment(m.M.experiment).one()
    assert m.rest_volume(cell) == pytest.approx(9 / 6)
    write(tmp_path, 0.002, 1.0, kinetic=[1.0, 1.0], elastic=[0, 0])
    assert number(tmp_path, "moving_starts.tetrahedra") == 1


def test_the_total_energy_has_its_zero_at_the_gravitational_energy_of_the_start(tmp_path: Path) -> None:
    write(tmp_path, 0.001, 1.0, kinetic=[1.0, 2.0, 4.0], elastic=[0.5, 1.0, 0], gravity=[10.0, 8.5, 7.5])
    (run,) = m.runs(Results(tmp_path, "paper", {}).experiment(m.M.experiment))
    assert run.put_in == pytest.approx(4.0)
    assert run.total.tolist() == pytest.approx([1.5 / 4, 1.5 / 4, 1.5 / 4])
