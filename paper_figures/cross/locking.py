# SPDX-License-Identifier: BSD-3-Clause
"""The bending stiffness of a cantilever of linear tetrahedra towards ν = ½, by law and mesh."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.errors import MissingData
from experiments.cross.measurements import locking as m
from experiments.cross.measurements.elastica import cells_across, tip
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

SIZES = {"warped": 10, "linear": 7}


def _words(data: ExperimentData) -> str:
    """Losses and spread; nothing where they cannot be had."""
    try:
        laws, linear, spread = m.stiffening(data), m.linear_stiffening(data), m.law_spread(data)
    except MissingData:
        return ""
    return (
        f"On one mesh and at one ν the rows of nonlinear laws and warped elements differ by at most {spread.value:.1%}: no law helps, the "
        f"elements lock. From ν = 0.3 the stiffness grows by {laws.value:.0%} ({laws.note}) and by {linear.value:.1%} with linear FEM "
        f"({linear.note}). "
    )


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    cells = data.some()
    figure, axes = style.new_figure(1, 1, width=7.4, height=4.2)
    table = Table(
        [
            Column("row"),
            Column("Poisson's ratio"),
            Column("cells across"),
            Column("tip drop / length", "1", ".6g"),
            Column("stiffness / EI", "1", ".6g"),
        ]
    )
    ratios = sorted({m.poisson(c) for c in cells})
    place = {nu: k for k, nu in enumerate(ratios)}
    for name in ("linear", *m.NONLINEAR):
        look = style.method_style(name)
        rows = sorted((c for c in cells if c.method_name == name), key=lambda c: (cells_across(c), m.poisson(c)))
        for c in rows:
            table.add(name, m.poisson(c), cells_across(c), tip(c)[0], m.stiffness(c))
        for k, n in enumerate(sorted({cells_across(c) for c in rows})):
            chosen = [c for c in rows if cells_across(c) == n]
            hollow = name in SIZES
            axes.plot(
                [place[m.poisson(c)] for c in chosen],
                [m.stiffness(c) for c in chosen],
                color=look.colour,
                marker=look.marker,
                markersize=SIZES.get(name, 5),
                markerfacecolor="none" if hollow else look.colour,
                linestyle=look.line,
                linewidth=1.0,
                label=look.label if k == 0 else None,
            )
            if name == "linear":
                axes.annotate(
                    f"{n} across",
                    (len(ratios) - 1, m.stiffness(chosen[-1])),
                    xytext=(12, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                )
    axes.axhline(1, color=style.REFERENCE, linestyle="--", linewidth=1)
    axes.set_xticks(np.arange(len(ratios)), [f"{nu:g}" for nu in ratios])
    axes.set(
        xlabel="Poisson's ratio (not to scale)", ylabel="bending stiffness / E I [1]", xlim=(-0.3, len(ratios) - 0.4)
    )
    figure.legend(*axes.get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3, fontsize=8)
    stem = out_dir / "locking"
    caption = (
        "A cantilever ten times as long as wide under a dead tip load of PL²/EI = 2, static; cubes split into five. The stiffness is the "
        "load over that at which the elastica (linear FEM: PL³/3EI) has the tip's drop; a beam's is 1 (dashed) at any ν, but for about "
        f"1 % by shear and the held end. {_words(data)}Machine: {machine_line(cells)}."
    )
    return style.finished("Locking — a bent bar towards ν = ½", caption, figure, table, stem, data)
