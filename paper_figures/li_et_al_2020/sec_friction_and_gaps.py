# SPDX-License-Identifier: BSD-3-Clause
"""Creep and sliding on slopes, the path of an impact against the width of the barrier, the gap at rest against Δt."""

import math

import numpy as np

from experiments.li_et_al_2020.measurements import accuracy, friction
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

LOOKS = {"squared_step": ("o", "C0", "with Δt²"), "plain": ("x", "C3", "without")}


def _slopes(axes: Axes, data: list[ExperimentData], table: Table) -> None:
    for experiment, marker, where in zip(data, "o^", ("plane", "body")):
        cells = [c for c in experiment.some() if not friction.is_frictionless(c)]
        for cell in cells:
            ratio, held = friction.steepness(cell), friction.sticks(cell)
            values = friction.creep(cell) if held else friction.acceleration(cell)
            style.marks(axes, [ratio] * len(values), values, marker, "C0" if held else "C1")
            for value in values:
                table.add("(a) " + where, friction.coefficient(cell), ratio, "creep" if held else "acceleration", value)
        axes.plot([], [], marker, color=style.GREY, label=f"on a {where}")
    axes.axhline(1.0, color=style.REFERENCE, lw=1.0, ls="--")
    axes.axvline(1.0, color=style.GREY, lw=0.8, ls=":")
    style.panel(axes, "(a) slopes", "tan α / μ", "creep, acceleration / closed form [1]", ylim=(0.95, 1.05))
    axes.legend(fontsize=8)


def _widths(axes: Axes, data: ExperimentData, table: Table) -> None:
    for traces, _ in accuracy.PAIRS.units(data):
        width, error = accuracy.width(traces[0]), float(accuracy.path_error(*traces))
        style.marks(axes, [width], [error], "o", "C0")
        table.add("(b) impact", traces[0].number("seed"), width, "path error", error)
    ends = np.array([5e-5, 1.6e-3])
    axes.plot(ends, ends, color=style.REFERENCE, lw=1.0, ls="--", label=r"$\hat d$")
    style.panel(axes, "(b) impact", r"$\hat d$ [m]", "distance from the thinnest barrier's path [m]", log="xy")
    axes.legend(fontsize=8)


def _gaps(axes: Axes, data: ExperimentData, table: Table) -> None:
    for name, (marker, colour, label) in LOOKS.items():
        for cell in data.some(name=name):
            style.marks(axes, [accuracy.time_step(cell)], [accuracy.gap(cell)], marker, colour)
            table.add("(c) rest", name, accuracy.time_step(cell), "gap / d̂", accuracy.gap(cell))
        axes.plot([], [], marker, color=colour, label=label)
    expected = [accuracy.expected_gap(c) for c in data.some(name="squared_step")]
    axes.axhline(expected[0] if expected else math.nan, color=style.REFERENCE, lw=1.0, ls="--", label="κ |b′| A = mg")
    style.panel(axes, "(c) at rest", "Δt [s]", r"gap / $\hat d$ [1]", log="x", ylim=(0, 1))
    axes.legend(fontsize=8)


@titled("Friction, width of the barrier, gap at rest")
def make(figure: Drawing) -> str:
    grid = figure.axes(1, 3, 14.5, 4.2)
    table = figure.table("panel; row; abscissa .6g; quantity; value .6g")
    _slopes(grid[0], [figure.experiment(m.experiment) for m in (friction.PLANE, friction.BODY)], table)
    _widths(grid[1], figure.experiment(accuracy.THIN.experiment), table)
    _gaps(grid[2], figure.experiment(accuracy.REST.experiment), table)
    return (
        "Reported: friction holds below its angle but for a bounded creep, surfaces come as close as the user asks, and "
        "the gap at rest should not depend on the time step. Measured: (a) creep (blue) and acceleration (orange) "
        "relative to ε(1 − √(1 − tan α/μ)) and g(sin α − μ cos α); (b) distance of the centre of a cube that hits a "
        "wall from its path with a barrier of 5 µm; (c) the gap of a block at rest, with and without the factor Δt² "
        "before the barrier."
    )
