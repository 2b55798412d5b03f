# SPDX-License-Identifier: BSD-3-Clause
"""Rank and symmetry of K: the worst row counts."""

from pathlib import Path

import numpy as np
from measured import number, write_trace


def mesh(folder: Path, modes: list[int], asymmetry: list[float]) -> None:
    operator = {
        "pose_parameter": np.array([0.0, 0.0, 90.0]),
        "stiffness_zero_modes": np.array(modes),
        "stiffness_asymmetry": np.array(asymmetry),
    }
    write_trace(folder, "mueller_gross_2004/stiffness_spectrum linear_fem", operator=operator)


def test_rows_at_rest_with_other_modes_show_in_the_least_and_the_greatest(tmp_path: Path) -> None:
    mesh(tmp_path, [7, 5, 9], [0, 0, 0])
    assert number(tmp_path, "stiffness_spectrum.zero_modes_at_rest_min") == 5
    assert number(tmp_path, "stiffness_spectrum.zero_modes_at_rest_max") == 7


def test_asymmetry_is_the_largest_of_any_pose(tmp_path: Path) -> None:
    mesh(tmp_path, [6, 6, 6], [1e-16, 3e-14, 1e-15])
    assert number(tmp_path, "stiffness_spectrum.asymmetry_max") == 3e-14
