# SPDX-License-Identifier: BSD-3-Clause
"""The far field of a turned bar: final frame, elements beyond the near field, at one angle."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

# Two tetrahedra near the root and two far from it, on a bar 1 m long.
UNIT = np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
REST = np.concatenate([UNIT + [x, 0, 0] for x in (0.0, 0.56, 0.7, 0.9)])
TETS = np.arange(16).reshape(4, 4)


def turned(
    folder: Path,
    name: str,
    angle: float,
    *,
    volume: float = 1.0,
    extra_turn: float = 0.0,
    along: float = 1.0,
    linear: bool = False,
) -> None:
    """Far elements get F = the linear or the exact turn by `angle`, scaled along z by `volume`, turned on; near ones
    and the first frame something else."""
    theta, phi = np.radians(angle), extra_turn
    c, s = np.cos(theta), np.sin(theta)
    gradient = (
        np.array([[1, -s, 0], [s, 1, 0], [0, 0, 1.0]]) if linear else np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    )
    gradient = gradient @ np.diag([along, 1.0, 1.0])
    more = np.array([[np.cos(phi), -np.sin(phi), 0], [np.sin(phi), np.cos(phi), 0], [0, 0, volume]])
    last = REST.copy()
    last[8:] = REST[8:] @ (more @ gradient).T
    last[8:12, 2] *= 1.01  # cancel in the mean
    last[12:, 2] *= 0.99
    last[:8] *= 1.5
    arrays = {"rest_positions": REST, "tetrahedra": TETS}
    frame = {"positions": np.array([2 * REST, last])}
    swept = {"angle_deg": angle}
    write_trace(folder, f"mueller_gross_2004/rotation_artefact any {name}", swept=swept, arrays=arrays, frame=frame)


def test_exact_far_fields_have_no_error(tmp_path: Path) -> None:
    for angle in (30.0, 90.0, 150.0):
        turned(tmp_path, "linear", angle, linear=True)
        turned(tmp_path, "warped", angle)
    errors = (
        "linear_volume_error linear_angle_error_rad linear_stretch_error warped_volume_error warped_angle_error_rad"
    )
    for name in errors.split():
        assert number(tmp_path, f"rotation_artefact.{name}") < 1e-14


def test_a_wrong_turn_is_the_error(tmp_path: Path) -> None:
    turned(tmp_path, "linear", 90.0, linear=True, volume=1.25, extra_turn=0.125)
    turned(tmp_path, "warped", 90.0, volume=1.25, extra_turn=0.125)
    assert number(tmp_path, "rotation_artefact.linear_volume_error") == pytest.approx(0.5)
    assert number(tmp_path, "rotation_artefact.warped_volume_error") == pytest.approx(0.25)
    assert number(tmp_path, "rotation_artefact.linear_angle_error_rad") == pytest.approx(0.125)
    assert number(tmp_path, "rotation_artefact.warped_angle_error_rad") == pytest.approx(0.125)


def test_a_stretch_that_belongs_to_another_angle_is_an_error(tmp_path: Path) -> None:
    turned(tmp_path, "linear", 90.0)  # turned exactly: a stretch of 1 where √2 is due
    assert number(tmp_path, "rotation_artefact.linear_stretch_error") == pytest.approx(np.sqrt(2) - 1)


def test_the_stretch_is_the_mean_of_the_two_in_the_plane(tmp_path: Path) -> None:
    turned(tmp_path, "linear", 0.0, along=1.5)  # 1.5 along x, 1 along y, where 1 is due
    assert number(tmp_path, "rotation_artefact.linear_stretch_error") == pytest.approx(0.25)
