# SPDX-License-Identifier: BSD-3-Clause
"""Made-up lines past a crack: one cloud, one line or one value is unlike the others."""

from pathlib import Path

import numpy as np
import pytest
from cracked_traces import crack, write_members
from measured import number, value_of

from experiments.pauly_et_al_2005.measurements import cracked_weights as cw, weight_field as m

FLAT, THROUGH = {"crack": "flat"}, {"crack": "through"}


def scan(node: int, function: int, jump: float, *, height: float = 0.2, width: float = 1e-9) -> list[float]:
    """A line of 1 m over the front at x = 0 that jumps by this in its middle."""
    return [node, function, -0.5, height, 0, 0.5, height, 0, 0.5, 0.5 + width, 0.3, 0.3 + jump]


def cloud(weight: float, shape: float, *, heights: tuple[float, float] = (0.2, 0.2)) -> dict[str, np.ndarray]:
    """Two lines of each function, of which the second jumps more."""
    rows = [
        scan(0, f, factor * jump, height=h)
        for f, jump in ((0, weight), (1, shape))
        for factor, h in zip((0.1, 1.0), heights)
    ]
    return {
        **crack(),
        "node_rest_positions": np.array([[-0.2, -0.05, 0.0], [0.1, -0.4, 0.0]]),
        "node_supports": np.array([1.0, 1.0]),
        "front_scans": np.array(rows),
    }


def field(folder: Path, **clouds: list[dict[str, np.ndarray]]) -> None:
    for name, members in clouds.items():
        method, _, kind = name.partition("_")
        parameters = {"weights": method}
        scene = THROUGH if kind else FLAT
        write_members(folder, m.M.experiment, [[c] for c in members], name=method, parameters=parameters, scene=scene)


def test_shares_are_of_clouds_and_of_the_largest_jump_of_each(tmp_path: Path) -> None:
    clouds = [cloud(0.3, 0.04), cloud(0.049, 0.2), cloud(0.051, -0.06), cloud(0.2, 0.1)]
    field(tmp_path, visibility=clouds, visibility_through=[cloud(0, 0)] * 4)
    assert number(tmp_path, "weight_field.weight_jump_share") == 0.75
    assert number(tmp_path, "weight_field.shape_jump_share") == 0.75
    assert number(tmp_path, "weight_field.median_shape_jump") == pytest.approx(0.08)


@pytest.mark.parametrize("worst", [0, 1, 2])
def test_the_worst_cloud_of_transparency_is_found(tmp_path: Path, worst: int) -> None:
    visibility = [cloud(0.5, 0.5)]
    field(tmp_path, visibility=visibility, transparency=[cloud(1e-8, 1e-4 if k == worst else 1e-8) for k in range(3)])
    assert number(tmp_path, "weight_field.transparent_jump") == pytest.approx(1e-4)


def test_a_line_through_the_plane_of_the_crack_is_counted(tmp_path: Path) -> None:
    crossing = cloud(0, 0)
    crossing["front_scans"][3, [3, 6]] = [-0.1, 0.1]
    field(tmp_path, visibility=[cloud(0, 0), crossing])
    assert number(tmp_path, "weight_field.crossing_lines") == 1


def test_slopes_are_told_by_the_node_s_distance_from_the_plane(tmp_path: Path) -> None:
    both = cloud(2e-8, 0)  # over a width of 1e-9: 20
    both["front_scans"][0] = scan(1, 0, 3e-9)
    field(tmp_path, transparency=[both])
    assert number(tmp_path, "weight_field.steepest_near") == pytest.approx(20, rel=1e-5)
    assert number(tmp_path, "weight_field.steepest_far") == pytest.approx(3, rel=1e-5)


def test_the_replay_finds_one_wrong_value(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    nodes, supports = random.uniform(-0.6, 0.6, (40, 3)), np.full(40, 1.0)
    arrays = {**crack(), "node_rest_positions": nodes, "node_supports": supports}
    rows = [scan(k, k % 2, 0.0, width=1e-3) for k in range(6)]
    cracks = cw.Cracks.of(arrays)
    for row in rows:
        for end in (0, 1):
            point = np.array([row[8 + end] - 0.5, row[3], 0.0])
            weights = cw.weights_at(point[None], nodes, supports, cracks, "visibility", 1.0)[0]
            row[10 + end] = float(
                weights[int(row[0])] if row[1] == 0 else cw.shape_functions(point, nodes, weights)[int(row[0])]
            )
    right = {**arrays, "front_scans": np.array(rows)}
    wrong = {**arrays, "front_scans": np.array(rows)}
    wrong["front_scans"][3, 11] += 1e-4
    field(tmp_path / "right", visibility=[right, right])
    field(tmp_path / "wrong", visibility=[right, wrong])
    assert number(tmp_path / "right", "weight_field.replay_difference") < 1e-12
    assert number(tmp_path / "wrong", "weight_field.replay_difference") == pytest.approx(1e-4, rel=1e-6)


def test_no_lines_are_no_small_jump(tmp_path: Path) -> None:
    empty = cloud(0, 0)
    empty["front_scans"] = np.empty((0, 12))
    field(tmp_path, transparency=[cloud(0, 0), empty])
    assert "no scan" in value_of(tmp_path, "weight_field.transparent_jump").note
