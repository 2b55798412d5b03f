# SPDX-License-Identifier: BSD-3-Clause
"""Made-up clouds at rest: one has another limit than the others, or none; and steps of stiff and soft bodies."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import arrays_of, cloud, write_nodes

NAME = "pauly_et_al_2005/stable_step_of_nodes"
STIFF = "pauly_et_al_2005/stiff_steps"
STRESS = "pauly_et_al_2005/stress_steps"
SEEDS = (1, 2, 3)
NODES = cloud(3)
MASSES = 1000 * NODES.volumes
LIMIT = float(2 / np.sqrt(np.linalg.eigvalsh(NODES.over_masses(MASSES).toarray())[-1]))
ARRAYS = {**arrays_of(NODES), "node_masses": MASSES}
WAVE = np.sqrt((NODES.first_lame + 2 * NODES.shear_modulus) / 1000)


def run(folder: Path, seed: int, part: float, growth: float = 1.0, status: str = "completed", **about: object) -> None:
    x = np.tile(NODES.rest, (8, 1, 1))
    x[:, 2, 1] += 1e-8 * np.array([1.0, -1, 1, -1, growth, -1, 1, -1])
    scene = {
        "seed": seed,
        "jitter": 0.3,
        "sampling": "one_size",
        "nodes_across": 3,
        "side_m": 1.0,
        "time_step_s": part * LIMIT,
        **about,
    }
    arrays = {"rest_positions": NODES.rest}
    series = {"step": {"positions": x}}
    write_nodes(folder, NAME, [[(NODES.rest, ARRAYS)]], scene=scene, series=series, arrays=arrays, status=status)


def bracket(folder: Path, seed: int, low: float, high: float, **about: object) -> None:
    run(folder, seed, 0.1 * low, **about)
    run(folder, seed, low, 1.9, **about)
    run(folder, seed, high, -2.1, **about)
    run(folder, seed, 9 * high, status="diverged", **about)


@pytest.mark.parametrize("worst", SEEDS)
def test_the_bracket_is_that_of_the_worst_cloud(tmp_path: Path, worst: int) -> None:
    for seed in SEEDS:
        bracket(tmp_path, seed, *((0.75, 1.5) if seed == worst else (0.9, 1.1)))
    bracket(tmp_path, 1, 0.95, 1.05, jitter=0.0)
    bracket(tmp_path, 1, 0.95, 1.05, sampling="two_levels")
    assert number(tmp_path, "stable_step_of_nodes.largest_stable") == pytest.approx(0.75)
    assert number(tmp_path, "stable_step_of_nodes.smallest_unstable") == pytest.approx(1.5)
    assert number(tmp_path, "stable_step_of_nodes.clouds") == 5
    courant = LIMIT * WAVE * 3
    assert number(tmp_path, "stable_step_of_nodes.courant_least") == pytest.approx(courant)
    assert number(tmp_path, "stable_step_of_nodes.courant_of_lattice") == pytest.approx(courant)
    assert number(tmp_path, "stable_step_of_nodes.courant_of_two_sizes") == pytest.approx(2 * courant)


def test_where_nothing_grows_or_stays_there_is_no_limit(tmp_path: Path) -> None:
    run(tmp_path, 1, 1.0)
    assert number(tmp_path, "stable_step_of_nodes.smallest_unstable") == np.inf
    run(tmp_path, 2, 1.0, status="diverged")
    assert number(tmp_path, "stable_step_of_nodes.largest_stable") == 0
    run(tmp_path, 3, 1.0, status="failed")
    assert "failed" in value_of(tmp_path, "stable_step_of_nodes.largest_stable").note


def stiff(folder: Path, young: float, jitter: float, substeps: tuple[int, int], energy: float = 1.0) -> float:
    """A run of two steps of 0.02 s; the limit, s."""
    nodes = cloud(3)
    arrays = {**ARRAYS, "node_masses": 1000 * nodes.volumes}
    series = {
        "substeps": np.array([1.0, *substeps]),
        "elastic_energy": np.array([2.0, 1.0, 0.5]),
        "kinetic_energy": np.array([0.0, 1.0, 2 * energy - 0.5]),
    }
    scene = {"jitter": jitter, "sampling": "one_size", "nodes_across": 3, "side_m": 1.0, "time_step_s": 0.02}
    write_nodes(
        folder, STIFF, [[(nodes.rest, arrays)]], scene={**scene, "young_modulus_pa": young}, series={"step": series}
    )
    return LIMIT * float(np.sqrt(1e5 / young))


@pytest.mark.parametrize("worst", [0.0, 0.3])
def test_steps_of_a_frame(tmp_path: Path, worst: float) -> None:
    for jitter in (0.0, 0.3):
        at = jitter == worst
        limit = stiff(tmp_path, 1e10, jitter, (900, 700 if at else 800), 3.0 if at else 1.0)
        stiff(tmp_path, 1e5, jitter, (9 if at else 7, 11 if at else 7))
    assert number(tmp_path, "stiff_steps.stiff") == 1400
    assert number(tmp_path, "stiff_steps.soft") == 18
    assert number(tmp_path, "stiff_steps.least_needed") == pytest.approx(0.04 / limit)
    assert number(tmp_path, "stiff_steps.energy_ratio") == pytest.approx(3)
    assert number(tmp_path, "stiff_steps.step_over_limit") == pytest.approx(max(0.04 / 1400 / limit, 0.04 / 14 / LIMIT))


def test_stresses_are_compared_with_those_of_the_smallest_step(tmp_path: Path) -> None:
    exact = np.zeros((3, 4, 3, 3))
    exact[..., 0, 0] = np.arange(12).reshape(3, 4)
    exact[..., 1, 2] = 1.0
    errors = {"fine": 0.0, "limit": 0.5, "half": 0.75, "quarter": 0.1, "eighth": 0.125}
    for name, error in errors.items():
        own = exact * (1 + error)
        frames = [(np.zeros((4, 3)), {"node_stresses": s}) for s in own]
        write_nodes(tmp_path, STRESS, [frames], name=name)
    assert number(tmp_path, "stress_steps.error_at_limit") == pytest.approx(0.5)
    assert number(tmp_path, "stress_steps.peak_error_at_limit") == pytest.approx(0.5)
    assert number(tmp_path, "stress_steps.mean_error_at_limit") == pytest.approx(0.5)
    assert number(tmp_path, "stress_steps.error_at_eighth") == pytest.approx(0.125)
