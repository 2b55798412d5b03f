# SPDX-License-Identifier: BSD-3-Clause
"""Does a scaled body shrink back: one method, factor or damping of several is worse, in the regime or outside it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from block_runs import BODY, ensemble
from measured import number, value_of

from deformbench_analysis.recovery import FreeBody

EXPERIMENT = "cs6967_assignment_2/scaled_start"
LOWEST = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33).lowest_frequency
METHODS = {
    "explicit": "explicit_fem",
    "invertible": "invertible_fem",
    "implicit": "implicit_fem",
    "warped": "warped_fem",
}


def run(
    folder: Path, name: str, ends: Sequence[str], factor: float = 2.0, ratio: float = 0.6, turn: float = 1.0
) -> None:
    """`ratio`: damping over ω_1; `turn`: Δt ω_1."""
    scale, damping = [factor, 1.0, 1.0], ratio * LOWEST
    scene = {"time_step_s": turn / LOWEST}
    swept = {"initial_scale": scale, "method.parameters.mass_damping_1_s": damping}
    steps = int(1.6 * LOWEST / turn) + 1
    times = np.array([0.0, 0.8, 1.6])
    ensemble(folder, EXPERIMENT, METHODS[name], name, ends, scene=scene, swept=swept, steps=steps, times=times)


def test_the_worst_cell_is_named_and_those_outside_the_regime_do_not_count_in_it(tmp_path: Path) -> None:
    run(tmp_path, "implicit", ["rest"] * 4, factor=1.1, ratio=0.0)
    run(tmp_path, "warped", ["rest", "turned", "rest", "drifting"])
    run(tmp_path, "invertible", ["rest"] * 4)
    run(tmp_path, "explicit", ["rest"] * 4, factor=1.1)
    assert number(tmp_path, "scaled_start.share_least") == 1.0
    run(tmp_path, "explicit", ["rest", "mirrored", "mirrored", "moving"])
    run(tmp_path, "invertible", ["moving"] * 4, ratio=0.3)
    run(tmp_path, "implicit", ["rest", "rest", "rest", "mirrored"])
    assert number(tmp_path, "scaled_start.share_least") == 0.0
    assert "invertible" in value_of(tmp_path, "scaled_start.share_least").note
    assert number(tmp_path, "scaled_start.share_in_regime") == 1.0
    assert number(tmp_path, "scaled_start.explicit_in_regime") == 2.0
    assert number(tmp_path, "scaled_start.mirrored_share") == 0.5
    assert number(tmp_path, "scaled_start.mirrored_share_implicit") == 0.25


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("bad", ["mirrored", "strained", "moving", "broken_off"])
def test_one_seed_of_one_method_of_the_regime_breaks_it(tmp_path: Path, name: str, bad: str) -> None:
    for method in METHODS:
        run(tmp_path, method, ["rest", bad if method == name else "rest"], factor=1.1)
    assert number(tmp_path, "scaled_start.share_in_regime") == 0.5


@pytest.mark.parametrize("name", METHODS)
def test_short_steps_without_damping_are_not_in_the_regime(tmp_path: Path, name: str) -> None:
    for method in METHODS:
        run(tmp_path, method, ["rest"] * 2, factor=1.1)
    run(tmp_path, name, ["moving"] * 2, factor=1.1, ratio=0.1, turn=0.09)
    assert number(tmp_path, "scaled_start.share_in_regime") == 1.0
    run(tmp_path, name, ["rest", "moving"], factor=1.1, ratio=0.1, turn=0.11)
    assert number(tmp_path, "scaled_start.share_in_regime") == (1.0 if name in ("explicit", "invertible") else 0.5)
    run(tmp_path, name, ["moving"] * 2, factor=1.1, ratio=0.5 * (1 + 1e-9), turn=0.09)
    assert number(tmp_path, "scaled_start.share_in_regime") == 0.0
