# SPDX-License-Identifier: BSD-3-Clause
"""The pages: all papers together, one per paper, claim and method, the mutants, the gallery, the guides."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from deformbench_analysis.errata import of_paper
from deformbench_analysis.output import write_bytes, write_text
from deformbench_analysis.parallel import map_in_processes
from paper_figures.entry import Drawn
from paper_figures.report import claim_pages, edges, errata, findings, gallery, guides, method_pages, mutant_table
from paper_figures.report.content import Content, notes_of
from paper_figures.report.figure_blocks import figure_block, picture_beside, pictures
from paper_figures.report.run_tables import limitations, measurement_table, provenance_table, status_table
from paper_figures.report.templating import render
from paper_figures.report.verdict_tables import (
    amendments_line,
    changes_line,
    listed,
    matrix,
    recorded_line,
    summary_table,
    tally,
)

TEXT_LIMIT = 1_500_000  # of any page, without pictures
FRONT_LIMIT = 1_500_000
PAPER_LIMIT = 1_500_000  # its pictures are files beside it
FRONT_PICTURES = 1_200_000  # of the front page, for pictures; the rest is tables
_RESERVE = 60_000  # of a page's limit, left free


def _with_pictures(make: Callable[[Mapping[str, str]], str], drawn: Sequence[Drawn], limit: int, most: int) -> str:
    """A page whose pictures are as large as its limit allows. RuntimeError where its text alone is too long."""
    length = len(make({}).encode("utf-8"))
    if length > TEXT_LIMIT:
        raise RuntimeError(f"a page has {length / 1e6:.1f} MB without pictures, more than {TEXT_LIMIT / 1e6:.1f} MB")
    return make(pictures(drawn, max(0, min(most, limit - _RESERVE - length))))


def front_page(content: Content, comparisons: Sequence[tuple[str, str]] = ()) -> str:
    """The page of all papers; `comparisons` are the files and titles of pages that stand beside it."""
    shown, traces = content.papers(), content.traces()
    drawn = [d for d in content.drawn if d.index.paper in shown]
    opening = sorted((d for d in drawn if d.index.opens), key=lambda d: d.index.opens)
    claims = [j for j in content.claims() if j.claim.paper in shown]
    pages = content.pages() | {d.index.id: f"{d.index.paper}.html#{d.index.id}" for d in drawn}
    pages |= {e.id: f"{paper}.html#{e.id}" for paper in shown for e in of_paper(paper)}
    about = {
        "content": content,
        "traces": len(traces),
        "machines": list(dict.fromkeys(processor for _, processor in (t.machine for t in traces))),
        "tally": tally(claims),
        "read": tally([j for j in claims if not j.claim.source_said]),
        "reported": tally([j for j in claims if j.claim.source_said]),
        "amendments": amendments_line(content),
        "mutants": mutant_table.line() if content.only is None else "",
        "changes": changes_line(content),
        "recorded": recorded_line(content),
        "errors": [(notes_of(p)["short"], e, said) for p in shown for e, said in errata.first(of_paper(p))],
        "matrix": matrix(content),
        "table": listed(claims, content),
        "findings": findings.page(content.measurer, content.drawn, content.only, pages),
        "methods": [(method, method_pages.page_of(method)) for method in method_pages.shown(content)],
        "comparisons": [(quote(file), title) for file, title in comparisons],
        "papers": [(p, notes_of(p), [d for d in drawn if d.index.paper == p]) for p in shown],
        "others": [
            (notes_of(p)["short"], len(content.claims(p)), sum(d.index.paper == p for d in content.drawn))
            for p in content.papers_not_run()
        ],
        "facts": provenance_table(traces),
        "pages": pages,
        "guides": not guides.lacking(),
        "edges": edges.of(content),
    }

    def make(urls: Mapping[str, str]) -> str:
        blocks = [figure_block(d, urls, f"{d.index.paper}.html", pages) for d in opening]
        return render("front.html", figures=blocks, **about)

    return _with_pictures(make, opening, FRONT_LIMIT, FRONT_PICTURES)


def mutants_page(content: Content) -> str:
    """The page of the mutants and what noticed them."""
    return render("mutants.html", lede=mutant_table.LEDE, table=mutant_table.page(content.pages()))


def paper_page(content: Content, paper: str) -> str:
    """The page of one paper."""
    drawn = [d for d in content.drawn if d.index.paper == paper]
    claims, entries = content.claims(paper), of_paper(paper)
    used = [i for d in drawn for i in d.index.experiments]
    used += [i for j in claims if j.judged for i in j.claim.experiments] + [i for e in entries for i in e.experiments]
    used = list(dict.fromkeys(used))
    data = [content.results.experiment(i, content.tier) for i in used]
    pages = content.pages()
    about = {
        "content": content,
        "paper": paper,
        "about": notes_of(paper),
        "tally": tally(claims),
        "table": listed(claims, content),
        "changes": changes_line(content, paper),
        "errata": errata.ledger(entries, content.measurer) if entries else "",
        "measurements": measurement_table(content, used),
        "facts": provenance_table([c for e in data for c in e.cells]),
        "status": status_table(data),
        "limitations": limitations(content, paper),
    }

    beside = {d.index.id: picture_beside(d.entry) for d in drawn if d.entry}
    return render("paper.html", figures=[figure_block(d, beside, pages=pages) for d in drawn], **about)


def _claim_pages(content: Content, paper: str) -> dict[str, str]:
    """The pages of a paper's claims, by their paths from the folder of the report."""
    claims = [None, *content.claims(paper), None]
    around = zip(claims, claims[1:], claims[2:])
    return {j.page: claim_pages.page(j, content, before, after) for before, j, after in around if j}


def write(content: Content, out: Path, comparisons: Sequence[tuple[str, str]] = ()) -> list[Path]:
    """Writes the pages and the tables; returns the paths of those that are not of single claims. A page above its
    limit is an error, not a surprise for the reader's browser."""
    shown = content.papers()
    for paper in filter(content.claims, shown):
        summary_table(content, paper).write(out / paper / "verdicts")
        if entries := of_paper(paper):
            errata.table(entries, content.measurer).write(out / paper / "errata")

    why_no_guides = guides.lacking()
    if why_no_guides:
        print(f"report: without the guides: {why_no_guides}")
    read = [] if why_no_guides else guides.load()
    for picture in guides.pictures(read):
        write_bytes(out / guides.FOLDER / picture.name, picture.read_bytes())
    pictured = gallery.page(content, out)
    between = edges.of(content)
    for old in (edges.FILE, edges.PAGE):
        (out / old).unlink(missing_ok=True)
    if between:
        write_text(out / edges.FILE, json.dumps([e.data() for e in between], indent=1, ensure_ascii=False) + "\n")

    def make(name: str) -> dict[str, str]:
        if name == "report":
            return {"report.html": front_page(content, comparisons)}
        if name == "mutants":
            return {"mutants.html": mutants_page(content)}
        if name == method_pages.FOLDER:
            return of_methods
        if name == "edges":
            return {edges.PAGE: edges.page(between, content)}
        if name == "gallery":
            return {gallery.PAGE: pictured}
        if name == guides.FOLDER:
            return guides.pages(read)
        return {f"{name}.html": paper_page(content, name), **_claim_pages(content, name)}

    of_methods = method_pages.pages(content)
    names = [
        "report",
        *shown,
        method_pages.FOLDER,
        *(["mutants"] if content.only is None else []),
        *(["edges"] if between else []),
        "gallery",
        *([guides.FOLDER] if read else []),
    ]
    written: list[Path] = []
    for name, pages in zip(names, map_in_processes(make, names, "pages made")):
        for path, text in pages.items():
            limit = PAPER_LIMIT if name in shown else FRONT_LIMIT
            if (length := len(text.encode("utf-8"))) > limit:
                raise RuntimeError(f"{path} is {length / 1e6:.1f} MB, more than {limit / 1e6:.1f} MB")
            write_text(out / path, text)
        several = out / name if name in (guides.FOLDER, method_pages.FOLDER) else out / name / "claims"
        for old in {*several.glob("*.html")} - {out / path for path in pages}:
            old.unlink()  # of a claim, a guide or a method that is no more
        if name != method_pages.FOLDER:
            written.append(out / next(iter(pages)))
    return written
