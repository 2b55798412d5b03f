# SPDX-License-Identifier: BSD-3-Clause
"""Made-up motion past a front: one line or one place of one member is another."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import surfel_motion as m

Frame = dict[str, np.ndarray]
H = 0.5  # support, m
CRACK = np.array([[[-9, 0, -9], [0, 0, -9], [-9, 0, 9]], [[0, 0, -9], [0, 0, 9], [-9, 0, 9]]], dtype=float)


def frame(jump: float, opening: float = 0.2, at_front: float = 0.0, low: float = 0.1, width: float = 1e-9) -> Frame:
    """Three lines over the plane y = 0, x < 0, and two places of the front. The second line has the jump,
    the second place the gap."""
    scans = []
    for k in range(3):
        u = np.array([0.1, 0.0, 0.2])
        a, b = [-0.35, low, 0.1 * k], [0.35, 0.1, 0.1 * k]
        share = width * H / np.linalg.norm(np.subtract(b, a))
        moved = u + [0, jump if k == 1 else 1e-3 * jump, 0]
        scans.append([*a, *b, H, 0.4, 0.4 + share, *u, *moved])
    gaps = []
    for k in range(2):
        for depth, gap in ((1e-6, at_front * k), (0.5, 0.7 * opening), (1.0, opening)):
            gaps.append([0, 0, k, depth * H, H, 0, gap, 0, 0, 0, 0])
    return {"motion_scans": np.array(scans), "front_gaps": np.array(gaps, dtype=float), "crack_triangles": CRACK}


def write(folder: Path, name: str, members: list[Frame], crack: str = "flat", first: Frame | None = None) -> None:
    start = frame(0.0) if first is None else first
    scene = {"crack": crack, "initial_stretch": 1.1}
    write_frames(folder, m.M.experiment, [[start, f] for f in members], name=name, scene=scene)


def test_the_jump_is_that_of_the_worst_line_of_the_worst_member_over_the_opening(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(1e-9), frame(4e-8), frame(0.0)])
    write(tmp_path, "transparency", [frame(1e-9), frame(1e-9)], "disc")
    assert number(tmp_path, "surfel_motion.transparency_jump") == pytest.approx(4e-8 / 0.2, rel=1e-6, abs=0)
    assert number(tmp_path, "surfel_motion.clouds") == 2


def test_visibility_is_the_median_over_members_of_the_least_crack(tmp_path: Path) -> None:
    write(tmp_path, "visibility", [frame(0.001), frame(0.004), frame(0.1)])
    write(tmp_path, "visibility", [frame(0.05), frame(0.06), frame(0.1)], "disc")
    assert number(tmp_path, "surfel_motion.visibility_jump") == pytest.approx(0.02)


def past_the_ridge(f: Frame) -> Frame:
    """The same with no faces one support behind the front, where a kinked crack is no longer."""
    gaps = f["front_gaps"]
    gaps[gaps[:, 3] == gaps[:, 4], 5:] = 0.0
    return f


def test_kinked_cracks_are_judged_apart(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(1e-9), frame(1e-9)])
    write(tmp_path, "transparency", [past_the_ridge(frame(j)) for j in (0.007, 0.0014, 1e-9)], "kink")
    write(tmp_path, "visibility", [frame(0.004)] * 2)
    write(tmp_path, "visibility", [frame(0.001)] * 2, "kink")
    assert number(tmp_path, "surfel_motion.transparency_jump") == pytest.approx(1e-9 / 0.2, rel=1e-6, abs=0)
    assert number(tmp_path, "surfel_motion.kink_jump") == pytest.approx(0.05)
    assert number(tmp_path, "surfel_motion.median_kink_jump") == pytest.approx(0.01)
    assert number(tmp_path, "surfel_motion.visibility_jump") == pytest.approx(0.02)


def test_the_control_is_the_affine_start(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(0.1)] * 2)
    write(tmp_path, "visibility", [frame(0.1)] * 2, first=frame(2e-6))
    assert number(tmp_path, "surfel_motion.affine_jump") == pytest.approx(2e-6 / (0.1 * H))


def test_faces_part_and_meet(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(0.0, 0.2), frame(0.0, 0.1, at_front=0.03)])
    assert number(tmp_path, "surfel_motion.opening") == pytest.approx(0.1 / H)
    assert number(tmp_path, "surfel_motion.gap_at_front") == pytest.approx(0.3)
    write(tmp_path, "visibility", [frame(0.0, 0.2, at_front=0.1), frame(0.0, 0.1, at_front=0.03)])
    assert number(tmp_path, "surfel_motion.gap_at_front_visibility") == pytest.approx(0.3)


def test_a_line_through_the_crack_or_a_wide_place_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a", "transparency", [frame(0.0), frame(0.0, low=-0.05)])
    assert "crosses the crack" in value_of(tmp_path / "a", "surfel_motion.transparency_jump").note
    write(tmp_path / "b", "transparency", [frame(0.0), frame(0.0, width=1e-6)])
    assert "wider" in value_of(tmp_path / "b", "surfel_motion.transparency_jump").note
