# SPDX-License-Identifier: BSD-3-Clause
"""A block that is pulled apart: energy over the pull, and where it comes apart,
split vertices beside cracks among nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.patches import Rectangle

from deformbench_analysis.errors import MissingData
from experiments.cross.measurements import tensile_fracture as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LOOKS = {
    "warped": style.method_style("warped", "warped FEM, split vertices"),
    "meshless": style.method_style("xpbd", "meshless, crack fronts"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(2, 3, width=12.0, height=7.0)
    table = Table(
        [
            Column("flaw"),
            Column("method"),
            Column("pull at the largest energy", "1", ".3f"),
            Column("energy left", "1", ".3f"),
            Column("pieces"),
            Column("broken edges"),
            Column("their spread along the pull", "cells", ".2f"),
            Column("time of a step", "ms", ".3g"),
        ]
    )
    ends: list[str] = []
    for row, slit in enumerate((False, True)):
        flaw = "slit" if slit else "no flaw"
        for column, (method, look) in enumerate(LOOKS.items(), start=1):
            cell = m.cell_of(data, method, slit)
            along, stored = m.energy(cell)
            axes[row][0].plot(along, stored, color=look.colour, label=look.label)
            panel = axes[row][column]
            try:
                middles = m.crack(cell)
                panel.plot(middles[:, 0], middles[:, 1], ".", color=look.colour, alpha=0.5)
            except MissingData:
                middles = np.zeros((0, 3))
            half = [0.5 * float(cell.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m")]
            panel.add_patch(Rectangle((-half[0], -half[1]), 2 * half[0], 2 * half[1], fill=False, color="0.5"))
            panel.set(
                xlabel="x [m]",
                ylabel="y [m]",
                aspect="equal",
                xlim=(-1.1 * half[0], 1.1 * half[0]),
                title=f"({'abcdef'[3 * row + column]}) {look.label}, {flaw}",
            )
            timing = cell.timing
            ends.append(f"{look.label}, {flaw}: {m.energy_left(cell):.2g} of the largest, {m.pieces(cell)} piece(s)")
            table.add(
                flaw,
                look.label,
                m.pull_at_peak(cell),
                m.energy_left(cell),
                m.pieces(cell),
                len(middles),
                m.spread(cell) if len(middles) else float("nan"),
                timing.median_ms if timing else float("nan"),
            )
        axes[row][0].set(
            xlabel="elongation over length [1]",
            ylabel="elastic energy [1]",
            title=f"({'ad'[row]}) energy, {flaw}",
        )
        axes[row][0].legend()
    stem = out_dir / "tensile_fracture"
    threshold = float(m.cell_of(data, "meshless", False).value("method.parameters.crack_threshold_pa"))
    young = float(m.cell_of(data, "meshless", False).value("scene.parameters.young_modulus_pa"))
    caption = (
        "One block, one threshold, two ways to break: finite elements whose vertices are split, and nodes at the same vertices with crack "
        f"fronts among them. Its ends are taken apart slowly; an even small strain would reach the threshold at {threshold / young:g}. Left: "
        "elastic energy over that of an even strain at the end of the pull. Right: middles at rest of the edges that are stretched more than "
        "twofold at the end, by positions of vertices alone, seen along z. Energy that is left says that not all that holds the ends together has "
        f"parted: {'; '.join(ends)}. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Two ways to break", caption, figure, table, stem, data)
