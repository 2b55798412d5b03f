# SPDX-License-Identifier: BSD-3-Clause
"""Circles of nodes of known sizes, of which one member is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/penny_crack_growth"
PARAMETERS = {
    "crack_stress_pa": [0.3, 0.5, 2.0, 0.0, 0.0, 0.0],
    "crack_speed_m_s_pa": 0.5,
    "crack_surfel_radius_m": 0.05,
}


def growth(factor: float = 1.0, bump: float = 0.0, height: float = 0.0) -> list:
    """From three nodes at 0.1 m on at 1 m/s times `factor`; every second node `bump` farther out."""
    rows = [(0, 0.0, front_arrays((circle(0.1, 3, (2, 0, 0)), {})))]
    for step in (5, 10):
        time = 0.1 * step
        nodes = circle(0.1 + factor * time, 40, (2, 0, 0))
        nodes[::2, :2] += bump * (nodes[::2, :2] - [2, 0])
        nodes[0, 2] += height
        rows.append((step, time, front_arrays((nodes, {}))))
    return rows


def write(folder: Path, members: list, step: float = 0.1) -> None:
    coordinates = {"scene.parameters.time_step_s": step}
    write_fronts(folder, EXPERIMENT, members, parameters=PARAMETERS, scene_name="node_block", coordinates=coordinates)


@pytest.mark.parametrize("worst", [0, 1])
def test_the_radius_is_that_of_the_worst_member_against_the_largest_stress(tmp_path: Path, worst: int) -> None:
    write(tmp_path, [growth(0.9 if k == worst else 1.0) for k in range(2)])
    assert number(tmp_path, "penny_crack_growth.radius_error") == pytest.approx(1 - 1.0 / 1.1, rel=1e-9)


def test_the_variation_and_the_plane_are_measured(tmp_path: Path) -> None:
    write(tmp_path, [growth(), growth(bump=0.02, height=0.001)])
    assert number(tmp_path, "penny_crack_growth.variation") == pytest.approx(0.01 / 1.01, rel=1e-4)
    assert number(tmp_path, "penny_crack_growth.out_of_plane") == pytest.approx(0.02)


def test_a_second_front_is_no_circle(tmp_path: Path) -> None:
    rows = growth()
    rows[-1] = (10, 1.0, front_arrays((circle(1.1, 40), {}), (circle(0.1, 5), {})))
    write(tmp_path, [rows, rows])
    assert "2 fronts" in value_of(tmp_path, "penny_crack_growth.radius_error").note


def test_small_fronts_are_not_judged(tmp_path: Path) -> None:
    rows = [(0, 0.0, front_arrays((np.array(circle(0.1, 3)), {})))] * 2
    write(tmp_path, [rows, rows])
    assert "no front" in value_of(tmp_path, "penny_crack_growth.radius_error").note
