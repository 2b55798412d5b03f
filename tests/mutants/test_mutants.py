# SPDX-License-Identifier: BSD-3-Clause
"""Mutants that rot are found here: every patch applies, names what exists, and has a stored outcome in which it was noticed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from mutants import PATCHES, ROOT, Mutant, MutantError, all_mutants, git_apply, is_pytest, read_mutant, read_outcomes

from deformbench_analysis.claims import Claim, all_claims

CLAIMS = {c.id: c for claims in all_claims().values() for c in claims}
RECORDED = {k: v["verdict"] for path in sorted((ROOT / "paper_figures" / "verdicts").glob("*.json"))
            for k, v in json.loads(path.read_text(encoding="utf-8"))["claims"].items()}
MUTANTS = all_mutants()
OUTCOMES = read_outcomes()
PROGRAMS = {name for path in (ROOT / "tests").rglob("CMakeLists.txt")
            for name in re.findall(r"deformbench_test\((\w+)", path.read_text(encoding="utf-8"))}
NOTICED_BY_TESTS = 0.95  # of all mutants; the rest is owned by verdicts alone

by_mutant = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)


def test_there_are_mutants() -> None:
    assert len(MUTANTS) == len(list(PATCHES.glob("*.patch"))) > 0


@by_mutant
def test_a_patch_applies_to_the_sources_as_they_are(mutant: Mutant) -> None:
    done = git_apply(ROOT, mutant.path, "--check")
    assert done.returncode == 0, done.stderr


@by_mutant
def test_a_mutant_names_claims_and_tests_that_exist(mutant: Mutant) -> None:
    assert [c for c in mutant.claims if c not in CLAIMS] == []
    names = [t.split(":")[0] for t in mutant.tests]
    assert [n for n in names if (is_pytest(n) and not (ROOT / n).is_file()) or (not is_pytest(n) and n not in PROGRAMS)] == []


@by_mutant
def test_a_mutant_has_an_outcome_of_this_very_patch(mutant: Mutant) -> None:
    assert OUTCOMES.get(mutant.name, {}).get("digest") == mutant.digest(), f"run tests/mutants/replay {mutant.name}"


@by_mutant
def test_every_claim_that_a_mutant_names_changed_its_verdict(mutant: Mutant) -> None:
    claims = OUTCOMES.get(mutant.name, {}).get("claims", {})
    assert sorted(claims) == sorted(mutant.claims)
    assert [c for c, v in claims.items() if v["mutated"] == v["recorded"]] == []


def test_nearly_all_mutants_turn_a_test_red() -> None:
    green = [m.name for m in MUTANTS if not any(OUTCOMES.get(m.name, {}).get("tests", {}).values())]
    assert len(green) <= (1 - NOTICED_BY_TESTS) * len(MUTANTS), green


@pytest.mark.parametrize("claim", [c for c in CLAIMS.values() if RECORDED.get(c.id, "").startswith("holds")], ids=lambda c: c.id)
def test_a_claim_that_holds_has_a_mutant_that_changes_its_verdict_or_says_why_none_can(claim: Claim) -> None:
    named = [m.name for m in MUTANTS if claim.id in m.claims]
    assert bool(named) != bool(claim.why_no_mutant), f"mutants: {named}; why_no_mutant: {claim.why_no_mutant!r}"


def test_no_outcome_is_of_a_mutant_that_is_gone() -> None:
    assert sorted(set(OUTCOMES) - {m.name for m in MUTANTS}) == []


@pytest.mark.parametrize("text,expected", [
    ("Claims: IVM-01\nTests: a_test\n--- a/x\n+++ b/x\n", "no line 'Mistake"),
    ("Mistake: none\nClaims:\nTests:\n--- a/x\n+++ b/x\n", "must not be empty"),
    ("Mistake: none\nClaims:\nTests: a_test\n", "expected a unified diff"),
])
def test_a_patch_without_its_header_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "bad.patch"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MutantError, match=expected):
        read_mutant(path)


def test_a_patch_that_does_not_apply_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("one\n", encoding="utf-8")
    patch = tmp_path / "p.patch"
    patch.write_text("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-two\n+three\n", encoding="utf-8")
    assert git_apply(tmp_path, patch).returncode != 0
    patch.write_text("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+three\n", encoding="utf-8")
    assert git_apply(tmp_path, patch).returncode == 0 and (tmp_path / "x").read_text(encoding="utf-8") == "three\n"
