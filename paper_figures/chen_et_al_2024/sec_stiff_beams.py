# SPDX-License-Identifier: BSD-3-Clause
"""One step of twisted beams, from soft to stiff: errors after 20 and 500 sweeps, and Newton iterations."""

from experiments.chen_et_al_2024.measurements import convergence as m, one_step
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

ROWS = {"sweeps_20": ("20 sweeps", "#D55E00", "s", 0.9), "sweeps_500": ("500 sweeps", "#0072B2", "o", 1.1)}


def _left(axes: Axes, data: ExperimentData, table: Table) -> None:
    for name, (label, colour, marker, shift) in ROWS.items():
        for cell in data.some(name=name):
            theta, left = cell.number("theta"), one_step.error(cell)
            style.marks(axes, theta * shift, left, marker, colour, ms=5)
            table.add(label, theta, cell.value("scene.parameters.family"), left)
        axes.plot([], [], marker, color=colour, label=label)
    axes.axhline(1e-3, color=style.GREY, lw=0.8, ls=":")
    style.panel(axes, "vertex block descent", "Θ = Δt²E/(ρL²)", "error / initial error [1]", log="xy")
    axes.legend()


def _newton(axes: Axes, data: ExperimentData, table: Table) -> None:
    for cell in data.some(name="newton"):
        theta, needed = cell.number("theta"), m.newton_iterations(cell)
        style.marks(axes, theta, needed, "D", "#117733", ms=5)
        table.add("Newton's method", theta, cell.value("scene.parameters.family"), needed)
    style.panel(axes, "Newton's method", "Θ = Δt²E/(ρL²)", "iterations to a gap of 10⁻⁶ [1]", log="x")
    axes.set_ylim(0, None)


@titled("Stiff beams: sweeps and Newton's method")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.BEAMS.experiment)
    panels = figure.axes(1, 2, 9.6, 4.0)
    table = figure.table("row; Θ .6g; mesh; value .6g")
    _left(panels[0], data, table)
    _newton(panels[1], data, table)
    return (
        "One step of a twisted beam, clamped at one end; a mark per mesh. Reported: on stiff beams vertex block descent "
        "needs more than 500 sweeps. Dotted: the judged error of 10⁻³."
    )
