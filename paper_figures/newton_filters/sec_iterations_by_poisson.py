# SPDX-License-Identifier: BSD-3-Clause
"""Bodies whose end is moved at once to four times the length: iterations of three filters to the stop of their public
code, by Poisson's ratio, after a public script of the filters' authors."""

from statistics import median

from experiments.newton_filters.measurements import runs as r, scripted_pulls as b
from paper_figures.figure import Axes, Drawing, Table, Trace, style, titled

PANELS = (
    ("linear", "kuhn", "(a) 4 nodes, bar"),
    ("linear", "animal", "(b) 4 nodes, animal"),
    ("quadratic", "kuhn", "(c) 10 nodes, bar"),
    ("quadratic", "animal", "(d) 10 nodes, animal"),
    ("hexahedra", "hexahedral", "(e) hexahedra, bar"),
)
LOOKS = ((r.CLAMPED, "o", "#0072B2"), (r.ABSOLUTE, "^", "#D55E00"), (r.SWITCHING, "s", "#117733"))


def _filter(axes: Axes, cells: list[Trace], look: tuple[str, str, str], table: Table) -> None:
    """The median over seeds with its range; a run that did not stop is drawn at the number that it was given."""
    name, marker, colour = look
    inverses, rows = [], []
    for cell in sorted(cells, key=lambda t: t.number("poisson_ratio")):
        counts = [min(b.stopped(run, run), b.MOST + 1) for run in r.runs(cell)]
        inverses.append(1 / (1 - 2 * cell.number("poisson_ratio")))
        rows.append((min(counts), median(counts), max(counts)))
        table.add(b.element(cell), r.family(cell), name, cell.number("poisson_ratio"), *rows[-1])
    low, middle, high = zip(*rows)
    errors = [[m - lo for m, lo in zip(middle, low)], [hi - m for m, hi in zip(middle, high)]]
    axes.errorbar(inverses, middle, errors, color=colour, marker=marker, ms=4, capsize=2, label=name)


@titled("Iterations by Poisson's ratio at the stop of the filters' public code")
def make(figure: Drawing) -> str:
    data = figure.experiment(b.M.experiment, with_large=True)
    panels = figure.axes(1, len(PANELS), 16.5, 3.7)
    table = figure.table("element; family; filter; ν .6g; fewest .6g; median .6g; most .6g")
    for axes, (element, family, title) in zip(panels, PANELS):
        for look in LOOKS:
            cells = [t for t in data.every(name=look[0]) if (b.element(t), r.family(t)) == (element, family)]
            if pulled := [t for t in cells if t.number("amount") == 4]:
                _filter(axes, pulled, look, table)
        style.panel(axes, title, "1/(1 − 2ν)", "iterations", log="xy")
    panels[0].legend(fontsize=8)
    return (
        "After the public script of the filters' authors that pulls a body to four times its length at many Poisson's "
        "ratios: one end is moved at once, and Newton's method stops where half of −gᵀd is below 10⁻⁵ λ on a body of "
        "radius 1. The authors' elements are those of (a) and (b), which lock. Medians and ranges over seeds; runs "
        "that did not stop are drawn at 201 iterations."
    )
