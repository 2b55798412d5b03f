# SPDX-License-Identifier: BSD-3-Clause
"""Whatever the tree refers to exists: claims, errata, experiments, closed forms, works, their equations and sections.

And docs/equations.md is what the citations of the sources say."""

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["methods", "reference_data", "experiments", "analysis", "paper_figures", "tests", "cmake", "docs"]
SUFFIXES = {".hpp", ".cpp", ".py", ".json", ".md", ".txt", ".cmake", ".cff"}
SKIPPED = {"build", "out", "results", "__pycache__"}
PAPERS = {
    "mueller_gross_2004": "MG04",
    "mueller_et_al_2007": "MHHR07",
    "cs6967_assignment_2": "CS6967",
    "pauly_et_al_2005": "PKAGDG05",
    "cs533d_cloth_lecture": "B05",
    "macklin_et_al_2019": "MSL19",
    "macklin_et_al_2016": "",  # not read: its claims name reports
    "macklin_mueller_2021": "",  # likewise
    "projective_dynamics": "",  # likewise, four papers
    "chen_et_al_2024": "",  # likewise
    "li_et_al_2020": "",  # likewise; LFSLZPJK20 cites the method
    "newton_filters": "",  # six papers, none of them read: its claims name reports
}
PREFIXES = {"IVM-", "PBD-", "XYZ-", "PAU-", "LEC-", "ASG-", "MSL-", "XPB-", "CSN-", "NEW-", "VBD-", "PRD-", "IPC-"}
# Experiments and errata that tests make up for traces and reports of their own, and the example of docs/extending.md.
MADE_UP = {
    *("mueller_gross_2004/any", "cross/any", "cross/foreign", "B-XYZ-1", "B-XYZ-2"),
    *("mueller_gross_2004/hanging_block", "mueller_gross_2004/own_weight", "XYZ-01"),
}


def _load_generator() -> Any:
    spec = importlib.util.spec_from_file_location("make_equations", ROOT / "docs" / "make_equations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_equations"] = module
    spec.loader.exec_module(module)
    return module


equations = _load_generator()


def bibliography() -> Any:
    return json.loads((ROOT / "reference_data/bibliography.json").read_text(encoding="utf-8"))["works"]


def entries(paper: str, kind: str) -> Any:
    """Claims or errata of a paper."""
    return json.loads((ROOT / "experiments" / paper / f"{kind}.json").read_text(encoding="utf-8"))[kind]


@cache
def texts() -> dict[str, str]:
    """Every file that is written by hand, but this one, which holds examples of what must not be."""
    found = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*")] + list(ROOT.glob("*"))
    kept = [p for p in found if p.is_file() and p.suffix in SUFFIXES and p != Path(__file__).resolve()]
    inside = [p for p in kept if not SKIPPED & set(p.relative_to(ROOT).parts)]
    return {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8") for p in sorted(inside)}


@cache
def claims() -> set[str]:
    return {c["id"] for p in PAPERS for c in entries(p, "claims")}


@cache
def errata() -> set[str]:
    return {e["id"] for p in PAPERS for e in entries(p, "errata")}


@cache
def experiments() -> set[str]:
    files = (ROOT / "experiments").glob("*/declarations/*.json")
    return {json.loads(p.read_text(encoding="utf-8"))["id"] for p in files}


@cache
def modules() -> set[str]:
    """Sources that are sorted by paper: scenes, measurements, figures, tests."""
    kept = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in {".cpp", ".hpp", ".py"}]
    folders = {p: {p.parent.name, p.parent.parent.name} & {*PAPERS, "cross"} for p in kept}
    return {f"{paper}/{p.stem}" for p in kept for paper in folders[p]}


@cache
def closed_forms() -> set[str]:
    found = (ROOT / "reference_data" / "closed_forms").glob("*.cpp")
    return {name for p in found for name in re.findall(r'\.id = "(\w+)"', p.read_text(encoding="utf-8"))}


def unknown_claims_and_errata(text: str) -> Iterator[str]:
    """Also in lists such as `PBD-03, 31` and `B-PBD-6, 7`, whose later numbers have no prefix."""
    for match in re.finditer(r"\b((?:B-)?[A-Z]{3}-)(\d+[a-z]?)((?:, \d+[a-z]?(?![\w.×%]| [a-z%]))*)", text):
        if match[1].removeprefix("B-") not in PREFIXES:
            continue
        for number in [match[2], *match[3].split(", ")[1:]]:
            name = match[1] + number
            if name not in claims() | errata() | MADE_UP:
                yield name


def unknown_experiments(text: str) -> Iterator[str]:
    for name in re.findall(rf"\b((?:{'|'.join(PAPERS)}|cross)/[a-z0-9_]+)(?![\w./*…])", text):
        if name not in experiments() | modules() | MADE_UP:
            yield name


def unknown_works(text: str) -> Iterator[str]:
    for key in re.findall(r"\[([A-Z][A-Za-z]*(?:\d\d){1,2})\](?!\()", text):
        if key not in equations.works():
            yield f"[{key}]"


def unknown_closed_forms(text: str) -> Iterator[str]:
    for match in re.finditer(r"[Cc]losed forms?[\s/#]+((?:`\w+`(?:,? and |, )?)+)", text):
        yield from (name for name in re.findall(r"`(\w+)`", match[1]) if name not in closed_forms())


def pointers_outside(text: str) -> Iterator[str]:
    """Numbers of working notes: sections C.5, experiments X07, and talk of documents that are not here."""
    for pattern in (
        r"\breferences? [A-Z]\.\d+",
        r"(?<![\w.\[])[CD]\.\d+\b(?! [a-z]+\()",
        r"(?<![\w.])X\d\d(?![\w(])",
        r"\bthe sheets? (?:say|print|give)s?\b",
        r'"spec": \["',
    ):
        yield from re.findall(pattern, text)


CHECKS: list[Callable[[str], Iterator[str]]] = [
    unknown_claims_and_errata,
    unknown_experiments,
    unknown_works,
    unknown_closed_forms,
    pointers_outside,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_dangles(check: Callable[[str], Iterator[str]]) -> None:
    assert len(texts()) > 900
    wrong = [f"{path}: {name}" for path, text in texts().items() for name in check(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "check, text",
    [
        (unknown_claims_and_errata, "IVM-99"),
        (unknown_claims_and_errata, "PBD-03, 99"),
        (unknown_claims_and_errata, "(B-PBD-6, 77)"),
        (unknown_claims_and_errata, "PAU-98"),
        (unknown_experiments, "cross/no_such_experiment says"),
        (unknown_works, "as in [XY99] §3"),
        (unknown_closed_forms, "closed form `no_such_form`"),
        (unknown_closed_forms, "closed forms `axial_bar` and `no_such_form`"),
        (pointers_outside, "the bound of references C.5"),
        (pointers_outside, "(C.14)"),
        (pointers_outside, "falls by a third (X07)."),
        (pointers_outside, "the sheet says 155 Pa"),
        (pointers_outside, '  "spec": ["X07"],'),
    ],
)
def test_what_dangles_is_found(check: Callable[[str], Iterator[str]], text: str) -> None:
    assert list(check(text))


@pytest.mark.parametrize(
    "text",
    [
        "IVM-01, B-IVM-8b, PBD-03, 31 and B-PBD-6, 7",
        "cross/ms_per_step, experiments/cross/declarations/torsion.json, mueller_gross_2004/cg_truncation_*",
        "[MG04] eq. 16, [MHHR07] §3.1",
        "closed forms `axial_bar` and `hanging_bar`",
        "0x1F, 3.14, EX07(…)",
    ],
)
def test_what_resolves_is_left_alone(text: str) -> None:
    assert [name for check in CHECKS for name in check(text)] == []


def test_every_work_has_one_key_and_is_cited() -> None:
    keys = [w["key"] for w in bibliography()]
    titles = [w["title"] for w in bibliography()]
    assert len(set(keys)) == len(keys) and len(set(titles)) == len(titles)
    sources = [text for path, text in texts().items() if path.endswith((".hpp", ".cpp", ".py"))]
    assert [key for key in keys if not any(f"[{key}]" in text for text in sources)] == []


@pytest.mark.parametrize("paper, key", [(paper, key) for paper, key in PAPERS.items() if key])
def test_every_claim_and_erratum_is_at_a_place_that_the_paper_has(paper: str, key: str) -> None:
    listed = {p["key"]: equations.known_places(p) for p in equations.load("docs/equations.json")["papers"]}
    known = listed[key]
    stated = entries(paper, "claims") + entries(paper, "errata")
    wrong, count = [], 0
    for entry in stated:
        places = [p for start in range(len(entry["where"])) for p in equations.places_at(entry["where"], start)[0]]
        count += len(places)
        wrong += [f"{entry['id']}: {place}" for place in places if place not in known]
    assert not wrong, "\n".join(wrong)
    assert count >= len(stated) // 2


# ---- docs/equations.md


@cache
def tags() -> list[Any]:
    return [tag for source in equations.sources() for tag in source.tags()]


def deviations() -> list[Any]:
    return [
        d
        for source in equations.sources()
        if source.path.startswith(("methods/", "analysis/", "experiments/"))
        for d in source.deviations()
    ]


def test_every_equation_has_code_and_a_test_or_a_reason() -> None:
    assert equations.findings(tags()) == []


def test_the_page_of_equations_is_up_to_date() -> None:
    stored = (ROOT / "docs" / "equations.md").read_text(encoding="utf-8")
    assert stored == equations.page(tags(), deviations()), "run docs/make_equations.py"


def test_an_equation_without_a_test_or_of_no_paper_is_found() -> None:
    without = [t for t in tags() if not (t.key == "MG04" and t.place == "eq. 16" and t.path.startswith("tests/"))]
    assert equations.findings(without) == ["[MG04] eq. 16: no test cites it"]
    without = [t for t in tags() if not (t.key == "MHHR07" and t.place == "eq. 11" and t.path.startswith("methods/"))]
    assert equations.findings(without) == ["[MHHR07] eq. 11: no source in methods cites it"]
    more = [*tags(), equations.Tag("MSL19", "eq. 8", "methods/a.cpp", 3, "")]
    assert equations.findings(more) == ["[MSL19] eq. 8: is said to be left out, and is cited in methods"]
    more = [*tags(), equations.Tag("MG04", "eq. 17", "a.cpp", 3, ""), equations.Tag("MG04", "§3.2", "a.cpp", 4, "")]
    assert equations.findings(more) == ["a.cpp:3: [MG04] has no eq. 17", "a.cpp:4: [MG04] has no §3.2"]


def test_tags_are_read_with_their_places_over_the_end_of_a_line_and_with_what_they_stand_at() -> None:
    text = (
        "#include <x>\n/// Forces. [MG04] eq. 6–8,\n/// §2.3 and Fig. 2: as printed\ntemplate <class T>\nT forces(int e);\n"
        "struct A {\n  double h;  ///< [MHHR07] eqs. 11, 12, App. A, m\n};\n"
    )
    found = [(t.key, t.place, t.line, t.name) for t in equations.Source("methods/a.hpp", text).tags()]
    assert found == [("MG04", p, 2, "forces") for p in ("eq. 6", "eq. 7", "eq. 8", "§2.3", "Fig. 2")] + [
        ("MHHR07", p, 7, "h") for p in ("eq. 11", "eq. 12", "App. A")
    ]
    python = equations.Source("analysis/a.py", '"""Whole [MG04]."""\n\n\ndef f():\n    """By [MG04] §3."""\n')
    assert [(t.place, t.name) for t in python.tags()] == [("", ""), ("§3", "f")]
    body = equations.Source(
        "methods/a.cpp", "int A::f(int x) {\n  for (int k = 0; k < x; ++k) {  // [MG04] eq. 1\n  }\n}\n"
    )
    assert [t.name for t in body.tags()] == ["A::f"]


def test_a_deviation_is_one_sentence_with_its_place() -> None:
    text = "/// Contacts. DEVIATION [MHHR07] §3.4: the slower one\n/// decides (eq. 11). More.\n/// DEVIATION [OH99]: whole.\nint f();\n"
    found = [(d.key, d.place, d.text, d.name) for d in equations.Source("methods/a.hpp", text).deviations()]
    assert found == [("MHHR07", "§3.4", "the slower one decides (eq. 11)", "f"), ("OH99", "", "whole", "f")]
    for wrong in ("// DEVIATION: no key.\n", "// DEVIATION [MG04] as there: more.\n", "// DEVIATION [MG04] §3\n"):
        with pytest.raises(ValueError, match="DEVIATION|no place"):
            list(equations.Source("methods/a.hpp", wrong).deviations())
