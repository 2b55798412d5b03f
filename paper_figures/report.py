# SPDX-License-Identifier: BSD-3-Clause
"""The report: `report.html` (all papers, at most 3 MB) and `<paper>.html` (at most 20 MB), each one self-contained file.

No script, no outside resource: pictures and CSV are embedded, so that the page opens offline and prints.
"""

from __future__ import annotations

import base64
import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from deformbench_analysis.claims import VERDICTS, Claim
from deformbench_analysis.errata import of_paper
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.output import write_text
from deformbench_analysis.paths import figures_dir
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.parallel import map_in_processes
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from deformbench_analysis.verdicts import UNRECORDED, Change, Comparison, Judgement, Outcome, Verdict
from paper_figures import errata, findings, mutant_table
from paper_figures.entry import Drawn

FRONT_LIMIT = 3_000_000
PAPER_LIMIT = 20_000_000
_ROWS_SHOWN = 60
FRONT_PICTURES = 2_000_000  # of the front page, for pictures; the rest is tables
PAPER_PICTURES = 16_000_000
COMPACT_WIDTHS = (
    1300,
    1000,
    760,
    600,
    480,
)  # pixels; the narrower ones only where the wider ones together are too many
FRONT_CSV = 6_000  # bytes of a figure's numbers on the front page; longer ones are on the paper's page
OPENING_FIGURE = "fig_07_ms_per_step"  # is placed above the table of verdicts
_RESERVE = 60_000  # of a page's limit, left free

WORDS = {
    "holds": "holds",
    "holds_in_regime": "holds in a regime",
    "does_not_hold": "does not hold",
    "inconclusive": "inconclusive",
    "not_testable": "not testable",
    "not_measured": "not measured",
}


@dataclass
class Content:
    """All that the pages show."""

    results: Results
    tier: str
    judgement: Judgement
    drawn: list[Drawn]
    measurer: Measurer
    changes: list[Change] = field(default_factory=list)

    def experiments(self) -> list[ExperimentData]:
        """All experiments of the tree and of the results, at the report's tier."""
        known = sorted(set(self.results.declarations) | set(self.results.experiments()))
        return [self.results.experiment(i, self.tier) for i in known]

    def traces(self) -> list[Trace]:
        """All cells."""
        return [c for e in self.experiments() for c in e.cells]

    def definitions(self) -> dict[str, str]:
        """Measurement → its defining sentence."""
        return {name: entry.definition for name, entry in self.measurer.registry.items()}

    def waiting(self) -> list[Claim]:
        """Claims that nothing here can judge yet."""
        return [claim for claim, _ in self.judgement.skipped if claim.waits_for]

    def has_claims(self, paper: str) -> bool:
        """Whether claims of the paper were judged or skipped."""
        return any(
            c.paper == paper
            for c in [v.claim for v in self.judgement.verdicts] + [c for c, _ in self.judgement.skipped]
        )

    def papers(self) -> list[str]:
        """Papers with claims or figures, each once."""
        named = (
            [v.claim.paper for v in self.judgement.verdicts]
            + [c.paper for c, _ in self.judgement.skipped]
            + [d.index.paper for d in self.drawn]
        )
        return list(dict.fromkeys(named))


def notes_of(paper: str) -> dict[str, Any]:
    """Citation and limitations of a paper."""
    path = figures_dir() / paper / "notes.json"
    if not path.exists():
        return {"short": paper, "citation": paper, "limitations": []}
    return dict(json.loads(path.read_text(encoding="utf-8")))


def data_url(path: Path, kind: str) -> str:
    """A file as a URL that holds its content."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"


def _number(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if 10_000 <= abs(value) < 1e7 else f"{value:.4g}"
    if text == "1" and value != 1:
        text = f"1 {'+' if value > 1 else '−'} {abs(value - 1):.1e}"
    return text if unit in ("", "1") else f"{text} {escape(unit)}"


def _sentence(name: str, definitions: Mapping[str, str]) -> str:
    """What a measurement is, in a sentence; its name only where it has none."""
    return escape(definitions.get(name, name).rstrip("."))


def _comparison(c: Comparison, definitions: Mapping[str, str]) -> str:
    op = {"<=": "≤", ">=": "≥", "==": "=", "in": "in"}.get(c.op, c.op)
    bound = f"[{c.bound[0]:.7g}, {c.bound[1]:.7g}]" if c.op == "in" else f"{c.bound:.7g}"
    measured = "not measured" if c.value.value is None else _number(c.value.value, c.value.unit)
    note = f" <span class=why>{escape(c.value.note)}</span>" if c.value.note else ""
    css = "m false" if c.outcome is Outcome.FALSE else "m"
    return (
        f'<div class="{css}" title="{escape(c.origin)}">{_sentence(c.value.name, definitions)}: <span class=v>{measured}</span> '
        f"<span class=b>({escape(op)} {bound})</span>{note} <code class=name>{escape(c.value.name)}</code></div>"
    )


def _best(value: Value, definitions: Mapping[str, str]) -> str:
    measured = "not measured" if value.value is None else _number(value.value, value.unit)
    note = f" <span class=why>{escape(value.note)}</span>" if value.note else ""
    return (
        f"<div class=m>{_sentence(value.name, definitions)}: <span class=v>{measured}</span>{note} "
        f"<code class=name>{escape(value.name)}</code></div>"
    )


def _verdict_row(v: Verdict, content: Content, changed: Iterable[str], own_page: str) -> str:
    definitions, drawn = content.definitions(), content.drawn
    parts = [_comparison(c, definitions) for c in v.comparisons]
    if v.verdict == "holds_in_regime":
        parts.append(f"<div class=why>In the regime: {escape(v.claim.regime)}</div>")
    if v.regime_comparisons and v.verdict != "holds":
        known = {(c.value.name, c.op, str(c.bound)) for c in v.comparisons}
        parts += [
            _comparison(c, definitions) for c in v.regime_comparisons if (c.value.name, c.op, str(c.bound)) not in known
        ]
    if v.best:
        parts.append("<div class=why>Beside it, not judged:</div>" if v.comparisons else "")
        parts += [_best(b, definitions) for b in v.best]
    if v.verdict in ("inconclusive", "not_testable") and v.reason:
        parts.append(f"<div class=why>{escape(v.reason)}</div>")
    figures = [d for d in drawn if v.claim.id in d.index.claims and d.entry]
    links = (
        "<br>".join(
            f'<a class=nb href="{"" if own_page in ("", d.index.paper) else "report.html"}#{d.index.id}">{escape(d.index.number)}</a>'
            for d in figures
        )
        or "–"
    )
    css = " class=changed" if v.claim.id in changed else ""
    return (
        f'<tr{css} id="{escape(v.claim.id)}"><td><span class=id>{escape(v.claim.id)}</span><br><span class=where>{escape(v.claim.where)}</span></td>'
        f'<td>{escape(v.claim.statement)}</td><td><span class="verdict {v.verdict}">{WORDS[v.verdict]}</span>'
        f"<br><span class=where>{escape(v.claim.variant.replace('_', ' '))}</span></td><td>{''.join(parts)}</td><td>{v.tier}</td><td>{links}</td></tr>"
    )


def _skipped_row(claim: Claim, why: str) -> str:
    """A claim that this run does not judge, with the reason."""
    return (
        f'<tr id="{escape(claim.id)}"><td><span class=id>{escape(claim.id)}</span><br><span class=where>{escape(claim.where)}</span></td>'
        f'<td>{escape(claim.statement)}</td><td><span class="verdict not_measured">{"waiting" if claim.waits_for else "not judged"}</span><br><span class=where>{escape(claim.variant.replace("_", " "))}</span></td>'
        f"<td><div class=why>{escape(why)}</div></td><td>–</td><td>–</td></tr>"
    )


def verdict_table(content: Content, paper: str, own_page: str = "") -> str:
    """The paper's verdicts; `own_page` is the paper whose page this is ("" for the front page, which has all figures)."""
    verdicts = [v for v in content.judgement.verdicts if v.claim.paper == paper]
    changed = {c.claim for c in content.changes if c.recorded != UNRECORDED}
    every = [(v.claim.id, _verdict_row(v, content, changed, own_page)) for v in verdicts]
    every += [(c.id, _skipped_row(c, why)) for c, why in content.judgement.skipped if c.paper == paper]
    rows = "".join(row for _, row in sorted(every))
    table = (
        (
            "<table class=verdicts><thead><tr><th>claim</th><th>what the paper says, in our words</th><th>verdict</th><th>measured, and bound</th>"
            f"<th>tier</th><th>figure</th></tr></thead><tbody>{rows}</tbody></table>"
        )
        if every
        else "<p>There is no claim.</p>"
    )
    own = [c for c in content.changes if c.claim in changed and c.claim in {v.claim.id for v in verdicts}]
    if own:
        table += (
            "<p>Different from the record: "
            + "; ".join(f"{escape(c.claim)} was {escape(c.recorded)}, is {escape(c.now)}" for c in own)
            + ".</p>"
        )
    return table


def counts_line(verdicts: Iterable[Verdict], waiting: int = 0) -> str:
    """How many claims got each verdict, as HTML."""
    counted = Counter(v.verdict for v in verdicts)
    spans = [f'<span class="{k}"><b>{counted[k]}</b>{WORDS[k]}</span>' for k in VERDICTS if counted[k]]
    spans += [f'<span class="not_measured"><b>{waiting}</b>waiting</span>'] if waiting else []
    return f"<div class=counts>{''.join(spans)}</div>"


def compact_picture(png: Path, width: int = COMPACT_WIDTHS[0]) -> tuple[bytes, str]:
    """A picture at most `width` wide, and its type: 128 colours, or JPEG where that is smaller (renderings)."""
    with Image.open(png) as image:
        small = image.convert("RGB")
        if small.width > width:
            small = small.resize((width, round(small.height * width / small.width)), Image.LANCZOS)
        few_colours, photograph = io.BytesIO(), io.BytesIO()
        small.quantize(128).save(few_colours, "PNG", optimize=True)
        small.save(photograph, "JPEG", quality=88, optimize=True)
    if len(photograph.getvalue()) < len(few_colours.getvalue()):
        return photograph.getvalue(), "image/jpeg"
    return few_colours.getvalue(), "image/png"


def pictures(drawn: Iterable[Drawn], budget: int) -> dict[str, str]:
    """Figure id → data URL. Vector graphics, and the largest of them as compact pictures, ever narrower, until all together fit the budget (bytes)."""
    chosen: dict[str, tuple[bytes, str]] = {}
    ready = {d.index.id: d.entry.files for d in drawn if d.entry is not None}
    for name, files in ready.items():
        picture = files["svg"] if "svg" in files else files["png"]
        chosen[name] = (picture.read_bytes(), "image/svg+xml" if "svg" in files else "image/png")
    for width in COMPACT_WIDTHS:
        for name in sorted(chosen, key=lambda n: -len(chosen[n][0])):
            if sum(len(data) for data, _ in chosen.values()) * 4 / 3 <= budget:
                break
            compact = compact_picture(ready[name]["png"], width)
            if len(compact[0]) < len(chosen[name][0]):
                chosen[name] = compact
    return {
        name: f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" for name, (data, kind) in chosen.items()
    }


def _budget(page_without: str, limit: int, most: int) -> int:
    """Bytes for pictures on a page whose other content is known."""
    return max(0, min(most, limit - _RESERVE - len(page_without.encode("utf-8"))))


def _figure(d: Drawn, urls: Mapping[str, str], elsewhere: str = "") -> str:
    """`elsewhere` is the page that has the numbers when they are too many for this one; "" keeps them all here."""
    head = f"<h3>{escape(d.index.number)} — {escape(d.index.title)}</h3>"
    if d.entry is None:
        return f'<section id="{d.index.id}">{head}<p class=failed>Not drawn: {escape(d.reason)}</p></section>'
    image = f'<img alt="{escape(d.entry.title)}" src="{urls.get(d.index.id, "data:,")}">'
    failed = "".join(f"<div class=failed>✕ {escape(line)}</div>" for line in d.entry.failed)
    claims = ", ".join(escape(c) for c in d.index.claims)
    numbers = f"{elsewhere}#{d.index.id}" if elsewhere else ""
    return (
        f'<section id="{d.index.id}">{head}<figure>{image}<figcaption>{escape(d.entry.caption)}{failed}'
        f"{_csv_block(d.entry.csv, numbers)}<div class=lede>Claims: {claims or '–'}. Experiments: {escape(', '.join(d.index.experiments))}.</div>"
        f"</figcaption>{''.join(d.entry.tables)}</figure></section>"
    )


def _csv_block(path: Path, elsewhere: str = "") -> str:
    """The figure's numbers as a table that opens on demand, with the CSV itself as a link; or a link to where they stand."""
    if elsewhere and path.stat().st_size > FRONT_CSV:
        return f'<p class=lede>Numbers of this figure: <a href="{elsewhere}">{escape(path.name)}</a>, on the page of its paper.</p>'
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    shown = rows[:_ROWS_SHOWN]
    body = "".join("<tr>" + "".join(f"<td>{escape(_rounded(v))}</td>" for v in row) + "</tr>" for row in shown)
    more = f"<p>{len(rows) - len(shown)} more rows are in the file.</p>" if len(rows) > len(shown) else ""
    return (
        f'<details><summary>Numbers of this figure</summary><p><a download="{escape(path.name)}" href="{data_url(path, "text/csv")}">'
        f"{escape(path.name)}</a> ({len(rows)} rows)</p><div class=scroll><table class=numbers><thead><tr>"
        + "".join(f"<th>{escape(h)}</th>" for h in head)
        + f"</tr></thead><tbody>{body}</tbody></table></div>{more}</details>"
    )


def _rounded(text: str) -> str:
    """A number of the CSV with five digits; any other text as it is."""
    try:
        return text if text.lstrip("-").isdigit() else f"{float(text):.5g}"
    except ValueError:
        return text


_FACTS = [
    ("CPU", "cpu"),
    ("cores", "cores"),
    ("threads", "threads"),
    ("load at start (1 min)", "load_1min"),
    ("frequency governor", "governor"),
    ("host", "host"),
    ("compiler", "compiler"),
    ("flags", "flags"),
    ("commit", "git_commit"),
    ("tree", "git_state"),
    ("Eigen", "eigen_version"),
    ("Spectra", "spectra_version"),
    ("HDF5", "hdf5_version"),
]
_RANGES = ("load_1min",)


def provenance_table(traces: Sequence[Trace]) -> str:
    """What the traces say of machine and program: every distinct value, so that a mixture shows."""
    rows = []
    for label, key in _FACTS:
        values = [t.provenance[key] for t in traces if t.provenance.get(key) not in (None, "")]
        if not values:
            continue
        if key in _RANGES and all(isinstance(v, (int, float)) for v in values):
            text = f"{min(values):.2f} … {max(values):.2f}"
        else:
            text = "; ".join(
                f"{v}" + (f" ({n} traces)" if len(set(map(str, values))) > 1 else "")
                for v, n in Counter(map(str, values)).most_common(6)
            )
        rows.append(f"<tr><td>{label}</td><td>{escape(text)}</td></tr>")
    methods = sorted({(t.method_id, str(t.provenance.get("method_fingerprint", ""))[:12]) for t in traces})
    rows.append(
        "<tr><td>methods (fingerprint)</td><td>" + escape("; ".join(f"{m} {f}" for m, f in methods)) + "</td></tr>"
    )
    ends = sorted(str(t.provenance["finished"]) for t in traces if t.provenance.get("finished"))
    if ends:
        rows.append(f"<tr><td>finished (UTC)</td><td>{escape(ends[0])} … {escape(ends[-1])}</td></tr>")
    return f"<table class=facts><tbody>{''.join(rows)}</tbody></table>"


def status_table(experiments: Iterable[ExperimentData]) -> str:
    """Cells by how they ended; every one that did not complete is named with its reason."""
    table = Table(
        [
            Column("experiment"),
            Column("declared"),
            Column("completed"),
            Column("ended otherwise, as declared"),
            Column("ended otherwise, undeclared"),
            Column("no trace"),
            Column("timed"),
        ]
    )
    undeclared: list[str] = []
    declared: list[str] = []
    absent: list[str] = []
    for e in experiments:
        unexpected = e.unexpected()
        table.add(
            e.id,
            len(e.cells) + len(e.missing),
            len(e.select()),
            len([c for c in e.failed() if e.ended_as_declared(c)]),
            len(unexpected),
            len(e.missing),
            sum(1 for c in e.cells if c.timing_path.exists()),
        )
        for cell in e.cells:
            if cell.status == "completed" and e.ended_as_declared(cell):
                continue
            what = f"{escape(e.id)}: {escape(cell.label)}: {cell.status}"
            reason = escape(cell.status_reason or "no reason recorded")
            if e.ended_as_declared(cell):
                declared.append(f"<li>{what} as declared — {reason}</li>")
            elif cell.status == "completed":
                undeclared.append(
                    f"<li class=failed>{what}, but declared to end {escape(e.expected_status(cell))}</li>"
                )
            else:
                undeclared.append(f"<li class=failed>{what} — {reason}</li>")
        if not e.cells:
            absent.append(f"<li>{escape(e.id)}: {escape(e.reason or f'not run ({len(e.missing)} cells)')}</li>")
            continue
        for name, coordinates in e.missing:
            shown = ", ".join(f"{k.rsplit('.', 1)[-1]}={v}" for k, v in coordinates.items())
            absent.append(f"<li>{escape(e.id)}: {escape(name)} ({escape(shown)}): not run</li>")
    named = undeclared + declared + absent
    limit = 60
    more = f"<li>… and {len(named) - limit} more; `deformbench status` lists all</li>" if len(named) > limit else ""
    return table.html() + (
        f"<ul class=sans style='font-size:.84rem'>{''.join(named[:limit])}{more}</ul>"
        if named
        else "<p>Every declared cell completed.</p>"
    )


def measurement_table(content: Content, experiments: Iterable[str]) -> str:
    """All measurements of the experiments, as HTML."""
    wanted = set(experiments)
    table = Table([Column("measurement"), Column("value"), Column("unit"), Column("definition"), Column("note")])
    for name, entry in content.measurer.registry.items():
        if entry.experiment in wanted:
            value = content.measurer(name)
            table.add(
                name, "–" if value.value is None else f"{value.value:.6g}", entry.unit, entry.definition, value.note
            )
    return f"<div class=scroll>{table.html()}</div>" if table.rows else "<p>No measurement is defined.</p>"


def limitations(content: Content, paper: str) -> str:
    """What a paper's page says about its limits, as HTML."""
    items = [escape(line) for line in notes_of(paper).get("limitations", [])]
    claims: list[Claim] = [v.claim for v in content.judgement.verdicts if v.claim.paper == paper]
    items += [f"{escape(c.id)}: {escape(d)}" for c in claims for d in c.deviations]
    items += [f"{escape(c.id)}: not published, and needed to decide: {escape(c.missing)}" for c in claims if c.missing]
    return "<ul>" + "".join(f"<li>{line}</li>" for line in items) + "</ul>" if items else "<p>None recorded.</p>"


def _page(title: str, lede: str, nav: Sequence[tuple[str, str]], sections: Sequence[str]) -> str:
    css = (figures_dir() / "page.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="{href}">{escape(text)}</a>' for href, text in nav)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{css}</style></head><body><header><h1>{escape(title)}</h1><p class=lede>{lede}</p>"
        f"<nav>{links}</nav></header>{''.join(sections)}<footer>Every number here is computed from the traces by "
        "<code>deformbench report</code>; each trace holds the resolved declaration that runs it again.</footer></body></html>\n"
    )


def _errata_link(paper: str) -> str:
    count = len(of_paper(paper))
    return f', with <a href="{paper}.html#errata">the {count} errata of its text</a>' if count else ""


def front_page(content: Content) -> str:
    """The page of all papers."""
    without = _front_page(content, {})
    return _front_page(content, pictures(content.drawn, _budget(without, FRONT_LIMIT, FRONT_PICTURES)))


def _front_page(content: Content, urls: Mapping[str, str]) -> str:
    traces = content.traces()
    opening = [d for d in content.drawn if d.index.id == OPENING_FIGURE]
    sections = [
        f'<section id="findings"><h2>Findings</h2>{findings.page(content.measurer, content.drawn)}</section>',
        *(_figure(d, urls, f"{d.index.paper}.html") for d in opening),
        f'<section id="verdicts"><h2>Tally</h2>{counts_line(content.judgement.verdicts, len(content.waiting()))}{mutant_table.line()}',
    ]
    for paper in content.papers():
        if not content.has_claims(paper):
            continue
        about = notes_of(paper)
        sections.append(
            f"<h2>Verdicts: {escape(about['short'])}</h2><p class=lede>{escape(about['citation'])} "
            f'<a href="{paper}.html">All of it on its own page</a>{_errata_link(paper)}.</p>{verdict_table(content, paper)}'
        )
    sections.append("</section>")
    sections.append(f'<section id="machine"><h2>Machine and provenance</h2>{provenance_table(traces)}</section>')
    sections.append(
        '<section id="figures"><h2>Figures</h2>'
        + "".join(_figure(d, urls, f"{d.index.paper}.html") for d in content.drawn if d not in opening)
        + "</section>"
    )
    sections.append(f'<section id="status"><h2>Runs</h2>{status_table(content.experiments())}</section>')
    sections.append(
        '<section id="limitations"><h2>Limitations</h2>'
        + "".join(f"<h3>{escape(notes_of(p)['short'])}</h3>{limitations(content, p)}" for p in content.papers())
        + "</section>"
    )
    nav = [
        ("#findings", "Findings"),
        ("#verdicts", "Verdicts"),
        ("mutants.html", "Mutants"),
        ("#machine", "Machine"),
        ("#figures", "Figures"),
        ("#status", "Runs"),
        ("#limitations", "Limitations"),
    ]
    nav += [(f"{p}.html", notes_of(p)["short"]) for p in content.papers()]
    lede = f"Claims of published papers, judged by running them: {len(traces)} runs at tier {escape(content.tier)}."
    return _page("deformbench: what the papers claim, and what was measured", lede, nav, sections)


def mutants_page() -> str:
    """The page of the mutants and what noticed them."""
    return _page(
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
    judged = f'<section id="verdicts">{counts_line(verdicts, waiting)}<h2>Verdicts</h2>{verdict_table(content, paper, paper)}</section>'
    sections = [
        judged if content.has_claims(paper) else "",
        '<section id="figures"><h2>Figures and tables</h2>' + "".join(_figure(d, urls) for d in drawn) + "</section>",
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
    return _page(about["short"], escape(about["citation"]), nav, sections)


def summary_table(content: Content, paper: str) -> Table:
    """The verdicts as a table for a paper of one's own."""
    table = Table(
        [
            Column("claim"),
            Column("where"),
            Column("statement"),
            Column("verdict"),
            Column("variant"),
            Column("tier"),
            Column("measured"),
        ]
    )
    for v in content.judgement.verdicts:
        if v.claim.paper == paper:
            table.add(
                v.claim.id,
                v.claim.where,
                v.claim.statement,
                WORDS[v.verdict],
                v.claim.variant,
                v.tier,
                "; ".join(c.text() for c in v.comparisons) or v.reason,
            )
    return table


def write(content: Content, out: Path) -> list[Path]:
    """Writes the pages and the tables; a page above its limit is an error, not a surprise for the reader's browser."""
    for paper in filter(content.has_claims, content.papers()):
        summary_table(content, paper).write(out / paper / "verdicts")
        listed = of_paper(paper)
        if listed:
            errata.table(listed, content.measurer).write(out / paper / "errata")
    written: list[Path] = []
    names = ["report", *content.papers(), "mutants"]
    pages = map_in_processes(
        lambda name: front_page(content)
        if name == "report"
        else mutants_page()
        if name == "mutants"
        else paper_page(content, name),
        names,
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
