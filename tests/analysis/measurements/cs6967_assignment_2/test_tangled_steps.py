# SPDX-License-Identifier: BSD-3-Clause
"""Explicit invertible elements against implicit options at equal steps: one option, step or seed is worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from block_runs import BODY, ensemble
from measured import number

from deformbench_analysis.recovery import FreeBody

EXPERIMENT = "cs6967_assignment_2/tangled_steps"
LIMIT = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33).longest_step
SHORT, LONG, LONGER = 0.5 * LIMIT, 1.5 * LIMIT, 4 * LIMIT
BACK, AWAY, GONE = ["rest"] * 6, ["mirrored"] * 6, ["broken_off"] * 6


def run(folder: Path, name: str, step: float, ends: list[str]) -> None:
    ensemble(
        folder,
        EXPERIMENT,
        "invertible_fem",
        name,
        ends,
        scene={"time_step_s": step},
        coordinates={"scene.parameters.time_step_s": step},
        steps=round(0.8 / step),
    )


def fill(folder: Path, changed: dict[tuple[str, float], list[str]]) -> None:
    for step in (SHORT, LONG, LONGER):
        run(folder, "explicit", step, changed.get(("explicit", step), BACK if step == SHORT else GONE))
        for name in ("implicit", "warped", "implicit_invertible"):
            ends = AWAY if name == "implicit" else BACK
            run(folder, name, step, changed.get((name, step), ends))


def test_the_worst_option_and_step_count_and_the_regime_leaves_out_short_steps_and_standard_elements(
    tmp_path: Path,
) -> None:
    fill(tmp_path, {("warped", LONGER): BACK[:5] + AWAY[:1], ("explicit", SHORT): BACK[:4] + AWAY[:2]})
    assert number(tmp_path, "tangled_steps.margin_least") == pytest.approx(-4 / 6)
    assert number(tmp_path, "tangled_steps.margin_standard") == pytest.approx(-4 / 6)
    assert number(tmp_path, "tangled_steps.margin_in_regime") == pytest.approx(5 / 6)
    assert number(tmp_path, "tangled_steps.sign_test_in_regime") == pytest.approx(0.5**5)
    assert number(tmp_path, "tangled_steps.explicit_broken_off") == 1.0
    assert number(tmp_path, "tangled_steps.implicit_broken_off") == 0.0


def test_seeds_are_paired_and_a_loss_counts(tmp_path: Path) -> None:
    fill(tmp_path, {("implicit_invertible", LONG): AWAY[:2] + BACK[:4], ("explicit", LONG): BACK[:2] + GONE[:4]})
    assert number(tmp_path, "tangled_steps.margin_in_regime") == pytest.approx(2 / 6)
    assert number(tmp_path, "tangled_steps.sign_test_in_regime") == pytest.approx(22 / 2**6)
    assert number(tmp_path, "tangled_steps.explicit_broken_off") == pytest.approx(4 / 6)


def test_the_worst_implicit_run_that_breaks_off_is_found(tmp_path: Path) -> None:
    fill(tmp_path, {("warped", SHORT): BACK[:4] + GONE[:2]})
    assert number(tmp_path, "tangled_steps.implicit_broken_off") == pytest.approx(2 / 6)
