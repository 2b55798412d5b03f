# SPDX-License-Identifier: BSD-3-Clause
"""Crossings of layers, of which one time is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace


@pytest.mark.parametrize("place", ["barrel", "level"])
def test_the_worst_time_of_every_row_counts(tmp_path: Path, place: str) -> None:
    for name, crossings, depth in (("points", [0, 7, 2], 0.01), ("continuous", [0, 3, 0], 0.02)):
        operator = {"self_intersections": np.array(crossings, dtype=float)}
        step = {"penetration_depth": np.array([0.0, depth, 0.001])}
        write_trace(tmp_path, f"cross/{place}_kept_apart pbd {name}", operator=operator, step=step)
    assert number(tmp_path, f"{place}_kept_apart.crossings_of_points") == 7
    assert number(tmp_path, f"{place}_kept_apart.crossings_of_continuous") == 3
    assert number(tmp_path, f"{place}_kept_apart.depth_of_continuous") == pytest.approx(0.02)
