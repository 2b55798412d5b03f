# SPDX-License-Identifier: BSD-3-Clause
"""Rings between two circles of nodes, with surfels all over them or with a part left out."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

EXPERIMENT = "pauly_et_al_2005/front_sampling"
RADIUS = 0.05


def ring(bare_share: float = 0.0, gaps: int = 80) -> list:
    """A front that grows from 0.5 m to 0.7 m, surfels every 0.02 m but in a share of the circle;
    its nodes carry none there either."""
    rows = []
    surfels = [
        [*place, 0, 0, 1, RADIUS, 0]
        for radius in np.arange(0.5, 0.701, 0.02)
        for place in circle(radius, 200)
        if np.arctan2(place[1], place[0]) % (2 * np.pi) >= 2 * np.pi * bare_share
    ]
    for step, radius in enumerate((0.5, 0.6, 0.7)):
        arrays = front_arrays((circle(radius, gaps), {}))
        arrays["front_normals"] = np.tile([0.0, 0, 1], (gaps, 1))
        if bare_share:
            arrays["front_normals"] = np.tile([1.0, 0, 0], (gaps, 1))  # edge-on: they cover nothing
        arrays["crack_surfels"] = np.array(surfels)
        rows.append((step, 0.1 * step, arrays))
    return rows


def write(folder: Path, name: str, members: list, step: float = 0.05) -> None:
    parameters = {"crack_surfel_radius_m": RADIUS, "crack_speed_m_s_pa": 1.0, "crack_stress_pa": [0, 0, 1.0, 0, 0, 0]}
    write_fronts(
        folder,
        EXPERIMENT,
        members,
        name=name,
        scene_name="node_block",
        parameters=parameters,
        coordinates={"scene.parameters.time_step_s": step, "row": name},
    )


def test_a_covered_ring_lets_no_ray_through(tmp_path: Path) -> None:
    write(tmp_path, "in_parts", [ring(), ring()])
    assert number(tmp_path, "front_sampling.missed_in_parts") == 0.0


@pytest.mark.parametrize("worst", [0, 1])
def test_a_bare_quarter_is_seen_in_the_worst_member(tmp_path: Path, worst: int) -> None:
    write(tmp_path, "in_parts", [ring(0.25 if k == worst else 0.0) for k in range(2)])
    assert 0.17 < number(tmp_path, "front_sampling.missed_in_parts") < 0.26


def test_gaps_are_in_surfels(tmp_path: Path) -> None:
    write(tmp_path, "in_parts", [ring(gaps=80), ring(gaps=160)])
    assert number(tmp_path, "front_sampling.largest_gap") == pytest.approx(2 * 0.7 * np.sin(np.pi / 80) / RADIUS)
    assert number(tmp_path, "front_sampling.least_gap") == pytest.approx(2 * 0.6 * np.sin(np.pi / 160) / RADIUS)


def test_two_fronts_are_not_a_ring(tmp_path: Path) -> None:
    rows = ring()
    rows[1][2].update(front_arrays((circle(0.6, 40), {}), (circle(0.1, 40), {})))
    rows[1][2]["front_normals"] = np.tile([0.0, 0, 1], (80, 1))
    write(tmp_path, "in_parts", [rows, rows])
    assert "2 fronts" in value_of(tmp_path, "front_sampling.missed_in_parts").note
