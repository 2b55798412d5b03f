# SPDX-License-Identifier: BSD-3-Clause
"""The sine of half an angle: one hinge of one run is wrong, has the other sign, or is taken for flat.

What the measurement resolves: it takes angles from the stored positions in extended precision, so that each is off by
some 2⁻⁶⁴, which is 1e-13 of the least sine above 100√ε. Rounding positions to 1e-16 m changes that sine by 1e-10 of
it: right sines are therefore those of the stored positions, not of the angles that hinges were made with."""

from pathlib import Path

import mpmath
import numpy as np
import pytest
from hinge_traces import folded, vertices, write_hinges
from measured import number

NAME = "cs533d_cloth_lecture/half_angle_sines"
ANGLES = np.array([*(2.0 * 10.0**k for k in range(-9, 0)), 2.5, np.pi - 1e-3, -0.3, -1e-4])
RUNS = {"printed": "double", "printed_float": "float", "robust": "double", "robust_float": "float"}


def stored_sines(positions: np.ndarray) -> np.ndarray:
    """√(½(1 − n1·n2)) with the sign of the angle: to 50 digits, then rounded once."""
    found = []
    with mpmath.workdps(50):
        for a, b, c, d in np.vectorize(mpmath.mpf, otypes=[object])(positions):
            first, second = np.cross(c - a, b - a), np.cross(b - a, d - a)
            cosine = (first @ second) / mpmath.sqrt((first @ first) * (second @ second))
            found.append(float(mpmath.sqrt((1 - cosine) / 2)))
    return np.asarray(np.sign(ANGLES) * found)


def everything(folder: Path, wrong: str = "", hinge: int = 0, by: float = 0.0, factor: float = 1.0) -> None:
    for name, precision in RUNS.items():
        positions = folded(ANGLES)
        sines = stored_sines(positions)
        if name == wrong:
            sines[hinge] = factor * sines[hinge] + by
        start = {"positions": positions, "hinge_vertices": vertices(len(ANGLES)), "hinge_sines": sines}
        write_hinges(folder, NAME, name, start, parameters={"bend_precision": precision})


def test_right_sines_have_rounding_alone(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "half_angle_sines.printed_error") < 1
    assert number(tmp_path, "half_angle_sines.robust_error") < 2
    assert number(tmp_path, "half_angle_sines.wrong_signs") == 0
    assert number(tmp_path, "half_angle_sines.least_count") == 1
    assert number(tmp_path, "half_angle_sines.lost_below_double") == 0
    assert number(tmp_path, "half_angle_sines.nearest_to_closed") == pytest.approx(1e-3, rel=1e-6)


@pytest.mark.parametrize("wrong", ["printed", "printed_float"])
def test_one_wrong_sine_is_found(tmp_path: Path, wrong: str) -> None:
    eps = float(np.finfo(np.float32 if wrong.endswith("float") else np.float64).eps)
    by = 3 * 4 * eps / 2.5
    everything(tmp_path, wrong, 9, by=by)
    # The wrong sine, below 1, was rounded twice by at most 2⁻⁵⁴.
    assert number(tmp_path, "half_angle_sines.printed_error") == pytest.approx(3, rel=2.0**-53 / by)


@pytest.mark.parametrize("wrong", ["printed", "printed_float"])
def test_one_sine_that_is_wrong_by_a_millionth_is_found(tmp_path: Path, wrong: str) -> None:
    everything(tmp_path, wrong, 9, factor=1 + 1e-6)  # three roundings by 2⁻⁵³: 4e-10 of it
    assert number(tmp_path, "half_angle_sines.relative_error_above") == pytest.approx(1e-6, rel=1e-9, abs=0)


@pytest.mark.parametrize("wrong", ["robust", "robust_float"])
def test_one_wrong_sine_of_the_other_formula_is_found(tmp_path: Path, wrong: str) -> None:
    eps = float(np.finfo(np.float32 if wrong.endswith("float") else np.float64).eps)
    everything(tmp_path, wrong, 3, by=7 * eps)
    assert number(tmp_path, "half_angle_sines.robust_error") == pytest.approx(7, rel=1e-3)  # 7ε to some 2⁻⁶⁴


def test_one_sign_is_found_and_a_flat_hinge_has_none(tmp_path: Path) -> None:
    everything(tmp_path, "robust", 11, factor=-1)
    assert number(tmp_path, "half_angle_sines.wrong_signs") == 1
    assert number(tmp_path, "half_angle_sines.robust_error") < 2


def test_the_largest_angle_that_is_lost_is_found(tmp_path: Path) -> None:
    everything(tmp_path, "printed", 4, factor=0.0)
    assert number(tmp_path, "half_angle_sines.lost_below_double") == pytest.approx(2e-5, rel=1e-6)
    assert number(tmp_path, "half_angle_sines.printed_error_everywhere") == pytest.approx(1, rel=1e-6)
