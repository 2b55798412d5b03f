# SPDX-License-Identifier: BSD-3-Clause
"""Explicit invertible elements against implicit options at equal steps: one option, law, step or seed is worse."""

from pathlib import Path

import pytest
from block_runs import BODY, ensemble
from measured import number, value_of

from deformbench_analysis.recovery import FreeBody

EXPERIMENT = "cs6967_assignment_2/tangled_steps"
LIMIT = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33).longest_step
SHORT, LONG, LONGER = 0.15 * LIMIT, 0.31 * LIMIT, 0.92 * LIMIT
STILL, AWAY, MOVING, GONE = ["rest"] * 6, ["mirrored"] * 6, ["moving"] * 6, ["broken_off"] * 6
EXPLICIT = ("explicit", "explicit_corotational", "explicit_neo_hookean")


def run(folder: Path, name: str, step: float, ends: list[str]) -> None:
    swept = {"time_step_s": step}
    ensemble(folder, EXPERIMENT, "invertible_fem", name, ends, swept=swept, steps=round(0.8 / step))


def fill(folder: Path, changed: dict[tuple[str, float], list[str]]) -> None:
    """Explicit runs break off at the two longer steps, co-rotational ones keep moving at the longest;
    standard elements stay mirrored."""
    for step in (SHORT, LONG, LONGER):
        for name in EXPLICIT:
            ends = STILL if step == SHORT else GONE
            if name == "explicit_corotational":
                ends = MOVING if step == LONGER else STILL
            run(folder, name, step, changed.get((name, step), ends))
        for name in ("implicit", "warped", "implicit_invertible"):
            run(folder, name, step, changed.get((name, step), AWAY if name == "implicit" else STILL))


def test_a_tangled_body_at_rest_is_stable_and_one_that_moves_is_not(tmp_path: Path) -> None:
    fill(tmp_path, {})
    assert number(tmp_path, "tangled_steps.implicit_unstable") == 0.0
    assert number(tmp_path, "tangled_steps.corotational_unstable") == 0.0
    assert number(tmp_path, "tangled_steps.margin_least") == 0.0
    assert number(tmp_path, "tangled_steps.margin_in_regime") == 1.0
    assert number(tmp_path, "tangled_steps.sign_test_in_regime") == pytest.approx(0.5**6)
    assert number(tmp_path, "tangled_steps.seeds") == 6


def test_every_law_has_a_step_from_which_it_is_in_the_regime(tmp_path: Path) -> None:
    fill(tmp_path, {("explicit_neo_hookean", LONG): STILL, ("explicit", SHORT): STILL})
    assert number(tmp_path, "tangled_steps.margin_in_regime") == 1.0
    fill(tmp_path, {("explicit_corotational", LONGER): STILL[:1] + GONE[:5]})
    assert number(tmp_path, "tangled_steps.margin_in_regime") == pytest.approx(5 / 6)
    assert "corotational, 0.92" in value_of(tmp_path, "tangled_steps.margin_in_regime").note


def test_the_worst_option_law_and_step_count(tmp_path: Path) -> None:
    fill(
        tmp_path,
        {
            ("warped", SHORT): STILL[:2] + GONE[:3] + MOVING[:1],
            ("explicit_neo_hookean", LONGER): STILL[:1] + MOVING[:3] + GONE[:2],
        },
    )
    assert number(tmp_path, "tangled_steps.margin_least") == pytest.approx(-4 / 6)
    assert "warped" in value_of(tmp_path, "tangled_steps.margin_least").note
    assert number(tmp_path, "tangled_steps.implicit_unstable") == pytest.approx(4 / 6)
    assert number(tmp_path, "tangled_steps.margin_in_regime") == pytest.approx(5 / 6)
    assert "neo_hookean, 0.92" in value_of(tmp_path, "tangled_steps.margin_in_regime").note


def test_seeds_are_paired_and_a_loss_counts(tmp_path: Path) -> None:
    fill(tmp_path, {("implicit_invertible", LONG): GONE[:2] + STILL[:4], ("explicit", LONG): STILL[:2] + GONE[:4]})
    assert number(tmp_path, "tangled_steps.margin_in_regime") == pytest.approx(2 / 6)
    assert number(tmp_path, "tangled_steps.sign_test_in_regime") == pytest.approx(22 / 2**6)


def test_at_the_longest_step_every_law_counts_and_no_shorter_step_does(tmp_path: Path) -> None:
    fill(tmp_path, {("warped", LONG): GONE, ("explicit_neo_hookean", LONGER): STILL[:1] + GONE[:5]})
    assert number(tmp_path, "tangled_steps.margin_at_longest") == pytest.approx(5 / 6)
    assert "neo_hookean, 0.92" in value_of(tmp_path, "tangled_steps.margin_at_longest").note
    assert number(tmp_path, "tangled_steps.sign_test_at_longest") == pytest.approx(0.5**5)


def test_a_step_of_nine_tenths_is_the_longest_up_to_its_rounding(tmp_path: Path) -> None:
    fill(tmp_path, {})
    # Four seeds of one pair are better at the rounded step, one is worse and one unstable on both sides.
    for share, warped in ((0.8995, MOVING[:2] + STILL[:4]), (0.895, GONE)):
        for name in ("implicit", "warped", "implicit_invertible"):
            run(tmp_path, name, share * LIMIT, warped if name == "warped" else STILL)
        for name in EXPLICIT:
            run(tmp_path, name, share * LIMIT, STILL[:1] + GONE[:5] if name == "explicit" else GONE)
    for name, expected in (("margin", 3 / 6), ("sign_test", 6 / 2**5)):
        value = value_of(tmp_path, f"tangled_steps.{name}_at_longest")
        assert value.value == pytest.approx(expected) and "warped against explicit, 0.90" in value.note


def test_corotational_elements_are_asked_about_up_to_a_step(tmp_path: Path) -> None:
    fill(tmp_path, {("explicit_corotational", LONG): STILL[:5] + MOVING[:1]})
    assert number(tmp_path, "tangled_steps.corotational_unstable") == pytest.approx(1 / 6)


def test_a_step_above_the_limit_at_rest_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, {})
    run(tmp_path, "explicit_corotational", 1.1 * LIMIT, GONE)
    assert "above 2/ω" in value_of(tmp_path, "tangled_steps.corotational_unstable").note
