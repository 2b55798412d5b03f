# SPDX-License-Identifier: BSD-3-Clause
"""One update that raises the objective, one member that makes energy, one body that is not whole again."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.trace import Trace
from experiments.chen_et_al_2024.measurements import guarantees as m, one_step

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
TETRAHEDRON = {"rest_positions": REST, "tetrahedra": np.array([[0, 1, 2, 3]]), "masses": np.full(4, 10.0)}
SCENE = {
    "omega": 50.0,
    "theta": 0.0,
    "poisson_ratio": 0.4,
    "density_kg_m3": 1000.0,
    "time_step_s": 0.01,
    "contrast": 1.0,
}


def updated(folder: Path, row: str, *frames: np.ndarray, omega: float = 50.0) -> Path:
    return write_trace(
        folder,
        f"chen_et_al_2024/block_updates vbd {row}",
        scene={**SCENE, "omega": omega},
        parameters={"law": one_step.CORE},
        arrays={**TETRAHEDRON, "prescribed_vertices": np.array([0, 1, 2])},
        frame={"positions": np.array(frames)},
    )


@pytest.mark.parametrize("length,rises", [(1.0, 0), (1.9, 0), (2.1, 1)])
def test_an_update_beyond_twice_the_way_to_the_minimum_of_a_quadratic_is_a_rise(
    tmp_path: Path, length: float, rises: int
) -> None:
    start = REST + np.array([[0.0, 0, 0]] * 3 + [[0.1, 0.2, -0.8]])
    first = updated(tmp_path / "first", "core", start, start)
    end = start + length * (one_step.problem(Trace(first)).minimise().positions - start)
    updated(tmp_path / "core", "core", start, end)
    assert number(tmp_path / "core", "block_updates.core_rises") == rises
    assert number(tmp_path / "core", "block_updates.core_updates") == 1


def test_later_updates_are_judged_with_the_velocity_of_the_step_before(tmp_path: Path) -> None:
    along = np.array([[0.0, 0, 0]] * 3 + [[0.0, 0.0, 1e-4]])
    updated(
        tmp_path / "on", "log", REST, REST + along, REST + 1.5 * along, omega=1e-3
    )  # from the last positions, on by inertia
    updated(tmp_path / "back", "log", REST, REST + along, REST, omega=1e-3)
    assert number(tmp_path / "on", "block_updates.log_rises") == 1  # the first, away from rest
    assert number(tmp_path / "back", "block_updates.log_rises") == 2
    assert 0 < number(tmp_path / "back", "block_updates.log_rise") < 1


def few(
    folder: Path, energies: np.ndarray, gravity: float = 0.0, status: str = "completed", iterations: int = 1
) -> None:
    series = {"total_energy": energies, "kinetic_energy": 0.0 * energies + 1, "elastic_energy": 0.0 * energies + 3}
    write_trace(
        folder,
        "chen_et_al_2024/few_sweeps vbd adaptive",
        scene={"side_m": 0.5, "gravity_m_s2": [0.0, 0.0, -gravity]},
        coordinates={"method.parameters.iterations": iterations},
        arrays=TETRAHEDRON,
        status=status,
        seeds=2,
        step=series,
    )


@pytest.mark.parametrize("gravity,made", [(0.0, 0.5), (10.0, 2.0 / 404)])
def test_energy_made_is_that_of_the_worst_member(tmp_path: Path, gravity: float, made: float) -> None:
    few(tmp_path, np.array([[7.0, 6, 5, 4], [7.0, 9, 5, 4]]), gravity)
    assert number(tmp_path, "few_sweeps.energy_made") == pytest.approx(made)
    few(tmp_path, np.ones((2, 3)), status="diverged", iterations=5)
    assert number(tmp_path, "few_sweeps.energy_made") == one_step.FAILED
    assert number(tmp_path, "few_sweeps.energy_made_beyond_one_sweep") == one_step.FAILED


@pytest.mark.parametrize(
    "change,energy,share",
    [(np.eye(3), 1e-5, 1.0), (np.diag([-1.0, 1, 1]), 1e-5, 0.5), (1.02 * np.eye(3), 1e-5, 0.5), (np.eye(3), 1e-3, 0.5)],
)
def test_a_mirrored_stretched_or_tense_body_has_not_recovered(
    tmp_path: Path, change: np.ndarray, energy: float, share: float
) -> None:
    for seed, shape, left in ((1, 3.0 + REST, 1e-5), (2, REST @ change, energy)):
        write_trace(
            tmp_path,
            "chen_et_al_2024/any_start vbd core",
            {"start": "flat", "seed": seed},
            arrays=TETRAHEDRON,
            step={"elastic_energy": np.array([1.0, left])},
            frame={"positions": np.array([0.5 * REST, shape])},
        )
    assert number(tmp_path, "any_start.recovered") == share
    assert number(tmp_path, "any_start.recovered_from_two_dimensions") == share
