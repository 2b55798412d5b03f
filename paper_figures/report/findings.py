# SPDX-License-Identifier: BSD-3-Clause
"""The findings that open the report: what is surprising and true, a sentence each,
with its numbers taken from these runs.

A `findings.json` holds the sentences of our papers, or of one outside the tree. `{name:format}` in a sentence is the
value of a measurement; `when` is a predicate as claims have it: a sentence whose predicate does not hold in these
runs is not shown as true, but named as not confirmed."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from deformbench_analysis import papers
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.predicates import leaves_of, written_out
from deformbench_analysis.schemas import check_claims
from deformbench_analysis.verdicts import Comparison, Outcome, evaluate
from paper_figures.entry import Drawn
from paper_figures.report.templating import part

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*)(?::([^}]*))?\}")


@dataclass(frozen=True)
class Finding:
    """One sentence; `behind` are the claims and errata that it follows from,
    `figure` shows it ("" where none does)."""

    id: str
    sentence: str
    when: dict[str, Any]
    figure: str
    behind: list[str]

    def measurements(self) -> list[str]:
        """Names of all measurements in sentence and predicate, each once."""
        return list(dict.fromkeys(names_in(self.sentence) + [leaf["measurement"] for leaf in leaves_of(self.when)]))


def load() -> list[Finding]:
    """Those of the known papers, in the order of the files."""
    files = dict.fromkeys(p.findings for p in papers.known())
    return [finding for path in files if path.exists() for finding in in_file(path)]


def in_file(path: Path) -> list[Finding]:
    """Those of one file."""
    try:
        found = [Finding(**entry) for entry in read_object(path)["findings"]]
    except (KeyError, TypeError) as error:
        raise InputError(
            f'{path}: expected {{"findings": [{{id, sentence, when, figure, behind}}, …]}} ({error})'
        ) from error
    for finding in found:
        check_claims(finding.when, f"{path}: {finding.id}: /when", "predicate")
    return [replace(f, when=written_out(f.when, f"{path}: {f.id}: /when")) for f in found]


def names_in(text: str) -> list[str]:
    """The measurements whose values a text has places for."""
    return [place.group(1) for place in _PLACE.finditer(text)]


def filled(text: str, measurer: Measurer) -> Iterator[tuple[str, bool]]:
    """The text in pieces; those that are measured numbers are marked."""
    end = 0
    for place in _PLACE.finditer(text):
        yield text[end : place.start()], False
        value = measurer(place.group(1)).value
        yield "not measured" if value is None else format(value, place.group(2) or ".3g"), True
        end = place.end()
    yield text[end:], False


def _sources(finding: Finding, drawn: Sequence[Drawn], pages: Mapping[str, str]) -> list[tuple[str, str]]:
    """What it is seen in and follows from, each with the address of its page or ""."""
    figures = [d.index for d in drawn if d.index.id == finding.figure]
    return [
        (name, pages.get(of, ""))
        for name, of in [*((f.number, f.id) for f in figures), *((b, b) for b in finding.behind)]
    ]


def _is_about(finding: Finding, measurer: Measurer, experiments: Collection[str]) -> bool:
    entries = [measurer.registry.get(name) for name in finding.measurements()]
    return all(entry is not None and entry.experiment in experiments for entry in entries)


def page(
    measurer: Measurer,
    drawn: Sequence[Drawn],
    only: Collection[str] | None = None,
    pages: Mapping[str, str] | None = None,
) -> Markup:
    """The list; below it what these runs do not confirm, or cannot, with the reason.
    Empty where none is about the experiments `only`. `pages` are addresses of claims, errata and figures."""
    told: list[tuple[str, list[tuple[str, bool]], list[tuple[str, str]]]] = []
    untold: list[tuple[str, bool]] = []
    found = load() if only is None else [f for f in load() if _is_about(f, measurer, only)]
    if not found:
        return Markup()
    for finding in found:
        absent = [measurer(n) for n in finding.measurements() if measurer(n).value is None]
        comparisons: list[Comparison] = []
        if absent:
            why = f"not measured in these runs ({absent[0].name}: {absent[0].note})"
            untold.append((f"{finding.id}: {why}", False))
        elif evaluate(finding.when, measurer, False, comparisons) is Outcome.TRUE:
            told.append((finding.id, list(filled(finding.sentence, measurer)), _sources(finding, drawn, pages or {})))
        else:
            why = "; ".join(c.text() for c in comparisons if c.outcome is Outcome.FALSE)
            untold.append((f"{finding.id}: not confirmed in these runs ({why})", True))
    return part("findings", told, untold)
