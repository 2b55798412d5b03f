# SPDX-License-Identifier: BSD-3-Clause
"""One crack of three nodes in a ball, of which one thing is wrong."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number

EXPERIMENT = "pauly_et_al_2005/crack_starts"


def write(folder: Path, *, nodes: int = 3, turn: float = 0.0, same_normal: bool = False, shrink: bool = False) -> None:
    """A tension along z, surfels of 0.1 m; the surfels' normals are turned by `turn` (rad)."""
    points = circle(0.05, nodes)
    normal = np.array([np.sin(turn), 0, np.cos(turn)])
    rows = [[*x, *((1 if same_normal else sheet) * normal), 0.1, 0, sheet] for x in points for sheet in (1, -1)]
    about = {
        "crack_surfels": np.array(rows),
        "crack_events": np.array([[0, 0, -1, -1, 0, -1, 0]]),
        "crack_event_positions": np.zeros((1, 3)),
        "crack_triangles": np.zeros((0, 4), dtype=np.int64),
        "crack_vertices": np.zeros((0, 3)),
    }
    later = front_arrays((points * (0.9 if shrink else 1.1), {}))
    parameters = {"crack_surfel_radius_m": 0.1, "crack_stress_pa": [0.5, -3.0, 1.0, 0, 0, 0], "crack_pennies": []}
    scene = {"shape": "ball", "radius_m": 1.0, "inner_radius_m": 0.2}
    members = [[(0, 0.0, {**front_arrays((points, {})), **about}), (1, 0.1, {**later, **about})]]
    write_fronts(folder, EXPERIMENT, members, parameters=parameters, scene=scene)


def test_a_crack_as_it_should_be(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "crack_starts.count") == 1
    for name in ("not_three_nodes", "not_paired", "not_outwards", "not_outwards_off_edges", "not_growing"):
        assert number(tmp_path, f"crack_starts.{name}") == 0
    assert number(tmp_path, "crack_starts.normal_error") < 1e-12
    assert number(tmp_path, "crack_starts.least_angle") == pytest.approx(60)
    assert number(tmp_path, "crack_starts.outside") == pytest.approx(-9.5)
    assert number(tmp_path, "crack_starts.off_sheet") == 0


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    write(tmp_path / "a", nodes=4)
    assert number(tmp_path / "a", "crack_starts.not_three_nodes") == 1
    write(tmp_path / "b", same_normal=True)
    assert number(tmp_path / "b", "crack_starts.not_paired") == 1
    write(tmp_path / "c", turn=0.3)
    assert number(tmp_path / "c", "crack_starts.normal_error") == pytest.approx(0.3)
    write(tmp_path / "d", shrink=True)
    assert number(tmp_path / "d", "crack_starts.not_outwards") == 3
    assert number(tmp_path / "d", "crack_starts.not_outwards_off_edges") == 3
    assert number(tmp_path / "d", "crack_starts.not_growing") == 1
