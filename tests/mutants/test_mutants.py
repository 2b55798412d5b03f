# SPDX-License-Identifier: BSD-3-Clause
"""Every mutant applies and names what exists; in every stored outcome the mistake was noticed."""

import json
import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mutants import (
    ROOT,
    Mutant,
    MutantError,
    all_mutants,
    is_pytest,
    must_be_due,
    read_due,
    read_outcomes,
    read_table,
    recorded_verdicts,
)
from workbench import Checkout, Workbench, tracked_files

from deformbench_analysis import papers, registration
from deformbench_analysis.claims import all_claims
from deformbench_analysis.errors import InputError
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


def script(name: str) -> ModuleType:
    """A script of this folder as a module."""
    loader = SourceFileLoader(name, str(ROOT / "tests" / "mutants" / name))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look themselves up
    loader.exec_module(module)
    return module


def test_there_are_mutants_of_different_names() -> None:
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) > 0


@by_mutant
def test_a_mutant_applies_to_the_sources_as_they_are_and_changes_them(mutant: Mutant) -> None:
    texts = mutant.mutated(ROOT)  # refuses a text that is not there exactly once
    assert all(edit.find != edit.replace for edit in mutant.edits)
    assert all((ROOT / name).read_bytes() != text.encode() for name, text in texts.items())


@by_mutant
def test_a_mutant_stands_in_the_table_of_its_first_claim(mutant: Mutant) -> None:
    paper = CLAIMS[mutant.claims[0]].paper if mutant.claims else None
    assert mutant.table == (f"experiments/{paper}/mutants.json" if paper else "tests/mutants/general.json")


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


JUDGED = ("holds", "holds_in_regime", "does_not_hold")


@pytest.mark.parametrize("name", sorted(set(OUTCOMES) - DUE))
def test_every_claim_that_a_replayed_mutant_names_changed_its_verdict(name: str) -> None:
    assert [c for c, v in OUTCOMES[name]["claims"].items() if v["mutated"] == v["recorded"]] == []


@pytest.mark.parametrize("claim", [c for c, verdict in RECORDED.items() if verdict in JUDGED])
def test_a_claim_that_is_judged_has_a_mutant_that_turns_it_or_says_why_none_can(claim: str) -> None:
    flipped = [
        name
        for name in sorted(set(OUTCOMES) - DUE)
        if OUTCOMES[name]["claims"].get(claim, {}).get("mutated") in JUDGED  # not_measured is no verdict
    ]
    due = [m.name for m in MUTANTS if m.name in DUE and claim in m.claims]
    assert bool(flipped + due) != bool(CLAIMS[claim].why_no_mutant), flipped + due


def test_nearly_all_replayed_mutants_turn_a_test_red() -> None:
    green = [name for name, outcome in OUTCOMES.items() if not any(outcome["tests"].values())]
    assert len(green) <= (1 - NOTICED_BY_TESTS) * len(OUTCOMES), green


def test_no_outcome_is_of_a_mutant_that_is_gone() -> None:
    assert sorted(set(OUTCOMES) - {m.name for m in MUTANTS}) == []


ENTRY = {"mistake": "none", "claims": [], "tests": ["a_test"], "file": "x", "find": "one", "replace": "two"}


def mutant_of(folder: Path, **changes: object) -> Mutant:
    """The only mutant of a table that is written into `folder`."""
    path = folder / "table.json"
    path.write_text(json.dumps({"m": {**ENTRY, **changes}}), encoding="utf-8")
    return read_table(path)[0]


@pytest.mark.parametrize(
    "changes,expected",
    [
        ({"mistake": ""}, "/m/mistake: '', expected a text"),
        ({"tests": []}, "/m/tests: [], expected a list of at least one test"),
        ({"claims": "IVM-01"}, "/m/claims: 'IVM-01', expected a list"),
        ({"find": 1}, "/m/find: 1, expected a text or a list of lines"),
        ({"finds": "one"}, "/m: unknown key 'finds'; did you mean \"find\"?"),
        ({"also": [{"find": "one"}]}, "/m/also/0: key replace is missing"),
    ],
)
def test_a_bad_entry_is_refused(tmp_path: Path, changes: dict[str, object], expected: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"table.json: {expected}")):
        mutant_of(tmp_path, **changes)


@pytest.mark.parametrize(
    "text,expected",
    [
        ("{", r"not a readable JSON file \(Expecting"),
        ('{"m": 1, "m": 2}', r"not a readable JSON file \('m' stands twice in an object\)"),
        ("[]", r"got '\[\]', expected an object"),
    ],
)
def test_a_bad_table_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "table.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"table.json: {expected}"):
        read_table(tmp_path / "table.json")


@pytest.mark.parametrize("text,count", [("two\n", 0), ("one\none\n", 2)])
def test_an_edit_that_does_not_apply_is_told(tmp_path: Path, text: str, count: int) -> None:
    (tmp_path / "x").write_text(text, encoding="utf-8")
    with pytest.raises(MutantError, match=f"table.json: /m/find: {count} times in x, expected once: 'one'"):
        mutant_of(tmp_path).mutated(tmp_path)
    with pytest.raises(MutantError, match="table.json: /m/file: no y, expected a source"):
        mutant_of(tmp_path, file="y").mutated(tmp_path)


def test_edits_are_made_in_turn_and_lines_are_joined(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("one\n  three\n", encoding="utf-8")
    (tmp_path / "y").write_text("one\n", encoding="utf-8")
    also = [{"find": ["two", "  three"], "replace": "four"}, {"file": "y", "find": "one", "replace": ["five", "six"]}]
    assert mutant_of(tmp_path, also=also).mutated(tmp_path) == {"x": "four\n", "y": "five\nsix\n"}


def test_context_and_files_do_not_make_a_mutant_due(tmp_path: Path) -> None:
    moved = mutant_of(tmp_path, file="y", find=["before", "  one", "after"], replace=["before", "  two", "after"])
    assert moved.digest() == mutant_of(tmp_path).digest()


@pytest.mark.parametrize("key", [key for key in ENTRY if key != "file"])
def test_another_mistake_makes_a_mutant_due(tmp_path: Path, key: str) -> None:
    other = mutant_of(tmp_path, **{key: ["another"] if key in ("claims", "tests") else "another"})
    assert other.digest() != mutant_of(tmp_path).digest()


def test_the_mutant_of_the_guide_applies(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r'^ *("three_tenths.*?^   })$', guide, re.M | re.S)
    (tmp_path / "table.json").write_text(f"{{{entry}}}", encoding="utf-8")
    assert read_table(tmp_path / "table.json")[0].mutated(ROOT)


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
    bench = Checkout(tmp_path / "work", 1)
    mutant = mutant_of(tmp_path)
    bench.apply(mutant)
    assert (tmp_path / "x").read_text(encoding="utf-8") == "two\n"
    bench.restore(mutant)
    assert (tmp_path / "x").read_text(encoding="utf-8") == "one\n"


def test_the_copy_compiles_what_mutants_change_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(Workbench, "run_command", lambda self, words: commands.append(words))
    Workbench(tmp_path, 1).configure()
    (alone,) = [word for word in commands[0] if word.startswith("-DDEFORMBENCH_COMPILE_ALONE=")]
    listed = alone.partition("=")[2].split(";")
    changed = {name for m in MUTANTS for name in m.files if name.endswith(".cpp")}
    assert set(listed) == changed


def test_a_test_program_ends_at_its_first_failure(tmp_path: Path) -> None:
    program = tmp_path / "tree" / "build" / "release" / "tests" / "test_x"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\nexit 1\n', encoding="utf-8")
    program.chmod(0o755)
    assert not Workbench(tmp_path, 1).passes("test_x:Fall.*")
    assert (tmp_path / "words").read_text(encoding="utf-8") == "--gtest_fail_fast --gtest_filter=Fall.*\n"


@pytest.mark.parametrize(
    "claims,tests,needed",
    [
        ([], ["test_x:Fall.*"], ["test_x"]),
        (["IVM-01"], ["test_x"], ["deformbench", "test_x"]),
        ([], ["tests/test_x.py"], ["deformbench"]),
    ],
)
def test_the_command_is_built_for_claims_and_for_tests_that_run_it(
    tmp_path: Path, claims: list[str], tests: list[str], needed: list[str]
) -> None:
    replay = script("replay")
    mutant = mutant_of(tmp_path, claims=claims, tests=tests)
    assert replay.Replay(Workbench(tmp_path, 1), with_tests=True).needed(mutant) == needed


def test_the_lines_that_a_mutant_changes_are_found_in_its_sources() -> None:
    executed = script("executed")
    for mutant in MUTANTS:
        for edit in mutant.edits:
            lines = (ROOT / edit.file).read_text(encoding="utf-8").split("\n")
            found = executed.lines_of(edit, ROOT)
            assert edit.find in "\n".join(lines[found.start - 1 : found.stop - 1])


def test_a_declaration_without_channels_keeps_the_rest_of_its_tiers() -> None:
    declaration = {"channels": {"step": {}}, "tiers": {"smoke": {"channels": {}, "seeds": [1]}, "paper": {}}}
    assert script("executed").without_channels(declaration) == {
        "channels": {},
        "tiers": {"smoke": {"seeds": [1]}, "paper": {}},
    }


def test_a_declaration_is_shortened_unless_its_schedule_is_swept() -> None:
    shortened = script("executed").shortened
    plain: dict[str, Any] = {
        "schedule": {"steps": 50},
        "tiers": {"smoke": {"schedule": {"duration_s": 2.0}}, "paper": {}},
    }
    assert shortened(plain, 20) == {"schedule": {"steps": 20}, "tiers": {"smoke": {}, "paper": {}}}
    assert shortened({**plain, "schedule": {"steps": 3}}, 20)["schedule"] == {"steps": 3}
    for fixed in ({**plain, "sweep": {"schedule.steps": [1]}}, {**plain, "schedule": {"poses": {}}}):
        assert shortened(fixed, 20) == fixed
