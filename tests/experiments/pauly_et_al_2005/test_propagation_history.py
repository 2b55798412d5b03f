# SPDX-License-Identifier: BSD-3-Clause
"""Circles that leave their plane at a known step or never."""

import math
from pathlib import Path

import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/propagation_history"
PARAMETERS = {"crack_switch_time_s": 0.21, "crack_speed_m_s_pa": 2.0, "crack_stress_pa": [0, 0, 1.0, 0, 0, 0]}


def front(turns_after: float, slope: float = 0.5) -> list:
    """Steps of 0.1 s at 2 m/s from z = 1 m on; a node rises with `slope` after so many steps of the turned stress,
    of which step 3 is the first."""
    rows = []
    for step in range(8):
        nodes = circle(1.0 + 0.2 * step, 12, (0, 0, 1.0))
        nodes[5, 2] += slope * 0.2 * max(0.0, step - 2 - turns_after)
        rows.append((step, 0.1 * step, front_arrays((nodes, {}))))
    return rows


def write(folder: Path, name: str, members: list) -> None:
    write_fronts(
        folder,
        EXPERIMENT,
        members,
        name=name,
        scene_name="node_block",
        scene={"time_step_s": 0.1},
        parameters=PARAMETERS,
        coordinates={"row": name},
    )


def test_a_front_that_keeps_its_plane_and_one_that_does_not(tmp_path: Path) -> None:
    write(tmp_path, "geometric", [front(100), front(100)])
    assert number(tmp_path, "propagation_history.geometric_turn") == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("worst", [0, 1])
def test_the_worst_member_is_judged(tmp_path: Path, worst: int) -> None:
    write(tmp_path, "geometric", [front(0 if k == worst else 100) for k in range(2)])
    write(tmp_path, "stress", [front(100 if k == worst else 0) for k in range(2)])
    assert number(tmp_path, "propagation_history.geometric_turn") == pytest.approx(0.5)
    assert number(tmp_path, "propagation_history.stress_turn") == pytest.approx(0.0, abs=1e-12)
    assert math.isinf(number(tmp_path, "propagation_history.stress_delay"))


def test_delays_count_from_the_first_step_of_the_turned_stress(tmp_path: Path) -> None:
    write(tmp_path, "stress", [front(0), front(0)])
    write(tmp_path, "as_printed", [front(1), front(0)])
    assert number(tmp_path, "propagation_history.stress_delay") == 0.0
    assert number(tmp_path, "propagation_history.printed_delay") == 1.0
    assert number(tmp_path, "propagation_history.printed_turn") == pytest.approx(0.4)


def test_two_fronts_have_no_plane(tmp_path: Path) -> None:
    rows = front(0)
    rows[3] = (3, 0.3, front_arrays((circle(1, 12), {}), (circle(2, 12), {})))
    write(tmp_path, "stress", [rows, rows])
    assert "2 fronts" in value_of(tmp_path, "propagation_history.stress_delay").note
