# SPDX-License-Identifier: BSD-3-Clause
"""The page of a method: which invariants it keeps, which claims rest on it, its parameters, its runs."""

from collections import Counter

from deformbench_analysis.errors import NothingSelected
from experiments.cross.measurements import scorecard as m
from paper_figures.report.content import Content, file_name
from paper_figures.report.described import described
from paper_figures.report.run_tables import provenance_table
from paper_figures.report.templating import render
from paper_figures.report.verdict_tables import tally
from paper_figures.scorecard import page as scorecard

FOLDER = "methods"


def page_of(method: str) -> str:
    """Path of a method's page from the folder of the report."""
    return f"{FOLDER}/{file_name(method)}.html"


def shown(content: Content) -> list[str]:
    """The methods that these runs have cells of."""
    return sorted({trace.method_id for trace in content.traces() if trace.method_id})


def _card(content: Content, method: str, rows: list[m.Row]) -> scorecard.Scorecard | None:
    try:
        return scorecard.scorecard_of(content.results, method, rows)
    except NothingSelected:
        return None


def _runs(content: Content, method: str) -> list[tuple[str, str, str]]:
    """Per experiment what it is, and how the method's cells ended."""
    found = []
    for experiment in content.experiments():
        ended = Counter(cell.status for cell in experiment.cells if cell.method_id == method)
        if ended:
            declaration = content.results.declarations.get(experiment.id)
            doc = str(declaration.data.get("doc", "")) if declaration else ""
            found.append((experiment.id, doc, ", ".join(f"{n} {status}" for status, n in ended.most_common())))
    return found


def pages(content: Content) -> dict[str, str]:
    """The pages of all methods, by their paths from the folder of the report."""
    about = described()
    has_card = content.only is None or any(identifier in content.only for identifier in m.EXPERIMENTS)
    rows = m.rows(content.results) if has_card else []
    run = {e.id: {cell.method_id for cell in e.cells} for e in content.experiments()}
    judged = [j for j in content.claims() if j.is_run and j.claim.id in content.pages()]
    made: dict[str, str] = {}
    for method in shown(content):
        resting = [j for j in judged if any(method in run.get(i, ()) for i in j.claim.experiments)]
        made[page_of(method)] = render(
            "method.html",
            root="../",
            content=content,
            method=method,
            about=about.get(method, {}),
            card=_card(content, method, rows),
            verdict_of=scorecard.VERDICTS,
            tally=tally(resting),
            claims=resting,
            runs=_runs(content, method),
            facts=provenance_table([t for t in content.traces() if t.method_id == method]),
        )
    return made
