# SPDX-License-Identifier: BSD-3-Clause
"""A lattice of nodes in a known stretch, with starts that obey the rule of the largest tension, or not."""

from pathlib import Path

import numpy as np
import pytest
from deformbench_analysis.moving_least_squares import Nodes
from front_traces import front_arrays, write_fronts
from measured import number, value_of
from node_traces import grid

REST = grid(*[np.arange(4.0)] * 3) * 0.1
SUPPORTS = np.full(len(REST), 0.22)
YOUNG = 1e5
PAIRS = Nodes.of_material(REST, SUPPORTS, YOUNG, 0.0)
PLACE = np.array([0.13, 0.16, 0.11])


def stress_of(stretch: float) -> float:
    return float(YOUNG * (stretch**2 - 1) / 2)


def frame(stretch: float, started: list[int], threshold: float, error: float = 1.0) -> dict[str, np.ndarray]:
    """Sample 0 is node 21, sample 1 a place between nodes; both under the stress of an even stretch along x."""
    raised = [np.inf if k in started else threshold for k in range(2)]
    samples = [[*REST[21], min(raised[0], 1e300), 21, -1], [*PLACE, min(raised[1], 1e300), -1, -1]]
    places = [REST[21], PLACE]
    starts = [[*places[k], 1, 0, 0, error * stress_of(stretch), threshold] for k in started]
    none = (np.zeros((0, 3)), {})
    return {
        **front_arrays(none),
        "positions": REST * [stretch, 1, 1],
        "node_rest_positions": REST,
        "node_supports": SUPPORTS,
        "pairs": PAIRS.pairs[::-1],
        "pair_weights": PAIRS.weights[::-1],
        "crack_starts": np.array(starts).reshape(-1, 8),
        "crack_start_ids": np.array([[1, k, n] for n, k in enumerate(started)]).reshape(-1, 3),
        "crack_samples": np.array(samples),
    }


def write(folder: Path, rows: list[dict[str, np.ndarray]], threshold: float, pull: float = 0.5) -> None:
    write_fronts(
        folder,
        "pauly_et_al_2005/tensile_starts",
        [[(k, 0.1 * k, row) for k, row in enumerate(rows)]] * 2,
        scene_name="strained_block",
        scene={"young_modulus_pa": YOUNG, "poisson_ratio": 0.0},
        parameters={"crack_threshold_pa": threshold},
        swept={"pull_m": pull},
    )


def test_starts_that_obey_the_rule_pass(tmp_path: Path) -> None:
    write(tmp_path, [frame(1.0, [], 1e4), frame(1.1, [0, 1], 1e4)], 1e4)
    write(tmp_path, [frame(1.0, [], 1e4), frame(0.8, [], 1e4)], 1e4, pull=-0.5)
    assert number(tmp_path, "tensile_starts.at_nodes") == 2
    assert number(tmp_path, "tensile_starts.between_nodes") == 2
    assert number(tmp_path, "tensile_starts.bodies") == 2
    assert number(tmp_path, "tensile_starts.least_excess") == pytest.approx(stress_of(1.1) / 1e4)
    assert number(tmp_path, "tensile_starts.stress_difference") < 1e-12
    assert number(tmp_path, "tensile_starts.left_out") == 0
    assert number(tmp_path, "tensile_starts.starts_compressed") == 0
    assert number(tmp_path, "tensile_starts.compression") == pytest.approx(-stress_of(0.8) / 1e4)
    assert number(tmp_path, "tensile_starts.least_clearance") == pytest.approx(
        np.linalg.norm(PLACE - REST, axis=1).min() / 0.22
    )


def test_a_start_below_its_threshold_is_found(tmp_path: Path) -> None:
    write(tmp_path, [frame(1.0, [], 2e4), frame(1.1, [0, 1], 2e4)], 2e4)
    assert number(tmp_path, "tensile_starts.least_excess") < 1


def test_samples_that_should_have_cracked_are_found(tmp_path: Path) -> None:
    write(tmp_path, [frame(1.0, [], 1e4), frame(1.1, [0], 1e4)], 1e4)
    assert number(tmp_path, "tensile_starts.left_out") == 2
    assert "nothing to compare" in value_of(tmp_path, "tensile_starts.least_clearance").note


def test_a_recorded_stress_that_is_not_the_nodes_is_found(tmp_path: Path) -> None:
    write(tmp_path, [frame(1.0, [], 1e4), frame(1.1, [0, 1], 1e4, error=1.5)], 1e4)
    assert number(tmp_path, "tensile_starts.stress_difference") == pytest.approx(0.5)


@pytest.mark.parametrize(("threshold", "place"), [(stress_of(1.02), 0.4), (stress_of(0.99), -0.2)])
def test_the_onset_lies_in_its_increment(tmp_path: Path, threshold: float, place: float) -> None:
    rows = [(0, 0.0, frame(1.0, [], 1e4)), (1, 0.1, frame(1.05, [0], 1e4))]
    write_fronts(
        tmp_path,
        "pauly_et_al_2005/tensile_onset",
        [rows],
        scene_name="strained_block",
        scene={"young_modulus_pa": YOUNG},
        parameters={"crack_threshold_pa": threshold},
    )
    assert number(tmp_path, "tensile_onset.latest") == pytest.approx(place, abs=1e-9)
    assert number(tmp_path, "tensile_onset.earliest") == pytest.approx(place, abs=1e-9)
