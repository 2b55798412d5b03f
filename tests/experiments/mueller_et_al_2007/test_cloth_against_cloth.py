# SPDX-License-Identifier: BSD-3-Clause
"""Two sheets that are tangled or fly into one another: crossings of rows, and momenta of the worst row and run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell


def test_crossings_are_those_of_the_start_the_end_and_the_worst_time(tmp_path: Path) -> None:
    for start, crossings in (("crossed", [3, 9, 1, 2]), ("apart", [0, 0, 5, 4])):
        series = {"step": {"self_intersections": np.array(crossings, float)}}
        write_cell(tmp_path, "tangled_start", "pbd", {"start": start}, series=series)
    assert [number(tmp_path, "tangled_start." + k) for k in ("crossed_at_start", "crossed_at_end", "apart_at_end")] == [
        3,
        2,
        5,
    ]


def collide(folder: Path, row: str, seed: int, linear: Any, angular: Any, touching: list[float]) -> None:
    series = {
        "step": {
            "linear_momentum": np.array(linear, float),
            "angular_momentum": np.array(angular, float),
            "self_contacts": np.array(touching),
        }
    }
    scene = {"side_m": 0.5}
    write_cell(folder, "self_collision_momentum", row, {"seed": seed}, scene=scene, series=series)


@pytest.mark.parametrize("row", ["full", "constant_normal"])
def test_momenta_of_the_worst_row_and_run_count_where_the_sheets_touch(tmp_path: Path, row: str) -> None:
    for seed, off in ((1, 0.05), (2, 0.2), (3, 0.1)):
        linear = [[0, 3, 4], [0, 3, 4 + 5 * off], [0, 3, 4 + 4 * off], [0, 3, 4 + off]]
        collide(tmp_path, row, seed, linear, [[1, 0, 0], [1, 0, 0], [1, 2.5 * off, 0], [1, off, 0]], [0, 1, 0, 0])
    collide(tmp_path, row, 4, [[0, 3, 4], [9, 9, 9]], [[0, 0, 0], [9, 9, 9]], [0, 0])  # never touches
    other = "full" if row == "constant_normal" else "constant_normal"
    collide(tmp_path, other, 1, [[0, 3, 4], [9, 9, 9]], [[0, 0, 0], [9, 9, 9]], [0, 1])
    assert number(tmp_path, f"self_collision_momentum.{row}_angular_change") == pytest.approx(
        0.2
    )  # 2.5 off over 5 · 0.5


def test_sheets_that_never_touch_say_nothing(tmp_path: Path) -> None:
    collide(tmp_path, "full", 1, [[0, 3, 4], [9, 9, 9]], [[0, 0, 0], [9, 9, 9]], [0, 0])
    assert value_of(tmp_path, "self_collision_momentum.full_angular_change").is_missing
