# SPDX-License-Identifier: BSD-3-Clause
"""Impulses of contacts: one pair of one run gets thirds, or the formula of equal masses."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.cs533d_cloth_lecture.measurements.impulse_distribution import contact_times

NAME = "cs533d_cloth_lecture/impulse_distribution"
COUNT, STEP = 5, 1.0


def write(folder: Path, kind: str, fault: str = "", held: bool = False, name: str = "impulses", met: int = -1) -> None:
    """`met`: a pair of which another vertex is pushed, too."""
    random = np.random.default_rng(4)
    each = 12 if kind == "point_triangle" else 10
    x, v, after = (np.zeros((each * COUNT, 3)) for _ in range(3))
    masses = 10.0 ** random.uniform(-2, 2, each * COUNT)
    triangles = []
    for n in range(COUNT):
        four = each * n + np.arange(4)
        if kind == "point_triangle":
            w = np.array([1.0, -0.2, -0.3, -0.5])
            at = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [0.3, 1, 0]])
            at[0] = -(w[1:, None] * at[1:]).sum(axis=0)
        else:
            w = np.array([0.7, 0.3, -0.6, -0.4])
            at = np.array([[-0.3, 0, 0], [0.7, 0, 0], [-0.4, -0.4, 0], [0.6, 0.6, 0]])
        motion = 1e-6 * random.standard_normal((4, 3))
        motion[:, 2] = 1e-6 * np.sign(w) * -1.0
        x[four] = at - 0.5 * motion + [3.0 * n, 0, 0]
        v[four] = motion / STEP
        inverse = 1.0 / masses[four]
        if held and n == 1:
            inverse[3] = 0.0
            v[four[3]] = 0.0
            x[four[3]] = at[3] + [3.0 * n, 0, 0]
        # The normal at the contact, of the difference first − second.
        now = x[four] - x[four[0]] + 0.5 * STEP * v[four]
        sides = (now[2] - now[1], now[3] - now[1]) if each == 12 else (now[1] - now[0], now[3] - now[2])
        normal = np.cross(*sides)
        normal *= np.sign(normal[2]) / np.linalg.norm(normal)
        speed = (w @ v[four]) @ normal
        share = w.copy()
        if n == 3 and fault == "thirds":
            share[1:] = -1.0 / 3.0
        if n == 3 and fault == "equal":
            change = -speed * inverse.mean() ** -1 / (w**2).sum() * (w * inverse)
        else:
            change = -speed / (share * w * inverse).sum() * share * inverse
        after[four] = v[four] + change[:, None] * normal
        if n == met:
            after[four[-1] + 1] += 1.0
        triangles += [four[[0, 0, 0]] + [0, each - 4, each - 5]]
    frame = {"positions": np.array([x, x + STEP * after]), "velocities": np.array([v, after])}
    arrays = {"masses": masses, "triangles": np.array(triangles)}
    scene = {"count": COUNT, "time_step_s": STEP}
    write_trace(folder, f"{NAME} force_cloth {name}", scene=scene, swept={"kind": kind}, arrays=arrays, frame=frame)


def test_right_impulses_keep_all(tmp_path: Path) -> None:
    write(tmp_path, "point_triangle", held=True)
    write(tmp_path, "edge_edge")
    assert number(tmp_path, "impulse_distribution.velocity_change_error") < 1e-7
    assert number(tmp_path, "impulse_distribution.momentum_change") < 1e-14
    assert number(tmp_path, "impulse_distribution.angular_momentum_change") < 1e-12
    assert number(tmp_path, "impulse_distribution.angular_momentum_change_at_start") > 1e-9
    assert number(tmp_path, "impulse_distribution.slide_error") < 1e-3
    assert number(tmp_path, "impulse_distribution.pairs") == 2 * COUNT
    assert number(tmp_path, "impulse_distribution.held_share") == 0.0
    assert number(tmp_path, "impulse_distribution.mass_ratio") > 1.0


@pytest.mark.parametrize("kind", ["point_triangle", "edge_edge"])
def test_thirds_change_the_angular_momentum_alone(tmp_path: Path, kind: str) -> None:
    write(tmp_path, kind, "thirds")
    assert number(tmp_path, "impulse_distribution.angular_momentum_change") > 1e-5
    assert number(tmp_path, "impulse_distribution.velocity_change_error") < 1e-7


@pytest.mark.parametrize("kind", ["point_triangle", "edge_edge"])
def test_equal_masses_miss_the_required_change(tmp_path: Path, kind: str) -> None:
    write(tmp_path, kind, "equal")
    assert number(tmp_path, "impulse_distribution.velocity_change_error") > 0.01
    assert number(tmp_path, "impulse_distribution.momentum_change") < 1e-13


@pytest.mark.parametrize("kind", ["point_triangle", "edge_edge"])
@pytest.mark.parametrize("met", [-1, 3])
def test_of_longer_ways_pairs_that_have_met_more_are_left_out(tmp_path: Path, kind: str, met: int) -> None:
    equal, thirds = tmp_path / "equal", tmp_path / "thirds"
    write(equal, kind, "equal", name="travel", met=met)  # pair 3 is wrong
    write(thirds, kind, "thirds", name="travel", met=met)
    assert number(equal, "impulse_distribution.alone_share_with_travel") == (1.0 if met < 0 else 0.8)
    assert (number(equal, "impulse_distribution.velocity_change_error_with_travel") > 0.01) == (met < 0)
    assert (number(thirds, "impulse_distribution.momenta_change_with_travel") > 1e-5) == (met < 0)
    assert 1e-6 < number(equal, "impulse_distribution.travel") < 4e-6


def test_a_plane_that_a_point_passes_beside_the_triangle_is_no_contact() -> None:
    """It passes the plane at a quarter of the step beside the triangle, and at three quarters of it,
    on its way back, inside."""
    start = np.array([[[-1.0, 0.25, 0.5], [0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    motions = np.array([[[1.5, 0, -1.0], [0, 0, -1.5], [0, 0, 0.5], [0, 0, -1.5]]])
    time = contact_times(start, motions, is_point=True)
    at = start + time[:, None, None] * motions
    sides = at[:, 1:] - at[:, :1]
    assert np.abs(np.linalg.det(sides)).max() < 1e-12
    inside = np.linalg.lstsq(np.vstack([at[0, 1:].T, np.ones(3)]), np.append(at[0, 0], 1.0), rcond=None)[0]
    assert inside.min() > 0.0
