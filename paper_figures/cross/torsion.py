# SPDX-License-Identifier: BSD-3-Clause
"""A twisted square bar: the volume that linear stiffness gains, and the torque against St. Venant's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.measurements import beams as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

LINES = {2: ":", 4: "--", 8: "-"}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment_at(m.TORSION, ("paper", "large") if results.tier != "smoke" else ("smoke",))
    figure, axes = style.new_figure(2, 1, width=9.6, height=3.9)
    table = Table([Column("row"), Column("cells across"), Column("end rotation", "deg"), Column("V/V0 − 1", "1", ".4g"), Column("torque / St. Venant", "1", ".4g")])
    for name in ("linear", "warped"):
        look = style.method_style(name)
        cells = data.some(name=name)
        for across in sorted({int(m.number(c, "cells_across")) for c in cells}):
            chosen = sorted((c for c in cells if m.number(c, "cells_across") == across), key=lambda c: m.number(c, "angle_deg"))
            angle = [m.number(c, "angle_deg") for c in chosen]
            excess, torque = [m.volume_excess(c) for c in chosen], [m.torque_factor(c) for c in chosen]
            line = {"color": look.colour, "marker": look.marker, "linestyle": LINES.get(across, "-"), "label": f"{look.label}, {across} cells across"}
            axes[0].plot(angle, excess, **line)
            axes[1].plot(angle, torque, **line)
            for row in zip(angle, excess, torque):
                table.add(name, across, *row)
    theta = np.linspace(0, 180, 181)
    axes[0].plot(theta, np.sin(np.radians(theta)) ** 2 / 3, color=style.REFERENCE, linestyle="--", linewidth=1, label="sin²Θ / 3 (long bar)")
    axes[1].axhline(1, color=style.REFERENCE, linestyle="--", linewidth=1, label="St. Venant")
    axes[0].set(xlabel="end rotation Θ [deg]", ylabel="V / V₀ − 1 [1]", title="(a) volume gained")
    axes[1].set(xlabel="end rotation Θ [deg]", ylabel="torque · L / (G J Θ) [1]", title="(b) torque")
    axes[0].set_ylim(top=0.62)
    axes[1].set(yscale="log", ylim=(0.5, 3e3))
    for axis in axes:
        axis.legend(loc="upper left", fontsize=7.5)
    stem = out_dir / "torsion"
    caption = ("References: St. Venant's torsion of a square bar at small angles; for linear stiffness and finitely rotated ends V/V₀ ≈ 1 + sin²Θ/3 away from the ends. Measured here: both end faces held "
               f"and turned against each other, static. Linear FEM swells, and its torque falls off; warped FEM keeps the volume. Machine: {machine_line(data.cells)}.")
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in data.failed()]
    return FigureEntry("Torsion of a square bar", caption, style.save(figure, stem), write_table(table, stem), failed)
