# SPDX-License-Identifier: BSD-3-Clause
"""The pages: all papers together, one per paper, the mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from deformbench_analysis.errata import of_paper
from deformbench_analysis.output import write_text
from deformbench_analysis.parallel import map_in_processes
from paper_figures.entry import Drawn
from paper_figures.report import errata, findings, mutant_table
from paper_figures.report.content import Content, notes_of
from paper_figures.report.figure_blocks import figure_block, pictures
from paper_figures.report.run_tables import limitations, measurement_table, provenance_table, status_table
from paper_figures.report.verdict_tables import (
    amendments_line,
    changes_line,
    counts_line,
    matrix,
    summary_table,
    verdict_table,
)

FRONT_LIMIT = 1_500_000
PAPER_LIMIT = 20_000_000
FRONT_PICTURES = 1_200_000  # of the front page, for pictures; the rest is tables
PAPER_PICTURES = 16_000_000
_RESERVE = 60_000  # of a page's limit, left free


def _budget(page_without: str, limit: int, most: int) -> int:
    """Bytes for pictures on a page whose other content is known."""
    return max(0, min(most, limit - _RESERVE - len(page_without.encode("utf-8"))))


def page(title: str, lede: str, nav: Sequence[tuple[str, str]], sections: Sequence[str], verb: str = "report") -> str:
    """A whole page in the look that all share; `verb` is the command that writes it."""
    css = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="{escape(href)}">{escape(text)}</a>' for href, text in nav)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{css}</style></head><body><header><h1>{escape(title)}</h1><p class=lede>{lede}</p>"
        f"<nav>{links}</nav></header>{''.join(sections)}<footer>Every measured number here is computed from the traces by "
        f"<code>deformbench {escape(verb)}</code>; statements, bounds, regimes, notes and deviations are written by hand. Each trace holds the resolved declaration that runs it again.</footer></body></html>\n"
    )


def _figures_of(content: Content, paper: str) -> str:
    """Links to the paper's figures and tables, which stand on its page."""
    links = [
        f'<a href="{paper}.html#{escape(d.index.id)}">{escape(d.index.number)}</a> {escape(d.index.title)}'
        for d in content.drawn
        if d.index.paper == paper
    ]
    listed = "".join(f"<li>{link}</li>" for link in links)
    return f"<h3>{escape(notes_of(paper)['short'])}</h3><ul class=figures>{listed}</ul>" if links else ""


def front_page(content: Content, comparisons: Sequence[tuple[str, str]] = ()) -> str:
    """The page of all papers; `comparisons` are the files and titles of pages that stand beside it."""
    without = _front_page(content, {}, comparisons)
    budget = _budget(without, FRONT_LIMIT, FRONT_PICTURES)
    return _front_page(content, pictures(_opening(content), budget), comparisons)


def _opening(content: Content) -> list[Drawn]:
    """The figures that the front page shows, in their order."""
    return sorted((d for d in content.drawn if d.index.opens), key=lambda d: d.index.opens)


def _front_page(content: Content, urls: Mapping[str, str], comparisons: Sequence[tuple[str, str]]) -> str:
    traces = content.traces()
    found = findings.page(content.measurer, content.drawn, content.only)
    tally = counts_line(content.judgement.verdicts, len(content.waiting())) + amendments_line(content)
    mutants = mutant_table.line() if content.only is None else ""
    sections = [
        f'<section id="verdicts"><h2>Verdicts</h2>{tally}{mutants}{changes_line(content)}{matrix(content)}</section>',
        f'<section id="findings"><h2>Findings</h2>{found}</section>' if found else "",
        *(figure_block(d, urls, f"{d.index.paper}.html") for d in _opening(content)),
    ]
    if comparisons:
        links = "".join(f'<li><a href="{quote(file)}">{escape(title)}</a></li>' for file, title in comparisons)
        sections.append(
            '<section id="comparisons"><h2>Methods compared</h2><p class=lede>Pages of <code>deformbench compare</code>, each as of '
            f"when it was written.</p><ul>{links}</ul></section>"
        )
    sections.append(f'<section id="machine"><h2>Machine and provenance</h2>{provenance_table(traces)}</section>')
    figures = "".join(_figures_of(content, paper) for paper in content.papers())
    sections.append(f'<section id="figures"><h2>Figures</h2>{figures}</section>')
    nav = [
        ("#verdicts", "Verdicts"),
        *([("#findings", "Findings")] if found else []),
        *([("mutants.html", "Mutants")] if content.only is None else []),
        *([("#comparisons", "Methods compared")] if comparisons else []),
        ("#machine", "Machine"),
        ("#figures", "Figures"),
    ]
    nav += [(f"{p}.html", notes_of(p)["short"]) for p in content.papers()]
    lede = f"Claims of published papers, judged by running them: {len(traces)} runs at tier {escape(content.tier)}."
    machines = Counter(t.machine for t in traces)
    lede += f" Run on {escape('; '.join(machines))}." if machines else ""
    lede += "".join(f" <b>{escape(line)}.</b>" for line in content.judgement.remarks())
    return page("deformbench: what the papers claim, and what was measured", lede, nav, sections)


def mutants_page() -> str:
    """The page of the mutants and what noticed them."""
    return page(
        "Mutants: mistakes that must change a verdict",
        mutant_table.LEDE,
        [("report.html", "All papers")],
        [mutant_table.page()],
    )


def paper_page(content: Content, paper: str) -> str:
    """The page of one paper."""
    drawn = [d for d in content.drawn if d.index.paper == paper]
    without = _paper_page(content, paper, drawn, {})
    return _paper_page(content, paper, drawn, pictures(drawn, _budget(without, PAPER_LIMIT, PAPER_PICTURES)))


def _paper_page(content: Content, paper: str, drawn: Sequence[Drawn], urls: Mapping[str, str]) -> str:
    about = notes_of(paper)
    verdicts = [v for v in content.judgement.verdicts if v.claim.paper == paper]
    listed = of_paper(paper)
    used = list(
        dict.fromkeys(
            [i for d in drawn for i in d.index.experiments]
            + [i for v in verdicts for i in v.claim.experiments]
            + [i for e in listed for i in e.experiments]
        )
    )
    data = [content.results.experiment(i, content.tier) for i in used]
    waiting = len([c for c in content.waiting() if c.paper == paper])
    judged = f'<section id="verdicts">{counts_line(verdicts, waiting)}<h2>Verdicts</h2>{verdict_table(content, paper)}</section>'
    sections = [
        judged if content.has_claims(paper) else "",
        '<section id="figures"><h2>Figures and tables</h2>'
        + "".join(figure_block(d, urls) for d in drawn)
        + "</section>",
        f'<section id="errata"><h2>Errata of the paper</h2>{errata.ledger(listed, content.measurer)}</section>'
        if listed
        else "",
        f'<section id="measurements"><h2>Measurements</h2>{measurement_table(content, used)}</section>',
        f'<section id="machine"><h2>Machine and provenance</h2>{provenance_table([c for e in data for c in e.cells])}</section>',
        f'<section id="status"><h2>Runs</h2>{status_table(data)}</section>',
        f'<section id="limitations"><h2>Limitations</h2>{limitations(content, paper)}</section>',
    ]
    nav = [
        ("report.html", "All papers"),
        *([("#verdicts", "Verdicts")] if content.has_claims(paper) else []),
        ("#figures", "Figures"),
        *([("#errata", "Errata")] if listed else []),
        ("#measurements", "Measurements"),
        ("#machine", "Machine"),
        ("#status", "Runs"),
        ("#limitations", "Limitations"),
    ]
    return page(about["short"], escape(about["citation"]), nav, sections)


def write(content: Content, out: Path, comparisons: Sequence[tuple[str, str]] = ()) -> list[Path]:
    """Writes the pages and the tables; a page above its limit is an error,
    not a surprise for the reader's browser."""
    for paper in filter(content.has_claims, content.papers()):
        summary_table(content, paper).write(out / paper / "verdicts")
        listed = of_paper(paper)
        if listed:
            errata.table(listed, content.measurer).write(out / paper / "errata")
    written: list[Path] = []
    names = ["report", *content.papers(), *(["mutants"] if content.only is None else [])]
    pages = map_in_processes(
        lambda name: front_page(content, comparisons)
        if name == "report"
        else mutants_page()
        if name == "mutants"
        else paper_page(content, name),
        names,
        "pages made",
    )
    for name, text in zip(names, pages):
        limit = FRONT_LIMIT if name == "report" else PAPER_LIMIT
        size = len(text.encode("utf-8"))
        if size > limit:
            raise RuntimeError(f"{name}.html is {size / 1e6:.1f} MB, more than {limit / 1e6:.0f} MB")
        path = out / f"{name}.html"
        write_text(path, text)
        written.append(path)
    return written
