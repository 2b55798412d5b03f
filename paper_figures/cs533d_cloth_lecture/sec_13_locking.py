# SPDX-License-Identifier: BSD-3-Clause
"""Slide 13: how far a sheet slips along another one on a cylinder, over the thickness of repulsions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import pulled_sheet as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.8, height=3.9)
    table = Table(
        [Column("row"), Column("edge ratio"), Column("thickness", "error of geometry"), Column("turns")]
        + [Column("least slip", "free slip", ".4g"), Column("largest slip", "free slip", ".4g")]
        + [Column("vertices in zones", "1", ".4g")]
    )
    cells = sorted(data.some(name="cloth"), key=lambda c: float(c.value(m.ERRORS)))
    for k, ratio in enumerate(sorted({float(c.value(m.RATIO)) for c in cells})):
        own = [c for c in cells if float(c.value(m.RATIO)) == ratio]
        thickness = [float(c.value(m.ERRORS)) for c in own]
        shares = [m.shares(c) for c in own]
        axes[0].plot(
            thickness,
            [float(np.median(s)) for s in shares],
            color=f"C{k}",
            marker="os"[k],
            label=f"edges {ratio:g} : 1",
        )
        for at, found in zip(thickness, shares):
            axes[0].plot(np.full(len(found), at), found, color=f"C{k}", marker="_", linestyle="none", alpha=0.6)
        for cell, at, found in zip(own, thickness, shares):
            table.add("sheet", ratio, at, len(found), float(found.min()), float(found.max()), m.counted(cell, 6))
            if at not in (0.0, m.ALL_THREE):
                continue
            time, slips = m.slips(cell)
            line = {"color": f"C{k}", "linestyle": "-" if at else ":"}
            label = f"{ratio:g} : 1, {'all three steps' if at else 'no repulsions'}"
            for n, slip in enumerate(slips):
                axes[1].plot(1e3 * time, slip / m.edge(cell), linewidth=0.7, label=label if n == 0 else None, **line)
            if at:
                free = m.free_slip(cell, time) / m.edge(cell)
                axes[1].plot(
                    1e3 * time, free, color=f"C{k}", linestyle="--", linewidth=2.0, label=f"{ratio:g} : 1, free"
                )
    for name in ("longer_steps", "smooth"):
        for cell in data.select(name=name):
            found = m.shares(cell)
            at_name = float(cell.value(m.ERRORS))
            table.add(
                name.replace("_", " "), float(cell.value(m.RATIO)), at_name, len(found), float(found.min()),
                float(found.max()), m.counted(cell, 6),
            )  # fmt: skip
    axes[0].axhline(0.5, color=style.GREY, linewidth=0.8)
    axes[0].set_xscale("symlog", linthresh=0.5, linscale=0.5)
    ticks = sorted({float(c.value(m.ERRORS)) for c in cells})
    axes[0].set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes[0].set_xticks([], minor=True)
    axes[0].set(
        xlabel="thickness of repulsions [error of geometry]", ylabel="slip over free slip [1]", title="(a) at the end"
    )
    axes[0].legend()
    axes[1].set(xlabel="time [ms]", ylabel="slip [edges of the sheet]", title="(b) every turn of the cylinder's mesh")
    axes[1].legend(fontsize=7)
    stem = out_dir / "sec_13_locking"
    caption = (
        "The slide says: soft repulsions at a level comparable to the geometry's approximation, impulses and rigid impact zones "
        "avoid that triangles lock like an alligator's teeth. Measured here: the way of a sheet over another one on a fixed cylinder "
        "of triangles, pulled with twice the force that teeth of slope h/2R can hold, over the way of a sheet that nothing holds; "
        f"thickness 0: impulses and zones alone. Least with all three steps {m.slip_with_all(data).value:.2g}, largest without "
        f"repulsions {m.slip_without_repulsions(data).value:.2g}. Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Slide 13 — repulsions against locking", caption, figure, table, stem, data)
