# SPDX-License-Identifier: BSD-3-Clause
"""The volume of the turned head: elements wholly in the head, the last frame, the largest angle."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, -1]])


def head(folder: Path, name: str, angle: float, stretch: float) -> None:
    """Three elements, of which the head has two, one below the other; it is stretched along x at the end,
    halved in the frame before."""
    last, before = REST.copy(), REST.copy()
    last[1, 0], before[1, 0] = stretch, 0.5
    arrays = {
        "rest_positions": REST,
        "tetrahedra": np.array([[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 1, 5]]),
        "vertex_set_tip": np.array([0, 1, 2, 3, 5]),
    }
    run = f"mueller_gross_2004/rotation_artefact_animal linear_fem {name}"
    write_trace(folder, run, scene={"angle_deg": angle}, arrays=arrays, frame={"positions": np.array([before, last])})


def test_the_ratio_is_that_of_the_head_at_the_end_of_the_largest_turn(tmp_path: Path) -> None:
    for name, stretch in (("linear", 1.7), ("warped", 1.1)):
        head(tmp_path, name, 30.0, 3.0)
        head(tmp_path, name, 90.0, stretch)
        head(tmp_path, name, 60.0, 0.1)
    assert number(tmp_path, "rotation_artefact_animal.linear_volume_ratio") == pytest.approx(1.7)
    assert number(tmp_path, "rotation_artefact_animal.warped_volume_ratio") == pytest.approx(1.1)
