# SPDX-License-Identifier: BSD-3-Clause
"""A lattice of nodes that is stretched evenly, and lines that open at a known share of their thresholds."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import write_fronts
from measured import number, value_of
from node_traces import grid

EXPERIMENT = "pauly_et_al_2005/painted_thresholds"
YOUNG = 100.0
AXIS = np.arange(6) * 0.2
REST = grid(AXIS, AXIS, AXIS)


def tension(stretch: float) -> float:
    """Stress of a uniform stretch along x without Poisson's effect, Pa."""
    return YOUNG * (stretch**2 - 1) / 2


THRESHOLDS = (tension(1.02), tension(1.05))
LINES = [0.3, 0.0, 1.0, 0.3, 1.0, 1.0, THRESHOLDS[0], 0.7, 0.0, 1.0, 0.7, 1.0, 1.0, THRESHOLDS[1]]


def rows(first_at: int | None, second_at: int | None) -> list:
    """Steps with a stretch that grows by a hundredth each; lines open in the steps given."""
    found = []
    for step in range(8):
        starts = [(0.3, 0.4, 1.0)] if first_at is not None and step >= first_at else []
        if second_at is not None and step >= second_at:
            starts.append((0.7, 0.6, 1.0))
        about = np.zeros((len(starts), 8))
        about[:, :3] = np.reshape(starts, (-1, 3))
        arrays = {
            "positions": REST * [1 + 0.01 * step, 1, 1],
            "node_rest_positions": REST,
            "node_supports": np.full(len(REST), 0.44),
            "crack_starts": about,
            "crack_start_ids": np.array([[first_at, 0, 0], [second_at, 1, 1]][: len(starts)], dtype=int).reshape(-1, 3),
        }
        found.append((step, 0.1 * step, arrays))
    return found


def write(folder: Path, *members: list) -> None:
    scene = {"young_modulus_pa": YOUNG, "poisson_ratio": 0.0}
    parameters = {"crack_painted": LINES}
    write_fronts(
        folder, EXPERIMENT, members, name="painted", scene_name="strained_block", scene=scene, parameters=parameters
    )


def test_lines_that_open_at_their_thresholds(tmp_path: Path) -> None:
    write(tmp_path, rows(2, 5), rows(2, 5))
    assert number(tmp_path, "painted_thresholds.unopened") == 0
    assert number(tmp_path, "painted_thresholds.least_load") == pytest.approx(1.0)
    assert number(tmp_path, "painted_thresholds.largest_load") == pytest.approx(1.0)


@pytest.mark.parametrize("worst", [0, 1])
def test_the_worst_line_of_the_worst_member(tmp_path: Path, worst: int) -> None:
    members = [rows(2, 5), rows(2, 5)]
    members[worst] = rows(3, 4)
    write(tmp_path, *members)
    assert number(tmp_path, "painted_thresholds.least_load") == pytest.approx(tension(1.04) / tension(1.05))
    assert number(tmp_path, "painted_thresholds.largest_load") == pytest.approx(tension(1.03) / tension(1.02))


def test_a_line_that_stays_closed_has_no_load(tmp_path: Path) -> None:
    write(tmp_path, rows(2, 5), rows(2, None))
    assert number(tmp_path, "painted_thresholds.unopened") == 1
    assert "not a number" in value_of(tmp_path, "painted_thresholds.least_load").note
