# SPDX-License-Identifier: BSD-3-Clause
"""Rank and symmetry of K: the worst row of the worst mesh counts, whichever it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from conftest import write_trace
from measured import number


def meshes(
    folder: Path, *, modes: tuple[tuple[int, int, int], ...], asymmetry: tuple[tuple[float, float, float], ...]
) -> None:
    for k, (count, skew) in enumerate(zip(modes, asymmetry)):
        write_trace(
            folder,
            "mueller_gross_2004/stiffness_spectrum",
            "linear_fem",
            scene={"mesh": k},
            series={
                "operator": {
                    "pose_parameter": np.array([0.0, 0.0, 90.0]),
                    "stiffness_zero_modes": np.array(count),
                    "stiffness_asymmetry": np.array(skew),
                }
            },
        )


def test_one_row_at_rest_with_other_modes_shows_in_the_least_and_the_greatest(tmp_path: Path) -> None:
    meshes(tmp_path, modes=((6, 6, 3), (6, 5, 9), (7, 6, 6)), asymmetry=((0, 0, 0),) * 3)
    assert number(tmp_path, "stiffness_spectrum.zero_modes_at_rest_min") == 5
    assert number(tmp_path, "stiffness_spectrum.zero_modes_at_rest_max") == 7


def test_asymmetry_is_the_largest_of_any_pose_and_mesh(tmp_path: Path) -> None:
    meshes(tmp_path, modes=((6, 6, 6),) * 3, asymmetry=((0, 0, 0), (1e-16, 3e-14, 1e-15), (0, 0, 1e-16)))
    assert number(tmp_path, "stiffness_spectrum.asymmetry_max") == 3e-14
