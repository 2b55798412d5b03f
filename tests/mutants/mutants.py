# SPDX-License-Identifier: BSD-3-Clause
"""Mutants: realistic mistakes as patches to our own sources, each with the claims and the tests that must notice it.

A file of `patches/` is a unified diff below a header of three lines:

    Mistake: every rotation is the identity
    Claims: IVM-01 IVM-17
    Tests: test_fem_elements tests/analysis/measurements/mueller_gross_2004/test_element_forces.py

`Claims` may be empty (a mistake that only tests can notice); `Tests` names test programs of the build, with a filter after a
colon where one is enough (`test_fem:WarpedStiffness.*`), and files of pytest.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deformbench_analysis.json_format import layout
from deformbench_analysis.records import read_record

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PATCHES = HERE / "patches"
OUTCOMES = HERE / "outcomes.json"
DUE = OUTCOMES.with_name("due.txt")


class MutantError(Exception):
    """A patch whose header or diff cannot be used; the message names the file and what was expected."""


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, what it breaks, and who must notice."""

    name: str
    path: Path
    mistake: str
    claims: tuple[str, ...]
    tests: tuple[str, ...]
    files: tuple[str, ...]  # the sources that it changes, relative to the root

    @property
    def programs(self) -> list[str]:
        """Targets of the test programs among its tests."""
        return sorted({t.split(":")[0] for t in self.tests if not is_pytest(t)})

    @property
    def changes_programs(self) -> bool:
        """Whether anything has to be compiled."""
        return any(f.endswith((".cpp", ".hpp", "CMakeLists.txt")) for f in self.files)

    def digest(self) -> str:
        """Of header and changed lines; context, line numbers, white space and files may move without a new replay."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        diff = next(i for i, line in enumerate(lines) if line.startswith("--- "))
        changed = [line for line in lines[diff:] if line[:1] in ("+", "-") and line[:4] not in ("--- ", "+++ ")]
        changed = lines[:diff] + changed
        return hashlib.sha256("".join("".join(changed).split()).encode()).hexdigest()[:16]


def is_pytest(test: str) -> bool:
    """Whether a test is a file of pytest, as against a program of the build."""
    return test.split(":")[0].endswith(".py")


def read_mutant(path: Path) -> Mutant:
    """Header and changed files of one patch."""
    header: dict[str, str] = {}
    files: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("+++ "):
            files.append(line[4:].split("\t")[0].removeprefix("b/"))
        elif not files and ": " in f"{line} " and line.split(":")[0] in ("Mistake", "Claims", "Tests"):
            key, _, value = line.partition(":")
            header[key] = value.strip()
    for key in ("Mistake", "Claims", "Tests"):
        if key not in header:
            raise MutantError(f"{path.name}: no line '{key}: …' before the diff")
    if not header["Mistake"] or not header["Tests"]:
        raise MutantError(f"{path.name}: Mistake and Tests must not be empty")
    if not files:
        raise MutantError(f"{path.name}: no '+++ b/…' line, expected a unified diff")
    return Mutant(
        path.stem,
        path,
        header["Mistake"],
        tuple(header["Claims"].split()),
        tuple(header["Tests"].split()),
        tuple(files),
    )


def all_mutants() -> list[Mutant]:
    """Every patch, by name."""
    return [read_mutant(path) for path in sorted(PATCHES.glob("*.patch"))]


def git_apply(tree: Path, patch: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`git apply` as a plain patch program: no repository above `tree` is looked for, and no fuzz is allowed."""
    return subprocess.run(
        ["git", "apply", *options, str(patch)],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)},
    )


def read_outcomes(path: Path = OUTCOMES) -> dict[str, Any]:
    """Mutant → what became of it, as the last replay stored it."""
    return dict(json.loads(path.read_text(encoding="utf-8"))["mutants"]) if path.exists() else {}


def read_due(path: Path = DUE) -> set[str]:
    """Mutants whose stored outcome is of an earlier patch, claim or record."""
    return set(path.read_text(encoding="utf-8").split())


def must_be_due(mutant: Mutant, stored: dict[str, Any], recorded: dict[str, str], pending: set[str]) -> bool:
    """Whether the stored outcome is known not to be that of the patch, its claims and the record as they stand. `pending`:
    claims that were amended and not recorded since."""
    outcome = stored.get(mutant.name, {"digest": "", "claims": {}})
    return (
        outcome["digest"] != mutant.digest()
        or sorted(outcome["claims"]) != sorted(mutant.claims)
        or any(v["recorded"] != recorded.get(c) for c, v in outcome["claims"].items())
        or bool(pending & set(mutant.claims))
    )


def write_outcomes(outcomes: dict[str, Any], path: Path = OUTCOMES) -> None:
    """Aside first, then renamed, so that a killed replay leaves the table whole."""
    text = layout({"mutants": dict(sorted(outcomes.items()))})
    aside = path.with_suffix(".json.new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def recorded_verdicts() -> dict[str, str]:
    """Claim → the verdict on record."""
    return {
        claim: str(entry["verdict"])
        for path in sorted((ROOT / "paper_figures" / "verdicts").glob("*.json"))
        for claim, entry in read_record(path).items()
    }
