# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in what claims say beside their predicates: each is a bound, a declared parameter, or the paper's; none is
a result.

A result in a note is right until the next run, and nothing notices; results are in the measurements under `best`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deformbench_analysis.claims import load_claims
from deformbench_analysis.paths import claims_dir

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ["pauly_et_al_2005"]
# Numbers that no declaration has, with what they are.
EXCEPTIONS: dict[str, dict[float, str]] = {
    "PAU-08": {0.22: "a result of another program, said to be one", 0.004: "the same"},
    "PAU-22": {33.5: "4/3 π 2³", 174: "4/3 π (2√3)³"},
    "PAU-31": {250: "5 · 5 · 10 nodes, from length and nodes across"},
    "PAU-37": {7: "bounds of sizes of fragments in the measurements", 13: "the same", 20: "the same"},
}
PLACES = re.compile(
    r"\b(?:[A-Z]+-)+\d+|\[\w+\]|(?:[Ss]ections?|§|Figs?\.|Figure|eqs?\.|Table) ?\d+(?:\.\d+)*(?: and \d+)?"
    r"|\(\w+ et al\. \d{4}\)|`[^`]*`|[A-Za-zΩωρ]\w*\d|[²³⁴⁵⁶⁷⁸⁹]"
)
NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(e-?\d+)?( ?(?:%|per cent))?")


def numbers(text: str) -> Iterator[tuple[str, list[float]]]:
    """As written, and the values that it may stand for."""
    for found in NUMBER.finditer(PLACES.sub(" ", text)):
        value = float(found[1].replace(",", "") + (found[2] or ""))
        yield found[0], [value, value / 100] if found[3] else [value]


def leaves(value: Any) -> Iterator[float]:
    """All numbers of a document, those in its strings too."""
    if isinstance(value, dict):
        for own in value.values():
            yield from leaves(own)
    elif isinstance(value, list):
        for own in value:
            yield from leaves(own)
    elif isinstance(value, str):
        for _, values in numbers(value):
            yield from values
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield abs(float(value))


def claims(paper: str) -> list[dict[str, Any]]:
    return [claim.data for claim in load_claims(claims_dir() / f"{paper}.json")]


def known(claim: dict[str, Any]) -> set[float]:
    """Bounds, the statement's numbers, and the parameters of its experiments; their powers of ten in other units."""
    found = set(leaves([claim.get(k) for k in ("statement", "predicate", "holds_in_regime")]))
    for experiment in claim["experiments"]:
        found |= set(leaves(json.loads((ROOT / "experiments" / f"{experiment}.json").read_text(encoding="utf-8"))))
    return found


def texts(claim: dict[str, Any]) -> dict[str, str]:
    found = {k: claim[k] for k in ("note", "missing") if k in claim}
    if "regime" in claim.get("holds_in_regime", {}):
        found["regime"] = claim["holds_in_regime"]["regime"]
    return found


def unknown(claim: dict[str, Any]) -> list[str]:
    """Numbers that are neither known nor excepted, with where they are."""
    without_regime = {**claim, "holds_in_regime": {"all": claim.get("holds_in_regime", {}).get("all")}}
    allowed = known(without_regime) | set(EXCEPTIONS.get(claim["id"], {}))
    return [
        f"{place}: {written}"
        for place, text in texts(claim).items()
        for written, values in numbers(text)
        if not any(abs(v - a) <= 1e-9 * max(v, 1) for v in values for a in allowed)
    ]


@pytest.mark.parametrize("claim", [c for p in PAPERS for c in claims(p)], ids=lambda c: c["id"])
def test_no_number_is_a_result(claim: dict[str, Any]) -> None:
    assert unknown(claim) == [], "a bound, a parameter or an exception; results are shown by `best`"


def test_exceptions_are_needed() -> None:
    by_id = {c["id"]: c for p in PAPERS for c in claims(p)}
    for name, excepted in EXCEPTIONS.items():
        written = {v for text in texts(by_id[name]).values() for _, values in numbers(text) for v in values}
        assert set(excepted) <= written, name


def test_what_counts_as_a_number() -> None:
    found = dict(numbers("5 % of 1,728 nodes, 1e-9 h, section 3.3, B-PAU-1, eq. 2, `a_3`, h³, PAU-24 and 0.5"))
    assert found == {"5 %": [5, 0.05], "1,728": [1728], "1e-9": [1e-9], "0.5": [0.5]}


def test_a_result_in_a_note_is_seen() -> None:
    claim = {
        "id": "X",
        "experiments": [],
        "statement": "",
        "note": "It grows by 1.43, less than 2.",
        "predicate": {"value": 2},
    }
    assert unknown(claim) == ["note: 1.43"]
