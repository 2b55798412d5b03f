# SPDX-License-Identifier: BSD-3-Clause
"""First bending frequency of a cantilever in the time domain against Euler–Bernoulli's beam."""

from __future__ import annotations

from pathlib import Path

from experiments.cross.measurements import beams as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LINES = {1: ":", 2: "--", 4: "-", 8: "-."}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment_at(m.VIBRATION.experiment, ("paper", "large") if results.tier != "smoke" else ("smoke",))
    for needed in ("linear", "warped"):  # other rows may lack
        data.some(name=needed)
    figure, axes = style.new_figure(1, 2, width=9.6, height=3.8)
    table = Table(
        [
            Column("row"),
            Column("cells across"),
            Column("frequency", "Hz", ".6g"),
            Column("over Euler–Bernoulli", "1", ".6g"),
        ]
    )
    for name in ("linear", "warped", "xpbd", "bullet", "bullet_linear", *m.FAMILIES, m.MESHLESS):
        cells = sorted(data.select(name=name), key=lambda c: m.number(c, "cells_across"))
        look = style.method_style(name)
        factors = [m.frequency_factor(c) for c in cells]
        axes[1].plot([m.number(c, "cells_across") for c in cells], factors, **look.line_kwargs())
        for cell, factor in zip(cells, factors):
            table.add(name, m.number(cell, "cells_across"), m.frequency(cell), factor)
            tip = cell.series("step", "tip_displacement")
            if name == "linear":
                across = int(m.number(cell, "cells_across"))
                axes[0].plot(
                    tip.time,
                    tip.values[:, 1],
                    color=look.colour,
                    linestyle=LINES.get(across, "-"),
                    linewidth=1.1,
                    label=f"{across} cells across",
                )
    axes[1].axhline(1, color=style.REFERENCE, linestyle="--", linewidth=1, label="Euler–Bernoulli")
    axes[0].set(xlabel="time [s]", ylabel="height of the tip [m]", title="(a) linear FEM, let go from a bend")
    axes[1].set(
        xlabel="cells across the section",
        ylabel="first frequency / Euler–Bernoulli [1]",
        title="(b) coarse meshes ring too high",
    )
    axes[0].legend(loc="upper right", fontsize=8)
    axes[1].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)
    stem = out_dir / "free_vibration"
    finest = m.finest_frequency_factor(data)
    theirs = ""
    if data.select(method="bullet_fem"):
        largest = m.bullet_difference_of_frequency(data)
        theirs = f" Bullet's bodies differ from linear FEM by at most {largest.value:.1e} ({largest.note})."
    if data.select(name=m.MESHLESS):
        nodes = m.meshless_frequency_factor(data)
        theirs += f" Meshless nodes, in explicit steps without such a shift, ring at {nodes.value:.2f} of the beam's ({nodes.note}): they are too stiff."
    caption = (
        "Reference: the clamped–free beam, f₁ = (1.8751/L)² √(EI/ρA)/2π. Measured here: frequency from the zero crossings of the tip, freed of implicit Euler's shift (phase atan ωΔt per step); "
        f"on the finest mesh it is {finest.value:.3f} of the beam's ({finest.note}).{theirs} The decay in (a) is the integrator's. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Free vibration — first bending frequency", caption, figure, table, stem, data)
