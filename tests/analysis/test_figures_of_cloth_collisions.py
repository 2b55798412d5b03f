# SPDX-License-Identifier: BSD-3-Clause
"""The figures of collisions of cloth, from synthetic traces with known content."""

import sys
from pathlib import Path

import pytest
from figure_traces import drawn

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments" / "cs533d_cloth_lecture"))

from test_census import recorded  # noqa: E402
from test_collision_measurements import CROSSED, FREE, all_folded, piled, shot, thick, thrown  # noqa: E402
from test_pulled_sheet import pulled  # noqa: E402


def test_detection_shows_the_crossings_that_were_put_in(tmp_path: Path) -> None:
    for motion in (0.1, 1.0):
        thrown(tmp_path, "both", motion)
        for detection in ("none", "proximity", "point_face", "edge_edge"):
            thrown(tmp_path, detection, motion, fault=(1, 3))
    for coordinates in ("random", "small_integers"):
        for detection in ("none", "point_face", "edge_edge", "both"):
            shot(tmp_path, detection, coordinates, FREE if detection == "both" else CROSSED)
    entry, rows = drawn(tmp_path, "sec_10_detection", tmp_path / "out")
    shares = {(r["test"], float(r["motion in a step [edges]"])): float(r["share"]) for r in rows}
    assert shares["both", 0.1] == shares["both", 1.0] == 0.0
    assert shares["points and faces", 1.0] == pytest.approx(1 / 3)
    assert shares["none, single triangles, random", 0.0] == 0.5
    assert shares["both, single triangles, small_integers", 0.0] == 0.0
    assert "mean over 3 throws" in entry.caption


def test_sweeps_shows_the_numbers_that_were_put_in(tmp_path: Path) -> None:
    all_folded(tmp_path)
    for noise in (0.0, 0.3):
        piled(tmp_path, "impulses", noise, kept=0.8)
        piled(tmp_path, "rigid", noise, kept=0.2)
        piled(tmp_path, "affine", noise, fault="crosses", kept=0.7)
    for gap, is_turned in ((0.2, True), (0.5, False)):
        thick(tmp_path, "affine", gap, is_turned)
        thick(tmp_path, "rigid", gap, False)
    _, rows = drawn(tmp_path, "sec_12_sweeps", tmp_path / "out")
    faults = {r["row"]: float(r["faulty share"]) for r in rows if "height" in r["row"]}
    assert faults["affine, approach over height 1.67"] == 1.0
    assert faults["affine, approach over height 0.667"] == faults["rigid, approach over height 1.67"] == 0.0
    sweeps = {(r["row"], int(r["layers"]), float(r["load"])): int(r["sweeps"]) for r in rows if r["layers"]}
    assert sweeps["forward", 40, 100.0] == 1600
    assert sweeps["backward", 40, 100.0] == 3200
    assert sweeps["zones", 10, 100.0] == 3
    energy = {(r["row"], r["noise"]): float(r["energy kept"]) for r in rows if r["noise"]}
    assert energy["rigid", "0.3"] == pytest.approx(0.2)
    assert max(e for (name, _), e in energy.items() if name == "affine") == pytest.approx(0.7)


def test_locking_shows_the_slips_that_were_put_in(tmp_path: Path) -> None:
    for ratio in (1.0, 1.618):
        pulled(tmp_path, 0, [0.02, 0.1], ratio=ratio)
        pulled(tmp_path, 2, [0.9, 0.7], ratio=ratio)
    pulled(tmp_path, 0, [1.01], name="smooth")
    _, rows = drawn(tmp_path, "sec_13_locking", tmp_path / "out")
    slips = {
        (r["row"], float(r["edge ratio"]), float(r["thickness [error of geometry]"])): float(
            r["least slip [free slip]"]
        )
        for r in rows
    }
    assert slips["sheet", 1.618, 2.0] == pytest.approx(0.7, abs=2e-3)
    assert slips["sheet", 1.0, 0.0] == pytest.approx(0.02, abs=2e-3)
    assert slips["smooth", 1.0, 0.0] == pytest.approx(1.01, abs=2e-3)


def test_a_twisted_sheet_shows_what_crosses(tmp_path: Path) -> None:
    experiment = "cs533d_cloth_lecture/twisted_sheet"
    recorded(tmp_path, experiment, [(0, 4)], unresolved=(0, 4))
    recorded(tmp_path, experiment, [(0, 2)], collision_detection="none")
    entry, rows = drawn(tmp_path, "sec_12_twisted_sheet", tmp_path / "out")
    crossed = {(r["detection"], round(float(r["turns"]), 6)): int(r["pairs that cross"]) for r in rows}
    assert crossed["both", 3.0] == 0 and crossed["both", 4.0] == 1
    assert crossed["none", 1.0] == 0 and crossed["none", 2.0] == 1
    assert "to 4 turns" in entry.caption
