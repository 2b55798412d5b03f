# SPDX-License-Identifier: BSD-3-Clause
"""Energy of swinging chains and pendulums, angles of strained pairs after a step, Verlet's rule: made-up traces, one row off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from position_cells import write_cell

from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.results import Results


def measured(folder: Path, name: str) -> Value:
    return Measurer(Results(folder, "paper", {}), "paper")(name)


def chain(folder: Path, links: int, kinetic: list[float], status: str = "completed") -> None:
    write_cell(folder, "chain_energy", "forward", {"scene.parameters.links": links}, status=status,
                series={"step": {"kinetic_energy": np.array(kinetic), "gravitational_energy": np.array([0.0, -1, -4, -2, -1])[: len(kinetic)]}})


def test_a_chain_gains_energy_where_it_has_more_than_at_its_start_in_any_step(tmp_path: Path) -> None:
    chain(tmp_path, 4, [0, 0.9, 3.6, 1.8, 0.9])
    assert measured(tmp_path, "chain_energy.gain").value == pytest.approx(-0.1 / 4)  # in the last row
    chain(tmp_path, 10, [0, 0.9, 3.6, 2.4, 0.9])
    value = measured(tmp_path, "chain_energy.gain")
    assert value.value == pytest.approx(0.4 / 4) and "links=10" in value.note
    chain(tmp_path, 40, [0, 0.9], status="diverged")
    assert measured(tmp_path, "chain_energy.gain").value == np.inf


def pair(folder: Path, name: str, fold: float, member: int, lift: float) -> None:
    """Three members, strained at the start; in one of them a step lifts a vertex."""
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -np.cos(fold), np.sin(fold)]])
    strained = rest.copy()
    strained[2, :2] = 0.6, 1.2
    x = np.repeat(np.repeat(strained[None, None], 2, axis=1), 3, axis=0)
    x[member, 1, 2, 2] += lift
    write_cell(folder, "bending_independence", name, {"scene.parameters.rest_fold_rad": fold, "scene.parameters.in_plane_strain": 0.3},
                scene={"edge_m": 1.0}, arrays={"rest_positions": rest}, series={"frame": {"positions": x}})


def test_an_angle_that_one_member_has_after_the_step_is_found(tmp_path: Path) -> None:
    pair(tmp_path, "signed", 0.0, 1, 0.0)
    pair(tmp_path, "signed", 0.5, 1, 0.3)
    pair(tmp_path, "printed", 0.0, 2, 0.12)
    pair(tmp_path, "printed", 0.5, 2, 0.0)
    assert measured(tmp_path, "bending_independence.signed_angle_change").value == pytest.approx(np.arctan(0.3 / 1.2))
    assert measured(tmp_path, "bending_independence.signed_movement").value == pytest.approx(0.3)
    assert measured(tmp_path, "bending_independence.printed_angle_change").value == pytest.approx(np.arctan(0.12 / 1.2))
    assert measured(tmp_path, "bending_independence.printed_movement").value == pytest.approx(0.12)
    assert measured(tmp_path, "bending_independence.printed_folded_movement").value == 0


def test_a_run_that_follows_verlets_rule_all_the_same_is_the_least_difference(tmp_path: Path) -> None:
    fall = np.zeros((4, 2, 3))
    fall[:, 1, 0] = 1
    fall[:, :, 1] = (-9.81 * 0.01**2 * np.arange(4) * np.arange(1, 5) / 2)[:, None]
    slow = fall.copy()
    slow[2, 0, 1] += 0.02
    for restitution, rows in ((0.1, slow), (0.2, fall)):
        write_cell(tmp_path, "verlet_correspondence", "damped", {"scene.parameters.restitution": restitution}, parameters={"iterations": 2, "order": "forward"},
                    scene={"gravity_m_s2": [0, -9.81, 0], "time_step_s": 0.01, "height_m": 1.0, "floor": False, "friction": 0.0},
                    arrays={"masses": np.ones(2), "constraint_vertices": np.array([[0, 1, -1, -1]]), "constraint_rest_values": np.ones(1), "constraint_stiffness": np.ones(1)},
                    series={"frame": {"positions": rows, "velocities": np.zeros((4, 2, 3))}})
    assert measured(tmp_path, "verlet_correspondence.damped_least_difference").value == pytest.approx(0, abs=1e-14)
    assert measured(tmp_path, "verlet_correspondence.damped_difference").value == pytest.approx(0.02)
