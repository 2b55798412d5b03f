# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps that converge as told, but for one run, one row or one vertex."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, value_of, write_trace

from deformbench_analysis.mesh import NO_END
from experiments.macklin_et_al_2016.measurements import sweeps as m

REST, ONE = np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 1, 2, 3]])
ARRAYS = {"rest_positions": REST, "tetrahedra": ONE}


def projected(folder: Path, name: str, seed: int, count: int, slip: float = 0.0) -> None:
    """A hundredth of the strain is left after `count` iterations; one coordinate is off by `slip`."""
    violation = np.where(np.arange(51) >= count, 0.01, 1.0)
    positions = np.tile(REST, (4, 1, 1))
    positions[2, 1, 1] += slip
    write_trace(
        folder,
        f"{m.RIGID.experiment} any {name}",
        {"family": "kuhn", "seed": seed},
        frame={"positions": positions},
        iteration=rows(1.0 - np.arange(51) / 100, stretch_violation_rms=violation),
    )


def test_iterations_and_positions_are_compared_by_mesh(tmp_path: Path) -> None:
    for seed in (1, 2):
        projected(tmp_path, "position_based", seed, 20)
        projected(tmp_path, "rigid", seed, 20, slip=2e-9 if seed == 2 else 0.0)
        projected(tmp_path, "nearly_rigid", seed, 19 + 2 * seed)
        projected(tmp_path, "half", seed, 30 + seed)
    assert number(tmp_path, "rigid_sweeps.position_difference") == pytest.approx(2e-9, abs=1e-15)  # ulp of a metre
    assert number(tmp_path, "rigid_sweeps.least_sweep_ratio") == pytest.approx(1.05)
    assert number(tmp_path, "rigid_sweeps.largest_sweep_ratio") == pytest.approx(1.15)
    assert number(tmp_path, "rigid_sweeps.sweep_ratio_of_halves") == pytest.approx(1.55)
    projected(tmp_path, "position_based", 3, 20)
    projected(tmp_path, "nearly_rigid", 3, 60)
    assert "no hundredth" in value_of(tmp_path, "rigid_sweeps.least_sweep_ratio").note


def step(folder: Path, name: str, seed: int, norms: list[float], end: float, experiment: str = "") -> None:
    """Norms of the gradient after iterations; one vertex moves by `end`, the objective falls by it."""
    positions = np.tile(REST, (2, 1, 1))
    positions[1, 3, 0] += end
    write_trace(
        folder,
        f"{experiment or m.FLOORS.experiment} any {name}",
        {"family": "kuhn", "seed": seed, "omega": 1.0},
        frame={"positions": positions},
        iteration=rows(np.linspace(end, 0.0, len(norms)), gradient_norm=np.array(norms)),
    )


def test_floors_are_the_least_of_any_iteration_and_ends_those_of_the_minimum(tmp_path: Path) -> None:
    for seed, low in ((1, 0.02), (2, 0.01)):
        step(tmp_path, "newton", seed, [5.0, 5e-10], 2.0)
        step(tmp_path, "pair", seed, [4.0, 4.0 * low, 0.3, np.nan], 1.5)
        step(tmp_path, "springs", seed, [2.0, 0.1, 0.2], 1.0)
        step(tmp_path, "second_derivatives", seed, [4.0, 1e-6, 4e-9 * seed], 2.0 + 1e-6 * seed)
    step(tmp_path, "chain", 1, [1.0, 1e-12], 1.0, m.CHAIN.experiment)
    step(tmp_path, "chain", 2, [2.0, 1e-12], 1.0, m.CHAIN.experiment)
    assert number(tmp_path, "step_floors.pair_floor") == pytest.approx(0.01)
    assert number(tmp_path, "step_floors.springs_floor") == pytest.approx(0.05)
    assert number(tmp_path, "step_floors.newton_floor") == pytest.approx(1e-10, abs=1e-19)
    assert number(tmp_path, "step_floors.floor_with_second_derivatives") == pytest.approx(2e-9, abs=1e-18)
    assert number(tmp_path, "step_floors.pair_end_error") == pytest.approx(0.25)
    assert number(tmp_path, "step_floors.end_error_with_second_derivatives") == pytest.approx(1e-6, rel=1e-6)
    assert number(tmp_path, "step_floors.drop_difference") == pytest.approx(1e-6, rel=1e-6)
    assert number(tmp_path, "straight_chain_step.floor") == pytest.approx(1e-12, abs=1e-21)


def test_the_objective_is_that_of_an_independent_program(tmp_path: Path) -> None:
    """One tetrahedron, three vertices held; the fourth moves by `end` from a start that it leaves."""
    positions = np.tile(REST, (2, 1, 1))
    positions[0, 3] = [0.1, 0.0, 1.4]
    scene = {"young_modulus_pa": 260.0, "poisson_ratio": 0.3, "time_step_s": 0.1}
    arrays = {**ARRAYS, "masses": np.full(4, 2.0), "prescribed_vertices": np.arange(3)}
    fall = 260.0 / 2.6 / 6 * (0.5 * (0.01 + 0.96) + 1.25 * 0.16 - 0.4) - 0.5 * 2.0 * (0.01 + 0.16) / 0.01
    for name, error in (("newton", 0.0), ("pair", 1e-3), ("second_derivatives", 0.0)):
        write_trace(
            tmp_path,
            f"{m.FLOORS.experiment} any {name}",
            {"family": "kuhn", "seed": 1},
            scene,
            parameters={"substeps": 1, "elements": "linear"},
            arrays=arrays,
            frame={"positions": positions},
            iteration=rows([fall + error, 0.0]),
        )
    first = 260.0 / 2.6 / 6 * (0.5 * (0.01 + 0.96) + 1.25 * 0.16 - 0.4)
    assert number(tmp_path, "step_floors.objective_error") == pytest.approx(1e-3 / first)
    assert number(tmp_path, "step_floors.newton_excess") > 0.1  # the minimum is near the start, not at rest


def run(folder: Path, name: str, start: str, far: float, energy: float, status: str = "completed", n: int = 1) -> None:
    """A run that reaches `far` from rest and a kinetic energy of `energy` times what it stores."""
    positions = np.tile(REST, (2, 1, 1))
    positions[0, 1, 0] = 1.0 if start == "rest" else 1.2
    pair = name in ("pair", "one_by_one")
    constants: dict[str, Any] = {"solid_constraints": "neo_hookean" if pair else "distances_and_volumes"}
    constants |= {"stretch_compliance_m_per_n": 0.1, "volume_compliance_m6_per_j": 0.5, "iterations": n}
    diagonal = np.sqrt(1.2**2 + 1) - np.sqrt(2)
    young = 10.0 * 5.0 * 2 / 0.1**2
    mu = young / 2.6
    stored = (0.2**2 + 2 * diagonal**2) / 0.2 + (0.2 / 6) ** 2 / 1.0
    if pair:  # λ = 1.5 μ at ν = 0.3: μ/2 (1.2² − 1) + 2.5 μ/2 · 0.2² − 0.2 μ, over a sixth of a cubic metre
        stored = mu * (0.22 + 0.05 - 0.2) / 6
    scene = {
        "start": start,
        "side_m": 0.25,
        "omega": 10.0,
        "density_kg_m3": 5.0,
        "time_step_s": 0.1,
        "theta": 0.0,
        "contrast": 1.0,
    }
    write_trace(
        folder,
        f"{m.RUNS.experiment} xpbd {name}",
        None,
        {**scene, "poisson_ratio": 0.3},
        parameters=constants,
        status=status,
        arrays=ARRAYS,
        frame={"positions": positions},
        step={"max_displacement": np.array([0.0, far, 0.0]), "kinetic_energy": np.array([0.0, energy * stored, 0.0])},
    )


def calm(folder: Path) -> None:
    for name in ("pair", "one_by_one", "springs_and_volumes", "springs"):
        run(folder, name, "rest", 1e-9, 0.0)
        run(folder, name, "twisted", 2.9, 1.0)


def test_stable_runs_are_none_of_the_unstable(tmp_path: Path) -> None:
    calm(tmp_path)
    for name in ("unstable", "springs_unstable", "pair_unstable", "one_by_one_unstable"):
        assert number(tmp_path, f"long_runs.{name}") == 0
    h = np.sqrt(2)
    assert number(tmp_path, "long_runs.drift") == pytest.approx(1e-9 / h, abs=1e-18)


@pytest.mark.parametrize("far,energy,status", [(3.1, 0.0, "completed"), (0.1, 1.03, "completed"), (0.1, 0, "diverged")])
@pytest.mark.parametrize("name", ["pair", "springs_and_volumes", "springs"])
def test_a_run_that_flies_gains_or_ends_is_found(
    tmp_path: Path, name: str, far: float, energy: float, status: str
) -> None:
    calm(tmp_path)
    run(tmp_path, name, "twisted", far, energy, status, n=5)
    assert number(tmp_path, "long_runs.unstable") == 1
    assert number(tmp_path, f"long_runs.{name}_unstable") == 1
    assert number(tmp_path, "long_runs.springs_unstable") == (name == "springs")


def test_a_body_that_leaves_rest_is_found(tmp_path: Path) -> None:
    calm(tmp_path)
    run(tmp_path, "pair", "rest", 0.5, 0.0, n=5)
    assert number(tmp_path, "long_runs.drift") == pytest.approx(0.5 / np.sqrt(2))
    assert number(tmp_path, "long_runs.springs_drift") < 1e-8
    run(tmp_path, "springs", "rest", 0.0, 0.0, status="diverged", n=5)
    assert number(tmp_path, "long_runs.springs_drift") == NO_END
