# SPDX-License-Identifier: BSD-3-Clause
"""A cantilever under a dead tip load: where its tip comes to rest, by law and mesh,
against the elastica and Reissner's beam."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from deformbench_analysis.errors import MissingData
from experiments.cross.measurements import elastica as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

FACES = {
    2: "#ffffff",
    4: "#c8c8c8",
    6: "#ffe680",
}  # inside of the markers, by cells across; limits have the row's colour


def _fine(cells: list[Trace]) -> m.Bent | None:
    try:
        return m.fine(cells)
    except MissingData:
        return None


def _words(data: ExperimentData) -> str:
    """How far the tips are from both beams; nothing where one mesh has no limit."""
    try:
        thin, thick = m.largest_tip_error(data), m.largest_beam_error(data)
        coarse, stiff = m.coarse_error(data), m.largest_stiffness_error(data)
    except MissingData:
        return ""
    return (
        f"In the limit of fine meshes all rows are within {thin.value:.3f} of the elastica's tip ({thin.note}) and within "
        f"{thick.value:.3f} of that of Reissner's beam ({thick.note}), and their bending stiffness within {stiff.value:.1%} of EI; on the coarsest "
        f"mesh they are {coarse.value:.2f} away or more, whatever the law. "
    )


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment_at(m.M.experiment, ("paper", "large") if results.tier != "smoke" else ("smoke",))
    figure, axes = style.new_figure(1, 2, width=10.4, height=4.4)
    table = Table(
        [
            Column("row"),
            Column("PL²/EI"),
            Column("cells across"),
            Column("tip drop / length"),
            Column("tip reach / length"),
            Column("distance from the elastica / length", "1", ".3g"),
            Column("distance from Reissner's beam / length", "1", ".3g"),
        ]
    )
    curve = np.array([m.elastica(float(a)) for a in np.linspace(0.02, 9, 120)])
    axes[0].plot(curve[:, 1], -curve[:, 0], color=style.REFERENCE, linestyle="--", linewidth=1)
    own: dict[float, float] = {}
    meshes: set[int] = set()
    for name in ("linear", *m.NONLINEAR):
        look = style.method_style(name)
        big = {"markersize": 9 if name == "warped" else 5}
        limits = []
        for load, cells in m.by_load(data, name).items():
            for c in cells:
                drop, reach = m.tip(c)
                away = np.hypot(*np.subtract((drop, reach), m.stored(c)))
                table.add(name, load, m.cells_across(c), drop, reach, float(away), None)
                meshes.add(m.cells_across(c))
                marks: dict[str, Any] = {"color": look.colour, "marker": look.marker, "linestyle": "none", **big}
                marks["markerfacecolor"] = FACES.get(m.cells_across(c), "#ffffff")
                axes[0].plot([reach], [-drop], **marks)
                axes[1].plot([load], [away], **marks)
            bent = _fine(cells) if name != "linear" else None
            if bent is not None:
                limits.append((load, bent))
                table.add(name, load, None, bent.drop, bent.reach, bent.error, bent.beam_error)
                own[load] = float(np.hypot(*np.subtract(bent.beam, bent.elastica)))
        if limits:
            marks = {"color": look.colour, "marker": look.marker, **big}
            marks["markerfacecolor"] = "none" if name == "warped" else look.colour
            axes[0].plot([b.reach for _, b in limits], [-b.drop for _, b in limits], **marks, linestyle="none")
            axes[1].plot([a for a, _ in limits], [b.error for _, b in limits], **marks, linestyle=look.line)
    if own:
        axes[1].plot(list(own), list(own.values()), color=style.REFERENCE, linestyle=":", linewidth=1.4)
    axes[0].set(
        xlabel="reach of the tip / length [1]",
        ylabel="−drop of the tip / length [1]",
        title="(a) where the tip comes to rest",
        xlim=(0.4, 1.05),
        ylim=(-1.4, 0.0),
    )
    axes[1].set(
        xscale="log",
        yscale="log",
        xlabel="P L² / E I [1]",
        ylabel="distance from the elastica's tip / length [1]",
        title="(b) error",
    )
    loads = sorted({load for name in m.NONLINEAR for load in m.by_load(data, name)})
    axes[1].set_xticks(loads, [f"{a:g}" for a in loads])
    axes[1].minorticks_off()
    handles = [
        Line2D([], [], color=style.REFERENCE, linestyle="--", label="elastica"),
        Line2D([], [], color=style.REFERENCE, linestyle=":", label="Reissner's beam from the elastica"),
    ]
    for name in ("linear", *m.NONLINEAR):
        look = style.method_style(name)
        face = "none" if name == "warped" else look.colour
        handles.append(
            Line2D(
                [], [], color=look.colour, marker=look.marker, markerfacecolor=face, linestyle="none", label=look.label
            )
        )
    for n in sorted(meshes):
        face = FACES.get(n, "#ffffff")
        handles.append(
            Line2D(
                [], [], color=style.INK, marker="o", markerfacecolor=face, linestyle="none", label=f"{n} cells across"
            )
        )
    handles.append(Line2D([], [], color=style.INK, marker="o", linestyle="none", label="limit of fine meshes"))
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=4, fontsize=8)
    stem = out_dir / "elastica"
    caption = (
        "A cantilever ten times as long as wide under a dead tip load, static, against the elastica. Its tip goes to the limit of fine "
        "meshes by its bending stiffness: the load over that at which the elastica has this drop, or this reach, with n⁻². A bar of this "
        f"thickness also stretches and shears; Reissner's beam does so too (dotted in (b): its own distance). {_words(data)}Linear FEM "
        f"follows PL³/3EI out of the picture. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Elastica — large deflection, by law", caption, figure, table, stem, data)
