# SPDX-License-Identifier: BSD-3-Clause
"""Slopes of angles: one corner of one hinge of one way is wrong, or is no number."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import folded, vertices, write_hinges
from measured import number

NAME = "cs533d_cloth_lecture/angle_slopes"
ANGLES = np.array([*(2.0 * 10.0**k for k in range(-9, 0)), 2.5, np.pi - 1e-3, -0.3])


def heights_as_slopes(x: np.ndarray) -> np.ndarray:
    """The slopes at the corners beside the edge are normals over heights;
    those at its ends leave no force and no torque."""
    edge = x[:, 1] - x[:, 0]
    size = np.linalg.norm(edge, axis=1, keepdims=True)
    found = np.zeros_like(x)
    for corner, sign in ((2, 1), (3, -1)):
        to = x[:, corner] - x[:, 0]
        normal = sign * np.cross(to, edge)
        found[:, corner] = size * normal / (normal**2).sum(axis=1, keepdims=True)
        foot = (to * edge).sum(axis=1, keepdims=True) / size**2
        found[:, 0] -= (1 - foot) * found[:, corner]
        found[:, 1] -= foot * found[:, corner]
    return found


def everything(folder: Path, wrong: str = "", angles: str = "decades", by: float = 0.0) -> None:
    for name in ("modes", "cosine", "automatic"):
        for kind in ("decades", "rest"):
            x = folded(ANGLES if kind == "decades" else np.zeros(3), heights=(0.01, 0.9))
            slopes = heights_as_slopes(x)
            if (name, kind) == (wrong, angles):
                slopes[2, 1] += [0, by * np.linalg.norm(slopes[2], axis=1).max(), 0]
            start = {"positions": x, "hinge_vertices": vertices(len(x)), "hinge_slopes": slopes}
            write_hinges(folder, NAME, name, start, swept={"angles": kind})


def test_closed_forms_are_right_and_flat_hinges_have_slopes(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "angle_slopes.modes_error") < 1e-13
    assert number(tmp_path, "angle_slopes.automatic_error") < 1e-13
    assert number(tmp_path, "angle_slopes.cosine_error") < 1
    assert number(tmp_path, "angle_slopes.cosine_error_flat") < 1e-13
    assert number(tmp_path, "angle_slopes.least_height") == pytest.approx(0.01 / 1.1, rel=1e-9)
    assert number(tmp_path, "angle_slopes.least_count") == 1


def test_one_wrong_slope_is_found(tmp_path: Path) -> None:
    everything(tmp_path, "modes", by=1e-7)
    assert number(tmp_path, "angle_slopes.modes_error") == pytest.approx(1e-7, rel=1e-3)


def test_a_slope_by_the_cosine_may_be_wrong_by_rounding_over_the_sine(tmp_path: Path) -> None:
    everything(tmp_path, "cosine", by=1e-7)
    allowed = 1e-12 + 20 * np.finfo(float).eps / np.sin(ANGLES[2])
    assert number(tmp_path, "angle_slopes.cosine_error") == pytest.approx(1e-7 / allowed, rel=1e-3)
    assert number(tmp_path, "angle_slopes.cosine_error_everywhere") == pytest.approx(1e-7, rel=1e-3)


def test_no_number_is_an_infinite_error(tmp_path: Path) -> None:
    everything(tmp_path, "cosine", "rest", by=float("nan"))
    assert number(tmp_path, "angle_slopes.cosine_error_flat") == np.inf
