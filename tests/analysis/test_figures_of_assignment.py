# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the assignment of CS 6967, from synthetic traces with known content."""

from __future__ import annotations

import sys
from pathlib import Path

from figure_traces import drawn

sys.path.insert(0, str(Path(__file__).parent / "measurements" / "cs6967_assignment_2"))

from block_runs import ensemble


def test_the_shares_that_come_back_are_those_put_in(tmp_path: Path) -> None:
    back = {("standard", 0.04): 4, ("standard", 0.12): 1, ("invertible", 0.04): 4, ("invertible", 0.12): 3}
    for (name, noise), count in back.items():
        ends = ["rest"] * count + ["mirrored"] * (4 - count)
        scene = {"noise_m": noise, "initial_scale": [1, 1, 1]}
        ensemble(tmp_path, "cs6967_assignment_2/inversion_recovery", "x_fem", name, ends, scene=scene)
    flat = {"noise_m": 1e-4, "initial_scale": [1, 1, 0]}
    ensemble(tmp_path, "cs6967_assignment_2/inversion_recovery", "x_fem", "standard", ["moving", "rest"], scene=flat)
    result, rows = drawn(tmp_path, "sec_debugging_recovery", tmp_path / "out")
    assert result.entry is not None and "not back" in result.entry.caption
    tangled = {
        (r["row"], round(5 * float(r["noise [cells]"]))): int(r["back"]) for r in rows if r["start"] == "tangled"
    }
    assert tangled == {(name, round(25 * noise)): count for (name, noise), count in back.items()}
    assert [(r["row"], int(r["seeds"]), int(r["back"])) for r in rows if r["start"] == "flat"] == [("standard", 2, 1)]
