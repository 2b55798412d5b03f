# SPDX-License-Identifier: BSD-3-Clause
"""One step of implicit Euler: objective against work, with Newton's method; residual floors of XPBD; sweeps under
mesh refinement."""

import numpy as np

from deformbench_analysis import step_work
from experiments.chen_et_al_2024.measurements import convergence as m, descent_or_newton as work, one_step
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

COLOURS = {"descent": "#0072B2", "newton": "#D55E00", "coupled": "#009E73", "one_by_one": "#CC79A7"}
LINES = ("-", "--", ":")
FLOOR = 1e-16  # below, Φ − Φ* is rounding


def _work(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Twisted bars, Kuhn split; Newton's method with projected Hessians."""
    cells = data.select(
        where={"scene.parameters.family": "kuhn", "scene.parameters.start": "twisted"},
        keep=lambda c: bool(c.value("method.parameters.hessian") != "exact"),
    )
    numbers = sorted({c.number("omega") for c in cells})
    for cell in cells:
        left, done = one_step.gaps(cell), step_work.work(cell)
        line = LINES[numbers.index(cell.number("omega")) % len(LINES)]
        label = f"{cell.method_name}, Ω = {cell.number('omega'):g}"
        axes.plot(done[1:], np.maximum(left[1:], FLOOR), color=COLOURS[cell.method_name], ls=line, label=label)
        for k in sorted({1, len(left) - 1}):
            table.add("(a) work", label, done[k], left[k])
    style.panel(axes, "(a) work", "work [full gradients]", "(Φ − Φ*) / (Φ0 − Φ*) [1]", log="xy")
    axes.legend(fontsize=6.5)


def _floors(axes: Axes, data: ExperimentData, table: Table) -> None:
    for cell in data.select(keep=lambda c: c.method_name in ("descent", "xpbd")):
        row = str(cell.value("method.parameters.solid_solve", "descent"))
        residual = one_step.residual(cell)
        axes.plot(cell.number("omega"), residual, "o", color=COLOURS[row], ms=4)
        table.add("(b) floor", row, cell.number("omega"), residual)
    for row in ("descent", "coupled", "one_by_one"):
        axes.plot([], [], "o", color=COLOURS[row], label=row if row == "descent" else f"xpbd, {row.replace('_', ' ')}")
    style.panel(axes, "(b) residual floor", "Ω [1]", "residual / initial residual [1]", log="xy")
    axes.legend(fontsize=7)


def _meshes(axes: Axes, data: ExperimentData, table: Table) -> None:
    for kept, line in (("Θ = 1", "-"), ("Ω = 1", "--")):
        for family, colour in (("kuhn", "#0072B2"), ("body_centred", "#D55E00")):
            cells = data.select(
                where={"scene.parameters.family": family}, keep=lambda c: m.keeps_the_body(c) == (kept == "Θ = 1")
            )
            sizes = sorted({c.number("cells_across") for c in cells})
            needed = [
                np.median([one_step.sweeps(c, m.LEVEL) for c in cells if c.number("cells_across") == n]) for n in sizes
            ]
            axes.plot(sizes, needed, ls=line, color=colour, marker="o", label=f"{kept}, {family.replace('_', ' ')}")
            for size, count in zip(sizes, needed):
                table.add("(c) meshes", f"{kept}, {family}", size, count)
    style.panel(axes, "(c) refinement", "cells across [1]", f"median sweeps to a gap of {m.LEVEL:g} [1]", log="xy")
    axes.legend(fontsize=7)


@titled("One step — vertex block descent, XPBD and Newton's method")
def make(figure: Drawing) -> str:
    experiments = [figure.experiment(e.experiment) for e in (work.M, m.FLOOR, m.MESHES)]
    axes = figure.axes(1, 3, 12.6, 4.0)
    table = figure.table("panel; row; abscissa .6g; value .6g")
    for draw, panel, data in zip((_work, _floors, _meshes), axes, experiments):
        draw(panel, data, table)
    return (
        "Reported: convergence to implicit Euler, where XPBD does not converge, and a faster start than Newton's "
        "method. (a) Objective of one step of a twisted bar against work; a sweep evaluates every element once per "
        "vertex. (b) Residual at the end of the sweeps (XPBD: 1000 sweeps); diverged runs are not drawn. (c) Sweeps "
        "of one step under refinement, at fixed stiffness of the body (Θ) or of an element (Ω)."
    )
