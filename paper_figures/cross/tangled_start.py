# SPDX-License-Identifier: BSD-3-Clause
"""A block from a tangled start: inverted elements and distance from the rest shape over time, by family."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cross.measurements import families as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "explicit", "invertible", "xpbd", "meshless")
FLOOR = 1e-6  # of a cell: what is nearer to rest is drawn here


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.TANGLED.experiment)
    cells = [c for name in ROWS for c in data.some(status=None) if c.method_name == name]
    figure, axes = style.new_figure(1, 2, width=10.5, height=4.2)
    table = Table(
        [
            Column("row"),
            Column("ended"),
            Column("inverted at the start", "1", ".3g"),
            Column("inverted at the end", "1", ".3g"),
            Column("last step with an inverted element", "s", ".4g"),
            Column("distance from rest at the end", "cells", ".3g"),
            Column("back at rest"),
        ]
    )
    for place, cell in enumerate(cells):
        look = style.method_style(cell.method_name)
        share, time = m.inverted_share(cell), cell.series("step", "inverted_elements").time
        frames, away = m.off_rest_shape(cell)
        back = m.is_back(cell)
        tangled = np.flatnonzero(share > 0)
        table.add(
            cell.method_name,
            cell.status,
            float(share[0]),
            float(share[-1]),
            float(time[tangled[-1]]) if tangled.size else 0.0,
            float(away[-1]),
            "yes" if back else "no",
        )
        line = {"color": look.colour, "linestyle": look.line, "linewidth": 1.4}
        every = max(1, len(time) // 10)
        marks = {**line, "marker": look.marker, "markersize": 4.5}
        axes[0].plot(time, share, **marks, markevery=(place * every // len(cells), every), label=look.label)
        every = max(1, len(frames) // 10)
        axes[1].plot(
            frames, np.maximum(away, FLOOR), **marks, markevery=(place * every // len(cells), every), label=look.label
        )
        if not back:
            earlier = sum(1 for c in cells[:place] if not m.is_back(c) and m.off_rest_shape(c)[1][-1] > 1)
            ends = {"marker": "X", "color": style.FAILED, "markersize": 8, "linestyle": "none", "clip_on": False}
            axes[0].plot(time[-1:], share[-1:], **ends, zorder=6)
            axes[1].plot(frames[-1:], np.maximum(away[-1:], FLOOR), **ends, zorder=6)
            axes[1].annotate(
                look.label if cell.status == "completed" else f"{look.label}: {cell.status}",
                (frames[-1], max(away[-1], FLOOR)),
                xytext=(-8, 6 + 10 * earlier if away[-1] > 1 else -12 if away[-1] > 0.1 else 6),
                textcoords="offset points",
                ha="right",
                fontsize=7.5,
                color=style.FAILED,
            )
    axes[0].set(xlabel="time [s]", ylabel="share of elements with det F ≤ 0 [1]", title="(a) inverted elements")
    axes[0].set_ylim(bottom=-0.01)
    axes[1].axhline(m.AT_REST, color=style.GREY, linestyle=":", linewidth=1)
    axes[1].set(
        yscale="log",
        xlabel="time [s]",
        ylabel="distance from the rest shape [cells]",
        title="(b) way back to the rest shape",
    )
    axes[1].set_ylim(FLOOR / 2, max(8.0, axes[1].get_ylim()[1]))  # room for the labels
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=4, fontsize=8
    )
    stem = out_dir / "tangled_start"
    lost = []
    for cell in (c for c in cells if not m.is_back(c)):
        lost.append(
            f"{style.method_style(cell.method_name).label} ({m.off_rest_shape(cell)[1][-1]:.2g} cells, {m.inverted_share(cell)[-1]:.0%} inverted)"
        )
    first = cells[0]
    caption = (
        f"A free block of {len(first.scene('tetrahedra'))} tetrahedra starts with every coordinate of its vertices displaced at random "
        f"(standard deviation {m.scene_number(first, 'noise_m'):g} m; cells of "
        f"{m.scene_number(first, 'side_m') / m.scene_number(first, 'cells_across'):g} m), {m.inverted_share(first)[0]:.0%} of its "
        f"elements inverted, and is damped in proportion to mass; one start, Δt = {m.scene_number(first, 'time_step_s'):g} s. (b): root "
        "mean square distance of the vertices from the rest shape, moved and turned to be nearest; below "
        f"{m.AT_REST:g} cells (dotted) a block is back, and values below {FLOOR:g} are drawn at {FLOOR:g}. Red crosses, not back after "
        f"{float(first.series('step', 'volume').time[-1]):g} s: {', '.join(lost) or 'none'}. Linear FEM ends without linear strain, which a "
        "rest shape has that is turned by θ and larger by 1/cos θ across the axis. Explicit and invertible elements, in explicit steps with "
        "St. Venant–Kirchhoff's law, come to rest where energy is left: crushed or inverted. The other rows have laws that push inverted "
        f"elements back, or linear ones in turned frames. Machine: {machine_line(cells[:1])}."
    )
    return style.finished("Tangled start — who comes back", caption, figure, table, stem, data)
