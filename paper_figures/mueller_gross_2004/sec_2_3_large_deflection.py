# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.3, "quality": the tip of a slender cantilever under a dead load against the elastica."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.lines import Line2D

from experiments.cross.measurements.elastica import elastica
from experiments.mueller_gross_2004.measurements import large_deflection as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

NAMES = {"linear": "linear", "warped_global": "warped_global", "warped": "warped", "nonlinear": "nonlinear"}
LINES = {2: ":", 4: "-", 6: "--"}
FACES = {
    2: "#ffffff",
    6: "#ffe680",
}  # inside of the markers, by cells across; others are filled with the method's colour


def _heights(data: ExperimentData) -> list[float]:
    """Where the crosses of failed cells stand in (b): one below the other, above all errors."""
    return [3.0 * 1.9**k for k in range(len(data.failed()))]


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.2)
    table = Table(
        [
            Column("row"),
            Column("cells across"),
            Column("PL²/EI"),
            Column("tip drop / length"),
            Column("tip reach / length"),
            Column("mesh factor"),
            Column("elastica drop at the mesh's stiffness"),
            Column("elastica reach at the mesh's stiffness"),
            Column("tip error / length", "1", ".3g"),
        ]
    )
    loads = np.linspace(0.02, 9, 120)
    axes[0].plot(
        loads, [elastica(a)[0] for a in loads], color=style.REFERENCE, linestyle="--", linewidth=1, label="elastica"
    )
    meshes: set[int] = set()
    for name, key in NAMES.items():
        look = style.method_style(key)
        tips = m.tips(data, name) if any(c.method_name == name for c in data.cells) else []
        for cells in sorted({t.cells for t in tips}):
            chosen = [t for t in tips if t.cells == cells]
            line = {
                "color": look.colour,
                "marker": look.marker,
                "linestyle": LINES.get(cells, "-"),
                "markerfacecolor": FACES.get(cells, look.colour),
                "markersize": 6,
            }
            meshes.add(cells)
            axes[0].plot([t.load * t.mesh_factor for t in chosen], [t.drop for t in chosen], **line)
            axes[1].plot([t.load for t in chosen], [max(t.error, 1e-6) for t in chosen], **line)
        for t in tips:
            table.add(name, t.cells, t.load, t.drop, t.reach, t.mesh_factor, t.expected[0], t.expected[1], t.error)
    axes[0].set(
        xlabel="P L² / E I, times the mesh's own softness [1]",
        ylabel="drop of the tip / length [1]",
        ylim=(0, 1.6),
        title="(a) deflection",
    )
    axes[1].set(
        yscale="log", xlabel="P L² / E I [1]", ylabel="distance from the elastica's tip / length [1]", title="(b) error"
    )
    axes[1].axvline(m.JUDGED_LOAD, color=style.GREY, linewidth=0.8, linestyle=":")
    failed = style.draw_failed(axes[1], data.failed(), [m.load_parameter(c) for c in data.failed()], _heights(data))
    handles = [*axes[0].get_legend_handles_labels()[0]]
    handles += [
        Line2D(
            [],
            [],
            color=style.method_style(k).colour,
            marker=style.method_style(k).marker,
            label=style.method_style(k).label,
        )
        for k in NAMES.values()
    ]
    handles += [
        Line2D(
            [],
            [],
            color=style.INK,
            marker="o",
            linestyle=LINES.get(n, "-"),
            markerfacecolor=FACES.get(n, style.INK),
            label=f"{n} cells across",
        )
        for n in sorted(meshes)
    ]
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=4, fontsize=8)
    stem = out_dir / "sec_2_3_large_deflection"
    caption = (
        "The paper says: one rotation for the whole body already helps, a rotation for each element approximates large deflections better. Measured here: a cantilever with length to "
        "side 20 under a dead tip load, static, against the elastica, with nonlinear elements (St. Venant–Kirchhoff) on the same meshes beside it. Linear tetrahedra are too stiff in bending; the elastica is taken at the load times the mesh's own softness "
        "(its linear deflection over beam theory's), so that (b) compares the handling of rotations. The order is judged right of the dotted line, from four cells across"
        f"{'; a cross marks a load at which a run did not come to rest' if failed else ''}. "
        f"Machine: {machine_line(data.cells)}."
    )
    return FigureEntry(
        "Section 2.3 — large deflection", caption, style.save(figure, stem), write_table(table, stem), failed
    )
