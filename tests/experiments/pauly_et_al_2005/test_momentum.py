# SPDX-License-Identifier: BSD-3-Clause
"""Made-up flights of free clouds: one member of one loses momentum in one row."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import write_nodes

NAME = "pauly_et_al_2005/momentum"
ROWS = 4


def run(folder: Path, sampling: str, push: float = 0.0, turn: float = 0.0, count: int = ROWS) -> None:
    """Four nodes in free flight; in row 2 of member 1 node 0 is pushed,
    or nodes 0 and 1 are pushed apart across their line."""
    members, velocities = [], []
    for member in range(2):
        random = np.random.default_rng(member)
        x, v, masses = random.normal(size=(4, 3)), random.normal(size=(4, 3)), random.uniform(1, 2, 4)
        x[0], x[1] = [1.0, 0, 0], [-1.0, 0, 0]
        rows = [x + 0.01 * k * v for k in range(count)]
        speeds = np.array([v] * count)
        if member:
            speeds[2, 0, 1] += (push + turn) / masses[0]
            speeds[2, 1, 1] -= turn / masses[1]
        members.append([(a, {"node_masses": masses}) for a in rows])
        velocities.append(speeds)
    positions = np.array([[a for a, _ in m] for m in members])
    series = {"frame": {"positions": positions, "velocities": np.array(velocities)}}
    write_nodes(folder, NAME, members, scene={"sampling": sampling, "side_m": 1.0, "nodes_across": 10}, series=series)


def scales(angular: bool) -> float:
    random = np.random.default_rng(1)
    x, v, masses = random.normal(size=(4, 3)), random.normal(size=(4, 3)), random.uniform(1, 2, 4)
    x[0], x[1] = [1.0, 0, 0], [-1.0, 0, 0]
    sizes = masses * np.linalg.norm(v, axis=1)
    return float(np.linalg.norm(x - masses @ x / masses.sum(), axis=1) @ sizes if angular else sizes.sum())


@pytest.mark.parametrize("worst", ["one_size", "plane"])
def test_a_push_in_one_row_is_a_drift(tmp_path: Path, worst: str) -> None:
    for sampling in ("one_size", "plane"):
        run(tmp_path, sampling, push=0.25 if sampling == worst else 0.0, count=ROWS + (sampling != worst))
    assert number(tmp_path, "momentum.linear_drift") == pytest.approx(0.25 / scales(False))


def test_a_couple_is_an_angular_drift_alone(tmp_path: Path) -> None:
    run(tmp_path, "plane")
    run(tmp_path, "one_size", turn=0.25)
    assert number(tmp_path, "momentum.linear_drift") < 1e-14
    random = np.random.default_rng(1)
    random.normal(size=(4, 3))
    arm = 2 + 0.02 * (random.normal(size=(4, 3)) * [1, 1, 1])[[0, 1], 0] @ [1, -1]
    assert number(tmp_path, "momentum.angular_drift") == pytest.approx(0.25 * arm / scales(True), rel=0.05)


def test_free_flight_keeps_both(tmp_path: Path) -> None:
    run(tmp_path, "one_size")
    assert number(tmp_path, "momentum.linear_drift") < 1e-14
    assert number(tmp_path, "momentum.angular_drift") < 1e-14
