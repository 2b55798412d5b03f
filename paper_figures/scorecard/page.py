# SPDX-License-Identifier: BSD-3-Clause
"""Output of `deformbench scorecard`: a page, a badge and a JUnit file, from the entries of one method."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from deformbench_analysis import errors, timing_marks
from deformbench_analysis.comparison.pairs import compare_sides
from deformbench_analysis.comparison.sides import parse_all
from deformbench_analysis.errors import NothingSelected
from deformbench_analysis.output import one_line, write_bytes, write_text
from deformbench_analysis.results import Results
from experiments.cross.measurements import scorecard as m
from paper_figures.comparison import page as comparison_page
from paper_figures.cross.scorecard import number
from paper_figures.entry import Drawn
from paper_figures.report.figure_blocks import figure_block, pictures
from paper_figures.report.run_tables import provenance_table
from paper_figures.report.templating import render
from paper_figures.scorecard.runs import Plan

PICTURES = 4_000_000  # bytes
VERDICTS = {
    m.PASSED: "holds",
    m.FAILED: "does_not_hold",
    m.NOT_APPLICABLE: "not_testable",
    m.NOT_RUN: "not_measured",
}  # state → how a page shows it
COLOURS = {m.PASSED: "#196a50", m.FAILED: "#a3282f", m.NOT_RUN: "#4f5e6c"}  # of the badge


@dataclass(frozen=True)
class Line:
    """An invariant of one body, as page, terminal and JUnit file have it."""

    invariant: m.Invariant
    entry: m.Entry
    body: str  # "" if the method has only one

    @property
    def name(self) -> str:
        """Title, with the body if there are two."""
        return " ".join(self.invariant.title.split()) + (f", {self.body}" if self.body else "")

    @property
    def measured(self) -> str:
        """The number, or how the run ended."""
        return "–" if self.entry.value is None else number(self.entry.value)

    @property
    def bound(self) -> str:
        """The bound: relation and number for ≤ and =, else its short text."""
        is_largest = self.invariant.short[0] in "≤=" and self.entry.bound is not None
        return f"{self.invariant.short[0]} {number(self.entry.bound or 0.0)}" if is_largest else self.invariant.short

    @property
    def why(self) -> str:
        """Why there is no number, or where the bound comes from."""
        return one_line(self.entry.reason) or self.invariant.bound

    def text(self) -> str:
        """One line."""
        return f"{self.name}: measured {self.measured}, bound {self.bound}: {self.why}"


@dataclass(frozen=True)
class Scorecard:
    """All invariants of a method."""

    method: str
    tier: str
    lines: list[Line]

    @property
    def states(self) -> Counter[str]:
        """Invariants by state; of two bodies the worse counts."""
        worst = (m.NOT_APPLICABLE, m.PASSED, m.NOT_RUN, m.FAILED)
        by_key: dict[str, list[str]] = {}
        for line in self.lines:
            by_key.setdefault(line.invariant.key, []).append(line.entry.state)
        return Counter(max(states, key=worst.index) for states in by_key.values())

    @property
    def short(self) -> str:
        """For the badge."""
        count = f"{self.states[m.PASSED]}/{self.states.total()} invariants"
        return count + (f", {self.states[m.FAILED]} failed" if self.states[m.FAILED] else "")

    @property
    def sentence(self) -> str:
        """All counts in words."""
        counts = "; ".join(f"{self.states[state]} {state}" for state in VERDICTS if self.states[state])
        return f"{self.method}: of {self.states.total()} invariants {counts}"

    def facts(self) -> dict[str, Any]:
        """All of it, for JSON."""
        invariants = [
            {"invariant": line.invariant.key, "name": line.name, "state": line.entry.state, "value": line.entry.value}
            | {"bound": line.entry.bound, "why": line.why, "trace": line.entry.trace and line.entry.trace.path}
            for line in self.lines
        ]
        return {"method": self.method, "tier": self.tier, "states": self.states, "invariants": invariants}

    @property
    def lacking(self) -> list[Line]:
        """Those whose runs should have given a number."""
        return [line for line in self.lines if line.entry.lacks]

    @property
    def failed(self) -> list[Line]:
        """Those that are not kept."""
        return [line for line in self.lines if line.entry.state == m.FAILED]


def scorecard_of(results: Results, method: str, of_all: Sequence[m.Row] | None = None) -> Scorecard:
    """From the traces, or the rows of all methods if given. NothingSelected if the method has no row, or
    refused every body."""
    rows = [row for row in (m.rows(results) if of_all is None else of_all) if row.method == method]
    if not rows or all(row.is_refused for row in rows):
        reasons = [e.reason for row in rows for e in row.entries.values() if e.trace]
        raise NothingSelected(f"scorecard: {method} runs none of the experiments: {(reasons or ['no trace'])[0]}")
    bodies = ["", ""] if len(rows) == 1 else ["solid", "cloth"]
    lines = [Line(i, row.entries[i.key], bodies[row.cloth]) for row in rows for i in m.INVARIANTS]
    return Scorecard(method, results.tier, lines)


def exit_code(card: Scorecard, drawn: Sequence[Drawn]) -> int:
    """Failed invariants take precedence over missing ones."""
    if any(d.broken for d in drawn):
        return errors.EXIT_INTERNAL
    if card.failed:
        return errors.EXIT_VERDICT_CHANGED
    undrawn = [d for d in drawn if d.entry is None]
    return errors.EXIT_UNEXPECTED_END if card.lacking or undrawn else errors.EXIT_OK


def badge(card: Scorecard) -> str:
    """An SVG for a README."""
    state = m.FAILED if card.failed else m.NOT_RUN if card.lacking else m.PASSED
    return render("badge.svg.in", left="deformbench", right=card.short, title=card.sentence, colour=COLOURS[state])


def junit(card: Scorecard) -> bytes:
    """A test case for each invariant."""
    suite = ElementTree.Element("testsuite", name=f"deformbench scorecard, tier {card.tier}")
    for line in card.lines:
        case = ElementTree.SubElement(suite, "testcase", classname=f"deformbench.{card.method}", name=line.name)
        trace = line.entry.trace
        where = f"{trace.experiment}, cell {trace.cell_id}" if trace else ", ".join(line.invariant.experiments)
        if line.entry.state == m.FAILED:
            about = ElementTree.SubElement(case, "failure", message=line.text(), type="bound")
        elif line.entry.lacks:
            about = ElementTree.SubElement(case, "error", message=line.why, type="missing")
        elif line.entry.state != m.PASSED:
            message = line.why if line.why.startswith(m.NOT_RUN) else f"{line.entry.state}: {line.why}"
            about = ElementTree.SubElement(case, "skipped", message=message)
        else:
            about = ElementTree.SubElement(case, "system-out")
        about.text = f"{line.invariant.definition}. {line.text()} ({where})"
    for attribute, tag in {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}.items():
        suite.set(attribute, str(len(list(suite.iter(tag)))))
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return bytes(ElementTree.tostring(whole, encoding="utf-8", xml_declaration=True))


def _compared(plan: Plan, results: Results, folder: Path) -> dict[str, Any]:
    """What the page shows of the comparison, or the reason why there is none."""
    sides = parse_all(plan.compared)
    try:
        comparison = compare_sides(results, sides, results.tier, plan.experiments)
    except NothingSelected as reason:
        return {"comparison": None, "why_not": str(reason)}
    absent = [s.text for s in sides if not any(s.matches(c) for c in comparison_page.traces_of(comparison))]
    traces = comparison_page.traces_of(comparison)
    return {"why_not": "", "absent": absent, "traces": traces, **comparison_page.shown(comparison, results, folder)}


def write(
    card: Scorecard, plan: Plan, results: Results, drawn: Sequence[Drawn], refused: Sequence[str], out: Path
) -> list[Path]:
    """Page, badge and JUnit file; returns their paths."""
    compared = _compared(plan, results, out / "comparison")
    traces = [line.entry.trace for line in card.lines if line.entry.trace]
    own = timing_marks.note(traces)
    traces += compared.pop("traces", [])
    links = {t.path: quote(Path(os.path.relpath(t.path, out)).as_posix()) for t in traces}
    urls = pictures(drawn, PICTURES)
    picture = badge(card)
    page = render(
        "scorecard.html",
        card=card,
        plan=plan,
        verdict_of=VERDICTS,
        badge=picture,
        links=links,
        figures=[figure_block(d, urls) for d in drawn],
        refused=[*refused, *(f"no cell of {text}" for text in compared.pop("absent", []))],
        own=own,
        facts=provenance_table(list({t.path: t for t in traces}.values())),
        **compared,
    )
    paths = [out / name for name in ("scorecard.html", "badge.svg", "junit.xml")]
    write_text(paths[0], page)
    write_text(paths[1], picture)
    write_bytes(paths[2], junit(card))
    return paths
