# SPDX-License-Identifier: BSD-3-Clause
"""Mutants: realistic mistakes as edits of our own sources, each with the claims and the tests that must notice it.

`experiments/<paper>/mutants.json` has those of a paper's claims by name,
`general.json` those that only tests can notice. An entry:

- `mistake`: one sentence; `claims`: ids of the claims that must change their verdicts.
- `tests`: test programs of the build, with a filter after a colon where one is enough (`test_fem:WarpedStiffness.*`),
  and files of pytest.
- `file`, `find`, `replace`: the edit. The file has the text `find` exactly once. Several lines are a list; an empty
  first line is the line break in front, for the removal of a whole line.
- `also`: further edits, made in turn; `file` may be left out where it is the same."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deformbench_analysis import schemas
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.json_format import layout
from deformbench_analysis.records import read_record

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUTCOMES = HERE / "outcomes.json"
DUE = OUTCOMES.with_name("due.txt")

_TEXT = {"type": "string", "minLength": 1, "expected": "a text"}
_NAMES = {"type": "array", "items": _TEXT}
_LINES = {"type": ["string", "array"], "items": {"type": "string"}, "expected": "a text or a list of lines"}
_EDIT: dict[str, Any] = {"file": _TEXT, "find": _LINES, "replace": _LINES}
_MORE = {"type": "object", "required": ["find", "replace"], "properties": _EDIT, "additionalProperties": False}
_KEYS: dict[str, Any] = {
    "mistake": _TEXT,
    "claims": _NAMES,
    "tests": {**_NAMES, "minItems": 1, "expected": "a list of at least one test"},
    **_EDIT,
    "also": {"type": "array", "items": _MORE},
}
_MUTANT = {"type": "object", "required": [*_KEYS][:-1], "properties": _KEYS, "additionalProperties": False}
_TABLE = {"type": "object", "additionalProperties": _MUTANT}


class MutantError(InputError):
    """A mutant that cannot be used; the message names table, mutant and key, and what was expected."""


@dataclass(frozen=True)
class Edit:
    """One change of a source: `find`, which the file has exactly once, becomes `replace`."""

    file: str  # relative to the root
    find: str
    replace: str

    def changed_lines(self) -> list[str]:
        """Lines that differ, without white space; lines that both texts share at beginning and end are context."""
        old, new = (["".join(line.split()) for line in text.split("\n")] for text in (self.find, self.replace))
        for _ in range(2):  # the beginning, then the end
            shared = len(os.path.commonprefix([old, new]))
            old, new = old[shared:][::-1], new[shared:][::-1]
        return [f"-{line}" for line in old] + [f"+{line}" for line in new]


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, what it breaks, and who must notice."""

    name: str
    table: str  # its path, relative to the root
    mistake: str
    claims: tuple[str, ...]
    tests: tuple[str, ...]
    edits: tuple[Edit, ...]

    @property
    def files(self) -> list[str]:
        """The sources that it changes, relative to the root."""
        return list(dict.fromkeys(edit.file for edit in self.edits))

    @property
    def programs(self) -> list[str]:
        """Targets of the test programs among its tests."""
        return sorted({t.split(":")[0] for t in self.tests if not is_pytest(t)})

    @property
    def changes_programs(self) -> bool:
        """Whether anything has to be compiled."""
        return any(f.endswith((".cpp", ".hpp", "CMakeLists.txt")) for f in self.files)

    def digest(self) -> str:
        """Digest of all but files and context, which may change without a new replay."""
        changed = [line for edit in self.edits for line in edit.changed_lines()]
        return hashlib.sha256(json.dumps([self.mistake, self.claims, self.tests, changed]).encode()).hexdigest()[:16]

    def mutated(self, tree: Path) -> dict[str, str]:
        """Changed file → its text with the mistake; MutantError if an edit does not fit the sources below `tree`."""
        texts: dict[str, str] = {}
        where = f"{self.table}: /{self.name}"
        for edit in self.edits:
            path = tree / edit.file
            if not path.is_file():
                raise MutantError(f"{where}/file: no {edit.file}, expected a source of the tree")
            text = texts.get(edit.file) or path.read_bytes().decode()
            if (count := text.count(edit.find)) != 1:
                raise MutantError(f"{where}/find: {count} times in {edit.file}, expected once: {edit.find!r}")
            texts[edit.file] = text.replace(edit.find, edit.replace)
        return texts


def is_pytest(test: str) -> bool:
    """Whether a test is a file of pytest, as against a program of the build."""
    return test.split(":")[0].endswith(".py")


def _edits(entry: dict[str, Any]) -> tuple[Edit, ...]:
    rows = [{"file": entry["file"], **row} for row in (entry, *entry.get("also", []))]
    text = {key: [r[key] if isinstance(r[key], str) else "\n".join(r[key]) for r in rows] for key in _EDIT}
    return tuple(map(Edit, text["file"], text["find"], text["replace"]))


def read_table(path: Path) -> list[Mutant]:
    """The mutants of one table."""
    table, where = read_object(path), str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    schemas.check(table, _TABLE, f"{where}: ")
    return [
        Mutant(name, where, e["mistake"], tuple(e["claims"]), tuple(e["tests"]), _edits(e)) for name, e in table.items()
    ]


def all_mutants() -> list[Mutant]:
    """The mutants of every table, by name."""
    tables = [HERE / "general.json", *(ROOT / "experiments").glob("*/mutants.json")]
    found = [mutant for path in tables for mutant in read_table(path)]
    return sorted(found, key=lambda mutant: mutant.name)


def read_outcomes(path: Path = OUTCOMES) -> dict[str, Any]:
    """Mutant → what became of it, as the last replay stored it."""
    return dict(json.loads(path.read_text(encoding="utf-8"))["mutants"]) if path.exists() else {}


def read_due(path: Path = DUE) -> set[str]:
    """Mutants whose stored outcome is of an earlier mistake, claim or record."""
    return set(path.read_text(encoding="utf-8").split())


def must_be_due(mutant: Mutant, stored: dict[str, Any], recorded: dict[str, str], pending: set[str]) -> bool:
    """Whether the stored outcome is known not to be that of the mistake, its claims and the record as they stand.
    `pending`: claims that were amended and not recorded since."""
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
        for path in sorted((ROOT / "experiments").glob("*/verdicts.json"))
        for claim, entry in read_record(path).items()
    }
