# SPDX-License-Identifier: BSD-3-Clause
"""The page of a claim: what was judged, by which numbers, what a mistake does to it, and how to run it again."""

from shlex import join
from typing import Any

from markupsafe import Markup

from deformbench_analysis import papers
from deformbench_analysis.claims import Claim
from deformbench_analysis.declarations import TIERS
from paper_figures.report import mutant_table
from paper_figures.report.content import Content, Judged, notes_of
from paper_figures.report.figure_blocks import picture_beside
from paper_figures.report.templating import render
from paper_figures.report.verdict_tables import amendments, predicate_rows


def commands(claim: Claim, content: Content) -> list[str]:
    """What runs the claim's experiments and judges it, at the report's tier or the lowest that the claim admits."""
    tier = max(claim.min_tier, content.tier, key=TIERS.index)
    entries = [content.measurer.registry.get(name) for name in claim.measurements()]
    timed = {e.experiment for e in entries if e and e.timing} if claim.kind == "timing" else set()
    paper = papers.find(claim.paper)
    own = ["--papers", paper.folder.name] if paper and paper.is_outside else []
    runs = [["run", *claim.experiments, "--tier", tier, *own]] if claim.experiments else []
    runs += [["time", *(i for i in claim.experiments if i in timed), "--tier", tier, *own]] if timed else []
    judging = ["verify", "--tier", tier, "--claim", claim.id, *(["--timing"] if claim.kind == "timing" else []), *own]
    return [join(["deformbench", *words]) for words in [*runs, judging]]


def _runs(j: Judged, content: Content) -> list[tuple[str, str, list[str]]]:
    """Per experiment what it is, and what became of its cells."""
    found = []
    for identifier in j.claim.experiments:
        declaration = content.results.declarations.get(identifier)
        said = [j.why_not] if not j.judged else [j.judged.cells.get(identifier, "")]
        if j.judged:
            said += [j.judged.otherwise.get(identifier, "")]
            said += [f"{n} stale" for n in [j.judged.stale.get(identifier)] if n]
        found.append((identifier, str(declaration.data.get("doc", "")) if declaration else "", [s for s in said if s]))
    return found


def _told(claim: Claim) -> list[tuple[str, list[str]]]:
    """What a reader of the verdict must know, under its headings."""
    return [
        ("Note", [str(claim.data.get("note", ""))]),
        ("Deviations from the paper", claim.deviations),
        ("Runs left out", [claim.runs_left_out]),
        ("Not published, and needed to decide", [claim.missing]),
        ("No experiment", [claim.why_no_experiment]),
    ]


def page(j: Judged, content: Content, before: Judged | None, after: Judged | None) -> Markup:
    """The page; `before` and `after` are its neighbours among the claims of its paper."""
    verdict, claim = j.judged, j.claim
    record: dict[str, Any] = dict(content.records.get(claim.paper, {}).get(claim.id, {}))
    return render(
        "claim.html",
        root="../../",
        j=j,
        content=content,
        about=notes_of(claim.paper),
        paper_page=f"../../{claim.paper}.html",
        before=before,
        after=after,
        predicate=predicate_rows(claim.predicate, verdict.comparisons if verdict else [], content),
        regime=predicate_rows(claim.regime_predicate, verdict.regime_comparisons if verdict else [], content),
        best=verdict.best if verdict else [],
        mutants=mutant_table.of_claim(claim.id),
        amended=amendments(content.registration(claim)),
        registered=content.registration(claim).get("registered", ""),
        told=[(title, [line for line in lines if line]) for title, lines in _told(claim)],
        record={"tier": "", "machines": [], **record} if record else {},
        figures=[(d, picture_beside(d.entry)) for d in content.figures(claim) if d.entry],
        runs=_runs(j, content),
        commands=commands(claim, content),
    )
