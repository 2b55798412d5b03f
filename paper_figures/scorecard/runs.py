# SPDX-License-Identifier: BSD-3-Clause
"""What `deformbench scorecard` runs: the experiments of the invariants, of the figures that show joined methods, and
of the comparison that every report has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deformbench.running import start
from deformbench_analysis import papers
from deformbench_analysis.comparison.sides import parse_all
from deformbench_analysis.declarations import Declaration, all_declarations
from deformbench_analysis.errors import InputError, NothingSelected
from deformbench_analysis.progress import in_progress
from experiments.cross.measurements import scorecard as m
from paper_figures.comparison import standing
from paper_figures.entry import IndexEntry, load_index

FIGURES = ("fig_07_ms_per_step", "work_precision")
REFERENCE = "reference"  # the row of the reference


@dataclass(frozen=True)
class Own:
    """The method of the page."""

    id: str
    brought: list[str]  # arguments of `run` that add it, before --method
    named: list[str]  # names after --method

    def words(self, others: Iterable[str] = ()) -> list[str]:
        """Arguments of `run` that select it, and the rows `others`."""
        names = list(dict.fromkeys([*self.named, *others]))
        return [*self.brought, *(["--method", *names] if names else [])]


def own_method(program: str | None, plugin: str | None, method: str | None, tier: str) -> Own:
    """The named method. InputError unless it is exactly one."""
    if (program is None) == (method is None) or (program and plugin):
        raise InputError("scorecard: expected --program COMMAND, or --method NAME, or --plugin FILE --method NAME")
    brought = ["--program", program] if program else ["--plugin", plugin] if plugin else []
    first = m.INVARIANTS[0].experiments[0]
    asked = ["run", first, "--tier", tier, *brought, *(["--method", method] if method else []), "--dry-run", "--json"]
    ids = list(dict.fromkeys(str(cell["spec"]["method"]["id"]) for cell in json.loads(start(asked))))
    if len(ids) != 1:
        raise InputError(f"scorecard: got {', '.join(ids)}, expected one method")
    return Own(ids[0], brought, [ids[0]] if method else [])


def figures() -> list[IndexEntry]:
    """The figures that the method is drawn in."""
    return [index for index in load_index() if index.id in FIGURES]


def _rows(declaration: Declaration, tier: str) -> list[dict[str, Any]]:
    return [*declaration.data["tiers"].get(tier, {}).get("methods", declaration.data["methods"])]


def _is_built_in(row: dict[str, Any]) -> bool:
    return not {"program", "plugin"} & set(row)


@dataclass(frozen=True)
class Plan:
    """Compared methods, one's own first, as the baseline; and calls of the command, in their order."""

    compared: list[str]
    experiments: list[str]
    calls: list[list[str]]


def plan(own: Own, against: Sequence[str], tier: str, traces: Path) -> Plan:
    """Without `against` the methods of the report's comparison that need no other program. InputError."""
    listed: dict[str, Any] = json.loads(standing.LIST.read_text(encoding="utf-8"))[0]
    declarations = all_declarations()
    where = ["--tier", tier, "--out", str(traces), "--quiet"]
    owed = [e for cloth in (False, True) for i in m.INVARIANTS for e in m.runs_of(own.id, i, cloth, declarations)]
    compared = _compared(own, against, listed, declarations)
    others = [side.name for side in parse_all(compared)[1:]]
    calls = [["run", *dict.fromkeys(owed), *where, *own.words()]]
    for index in figures():
        paper = papers.named(index.paper)
        beside = papers.module(paper, f"{paper.figures}.{index.id}").BESIDE
        for experiment in index.experiments:
            rows = [r for r in _rows(declarations[experiment], tier) if _is_built_in(r)]
            shown = [r["name"] for r in rows if r["name"] in beside or r["method"] in others]
            calls += _run_and_time(own, experiment, shown, where)
    for experiment in listed["experiments"]:
        references = [r["name"] for r in _rows(declarations[experiment], tier) if r["name"] == REFERENCE]
        calls += _run_and_time(own, experiment, [*others, *references], where)
    start([*calls[-2], "--dry-run"])  # a name that is none shows before anything has run
    return Plan(compared, listed["experiments"], calls)


def _compared(
    own: Own, against: Sequence[str], listed: dict[str, Any], declarations: dict[str, Declaration]
) -> list[str]:
    rows = [r for e in listed["experiments"] for r in declarations[e].data["methods"] if _is_built_in(r)]
    known = {r[key] for r in rows for key in ("method", "name")}
    others = against or [text for text in listed["sides"] if text.split(":")[0] in known]
    return [own.id, *(text for text in others if text != own.id)]


def _run_and_time(own: Own, experiment: str, others: Sequence[str], where: Sequence[str]) -> list[list[str]]:
    """The reference is not timed: it takes the smallest steps."""
    timed = own.words(name for name in others if name != REFERENCE)
    return [["run", experiment, *where, *own.words(others)], ["time", experiment, *where, *timed]]


def run(of: Plan, traces: Path) -> list[str]:
    """Runs and times what is missing; returns a line for each call that selects nothing."""
    for listed in traces.rglob("*.joined-*.cells.json"):
        listed.unlink()  # of an earlier command, whose method may have had the same name
    refused = []
    for call in in_progress("parts run", of.calls):
        try:
            start(call)
        except NothingSelected as reason:
            refused.append(f"{call[0]} {call[1]}: {reason}")
    return refused
