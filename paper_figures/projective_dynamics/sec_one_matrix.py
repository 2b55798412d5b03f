# SPDX-License-Identifier: BSD-3-Clause
"""Convergence of projective dynamics and its accelerations, its rate, and errors of ten rounds per frame."""

from collections.abc import Callable

import numpy as np

from experiments.projective_dynamics.measurements import accelerations, one_step, rates, ten_rounds
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, Trace, style, titled

ROWS = {
    "plain": ("plain rounds", "#6e6e6e", "-"),
    "chebyshev": ("Chebyshev", "#D55E00", "-."),
    "anderson": ("Anderson, 5 changes", "#0072B2", "-"),
    "l_bfgs_2": ("L-BFGS, 2 changes", "#009E73", "--"),
}
MARKERS = {"kuhn": "o", "graded": "s", "animal": "D"}
FLOOR = 1e-14  # below, the gap is rounding


def _gaps(axes: Axes, data: ExperimentData, omega: float, table: Table, panel: str) -> None:
    """The first problem of the first family."""
    found: dict[str, Trace] = {}
    for trace in data.select(where={"scene.parameters.omega": omega}):
        found.setdefault(trace.method_name, trace)
    for name, (label, colour, line) in ROWS.items():
        if name in found and "reference" in found:
            gaps = np.maximum(one_step.gaps(found[name], found["reference"]), FLOOR)
            axes.plot(gaps, color=colour, ls=line, lw=1.3, label=label)
            table.add(panel, label, omega, len(gaps) - 1, gaps[-1])
    style.panel(axes, f"{panel} Ω = {omega:g}", "round or iteration", "gap (Φ − Φ*) / (Φ0 − Φ*) [1]", log="y")
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(left=0)


def _rates(axes: Axes, data: ExperimentData, table: Table) -> None:
    for name, marker in MARKERS.items():
        runs = rates.ROUNDS.where(family=name).runs(data) if data.select(name="rounds", keep=_of(name)) else []
        for k, run in enumerate(runs):
            measured, predicted = rates.rate(run), rates.predicted_rate(run)
            label = name if k == 0 else None
            axes.plot(1 - predicted, 1 - measured, marker=marker, color="#0072B2", ls="none", label=label, mfc="none")
            table.add("(c)", name, rates.theta(run), measured, predicted)
    ends = [*axes.get_xlim()]
    style.reference(axes, ends, ends, label="as predicted")
    style.panel(axes, "(c) rate of plain rounds", "1 − eigenvalue of I − A⁻¹H [1]", "1 − rate [1]", log="xy")


def _of(name: str) -> Callable[[Trace], bool]:
    return lambda trace: one_step.family(trace) == name


def _rounds(axes: Axes, data: ExperimentData, table: Table) -> None:
    for rows, label, colour in ((ten_rounds.ONE, "1 round", "#D55E00"), (ten_rounds.TEN, "10 rounds", "#0072B2")):
        for k, ((run, converged), _) in enumerate(rows.units(data)):
            error = ten_rounds.position_error(run, converged)
            marker = MARKERS[one_step.family(run)]
            axes.plot(ten_rounds.theta(run), error, marker=marker, color=colour, ls="none", label=None if k else label)
            table.add("(d)", label, ten_rounds.theta(run), error, ten_rounds.damping_error(run, converged))
    axes.axhline(ten_rounds.POSITION, color=style.GREY, lw=0.9, ls=":")
    style.panel(axes, "(d) swinging bodies", "Θ = Δt²E/(ρL²) [1]", "position error / motion [1]", log="xy")


@titled("Projective dynamics: rates, accelerations, rounds a frame")
def make(figure: Drawing) -> str:
    one, tails, swings = (figure.experiment(m.experiment) for m in (accelerations.M, rates.M, ten_rounds.M))
    axes = figure.axes(2, 2, 10.4, 7.6).ravel()
    table = figure.table("panel; row; Ω or Θ .3g; count or rate .6g; second .3g")
    _gaps(axes[0], one, 1.0, table, "(a)")
    _gaps(axes[1], one, accelerations.STIFF, table, "(b)")
    _rates(axes[2], tails, table)
    _rounds(axes[3], swings, table)
    for panel in axes:
        if panel.get_legend_handles_labels()[0]:
            panel.legend(fontsize=8)
    return (
        "(a, b) Gap to the minimum of one step, the first problem, soft and stiff: plain rounds, the accelerations by "
        "Chebyshev (ρ measured with other seeds, ten rounds of delay) and Anderson, and L-BFGS with two changes. "
        "(c) Plain rounds converge linearly, at the largest eigenvalue of I − A⁻¹H at the minimum, which an "
        "independent program computes. (d) Bodies that swing under their weight, relative to converged steps of "
        "implicit Euler; dotted: the claim's bound of 1/20."
    )
