# SPDX-License-Identifier: BSD-3-Clause
"""Cracks of a notch that stray by known heights, and starts at known places beside them."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of

NOTCH = [1.0, -0.5, 0.25, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25]


def frame(height: float, starts: list, ahead: float = 0.5, second: float | None = None) -> dict[str, np.ndarray]:
    """A strip from the notch on that ends `ahead` below it, `height` off its plane; with a second one at x = 3,
    and starts."""
    corners = [[1, -0.5, 0.5], [1, 0.5, 0.5], [1 + height, -0.5, 0.25 - ahead], [1 + height, 0.5, 0.25 - ahead]]
    triangles = [[0, 1, 2, 0], [1, 3, 2, 0]]
    if second is not None:
        corners += [[3, -0.5, 0.5], [3, 0.5, 0.5], [3, 0, 0.25 - second]]
        triangles.append([4, 5, 6, 1])
    rows = np.array([[*place, 1, 0, 0, 2e4, 1e4] for place in starts], dtype=float).reshape(-1, 8)
    return {
        **front_arrays((circle(0.1, 4), {})),
        "crack_vertices": np.array(corners, dtype=float),
        "crack_triangles": np.array(triangles),
        "crack_starts": rows,
        "node_supports": np.full(3, 0.25),
    }


def write(folder: Path, experiment: str, name: str, members: list[dict[str, np.ndarray]], **parameters: object) -> None:
    write_fronts(
        folder,
        f"pauly_et_al_2005/{experiment}",
        [[(0, 0.0, {**m, "crack_starts": m["crack_starts"][:0]}), (1, 0.1, m)] for m in members],
        scene_name="strained_block",
        name=name,
        parameters={"crack_notches": NOTCH, **parameters},
        coordinates={f"method.parameters.{k}": v for k, v in parameters.items() if k != "crack_notches"},
    )


def test_heights_ahead_of_the_notch_count_over_the_support(tmp_path: Path) -> None:
    write(tmp_path, "notched_slab", "averaged", [frame(0.01, []), frame(0.02, [])])
    write(tmp_path, "notched_slab", "nearest_node", [frame(0.04, []), frame(-0.08, [])])
    assert number(tmp_path, "notched_slab.roughness_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "notched_slab.roughness_ratio_upper") == pytest.approx(0.25)
    assert number(tmp_path, "notched_slab.least_length") == pytest.approx(2.0)
    assert number(tmp_path, "notched_slab.clouds") == 2


def test_a_crack_that_has_not_run_has_no_height(tmp_path: Path) -> None:
    for name in ("averaged", "nearest_node"):
        write(tmp_path, "notched_slab", name, [frame(0.0, [], ahead=0.0)] * 2)
    assert "not grown" in value_of(tmp_path, "notched_slab.roughness_ratio").note


def branches(folder: Path, factor: float, radius: float, counts: list[int], far: int = 0, height: float = 0.0) -> None:
    members = [frame(height, [[1.1, 0, 0.2]] * count + [[2.5, 0, 0.2]] * far) for count in counts]
    write(folder, "notch_branches", "starts", members, crack_raised_factor=factor, crack_raised_radius_m=radius)


def test_starts_near_the_crack_are_compared_cloud_by_cloud(tmp_path: Path) -> None:
    branches(tmp_path, 1.0, 0.25, [4, 6, 8], far=5)
    branches(tmp_path, 2.0, 0.25, [3, 6, 2])
    branches(tmp_path, 2.0, 0.1, [4, 6, 9], height=0.05)
    branches(tmp_path, 1.1, 0.25, [4, 6, 8])  # no raise to speak of
    assert number(tmp_path, "notch_branches.without") == 6
    assert number(tmp_path, "notch_branches.fewer_wide") == 2
    assert number(tmp_path, "notch_branches.fewer") == 0
    assert number(tmp_path, "notch_branches.most_added") == 1
    assert number(tmp_path, "notch_branches.share") == pytest.approx(19 / 18)
    assert number(tmp_path, "notch_branches.path_difference") == pytest.approx(0.2)
