# SPDX-License-Identifier: BSD-3-Clause
"""Curtains that are off on the way, at the end, and behind the slope."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.cross.measurements import cloth_curtain as m
from deformbench_analysis.results import Results

EXPERIMENT = "cross/cloth_curtain"


def swung(folder: Path, name: str, dt: float, way: float, end: float = 0.0, depth: float = 0.0) -> None:
    """Four vertices, two across, of a cloth of 2 m: one is `way` sides off at 0.06 s,
    and `end` sides at the last of 0.1 s."""
    times = np.arange(round(0.1 / dt) + 1) * dt
    x = np.zeros((len(times), 4, 3))
    x[np.isclose(times, 0.06), 2, 0] = 2.0 * way
    x[-1, 2, 0] = 2.0 * end
    x[-1, 1] = 2.0 * 0.2 * np.array([0, -np.sin(np.pi / 6), -np.cos(np.pi / 6)])
    depths = np.zeros(len(times))
    depths[3] = 2.0 * depth
    scene = {"side_m": 2.0, "vertices_across": 2, "slope_deg": 30.0}
    step = {"positions": x, "penetration_depth": depths}
    write_trace(folder, f"{EXPERIMENT} force_cloth {name}", scene=scene, swept={"time_step_s": dt}, step=step, dt=dt)


def test_the_way_and_the_end_are_judged_apart(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.02, 0.0)
    swung(tmp_path, "force_cloth", 0.02, 0.1)
    swung(tmp_path, "xpbd", 0.02, 0.4, end=0.02)
    swung(tmp_path, "xpbd", 0.01, 0.2, end=0.04, depth=0.003)
    swung(tmp_path, "pbd", 0.02, 0.6, end=0.06)
    # One vertex of four: half of its distance.
    assert number(tmp_path, "cloth_curtain.force_cloth_error") == pytest.approx(0.05)
    assert number(tmp_path, "cloth_curtain.xpbd_least_error") == pytest.approx(0.1)
    assert number(tmp_path, "cloth_curtain.xpbd_least_end_error") == pytest.approx(0.01)
    assert number(tmp_path, "cloth_curtain.pbd_least_end_error") == pytest.approx(0.03)
    assert number(tmp_path, "cloth_curtain.depth") == pytest.approx(0.003)


def test_the_sag_is_measured_along_the_slope(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 0.02, 0.0)
    cell = Results(tmp_path, "paper", {}).experiment(EXPERIMENT).one(name="reference")
    # Two vertices across: the mean of the held one and one that slid 0.2 sides.
    assert m.sag(cell) == pytest.approx(0.1)
