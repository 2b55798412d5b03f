# SPDX-License-Identifier: BSD-3-Clause
"""What iterations leave of the stretch of a hanging cloth, and what a step costs."""

from experiments.cross.measurements import cloth_stretch as m
from paper_figures.cross.precision import effort_axes, timed_curve
from paper_figures.figure import Drawing, MissingData, Trace, style, titled

ROWS = ("pbd", m.NAIVE, m.BULLET)


def _milliseconds(cell: Trace) -> float | None:
    try:
        return 1e3 * m.step_seconds(cell)
    except MissingData:
        return None


@titled("Cloth — what iterations leave of the stretch")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.6, 3.9)
    table = figure.table("row; iterations .0f; stretch .3g; time of a step [ms] .3g")
    for name in ROWS:
        look = style.method_style(name)
        cells = sorted(data.select(name=name), key=m.iterations)
        if not cells:
            continue
        stretches, times = [m.stretch(c) for c in cells], [_milliseconds(c) for c in cells]
        for cell, stretch, time in zip(cells, stretches, times):
            table.add(name, m.iterations(cell), stretch, time)
        axes[0].plot([m.iterations(c) for c in cells], stretches, **look.line_kwargs())
        timed_curve(axes[1], times, stretches, look.line_kwargs())
    effort = ("iterations in a step", "(a) at as many iterations")
    cost = ("time of a step [ms]", "(b) at as much time")
    effort_axes(axes, "root mean square strain of the edges [1]", effort, cost, "lower left")
    side = next((int(c.number("vertices_across")) for c in data.cells), 0)
    return (
        f"A cloth of {side} × {side} vertices without bending falls into two held corners with Δt = 0.01 s; mean "
        "strain of its edges over the second half of the run. All rows take the same edges as constraints of full "
        "stiffness, in orders of their own: Bullet's at random, the others in one of the mesh. A visit takes away "
        "all of the strain, but for Bullet's first order in it; what is left is the error of the iterations, and no "
        "material. "
    )
