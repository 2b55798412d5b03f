# SPDX-License-Identifier: BSD-3-Clause
"""Mutants that rot are found here: every patch applies and names what exists; in every stored outcome the mistake was noticed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mutants import (
    PATCHES,
    ROOT,
    Mutant,
    MutantError,
    all_mutants,
    git_apply,
    is_pytest,
    must_be_due,
    read_due,
    read_mutant,
    read_outcomes,
    recorded_verdicts,
)
from workbench import Checkout, tracked_files

from deformbench_analysis import papers, registration
from deformbench_analysis.claims import all_claims
from deformbench_analysis.registration import pending

CLAIMS = {c.id: c for claims in all_claims().values() for c in claims}
MUTANTS = all_mutants()
OUTCOMES = read_outcomes()
RECORDED = recorded_verdicts()
DUE = read_due()
PENDING = {claim for paper in papers.known() for claim in pending(registration.read(paper))}
PROGRAMS = {
    name
    for path in (ROOT / "tests").rglob("CMakeLists.txt")
    for name in re.findall(r"deformbench_test\((\w+)", path.read_text(encoding="utf-8"))
}
NOTICED_BY_TESTS = 0.95  # of all mutants; the rest is owned by verdicts alone

by_mutant = pytest.mark.parametrize("mutant", MUTANTS, ids=[m.name for m in MUTANTS])


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
    assert [
        n for n in names if (is_pytest(n) and not (ROOT / n).is_file()) or (not is_pytest(n) and n not in PROGRAMS)
    ] == []


def test_a_mutant_whose_stored_outcome_is_outdated_is_due() -> None:
    outdated = {m.name for m in MUTANTS if must_be_due(m, OUTCOMES, RECORDED, PENDING)}
    assert outdated - DUE == set(), "run tests/mutants/replay, or name them in tests/mutants/due.txt"
    assert DUE - {m.name for m in MUTANTS} == set()


@pytest.mark.parametrize("name", sorted(set(OUTCOMES) - DUE))
def test_every_claim_that_a_replayed_mutant_names_changed_its_verdict(name: str) -> None:
    assert [c for c, v in OUTCOMES[name]["claims"].items() if v["mutated"] == v["recorded"]] == []


@pytest.mark.parametrize("claim", [c for c, verdict in RECORDED.items() if verdict.startswith("holds")])
def test_a_claim_that_holds_has_a_mutant_that_flips_it_or_says_why_none_can(claim: str) -> None:
    flipped = [name for name in sorted(set(OUTCOMES) - DUE) if claim in OUTCOMES[name]["claims"]]
    due = [m.name for m in MUTANTS if m.name in DUE and claim in m.claims]
    assert bool(flipped + due) != bool(CLAIMS[claim].why_no_mutant), flipped + due


def test_nearly_all_replayed_mutants_turn_a_test_red() -> None:
    green = [name for name, outcome in OUTCOMES.items() if not any(outcome["tests"].values())]
    assert len(green) <= (1 - NOTICED_BY_TESTS) * len(OUTCOMES), green


def test_no_outcome_is_of_a_mutant_that_is_gone() -> None:
    assert sorted(set(OUTCOMES) - {m.name for m in MUTANTS}) == []


@pytest.mark.parametrize(
    "text,expected",
    [
        ("Claims: IVM-01\nTests: a_test\n--- a/x\n+++ b/x\n", "no line 'Mistake"),
        ("Mistake: none\nClaims:\nTests:\n--- a/x\n+++ b/x\n", "must not be empty"),
        ("Mistake: none\nClaims:\nTests: a_test\n", "expected a unified diff"),
    ],
)
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


def test_the_copy_holds_the_sources_with_and_without_a_checkout(tmp_path: Path) -> None:
    (tmp_path / "methods").mkdir()
    (tmp_path / "methods" / "a.cpp").write_text("", encoding="utf-8")
    for made in ("build/release/a.o", "results/x.h5", "paper_figures/out/report.html", "tests/__pycache__/t.pyc"):
        (tmp_path / made).parent.mkdir(parents=True)
        (tmp_path / made).write_text("", encoding="utf-8")
    assert tracked_files(tmp_path) == ["methods/a.cpp"]
    assert "tests/mutants/replay" in tracked_files()


def test_a_mutant_of_the_checkout_itself_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.ROOT", tmp_path)
    (tmp_path / "x").write_text("one\n", encoding="utf-8")
    patch = tmp_path / "p.patch"
    patch.write_text(
        "Mistake: none\nClaims:\nTests: a_test\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n", encoding="utf-8"
    )
    bench = Checkout(tmp_path / "work", 1)
    mutant = read_mutant(patch)
    bench.apply(mutant)
    assert (tmp_path / "x").read_text(encoding="utf-8") == "two\n"
    bench.restore(mutant)
    assert (tmp_path / "x").read_text(encoding="utf-8") == "one\n"
