# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.3, "quality": the tip of a slender cantilever under a dead load against the elastica."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.measurements import large_deflection as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

NAMES = {"linear": "linear", "warped_global": "warped_global", "warped": "warped"}
LINES = {2: ":", 4: "--", 6: "-"}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    figure, axes = style.new_figure(2, 1, width=9.8, height=4.2)
    table = Table([Column("row"), Column("cells across"), Column("PL²/EI"), Column("tip drop / length"), Column("tip reach / length"), Column("mesh factor"),
                   Column("elastica drop at the mesh's stiffness"), Column("elastica reach at the mesh's stiffness"), Column("tip error / length", "1", ".3g")])
    loads = np.linspace(0.02, 9, 120)
    axes[0].plot(loads, [m.elastica(a)[0] for a in loads], color=style.REFERENCE, linestyle="--", linewidth=1, label="elastica")
    for name, key in NAMES.items():
        look = style.method_style(key)
        tips = m.tips(data, name)
        for cells in sorted({t.cells for t in tips}):
            chosen = [t for t in tips if t.cells == cells]
            line = {"color": look.colour, "marker": look.marker, "linestyle": LINES.get(cells, "-"), "label": f"{look.label}, {cells} cells across"}
            axes[0].plot([t.load * t.mesh_factor for t in chosen], [t.drop for t in chosen], **line)
            axes[1].plot([t.load for t in chosen], [max(t.error, 1e-6) for t in chosen], **line)
        for t in tips:
            table.add(name, t.cells, t.load, t.drop, t.reach, t.mesh_factor, t.expected[0], t.expected[1], t.error)
    axes[0].set(xlabel="P L² / E I, times the mesh's own softness [1]", ylabel="drop of the tip / length [1]", ylim=(0, 1.6), title="(a) deflection")
    axes[1].set(yscale="log", xlabel="P L² / E I [1]", ylabel="distance from the elastica's tip / length [1]", title="(b) error")
    axes[1].axvline(m.JUDGED_LOAD, color=style.GREY, linewidth=0.8, linestyle=":")
    axes[0].legend(loc="upper left", fontsize=7, ncol=2)
    stem = out_dir / "sec_2_3_large_deflection"
    caption = ("The paper says: one rotation for the whole body already helps, a rotation for each element approximates large deflections better. Measured here: a cantilever with length to "
               "side 20 under a dead tip load, static, against the elastica. Linear tetrahedra are too stiff in bending; the elastica is taken at the load times the mesh's own softness "
               "(its linear deflection over beam theory's), so that (b) compares the handling of rotations. The order is judged right of the dotted line, from four cells across. "
               f"Machine: {machine_line(data.cells)}.")
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in data.failed()]
    return FigureEntry("Section 2.3 — large deflection", caption, style.save(figure, stem), write_table(table, stem), failed)
