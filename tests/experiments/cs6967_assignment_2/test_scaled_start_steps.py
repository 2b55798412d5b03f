# SPDX-License-Identifier: BSD-3-Clause
"""Undamped bodies with short implicit steps: one method is worse, or only its step is too short for the regime."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from block_runs import BODY, ensemble
from measured import number, value_of

from deformbench_analysis.recovery import FreeBody

LOWEST = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33).lowest_frequency
METHODS = ("linear", "warped", "vertex_warped")


def run(folder: Path, name: str, ends: Sequence[str], turn: float) -> None:
    """`turn`: Δt ω_1."""
    dt = turn / LOWEST
    ensemble(
        folder,
        "cs6967_assignment_2/scaled_start_steps",
        f"{name}_fem",
        name,
        ends,
        scene={"initial_scale": [2.0, 2.0, 2.0]},
        parameters={"mass_damping_1_s": 0.0},
        swept={"time_step_s": dt},
        steps=int(1.6 / dt) + 1,
        times=np.array([0.0, 0.8, 1.6]),
    )


@pytest.mark.parametrize("worst", METHODS)
@pytest.mark.parametrize("bad", ["mirrored", "strained", "moving", "broken_off"])
def test_one_seed_of_one_method_breaks_it(tmp_path: Path, worst: str, bad: str) -> None:
    for k, name in enumerate(METHODS):
        run(tmp_path, name, ["rest", bad if name == worst else "rest"], 0.125 + k / 16)
    run(tmp_path, "warped", ["rest", "moving", "moving", "moving"], 0.0625)
    run(tmp_path, "linear", ["rest", "rest", "moving", "moving"], 0.03125)
    assert number(tmp_path, "scaled_start_steps.share_in_regime") == 0.5
    assert value_of(tmp_path, "scaled_start_steps.share_in_regime").note.startswith(worst)
    assert number(tmp_path, "scaled_start_steps.least_turn") == pytest.approx(0.125)
    assert number(tmp_path, "scaled_start_steps.methods") == 3
    assert number(tmp_path, "scaled_start_steps.share_of_shorter") == 0.25
