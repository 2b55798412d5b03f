# SPDX-License-Identifier: BSD-3-Clause
"""The findings that open the report: each rests on what exists, is shown only where these runs confirm it,
with its numbers."""

import json
from pathlib import Path

import pytest

from deformbench_analysis.claims import all_claims
from deformbench_analysis.errata import of_paper
from deformbench_analysis.measurement import Value, load_all
from deformbench_analysis.predicates import leaves_of
from paper_figures.report import findings, mutant_table
from paper_figures.entry import load_index

FINDINGS = findings.load()
CLAIMS = {c.id for claims in all_claims().values() for c in claims}
ERRATA = {e.id for paper in all_claims() for e in of_paper(paper)}


class Fixed:
    """A measurer with numbers made up."""

    def __init__(self, **values: float) -> None:
        self.values = {name.replace("__", "."): value for name, value in values.items()}

    def __call__(self, name: str) -> Value:
        return Value(name, "1", self.values.get(name), "" if name in self.values else "no trace")


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.id)
def test_a_finding_names_measurements_a_figure_and_claims_that_exist(finding: findings.Finding) -> None:
    assert finding.measurements() and [n for n in finding.measurements() if n not in load_all()] == []
    assert finding.figure in {"", *(i.id for i in load_index())}
    assert finding.behind and [b for b in finding.behind if b not in CLAIMS | ERRATA] == []
    assert all(str(leaf["origin"]).strip() for leaf in leaves_of(finding.when)) and list(leaves_of(finding.when))


def test_findings_are_named_once() -> None:
    assert len({f.id for f in FINDINGS}) == len(FINDINGS)


def with_one_finding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {
        "id": "grows",
        "sentence": "It grows {a.growth:.1f} times & more.",
        "figure": "",
        "behind": ["IVM-01"],
        "when": {"all": [{"measurement": "a.growth", "op": ">", "value": 2, "origin": "made up"}]},
    }
    (folder / "findings.json").write_text(json.dumps({"findings": [entry]}), encoding="utf-8")
    monkeypatch.setattr(findings, "load", lambda: findings.in_file(folder / "findings.json"))


def test_a_finding_is_told_with_its_number_where_the_runs_confirm_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_one_finding(tmp_path, monkeypatch)
    text = findings.page(Fixed(a__growth=3.14), [])  # type: ignore[arg-type]
    assert "It grows <span class=v>3.1</span> times &amp; more." in text and "not confirmed" not in text


def test_a_finding_that_the_runs_contradict_is_not_told_as_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_one_finding(tmp_path, monkeypatch)
    text = findings.page(Fixed(a__growth=1.5), [])  # type: ignore[arg-type]
    assert "It grows" not in text and "grows: not confirmed in these runs (a.growth = 1.5 (&gt; 2))" in text


def test_a_finding_without_its_trace_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_one_finding(tmp_path, monkeypatch)
    assert "grows: not measured in these runs (a.growth: no trace)" in findings.page(Fixed(), [])  # type: ignore[arg-type]


def test_the_page_of_mutants_shows_who_noticed_and_who_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = {
        "noticed": {
            "mistake": "R is I",
            "files": ["a.cpp"],
            "digest": "0",
            "claims": {"IVM-01": {"recorded": "holds", "mutated": "does_not_hold"}},
            "tests": {"t": True},
        },
        "quiet": {
            "mistake": "mass lost",
            "files": ["b.cpp"],
            "digest": "1",
            "claims": {"IVM-02": {"recorded": "holds", "mutated": "holds"}},
            "tests": {"u": False},
        },
    }
    monkeypatch.setattr(mutant_table, "outcomes", lambda: stored)
    text = mutant_table.page()
    assert "a test noticed 1; of 2 that claims own, the verdicts noticed 1" in text
    assert "holds → <span>does not hold</span>" in text and 'holds → <span class="survived">holds</span>' in text
    assert "<code>u</code>: <span class=survived>green</span>" in text
