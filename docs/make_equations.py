#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/equations.md: where each equation of the papers is in the code, which tests check it,
and every deviation.

Sources cite with a tag, the key of a work in brackets (reference_data/bibliography.json) and a place behind it: an
equation, a section, an appendix, a figure or a table. docs/equations.json says what the equations and sections of the
papers are about. `make_equations.py --check` compares the stored page with the sources."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "equations.md"
FOLDERS = ["methods", "reference_data", "experiments", "analysis", "paper_figures", "tests"]
SKIPPED = {"build", "out", "results", "__pycache__", "house"}  # house: tests of the tree itself

_NUMBERS = r"\d+(?:\.\d+)*(?:[–-]\d+(?:\.\d+)*)?"
_LIST = rf"{_NUMBERS}(?:(?:, | and | to ){_NUMBERS}(?![\w.]*\w*[/%×]))*"
_PLACE = re.compile(
    rf"(?:,| and|;|:)?\s*(?:(?P<eq>[Ee]qs?\.?\s+{_LIST})|§\s*(?P<section>{_NUMBERS})|[Ss]ections?\s+(?P<sections>{_LIST})"
    rf"|(?P<app>App(?:endix|\.)\s+[A-Z])|Fig(?:ures?|s?\.|s)\s*(?P<figure>{_LIST})|Table\s+(?P<table>\d+))"
)
_KEY = re.compile(r"\[(?P<key>[A-Z][A-Za-z]*(?:\d\d){1,2})\]")
_DEVIATION = re.compile(
    r"DEVIATION \[(?P<key>[A-Za-z]+(?:\d\d){1,2})\](?P<places>[^:]{0,40}): (?P<text>.+?)(?<!eq)(?<!Fig)(?<!App)(?:\.(?=\s|$)|$)"
)
_CONTINUED = re.compile(r"\n[ \t]*(?:///?<?|#)?[ \t]*")
_WORDS_OF_THE_LANGUAGE = {*"if for while switch return sizeof static_cast assert decltype operator".split()}


@dataclass(frozen=True)
class Tag:
    """One citation: `place` is "eq. 7", "§2.3", "App. A", "Fig. 3", "Table 1", or empty for the work as a whole."""

    key: str
    place: str
    path: str
    line: int
    name: str


@dataclass(frozen=True)
class Deviation:
    key: str
    place: str
    text: str
    path: str
    name: str


def expanded(numbers: str) -> list[str]:
    """ "7–9, 11" → 7, 8, 9, 11; a range of sections such as 2.3–2.4 runs over the last part."""
    found = []
    for part in re.split(r", | and ", numbers.replace(" to ", "–")):
        low, _, high = part.partition("–") if "–" in part else part.partition("-")
        if not high:
            found.append(low)
            continue
        head, _, first = low.rpartition(".")
        last = high.rpartition(".")[2]
        found += [f"{head}.{k}" if head else str(k) for k in range(int(first), int(last) + 1)]
    return found


def places_at(text: str, start: int) -> tuple[list[str], int]:
    """The places named from `start` on, one after the other, and where they end."""
    places: list[str] = []
    while match := _PLACE.match(text, start):
        if match["eq"]:
            places += [f"eq. {n}" for n in expanded(match["eq"].split(maxsplit=1)[1])]
        elif match["section"] or match["sections"]:
            places += [f"§{n}" for n in expanded(match["section"] or match["sections"])]
        elif match["app"]:
            places.append(f"App. {match['app'][-1]}")
        elif match["figure"]:
            places += [f"Fig. {n}" for n in expanded(match["figure"])]
        else:
            places.append(f"Table {match['table']}")
        start = match.end()
    return places, start


@dataclass(frozen=True)
class Source:
    path: str
    text: str

    @cached_property
    def joined(self) -> str:
        """Comments on one line, every character still where it was: a citation may run over the end of a line."""
        return _CONTINUED.sub(lambda match: " " * len(match[0]), self.text)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def line_of(self, position: int) -> int:
        return self.text.count("\n", 0, position)

    def tags(self) -> Iterator[Tag]:
        for match in _KEY.finditer(self.joined):
            places, _ = places_at(self.joined, match.end())
            line = self.line_of(match.start())
            for place in places or [""]:
                yield Tag(match["key"], place, self.path, line + 1, self.name_at(line))

    def deviations(self) -> Iterator[Deviation]:
        for match in re.finditer("DEVIATION", self.text):
            first = self.line_of(match.start())
            last = first
            while last + 1 < len(self.lines) and re.match(r"\s*(?://|#(?! DEVIATION))", self.lines[last + 1]):
                last += 1
            words = [re.sub(r"^\s*(?://+<?|#)\s*", "", line) for line in self.lines[first : last + 1]]
            words[0] = words[0][words[0].index("DEVIATION") :]
            found = _DEVIATION.match(" ".join(words).replace(" DEVIATION", "\n").split("\n")[0])
            if not found:
                raise ValueError(f"{self.path}:{first + 1}: expected DEVIATION [key] place: one sentence")
            places, end = places_at(found["places"], 0)
            if found["places"][end:].strip():
                raise ValueError(f"{self.path}:{first + 1}: {found['places'].strip()!r} is no place of a paper")
            text = re.sub(r"\s+", " ", found["text"])
            yield Deviation(found["key"], ", ".join(places), text, self.path, self.name_at(first))

    # ---- what a comment is about

    def name_at(self, line: int) -> str:
        return self._python_name(line) if self.path.endswith(".py") else self._cpp_name(line)

    def _python_name(self, line: int) -> str:
        own = re.match(r"\s*(?:async )?(?:def|class) (\w+)|(\w+)(?::.*)? = ", self.lines[line])
        if own:
            return own[1] or own[2]
        inside = len(self.lines[line]) - len(self.lines[line].lstrip()) > 0
        for k in range(line, -1, -1):
            above = re.match(r"(?:def|class) (\w+)", self.lines[k])
            if above:
                return above[1] if inside or k == line else ""
        return ""

    def _cpp_name(self, line: int) -> str:
        code = self.lines[line].split("//")[0].rstrip()
        is_body = self.path.endswith(".cpp") and self.lines[line].startswith(" ")
        if is_body and (not code.endswith("{") or re.match(r"\s*(?:for|if|while|switch|else)\b", code)):
            for k in range(line, -1, -1):
                if re.match(r"[A-Za-z]", self.lines[k]) and (name := _declared(self.lines[k])):
                    return name
            return ""
        k = line
        while not code.strip() or code.lstrip().startswith(("template", "#")):
            if code.startswith("#"):
                return ""  # the comment at the head of the file
            k += 1
            if k == len(self.lines):
                return ""
            code = self.lines[k].split("//")[0].rstrip()
        return _declared(code)


def _declared(code: str) -> str:
    for pattern in (
        r"\s*(?:TYPED_)?TEST(?:_[FP])?\(\w+, (\w+)",
        r"\s*(?:enum class|class|struct)\s+(?:[A-Z_]{3,} )?(\w+)",
        r".*?([A-Za-z_~][\w:~]*)\(",
        r".*?(\w+)(?:\{[^}]*\})?\s*(?:=[^=]|[,;{]|$)",
    ):
        match = re.match(pattern, code)
        if (
            match
            and match[1] not in _WORDS_OF_THE_LANGUAGE
            and not match[1].startswith(("EXPECT", "ASSERT", "namespace"))
        ):
            return match[1]
    return ""


def sources(root: Path = ROOT) -> list[Source]:
    found = sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in {".hpp", ".cpp", ".py"})
    kept = [p.relative_to(root) for p in found if not SKIPPED & set(p.relative_to(root).parts)]
    return [Source(str(p), (root / p).read_text(encoding="utf-8")) for p in kept]


def load(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def works() -> dict[str, str]:
    """Key → full reference."""
    entries = load("reference_data/bibliography.json")["works"]
    return {w["key"]: f"{w['authors']}: *{w['title']}*, {w['in']}, {w['year']}" for w in entries}


def known_places(paper: dict[str, Any]) -> set[str]:
    """Everything that can be cited of a paper."""
    return (
        {p["at"] for p in paper["places"]}
        | {f"eq. {k + 1}" for k in range(paper["equations"])}
        | {f"§{s}" for s in paper["sections_without_a_rule"]}
        | {f"Fig. {k + 1}" for k in range(paper["figures"])}
        | {f"Table {k + 1}" for k in range(paper["tables"])}
    )


def findings(tags: list[Tag]) -> list[str]:
    """What is wrong: keys and places that do not exist, rules without code or without a test,
    reasons that are out of date."""
    wrong = [f"{t.path}:{t.line}: [{t.key}] is not in the bibliography" for t in tags if t.key not in works()]
    for paper in load("docs/equations.json")["papers"]:
        key, own = paper["key"], [t for t in tags if t.key == paper["key"]]
        known = known_places(paper) | {""}
        wrong += [f"{t.path}:{t.line}: [{key}] has no {t.place}" for t in own if t.place not in known]
        described = {p["at"] for p in paper["places"]}
        wrong += [
            f"[{key}] eq. {k + 1} is not described"
            for k in range(paper["equations"])
            if f"eq. {k + 1}" not in described
        ]
        for place in paper["places"]:
            where = {t.path.split("/")[0] for t in own if t.place == place["at"]}
            if "left_out" in place:  # a rule that is not built: no code, so no test either
                if "methods" in where:
                    wrong.append(f"[{key}] {place['at']}: is said to be left out, and is cited in methods")
                continue
            if "not_implemented" in place and "methods" in where:
                wrong.append(f"[{key}] {place['at']}: is said not to be implemented, and is cited in methods")
            if "not_implemented" not in place and "methods" not in where:
                wrong.append(f"[{key}] {place['at']}: no source in methods cites it")
            if "tests" not in where:
                wrong.append(f"[{key}] {place['at']}: no test cites it")
    return wrong


def _places(tags: list[Tag]) -> str:
    names: dict[str, list[str]] = {}
    for tag in tags:
        found = names.setdefault(tag.path, [])
        if tag.name and tag.name not in found:
            found.append(tag.name)
    cells = []
    for path, declared in sorted(names.items()):
        link = f"[{'/'.join(path.split('/')[1:])}](../{path})"
        cells.append(link + (": " + ", ".join(f"`{name}`" for name in declared) if declared else ""))
    return "<br>".join(cells)


def page(tags: list[Tag], deviations: list[Deviation]) -> str:
    lines = [
        "# Equations, code, tests",
        "",
        "Written by `docs/make_equations.py` from the citations in the sources; a test asserts that it is up to date. Paths are",
        "relative to `methods/` in the column of code, to `tests/` in that of tests; *elsewhere* are closed forms, scenes,",
        "measurements and figures.",
        "",
    ]
    papers = load("docs/equations.json")["papers"]
    for paper in papers:
        key = paper["key"]
        lines += [
            f"## [{key}]",
            "",
            f"{works()[key]}.",
            "",
            "| place | what | code | tests | elsewhere |",
            "|---|---|---|---|---|",
        ]
        for place in paper["places"]:
            own = [t for t in tags if t.key == key and t.place == place["at"]]
            code = [t for t in own if t.path.startswith("methods/")]
            tests = [t for t in own if t.path.startswith("tests/")]
            rest = [t for t in own if t not in code and t not in tests]
            what = place["what"].replace("|", "\\|")
            in_code = _places(code)
            if "left_out" in place:
                in_code = f"*left out: {place['left_out']}*"
            elif not in_code:
                in_code = f"*not implemented: {place['not_implemented']}*"
            lines.append(f"| {place['at']} | {what} | {in_code} | {_places(tests)} | {_places(rest)} |")
        lines.append("")
    lines += ["## Other works", "", "| work | code | tests |", "|---|---|---|"]
    for key, reference in works().items():
        own = [t for t in tags if t.key == key]
        if key in {p["key"] for p in papers} or not own:
            continue
        code = [t for t in own if not t.path.startswith("tests/")]
        tests = [t for t in own if t.path.startswith("tests/")]
        lines.append(f"| [{key}] {reference} | {_places(code)} | {_places(tests)} |")
    lines += [
        "",
        "## Deviations",
        "",
        "Where the code departs from a paper on purpose. Errors of the papers are in `experiments/<paper>/errata.json`.",
        "",
    ]
    lines += ["| paper | place | here | code |", "|---|---|---|---|"]
    for d in sorted(deviations, key=lambda d: (d.key, d.place, d.path)):
        code = _places([Tag(d.key, d.place, d.path, 0, d.name)])
        lines.append(f"| [{d.key}] | {d.place} | {d.text.replace('|', chr(92) + '|')} | {code} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes docs/equations.md from the citations in the sources.")
    parser.add_argument("--check", action="store_true", help="compare with the stored page, write nothing")
    arguments = parser.parse_args()
    read = sources()
    tags = [tag for source in read for tag in source.tags()]
    text = page(
        tags, [d for s in read if s.path.startswith(("methods/", "analysis/", "experiments/")) for d in s.deviations()]
    )
    wrong = findings(tags)
    if arguments.check:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            wrong.append("docs/equations.md is out of date: run docs/make_equations.py")
    else:
        PAGE.write_text(text, encoding="utf-8")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
