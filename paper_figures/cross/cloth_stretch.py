# SPDX-License-Identifier: BSD-3-Clause
"""Residual stretch of a hanging cloth against iterations and time of a step."""

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
    effort = ("iterations in a step", "(a) by iterations")
    cost = ("time of a step [ms]", "(b) by cost")
    effort_axes(axes, "root mean square strain of the edges [1]", effort, cost, "lower left")
    side = next((int(c.number("vertices_across")) for c in data.cells), 0)
    return (
        f"A cloth of {side} × {side} vertices without bending falls, held at two corners, with Δt = 0.01 s; rms edge "
        "strain, mean over the second half of the run. All rows have the same edges as constraints of full "
        "stiffness, in their own order: Bullet's random, the others' that of the mesh. A projection removes all of "
        "the strain (Bullet's to first order); what is left is the error of the iterations, not material. "
    )
