# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of runs on one mesh: iterations with absolute values and by switching against clamping; and work of
progressive projection relative to clamping, by step size."""

import math

from experiments.newton_filters.measurements import runs as r, steps as s, volume_change as v
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

SETS = (  # measures, which cells, label, marker, colour
    (v.M, v.is_large, "10 nodes, homogeneous", "o", "#0072B2"),
    (v.MOVED, v.is_large, "10 nodes, ends moved", "^", "#D55E00"),
    (v.LINEAR, v.is_stretched, "4 nodes, homogeneous", "s", "#117733"),
)
COLOURS = ("#0072B2", "#D55E00", "#117733")


def _pairs(
    axes: Axes, data: ExperimentData, rival: str, keep: r.Keep, look: tuple[str, str, str], table: Table
) -> None:
    """A mark per pair; a run that did not converge is drawn at the number of iterations that it was given."""
    label, marker, colour = look
    most = max(cell.setting("newton_max_iterations") for cell in data.cells)
    found = r.Contest(rival, r.CLAMPED, keep).numbers(data)
    for family, both in found.items():
        for other, clamped in zip(*both):
            table.add(f"{rival}, {label}", family, clamped, other, math.nan, math.nan)
    others, clamps = ([min(n, most) for both in found.values() for n in both[side]] for side in (0, 1))
    style.marks(axes, clamps, others, marker, colour, label=label, alpha=0.6, ms=4)
    style.reference(axes, [1, most], [1, most])


def _steps(axes: Axes, data: ExperimentData, table: Table) -> None:
    thetas = sorted({s.theta(cell) for cell in data.cells})
    for k, theta in enumerate(thetas):
        contest = s.several(r.PROGRESSIVE, r.CLAMPED, s.all_factorisations, s.at(theta))
        for n, (family, ratio) in enumerate(contest.ratios(data).items()):
            low, middle, high = (math.exp(max(-5.0, min(5.0, x))) for x in (ratio.low, ratio.median, ratio.high))
            axes.errorbar(
                [theta * 1.25 ** (n - 1)],
                [middle],
                [[middle - low], [high - middle]],
                color=COLOURS[n % 3],
                marker="osD"[n % 3],
                label=family.replace("_", " ") if k == 0 else None,
                capsize=2,
            )
            table.add("progressive over clamped, factorisations", family, theta, middle, low, high)
    style.reference(axes, [min(thetas), max(thetas)], [1, 1])


@titled("What filters of eigenvalues cost and save")
def make(figure: Drawing) -> str:
    panels = figure.axes(1, 3, 14.5, 4.2)
    table = figure.table("panel; family; clamped or Θ .6g; other or ratio .6g; low .6g; high .6g")
    for measures, keep, *look in SETS:
        data = figure.experiment(measures.experiment)
        _pairs(panels[0], data, r.ABSOLUTE, keep, (look[0], look[1], look[2]), table)
        if measures is v.M:
            _pairs(panels[1], data, r.SWITCHING, keep, (look[0], look[1], look[2]), table)
    _steps(panels[2], figure.experiment(s.LARGE.experiment), table)
    style.panel(panels[0], "(a) absolute values", "iterations, clamped", "iterations, absolute", log="xy")
    style.panel(panels[1], "(b) switching", "iterations, clamped", "iterations, switching", log="xy")
    style.panel(panels[2], "(c) progressive projection", "Θ = Δt²E/(ρL²)", "factorisations / clamped", log="xy")
    for axes in panels:
        axes.legend(fontsize=7)
    return (
        "The papers are reported to say: near ν = ½ and at large changes of volume absolute values take fewer Newton "
        "iterations than clamping, switching fewer than either, and progressive projection less work than projection "
        "of all elements. A mark is a pair of runs on one mesh and seed, to 10⁻⁸ of the drop of the objective; dashed: "
        "no difference; runs that did not converge are drawn at their iteration limit. (c): medians "
        "and 95 % intervals over seeds, six steps."
    )
