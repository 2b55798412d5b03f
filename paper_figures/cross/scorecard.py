# SPDX-License-Identifier: BSD-3-Clause
"""The scorecard: every method against every invariant, a number from a trace in each cell."""

import math
import os
from html import escape
from pathlib import Path

from matplotlib.patches import Rectangle

from deformbench_analysis.timing_marks import marks
from experiments.cross.measurements import scorecard as m
from paper_figures import joined
from paper_figures.entry import ALWAYS
from paper_figures.figure import Drawing, MissingData, Trace, style, titled

SHOWS_JOINED = ALWAYS  # nothing is judged from it
KEPT, BROKEN, NONE = "#e4f1ea", "#f9dfdf", "#ffffff"


def number(value: float) -> str:
    """Two digits: 0, 0.98, 22 as they are, small and large ones with a power of ten."""
    if value == 0:
        return "0"
    if 1e-2 <= abs(value) < 1e3:
        return f"{value:.2g}" if abs(value) < 100 else f"{value:.0f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{style.raised(int(exponent))}"


def said(entry: m.Entry) -> str:
    """An entry as short text; its mark means the same as its colour."""
    if entry.kept is None:
        return m.NOT_RUN if entry.reason.startswith(f"{m.NOT_RUN} in ") else "–"
    mark = "✓" if entry.kept else "✗"
    return f"{mark} {number(entry.value)}" if entry.value is not None else f"{mark} {entry.reason.split(':')[0]}"


def label(row: m.Row) -> str:
    """The method's id, what it is applied to, and a mark where an interpreter runs it."""
    return row.method + ", cloth" * row.cloth + ", joined" * row.joined + marks(_cells(row))


def _cells(row: m.Row) -> list[Trace]:
    return [e.trace for e in row.entries.values() if e.trace]


@titled("Scorecard — method × invariant")
def make(figure: Drawing) -> str:
    rows = m.rows(figure.results)
    if not rows:
        raise MissingData("no trace of the scorecard's experiments")
    table = figure.table("method; body; invariant; value .6g; bound .3g; kept; reason; experiment; cell")
    for row in rows:
        for invariant in m.INVARIANTS:
            e = row.entries[invariant.key]
            rest = (e.kept, e.reason, e.trace.experiment if e.trace else "", e.trace.cell_id if e.trace else "")
            table.add(row.method, "cloth" if row.cloth else "tetrahedra", invariant.key, e.value, e.bound, *rest)
    found = [e for row in rows for e in row.entries.values()]
    kept, broken = sum(e.kept is True for e in found), sum(e.kept is False for e in found)
    figure.machine_cells = [e.trace for e in found if e.trace]
    figure.failed = [
        f"{c.experiment}: {c.label}: {c.status} ({c.status_reason})"
        for data in (m.cells_of(figure.results, i) for i in m.EXPERIMENTS)
        for c in data.unexpected()
    ]
    _draw(figure, rows)
    figure.below = [_html(rows, figure.stem.parents[1])]
    caption = (
        "Every method, with its defaults unless the declaration says otherwise, against the invariants. A number is "
        "the worst of all steps and vertices, without dimension; ✓ is within the bound, ✗ is not, – does "
        f"not apply (the table below says why). {kept} entries are kept and {broken} are not: a broken one is as "
        "often a property of the method as a defect, such as spin damped by implicit Euler, or rotation seen as "
        "strain by linear elements. Each number of the table below links to its trace."
    )
    return joined.noted(caption, any(row.joined for row in rows), figure.machine_cells)


def _draw(figure: Drawing, rows: list[m.Row]) -> None:
    width, height = 1.0, 0.42
    names = max(1.75, *(0.075 * len(label(row)) for row in rows))
    columns = len(m.INVARIANTS)
    axes = figure.axes(width=0.98 * (columns * width + names), height=height * (len(rows) + 2.6))
    axes.set_axis_off()
    axes.set(xlim=(-names, columns * width), ylim=(len(rows) + 0.1, -1.5))
    axes.grid(visible=False)
    for j, invariant in enumerate(m.INVARIANTS):
        axes.text(j + 0.5, -0.72, invariant.title, ha="center", va="center", fontsize=8.5, fontweight="bold")
        axes.text(j + 0.5, -0.15, invariant.short, ha="center", va="center", fontsize=7.5, color=style.GREY)
    axes.text(-names, -0.15, "kept within", va="center", fontsize=7.5, color=style.GREY)
    for i, row in enumerate(rows):
        first_cloth = row.cloth and not rows[i - 1].cloth
        axes.axhline(
            i, color=style.INK if i == 0 or first_cloth else "#d9d9d6", lw=0.9 if i == 0 or first_cloth else 0.6
        )
        axes.text(-names, i + 0.5, label(row), va="center", fontsize=9)
        for j, invariant in enumerate(m.INVARIANTS):
            e = row.entries[invariant.key]
            colour = NONE if e.kept is None else KEPT if e.kept else BROKEN
            axes.add_patch(Rectangle((j + 0.03, i + 0.05), 0.94, 0.9, facecolor=colour, edgecolor="none"))
            ink = style.GREY if e.kept is None else style.INK if e.kept else style.FAILED
            axes.text(j + 0.5, i + 0.5, said(e), ha="center", va="center", fontsize=8, color=ink)
    axes.axhline(len(rows), color=style.INK, lw=0.9)


def _html(rows: list[m.Row], page: Path) -> str:
    """The same as a table of links, with bounds and reasons."""
    heads = "".join(f'<th title="{escape(i.definition)}">{escape(i.title)}</th>' for i in m.INVARIANTS)
    body = "".join(
        f"<tr><td class=nb><code>{escape(label(row))}</code></td>"
        + "".join(_place(row.entries[i.key], page) for i in m.INVARIANTS)
        + "</tr>"
        for row in rows
    )
    meaning = "".join(
        f"<tr><td>{escape(i.title)}</td><td>{escape(i.definition)}.</td><td>{escape(i.bound)}.</td>"
        f"<td>{', '.join(f'<code>{escape(e)}</code>' for e in i.experiments)}</td></tr>"
        for i in m.INVARIANTS
    )
    why: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for i in m.INVARIANTS:
            e = row.entries[i.key]
            if e.value is None:
                why.setdefault((i.title, e.reason), []).append(label(row))
    reasons = "".join(
        f"<tr><td>{escape(title)}</td><td>{escape(', '.join(of))}</td><td>{escape(reason)}</td></tr>"
        for (title, reason), of in why.items()
    )
    return (
        f"<div class=scroll><table class=numbers><thead><tr><th>method</th>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
        "<details><summary>What the numbers are, and where the bounds come from</summary>"
        "<table><thead><tr><th>invariant</th><th>number</th><th>kept within</th><th>experiments</th></tr></thead>"
        f"<tbody>{meaning}</tbody></table></details>"
        "<details><summary>Why an entry has no number</summary>"
        "<table><thead><tr><th>invariant</th><th>method</th><th>reason</th></tr></thead>"
        f"<tbody>{reasons}</tbody></table></details>"
    )


def _place(e: m.Entry, page: Path) -> str:
    text = escape(said(e))
    if e.trace is not None:
        about = f"{e.trace.experiment}, cell {e.trace.cell_id}" + (f": {e.reason}" if e.reason else "")
        if e.bound is not None and math.isfinite(e.bound):
            about += f"; bound {e.bound:.3g}"
        link = Path(os.path.relpath(e.trace.path, page)).as_posix()
        text = f'<a href="{escape(link)}" title="{escape(about)}">{text}</a>'
    colour = "" if e.kept is None else f' style="background:{KEPT if e.kept else BROKEN}"'
    return f"<td{colour}>{text}</td>"
