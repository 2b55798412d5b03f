# SPDX-License-Identifier: BSD-3-Clause
"""A straight front in a stretched cloud, whose stress is the same everywhere:
one node of one step goes another way."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import front_arrays, write_fronts
from measured import number, value_of
from node_traces import MATERIAL, arrays_of, cloud

from experiments.pauly_et_al_2005.measurements import front_speeds as m

ALPHA, STEP, STRETCH = 1e-5, 0.01, 1.1
NODES = cloud(5)
CENTRE = NODES.rest.mean(axis=0)
MOVED = CENTRE + (NODES.rest - CENTRE) * [STRETCH, 1, 1]
TENSION = float(np.linalg.eigvalsh(NODES.stresses(NODES.strains(MOVED)))[:, 2].mean())
FRONT = CENTRE + np.array([[0.0, y, 0] for y in np.linspace(-0.2, 0.2, 8)])


def state(shift: np.ndarray) -> dict[str, np.ndarray]:
    arrays = arrays_of(NODES)
    names = ("node_rest_positions", "node_supports", "pairs", "pair_weights")
    return {**{n: arrays[n] for n in names}, "positions": MOVED, **front_arrays((FRONT + shift, {"closed": False}))}


def write(folder: Path, way: np.ndarray, threshold: float = 0.0) -> None:
    path_states = [state(np.zeros(3)), state(way)]
    scene = {**MATERIAL, "time_step_s": STEP}
    parameters = {
        "crack_speed_m_s_pa": ALPHA,
        "crack_front_threshold_pa": threshold,
        "crack_notches": [0.0, -1, 0, 0, 1, 0, 0, 0, 0.5],
    }
    members = [[(k, STEP * k, s) for k, s in enumerate(path_states)]]
    write_fronts(folder, m.M.experiment, members, rest=NODES.rest, scene=scene, parameters=parameters)


def test_steps_as_the_rule_says_have_no_error(tmp_path: Path) -> None:
    write(tmp_path, np.array([0, 0, -STEP * ALPHA * TENSION]))
    assert number(tmp_path, "front_speeds.steps") == 4
    assert number(tmp_path, "front_speeds.error") < 1e-6
    assert number(tmp_path, "front_speeds.inward") == 0
    assert number(tmp_path, "front_speeds.range") == pytest.approx(1, abs=1e-6)


def test_one_node_that_goes_too_far_is_seen(tmp_path: Path) -> None:
    way = np.tile([0, 0, -STEP * ALPHA * TENSION], (8, 1))
    way[3] *= 1.05
    write(tmp_path, way)
    assert number(tmp_path, "front_speeds.error") == pytest.approx(0.05, rel=1e-4)


def test_one_node_that_goes_back_is_seen(tmp_path: Path) -> None:
    way = np.tile([0, 0, -STEP * ALPHA * TENSION], (8, 1))
    way[3] *= -1
    write(tmp_path, way)
    assert number(tmp_path, "front_speeds.inward") == 1


def test_a_front_below_its_threshold_is_not_judged(tmp_path: Path) -> None:
    write(tmp_path, np.zeros(3), threshold=10 * TENSION)
    assert "no node of a front moves" in value_of(tmp_path, "front_speeds.error").note
