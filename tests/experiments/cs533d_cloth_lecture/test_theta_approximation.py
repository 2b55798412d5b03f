# SPDX-License-Identifier: BSD-3-Clause
"""1 − cos(θ/2) for θ²: one sample of the energy or the force is off; folded strips differ."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import folded, vertices, write_hinges
from measured import add_frames, number, write_trace
from test_angle_slopes import heights_as_slopes

NAME, FOLDED = "cs533d_cloth_lecture/theta_approximation", "cs533d_cloth_lecture/folded_strip"
ANGLES = np.linspace(-3.1, 3.1, 125)
WEIGHT = 2 * 1.1 / 1.7


def write(folder: Path, name: str, at: int = 0, energy: float = 1.0, force: float = 1.0) -> None:
    x = folded(ANGLES)
    by_angle = name == "angle"
    w = ANGLES**2 / 2 if by_angle else 4 * (1 - np.cos(ANGLES / 2))
    slope = ANGLES.copy() if by_angle else 2 * np.sin(ANGLES / 2)
    w[at] *= energy
    slope[at] *= force
    arrays = {"rest_positions": folded(np.zeros(len(x))).reshape(-1, 3)}
    start = {
        "positions": x,
        "hinge_vertices": vertices(len(x)),
        "hinge_energies": 2.0 * WEIGHT * w,
        "elastic_forces": -(2.0 * WEIGHT * slope)[:, None, None] * heights_as_slopes(x),
    }
    write_hinges(folder, NAME, name, start, parameters={"bend_stiffness_j": 2.0}, arrays=arrays)


def test_formulas_have_their_known_errors(tmp_path: Path) -> None:
    write(tmp_path, "half_angle")
    write(tmp_path, "angle")
    assert number(tmp_path, "theta_approximation.energy_error") == pytest.approx(
        1 - 8 * (1 - np.cos(1.55)) / 3.1**2, rel=1e-6
    )
    assert number(tmp_path, "theta_approximation.force_error") == pytest.approx(1 - 2 * np.sin(1.55) / 3.1, rel=1e-6)
    assert number(tmp_path, "theta_approximation.force_error_to_quarter") < 0.1
    assert number(tmp_path, "theta_approximation.stiffness_error_to_quarter") == pytest.approx(0.28, abs=0.02)
    assert number(tmp_path, "theta_approximation.control_error") > 0.5
    assert number(tmp_path, "theta_approximation.angle_error") < 1e-9
    assert number(tmp_path, "theta_approximation.small_angle_error") < 1e-3
    assert number(tmp_path, "theta_approximation.least_rise") > 0
    assert number(tmp_path, "theta_approximation.least_curvature") > 0


@pytest.mark.parametrize("at", [0, 30, 90, 124])
def test_one_force_of_the_wrong_sign_is_found(tmp_path: Path, at: int) -> None:
    write(tmp_path, "half_angle", at, force=-1.0)
    write(tmp_path, "angle", at, force=-1.0)
    assert number(tmp_path, "theta_approximation.angle_error") == pytest.approx(2.0)
    assert number(tmp_path, "theta_approximation.force_error") > 1.3


@pytest.mark.parametrize("at", [0, 30, 90, 124])
def test_one_wrong_energy_is_found(tmp_path: Path, at: int) -> None:
    write(tmp_path, "half_angle", at, energy=1.5)
    write(tmp_path, "angle", at, force=1.01)
    assert number(tmp_path, "theta_approximation.energy_error") > 0.2
    assert number(tmp_path, "theta_approximation.angle_error") == pytest.approx(0.01, rel=1e-3)


def test_a_dip_is_neither_monotone_nor_convex(tmp_path: Path) -> None:
    write(tmp_path, "half_angle", 100, energy=0.8)
    assert number(tmp_path, "theta_approximation.least_rise") < 0
    assert number(tmp_path, "theta_approximation.least_curvature") < 0


@pytest.mark.parametrize("at", [40, 80])
def test_one_wrong_force_is_found(tmp_path: Path, at: int) -> None:
    write(tmp_path, "half_angle", at, force=0.6)
    assert number(tmp_path, "theta_approximation.force_error_to_quarter") == pytest.approx(0.4, abs=0.05)


def strip(folder: Path, name: str, gap: float, angle: float, shift: float = 0.0) -> None:
    x = folded(np.array([0.1, angle]))
    x[1, 3] += [0, shift, 0]
    frame = {"positions": np.array([0 * x, x]).reshape(2, -1, 3)}
    scene = {"spacing_m": 0.01}
    path = write_trace(folder, f"{FOLDED} force_cloth {name}", scene=scene, swept={"gap": gap}, frame=frame)
    add_frames(path, [[(k, 0.01 * k, {"hinge_vertices": vertices(2)}) for k in (0, 1)]])


def test_the_strip_that_differs_most(tmp_path: Path) -> None:
    for name in ("half_angle", "angle"):
        strip(tmp_path, name, 6.0, 0.5, 1e-5 if name == "angle" else 0.0)
        strip(tmp_path, name, 1.5, 2.0, 3e-5 if name == "angle" else 0.0)
    assert number(tmp_path, "folded_strip.difference") == pytest.approx(3e-5 / 0.015, rel=1e-6)
    assert number(tmp_path, "folded_strip.difference_to_quarter") == pytest.approx(1e-5 / 0.06, rel=1e-6)
    assert number(tmp_path, "folded_strip.largest_angle") == pytest.approx(2.0, rel=1e-3)
