# SPDX-License-Identifier: BSD-3-Clause
"""Slide 13: slip of a sheet along another one on a cylinder, against the thickness of repulsions."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import pulled_sheet as m
from paper_figures.figure import Drawing, style, titled


@titled("Slide 13 — repulsions against locking")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.8, 3.9)
    table = figure.table(
        "row; edge ratio; thickness [error of geometry]; turns; least slip [free slip] .4g; "
        "largest slip [free slip] .4g; vertices in zones .4g"
    )
    cells = sorted(data.some(name="cloth"), key=lambda c: float(c.value(m.ERRORS)))
    for k, ratio in enumerate(sorted({float(c.value(m.RATIO)) for c in cells})):
        own = [c for c in cells if float(c.value(m.RATIO)) == ratio]
        thickness = [float(c.value(m.ERRORS)) for c in own]
        shares = [m.shares(c) for c in own]
        values = [float(np.median(s)) for s in shares]
        axes[0].plot(thickness, values, color=f"C{k}", marker="os"[k], label=f"edges {ratio:g} : 1")
        for at, found in zip(thickness, shares):
            style.marks(axes[0], np.full(len(found), at), found, "_", f"C{k}", alpha=0.6)
        for cell, at, found in zip(own, thickness, shares):
            table.add("sheet", ratio, at, len(found), found.min(), found.max(), m.counted(cell, 6))
            if at not in (0.0, m.ALL_THREE):
                continue
            time, slips = m.slips(cell)
            line = {"color": f"C{k}", "linestyle": "-" if at else ":"}
            label = f"{ratio:g} : 1, {'all three steps' if at else 'no repulsions'}"
            for n, slip in enumerate(slips):
                axes[1].plot(1e3 * time, slip / m.edge(cell), lw=0.7, label=label if n == 0 else None, **line)
            if at:
                free = m.free_slip(cell, time) / m.edge(cell)
                axes[1].plot(1e3 * time, free, color=f"C{k}", ls="--", lw=2.0, label=f"{ratio:g} : 1, free")
    for name in ("longer_steps", "smooth"):
        for cell in data.select(name=name):
            found = m.shares(cell)
            at_name = float(cell.value(m.ERRORS))
            table.add(
                name.replace("_", " "), float(cell.value(m.RATIO)), at_name, len(found), found.min(),
                found.max(), m.counted(cell, 6),
            )  # fmt: skip
    axes[0].axhline(0.5, color=style.GREY, lw=0.8)
    axes[0].set_xscale("symlog", linthresh=0.5, linscale=0.5)
    ticks = sorted({float(c.value(m.ERRORS)) for c in cells})
    style.ticks(axes[0].xaxis, ticks)
    style.panel(axes[0], "(a) at the end", "thickness of repulsions [error of geometry]", "slip / free slip [1]")
    axes[0].legend()
    style.panel(axes[1], "(b) every turn of the cylinder's mesh", "time [ms]", "slip [edges of the sheet]")
    axes[1].legend(fontsize=7)
    return (
        "The slide says: soft repulsions at a level comparable to the geometry's approximation, impulses and rigid "
        "impact zones prevent triangles from locking like an alligator's teeth. Measured here: the slip of a sheet "
        "on another one on a fixed triangulated cylinder, pulled with twice the force that teeth of slope h/2R can "
        "hold, relative to free slip; thickness 0: impulses and zones alone. Least with all "
        f"three steps {m.slip_with_all(data).value:.2g}, largest without repulsions "
        f"{m.slip_without_repulsions(data).value:.2g}."
    )
