# SPDX-License-Identifier: BSD-3-Clause
"""Flying bodies: one element of one method in one frame is stretched a little more than the others,
or only turned."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from scipy.spatial.transform import Rotation

from deformbench_analysis.corotational import Body

REST = np.array([[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]])
TETS = np.array([[0, 1, 2, 3]])
METHODS = ("linear", "explicit", "implicit")
FAR = 1000.0
ALLOWED = 1e3 * np.finfo(float).eps


def flying(
    folder: Path,
    name: str,
    *,
    stretch: float = 1e-11,
    last: float = 0.0,
    spin: float = 0.0,
    angle: float = 0.0,
    offset: float = FAR,
    status: str = "completed",
) -> None:
    """`stretch` of x in the second of three frames, `last` in the third; turned there by `angle` about z."""
    turn = Rotation.from_euler("z", angle).as_matrix()
    x = np.array([REST, REST * [1 + stretch, 1, 1] @ turn.T, REST * [1 + last, 1, 1]])
    x[..., 2] += np.array([0, offset, offset])[:, None]
    scene = {
        "young_modulus_pa": 1e5,
        "poisson_ratio": 0.3,
        "density_kg_m3": 1000.0,
        "side_m": 1.0,
        "cells_across": 2,
        "angular_velocity_rad_s": [0, 0, spin],
    }
    arrays = {"rest_positions": REST, "tetrahedra": TETS}
    frame = {"positions": x, "velocities": np.zeros_like(x)}
    run = f"cs6967_assignment_2/free_flight {name.split('_')[-1]}_fem {name}"
    write_trace(folder, run, status=status, scene=scene, arrays=arrays, frame=frame)


def bound(x: np.ndarray) -> float:
    """With h = 0.5 m."""
    return float(ALLOWED * np.linalg.norm(x + [0, 0, FAR], axis=1).max() / 0.5)


@pytest.mark.parametrize("worst", METHODS)
def test_the_gradient_of_the_worst_frame_counts(tmp_path: Path, worst: str) -> None:
    for name in METHODS:
        flying(tmp_path, name, stretch=1e-3 if name == worst else 1e-4)
    flying(tmp_path, "spinning_explicit", spin=2.0, angle=1.0)
    flying(tmp_path, "too_large_step", stretch=7.0, status="diverged")
    assert number(tmp_path, "free_flight.gradient_error") == pytest.approx(1e-3 / bound(REST), rel=1e-6)
    assert value_of(tmp_path, "free_flight.gradient_error").note == worst
    assert number(tmp_path, "free_flight.methods") == 3


@pytest.mark.parametrize("worst", METHODS)
def test_the_force_of_the_worst_vertex_counts(tmp_path: Path, worst: str) -> None:
    for name in METHODS:
        flying(tmp_path, name, stretch=1e-3 if name == worst else 1e-4)
    body = Body.made(REST, TETS, 1e5, 0.3)
    force = np.linalg.norm(body.forces(REST * [1.001, 1, 1]), axis=1).max()
    assert number(tmp_path, "free_flight.force_error") == pytest.approx(force / (1e5 * 0.25) / bound(REST), rel=1e-6)


@pytest.mark.parametrize("worst", METHODS)
def test_the_distance_is_the_least_one_at_the_end(tmp_path: Path, worst: str) -> None:
    for name in METHODS:
        flying(tmp_path, name, offset=FAR if name == worst else 2 * FAR)
    expected = np.linalg.norm(REST + [0, 0, FAR], axis=1).min() / 0.5
    assert number(tmp_path, "free_flight.distance") == pytest.approx(expected)


@pytest.mark.parametrize("worst", ["spinning_explicit", "spinning_implicit"])
def test_a_turn_is_seen_in_f_and_not_in_its_stretch(tmp_path: Path, worst: str) -> None:
    flying(tmp_path, "linear")
    for name in ("spinning_explicit", "spinning_implicit"):
        flying(tmp_path, name, spin=2.0, angle=1.0 if name == worst else 0.5, stretch=2e-3 if name == worst else 1e-3)
    flying(tmp_path, "spinning_linear", spin=2.0, angle=0.25, stretch=0.3)
    flying(tmp_path, "spinning_linear", spin=2.0, angle=0.25, stretch=0.2, last=0.1)
    turn = Rotation.from_euler("z", 1).as_matrix()
    expected = np.linalg.norm(turn @ np.diag([1.002, 1, 1]) - np.eye(3))
    assert number(tmp_path, "free_flight.spinning_gradient_distance") == pytest.approx(expected, rel=1e-9)
    centrifugal = 4 * 1000.0 * (2.0**2 * 0.5) / 1e5
    assert number(tmp_path, "free_flight.spinning_stretch") == pytest.approx((1.002**2 - 1) / centrifugal, rel=1e-6)
    assert number(tmp_path, "free_flight.spinning_methods") == 2
    linear = number(tmp_path, "free_flight.spinning_stretch_linear")
    assert linear == pytest.approx((1.2**2 - 1) / centrifugal, rel=1e-6)
