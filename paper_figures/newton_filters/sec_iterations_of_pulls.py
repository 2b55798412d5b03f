# SPDX-License-Identifier: BSD-3-Clause
"""Bodies whose end is moved at once: iterations of three filters to the stop of their public code, by Poisson's ratio
and stretch, after public scripts of the filters' authors."""

from statistics import median

from experiments.newton_filters.measurements import runs as r, scripted_pulls as b
from paper_figures.figure import Axes, Drawing, Table, Trace, style, titled

PANELS = (
    ("linear", "kuhn", "(a) 4 nodes, bar"),
    ("quadratic", "kuhn", "(b) 10 nodes, bar"),
    ("quadratic", "animal", "(c) 10 nodes, animal"),
    ("hexahedra", "hexahedral", "(d) hexahedra, bar"),
)
LOOKS = ((r.CLAMPED, "o", "#0072B2"), (r.ABSOLUTE, "^", "#D55E00"), (r.SWITCHING, "s", "#117733"))
FEWEST, BESIDE = 8, 0.18  # iterations; between the marks of a state


def state(trace: Trace) -> tuple[float, float]:
    """Stretch and Poisson's ratio."""
    return trace.number("amount"), trace.number("poisson_ratio")


def _filter(axes: Axes, cells: list[Trace], look: tuple[str, str, str], shift: float, table: Table) -> None:
    """Median and range over seeds; runs that did not stop are drawn at 201 iterations."""
    name, marker, colour = look
    rows = []
    for cell in sorted(cells, key=state):
        counts = [min(b.stopped(run, run), b.MOST + 1) for run in r.runs(cell)]
        rows.append((min(counts), median(counts), max(counts)))
        table.add(b.element(cell), r.family(cell), name, *state(cell), *rows[-1])
    low, middle, high = zip(*rows)
    errors = [[m - lo for m, lo in zip(middle, low)], [hi - m for m, hi in zip(middle, high)]]
    places = [k + shift for k in range(len(rows))]
    axes.errorbar(places, middle, errors, color=colour, marker=marker, ms=5, capsize=2, ls="none", label=name)


@titled("Iterations of pulls and pushes at the stop of the filters' public code")
def make(figure: Drawing) -> str:
    data = figure.experiment(b.M.experiment, with_large=True)
    panels = figure.axes(1, len(PANELS), 15.5, 4.0)
    table = figure.table("element; family; filter; stretch .6g; ν .6g; fewest .6g; median .6g; most .6g")
    for axes, (element, family, title) in zip(panels, PANELS):
        for k, look in enumerate(LOOKS):
            cells = [t for t in data.every(name=look[0]) if (b.element(t), r.family(t)) == (element, family)]
            if cells:
                _filter(axes, cells, look, (k - 1) * BESIDE, table)
        style.panel(axes, title, "", "iterations", log="y")
        axes.set_ylim(FEWEST, 1.2 * b.MOST)
        states = sorted({state(t) for t in data.cells if (b.element(t), r.family(t)) == (element, family)})
        axes.set_xticks(range(len(states)), [f"× {s:g}\nν {nu:g}" for s, nu in states], fontsize=7)
    panels[0].legend(fontsize=8)
    return (
        "After public scripts of the filters' authors: one end of a body at rest is moved at once, so that the body "
        "has the given multiple of its length. Newton's method stops where half of −gᵀd is below 10⁻⁵ λ on a body of radius 1. The authors' "
        "elements are those of (a), which lock. Medians and ranges over seeds; runs that did not stop are drawn at 201 "
        "iterations."
    )
