# SPDX-License-Identifier: BSD-3-Clause
"""The comparison as one self-contained page, beside the report."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any

from deformbench_analysis.compare import settings_text
from deformbench_analysis.comparison import ratios as statistics
from deformbench_analysis.comparison.overhead import overhead_table
from deformbench_analysis.comparison.pairs import Compared, Comparison
from deformbench_analysis.comparison.sides import Side
from deformbench_analysis.comparison.tables import DIFFERS, LACKS, SAME, outcome, pair_table, parameters
from deformbench_analysis.output import write_text
from deformbench_analysis.progress import in_progress
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures.comparison import plots
from paper_figures.report.figure_blocks import compact_picture, data_url
from paper_figures.report.pages import page
from paper_figures.report.run_tables import provenance_table

PREFIX = "comparison_"
_OPEN_ROWS = 14  # a table with more opens on demand
_SVG_LIMIT = 150_000  # bytes; a larger figure is embedded as a picture


def name_of(sides: Sequence[Side]) -> str:
    """Name of the page's file, without its ending."""
    words = "_vs_".join(re.sub(r"[^A-Za-z0-9.]+", "_", s.text).strip("_") for s in sides)
    text = " ".join(s.text for s in sides)
    return PREFIX + (words if len(words) <= 80 else words[:70] + "_" + hashlib.sha256(text.encode()).hexdigest()[:8])


def write(
    comparison: Comparison,
    results: Results,
    out: Path,
    name: str | None = None,
    title: str | None = None,
    absent: Sequence[Side] = (),
) -> Path:
    """Draws the figures and writes the page; returns its path.
    `absent` are sides that were asked for and have no cell."""
    name = name or name_of(comparison.sides)
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    sections = [_summary(comparison), _reading()]
    sections += [
        _experiment(one, comparison.sides, results, folder)
        for one in in_progress("comparisons drawn", comparison.experiments)
    ]
    overhead = _overhead(comparison)
    sections += [overhead, _lacking(comparison)]
    traces = list({c.path: c for one in comparison.experiments for of in one.cells for c in of}.values())
    sections.append(f'<section id="machine"><h2>Machine and provenance</h2>{provenance_table(traces)}</section>')
    nav = [("report.html", "All papers"), ("#summary", "In short"), ("#reading", "How to read it")]
    nav += [(f"#{_anchor(one)}", one.id) for one in comparison.experiments]
    nav += [("#overhead", "Protocol of programs")] if overhead else []
    nav += [("#lacking", "Not compared"), ("#machine", "Machine")]
    others = ", ".join(s.text for s in comparison.sides[1:])
    lede = f"Tier {escape(comparison.tier)}: {len(comparison.experiments)} experiments that the baseline and another have run."
    if absent:
        lede += f" No cell of {escape(', '.join(s.text for s in absent))}: not in this build, or not run."
    text = page(title or f"{comparison.sides[0].text}, compared with {others}", lede, nav, sections, "compare")
    path = out / f"{name}.html"
    write_text(path, text)
    return path


def known_pages(out: Path) -> list[tuple[str, str]]:
    """File and title of the comparisons in a folder of pages."""
    found = []
    for path in sorted(out.glob(f"{PREFIX}*.html")):
        with path.open(encoding="utf-8") as file:
            title = re.search(r"<title>(.*?)</title>", file.read(2000))
        found.append((path.name, unescape(title.group(1)) if title else path.stem))
    return found


def _anchor(one: Compared) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "-", one.id)


def _counted(words: Counter[str]) -> str:
    return ", ".join(f"{n} {word}" for word, n in words.items()) or "–"


def _failures(cells: Sequence[Trace]) -> str:
    bad = Counter(c.status for c in cells if c.status != "completed")
    return f"{len(cells) - sum(bad.values())} completed" + (f", {_counted(bad)}" if bad else "")


def _summary(comparison: Comparison) -> str:
    baseline, *others = comparison.sides
    head = f"<tr><th>experiment</th><th>{escape(baseline.text)}<br>(baseline)</th>" + "".join(
        f"<th>{escape(s.text)}</th>" for s in others
    )
    rows = []
    for one in comparison.experiments:
        columns = []
        for index in range(1, len(comparison.sides)):
            found = Counter(
                "not compared" if p.why_not else "without a ratio" if p.ratio is None else p.ratio.verdict
                for p in one.pairs
                if p.side == index
            )
            cells = one.cells[index]
            ends = f"<br><span class=where>{escape(_failures(cells))}</span>" if cells else ""
            columns.append(f"<td>{escape(_counted(found)) if cells else 'no cell'}{ends}</td>")
        rows.append(
            f'<tr><td><a href="#{_anchor(one)}">{escape(one.id)}</a></td>'
            f"<td><span class=where>{escape(_failures(one.cells[0]))}</span></td>{''.join(columns)}</tr>"
        )
    total = sum(1 for one in comparison.experiments for p in one.pairs if p.ratio is not None)
    chance = (
        f"<p>{total} ratios have an interval. Of so many 95 % intervals about {max(1, round(total / 20))} would exclude 1 by chance "
        "alone if no step times differed: read a single one that barely does with care.</p>"
        if total
        else "<p>No ratio: nothing that both have was timed in one call of <code>deformbench time</code>.</p>"
    )
    return (
        f'<section id="summary"><h2>In short</h2><p>Times over the baseline\'s, counted by outcome; below, how the cells ended.</p>'
        f"<table><thead>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{chance}</section>"
    )


def _reading() -> str:
    return (
        '<section id="reading"><h2>How to read it</h2><ul class=sans style="font-size:.88rem">'
        "<li>Two cells are a pair when they ran the same scene on the same schedule, with the same threads and seed. Parameters of the methods "
        "are as each entry has them: the differences are marked below, and a ratio is one of these settings, not of the methods as such.</li>"
        "<li>A ratio is formed within each pair of repeats that <code>time</code> ran beside each other: the median time of a step of one over "
        "that of the other, over the steps that both have; where the schedule ends at a static limit, the time of all steps up to it. Shown are the median over the pairs and a 95 % bootstrap interval over them "
        f"({statistics.RESAMPLES:,} resamples, seed {statistics.SEED}, percentiles widened for few pairs). Where it contains 1, or rests on "
        f"fewer than {statistics.LEAST_PAIRS} pairs, no difference is shown; that is not evidence of equality.</li>"
        "<li>Repeats of different calls of <code>time</code>, machines, processors, numbers of threads or builds of the harness are never "
        "paired; the reason stands in the row.</li>"
        "<li>Errors are relative and against the reference named with them. The same mesh may leave every method the same error: then it is "
        "the mesh's. Without a reference the distance of the two from each other is given, which says nothing on who is right.</li>"
        "<li>The time of a run is its steps times the median time of a step, or the time of all steps up to the static limit. Methods that converge in fewer steps have shorter runs.</li>"
        "<li>Cells that diverged, failed, ran out of time or are unsupported are drawn as ✕ and listed with their reason.</li></ul></section>"
    )


def _picture(files: dict[str, Path] | None, alt: str, caption: str) -> str:
    if files is None:
        return ""
    if files["svg"].stat().st_size <= _SVG_LIMIT:
        url = data_url(files["svg"], "image/svg+xml")
    else:
        picture, kind = compact_picture(files["png"])
        url = f"data:{kind};base64,{base64.b64encode(picture).decode('ascii')}"
    return f'<figure><img alt="{escape(alt)}" src="{url}"><figcaption>{caption}</figcaption></figure>'


def _experiment(one: Compared, sides: Sequence[Side], results: Results, folder: Path) -> str:
    declaration = results.declarations.get(one.id)
    doc = str(declaration.data.get("doc", "")) if declaration is not None else ""
    stem = folder / one.id.replace("/", "_")
    ratio_files = plots.ratios(one, sides, stem.with_name(stem.name + "_ratios"))
    error_files = plots.errors(one, sides, stem.with_name(stem.name + "_errors"))
    whats = list(dict.fromkeys(e.what for found in one.errors.values() for e in found))
    drawable = sum(1 for p in one.pairs if p.ratio is not None or p.why_not)
    more = f" The first {plots.ROWS} of {drawable} pairs; the table has all." if drawable > plots.ROWS else ""
    counted = Counter(outcome(p).split(" (")[0].split(":")[0] for p in one.pairs)
    table = pair_table(one, sides)
    stem_table = table.write(stem.with_name(stem.name + "_pairs"))[0]
    opened = " open" if len(table.rows) <= _OPEN_ROWS else ""
    csv = f'<a download="{stem_table.name}" href="{data_url(stem_table, "text/csv")}">as CSV</a>'
    return (
        f'<section id="{_anchor(one)}"><h2>{escape(one.id)}</h2><p class=lede>{escape(doc)}</p>'
        f"<p>{len(one.pairs)} pairs: {escape(_counted(counted))}.</p>"
        + _picture(
            ratio_files,
            f"Ratios of step times, {one.id}",
            f"{plots.quantity(one).capitalize()} over the baseline's.{more}",
        )
        + _picture(
            error_files,
            f"Errors, {one.id}",
            f"Errors: {escape('; '.join(whats))}. Of the whole curve where there is one, else at the end. Down and left is better."
            + _numbered_points(one),
        )
        + ("" if whats else "<p>No reference: no error can be given.</p>")
        + "".join(f"<p>{escape(line[0].upper() + line[1:])}.</p>" for line in one.without_error())
        + _ended_badly(one)
        + f"<details{opened}><summary>All pairs ({len(table.rows)} rows)</summary><p>{csv}</p><div class=scroll>{table.html('numbers')}</div></details>"
        + _parameters(one, sides)
        + "</section>"
    )


def _numbered_points(one: Compared) -> str:
    points = list(dict.fromkeys(one.point(c) for of in one.cells for c in of))
    if len(points) <= 6:
        return ""
    return " Points: " + "; ".join(f"{i}: {escape(p)}" for i, p in enumerate(points, start=1)) + "."


def _ended_badly(one: Compared) -> str:
    lines = [
        f"<li class=failed>✕ {escape(one.label(c))}, {escape(one.point(c))}: {escape(c.status)} — {escape(c.status_reason or 'no reason recorded')}</li>"
        for c in {c.cell_id: c for c in one.ended_badly()}.values()
    ]
    lines += [
        f"<li>{escape(name)} ({escape(settings_text(at) or 'no coordinates')}): listed, but there is no trace</li>"
        for name, at in one.missing
    ]
    return f"<ul class=sans style='font-size:.84rem'>{''.join(lines)}</ul>" if lines else ""


def _value(values: list[Any] | None) -> str:
    if values is None:
        return "<span class=where>no such parameter</span>"
    return escape(
        "; ".join(v if isinstance(v, str) else json.dumps(v) for v in values[:8]) + (" …" if len(values) > 8 else "")
    )


def _parameters(one: Compared, sides: Sequence[Side]) -> str:
    rows = parameters(one)
    counted = Counter(r.kind for r in rows)
    words = {
        DIFFERS: ("differs", "differ"),
        SAME: ("is the same", "are the same"),
        LACKS: (f"is {LACKS}", f"are {LACKS}"),
    }
    said = ", ".join(f"{counted[kind]} {words[kind][counted[kind] != 1]}" for kind in words)
    heads = "".join(
        f"<th>{escape(s.text)}<br><span class=where>{escape(', '.join(dict.fromkeys(c.method_name for c in of)) or 'no cell')}</span></th>"
        for s, of in zip(sides, one.cells)
    )

    body = "".join(
        f"<tr{' class=changed' if r.kind == DIFFERS else ''}><td><code>{escape(r.name)}</code></td>"
        + "".join(f"<td>{_value(v)}</td>" if cells else "<td>–</td>" for v, cells in zip(r.values, one.cells))
        + "</tr>"
        for r in sorted(rows, key=lambda r: list(words).index(r.kind))
    )
    return (
        f"<details open><summary>Parameters of the methods: {said}</summary>"
        f"<div class=scroll><table class=numbers><thead><tr><th>parameter</th>{heads}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def _overhead(comparison: Comparison) -> str:
    """What the protocol costs the methods that are programs; empty where there is none."""
    table = overhead_table(comparison.experiments)
    if table is None:
        return ""
    return (
        '<section id="overhead"><h2>Protocol of programs</h2><p>A method that is a program is asked for every step, and answers with positions. '
        "Its ratios above are of both together; here its own time and that of asking and answering stand apart (medians over all steps, "
        f"share of each step).</p>{table.html('numbers')}</section>"
    )


def _lacking(comparison: Comparison) -> str:
    items = [
        f"<li>{escape(i)}: no cell of {escape(', '.join(absent))}</li>" for i, absent in comparison.lacking.items()
    ]
    command = f"deformbench run EXPERIMENT --tier {comparison.tier} --method METHOD"
    text = (
        f"<p>Experiments of these results in which some of the methods have cells and others have none; <code>{escape(command)}</code> adds "
        f"them, and says so where a method does not support the scene.</p><ul class=sans style='font-size:.84rem'>{''.join(items)}</ul>"
        if items
        else "<p>Every method has cells in every experiment of these results that one of them has.</p>"
    )
    return f'<section id="lacking"><h2>Not compared</h2>{text}</section>'
