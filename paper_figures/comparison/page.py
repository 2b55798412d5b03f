# SPDX-License-Identifier: BSD-3-Clause
"""The comparison as one self-contained page, beside the report."""

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

from deformbench_analysis import timing_marks
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
from paper_figures import curves
from paper_figures.comparison import plots
from paper_figures.report.described import described
from paper_figures.report.figure_blocks import compact_picture, data_url
from paper_figures.report.run_tables import provenance_table
from paper_figures.report.templating import render

PREFIX = "comparison_"
_OPEN_ROWS = 14  # longer tables start closed
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
    `absent`: requested sides without a cell."""
    name = name or name_of(comparison.sides)
    text = render(
        "comparison.html",
        heading=title or f"{comparison.sides[0].text}, compared with {', '.join(s.text for s in comparison.sides[1:])}",
        absent=", ".join(s.text for s in absent),
        facts=provenance_table(traces_of(comparison)),
        **shown(comparison, results, out / name),
    )
    path = out / f"{name}.html"
    write_text(path, text)
    return path


def shown(comparison: Comparison, results: Results, folder: Path) -> dict[str, Any]:
    """Context of comparison_main.html; draws its figures in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "comparison": comparison,
        "summary": _summary(comparison),
        "statistics": statistics,
        "experiments": [
            _experiment(one, comparison.sides, results, folder)
            for one in in_progress("comparisons drawn", comparison.experiments)
        ],
        "overhead": overhead_table(comparison.experiments),
        "cited": _cited(traces_of(comparison)),
        "marked": {
            "note": timing_marks.note(traces_of(comparison)),
            "sides": [
                timing_marks.marks(c for one in comparison.experiments for c in one.cells[k])
                for k in range(len(comparison.sides))
            ],
            "busy": [
                f"{c.experiment}: {c.label}: {load}" for c in traces_of(comparison) if (load := timing_marks.load(c))
            ],
        },
    }


def _cited(traces: Sequence[Trace]) -> dict[str, Any]:
    """What to cite with these numbers: the papers of the methods, the commits."""
    about = described()
    papers = {
        t.method_id: about[t.method_id]["paper"]["text"] for t in traces if about.get(t.method_id, {}).get("paper")
    }
    commits = sorted({str(t.provenance.get("git_commit") or "unknown")[:12] for t in traces})
    return {"papers": sorted(papers.items()), "commits": commits}


def traces_of(comparison: Comparison) -> list[Trace]:
    """All compared traces, once each."""
    return list({c.path: c for one in comparison.experiments for of in one.cells for c in of}.values())


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


def _summary(comparison: Comparison) -> dict[str, Any]:
    """Per experiment how the cells of every side ended, and its ratios counted by outcome."""
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
            columns.append((_counted(found) if cells else "no cell", _failures(cells) if cells else ""))
        rows.append((one, _anchor(one), _failures(one.cells[0]), columns))
    return {"rows": rows, "total": sum(1 for one in comparison.experiments for p in one.pairs if p.ratio is not None)}


def _picture(files: dict[str, Path] | None, alt: str, caption: str) -> dict[str, Any] | None:
    if files is None:
        return None
    if files["svg"].stat().st_size <= _SVG_LIMIT:
        url = data_url(files["svg"], "image/svg+xml")
    else:
        picture, kind = compact_picture(files["png"])
        url = f"data:{kind};base64,{base64.b64encode(picture).decode('ascii')}"
    pdf = files.get("pdf")
    return {
        "alt": alt,
        "url": url,
        "caption": caption,
        "pdf": (pdf.name, data_url(pdf, "application/pdf")) if pdf else None,
        "curves": curves.read(curves.path_of(files["svg"])),
    }


def _experiment(one: Compared, sides: Sequence[Side], results: Results, folder: Path) -> dict[str, Any]:
    declaration = results.declarations.get(one.id)
    stem = folder / one.id.replace("/", "_")
    ratio_files = plots.ratios(one, sides, stem.with_name(stem.name + "_ratios"))
    error_files = plots.errors(one, sides, stem.with_name(stem.name + "_errors"))
    whats = list(dict.fromkeys(e.what for found in one.errors.values() for e in found))
    drawable = sum(1 for p in one.pairs if p.ratio is not None or p.why_not)
    more = f" The first {plots.ROWS} of {drawable} pairs; the table has all." if drawable > plots.ROWS else ""
    table = pair_table(one, sides)
    csv, _, latex = table.write(stem.with_name(stem.name + "_pairs"))
    pictures = [
        _picture(
            ratio_files,
            f"Ratios of step times, {one.id}",
            f"{plots.quantity(one).capitalize()} over the baseline's.{more}",
        ),
        _picture(
            error_files,
            f"Errors, {one.id}",
            f"Errors: {'; '.join(whats)}. Of the whole curve if any, else at the end. Down and left is better."
            + _numbered_points(one),
        ),
    ]
    return {
        "id": one.id,
        "anchor": _anchor(one),
        "doc": str(declaration.data.get("doc", "")) if declaration is not None else "",
        "pairs": len(one.pairs),
        "counted": _counted(Counter(outcome(p).split(" (")[0].split(":")[0] for p in one.pairs)),
        "pictures": [p for p in pictures if p],
        "has_error": bool(whats),
        "without_error": [line[0].upper() + line[1:] for line in one.without_error()],
        "failed": [
            f"{one.label(c)}, {one.point(c)}: {c.status} — {c.status_reason or 'no reason recorded'}"
            for c in {c.cell_id: c for c in one.ended_badly()}.values()
        ],
        "missing": [f"{name} ({settings_text(at) or 'no coordinates'})" for name, at in one.missing],
        "table": table,
        "is_open": len(table.rows) <= _OPEN_ROWS,
        "csv": (csv.name, data_url(csv, "text/csv")),
        "latex": (latex.name, data_url(latex, "application/x-tex")),
        "parameters": _parameters(one, sides),
    }


def _numbered_points(one: Compared) -> str:
    points = list(dict.fromkeys(one.point(c) for of in one.cells for c in of))
    if len(points) <= 6:
        return ""
    return " Points: " + "; ".join(f"{i}: {p}" for i, p in enumerate(points, start=1)) + "."


def _value(values: list[Any] | None) -> str | None:
    """Values of a parameter as text; None if it is absent."""
    if values is None:
        return None
    return "; ".join(v if isinstance(v, str) else json.dumps(v) for v in values[:8]) + (" …" if len(values) > 8 else "")


def _parameters(one: Compared, sides: Sequence[Side]) -> dict[str, Any]:
    rows = parameters(one)
    counted = Counter(r.kind for r in rows)
    words = {
        DIFFERS: ("differs", "differ"),
        SAME: ("is the same", "are the same"),
        LACKS: (f"is {LACKS}", f"are {LACKS}"),
    }
    return {
        "said": ", ".join(f"{counted[kind]} {words[kind][counted[kind] != 1]}" for kind in words),
        "heads": [
            (s.text, ", ".join(dict.fromkeys(c.method_name for c in of)) or "no cell")
            for s, of in zip(sides, one.cells)
        ],
        "rows": [
            (r.name, r.kind == DIFFERS, [(bool(cells), _value(v)) for v, cells in zip(r.values, one.cells)])
            for r in sorted(rows, key=lambda r: list(words).index(r.kind))
        ],
    }
