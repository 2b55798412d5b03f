# SPDX-License-Identifier: BSD-3-Clause
"""First bending frequency of a cantilever in the time domain against Euler–Bernoulli's beam."""

from experiments.cross.measurements import beams as m
from paper_figures.figure import Drawing, style, titled

LINES = {1: ":", 2: "--", 4: "-", 8: "-."}


@titled("Free vibration — first bending frequency")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.VIBRATION.experiment, with_large=True)
    for needed in ("linear", "warped"):  # others: optional
        data.some(name=needed)
    axes = figure.axes(1, 2, 9.6, 3.8)
    table = figure.table("row; cells across; frequency [Hz] .6g; over Euler–Bernoulli .6g")
    for name in ("linear", "warped", "xpbd", "bullet", "bullet_linear", *m.FAMILIES, m.MESHLESS):
        cells = sorted(data.select(name=name), key=lambda c: c.number("cells_across"))
        look = style.method_style(name)
        factors = [m.frequency_factor(c) for c in cells]
        axes[1].plot([c.number("cells_across") for c in cells], factors, **look.line_kwargs())
        for cell, factor in zip(cells, factors):
            table.add(name, cell.number("cells_across"), m.frequency(cell), factor)
            tip = cell.series("step", "tip_displacement")
            if name == "linear":
                across = int(cell.number("cells_across"))
                label = f"{across} cells across"
                values = tip.values[:, 1]
                axes[0].plot(tip.time, values, color=look.colour, ls=LINES.get(across, "-"), lw=1.1, label=label)
    axes[1].axhline(1, color=style.REFERENCE, ls="--", lw=1, label="Euler–Bernoulli")
    style.panel(axes[0], "(a) linear FEM, let go from a bend", "time [s]", "height of the tip [m]")
    ratio = "first frequency / Euler–Bernoulli [1]"
    style.panel(axes[1], "(b) coarse meshes: too high", "cells across the section", ratio)
    axes[0].legend(loc="upper right", fontsize=8)
    axes[1].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)
    finest = m.finest_frequency_factor(data)
    theirs = ""
    if data.select(method="bullet_fem"):
        largest = m.bullet_difference_of_frequency(data)
        theirs = f" Bullet's bodies differ from linear FEM by at most {largest.value:.1e} ({largest.note})."
    if data.select(name=m.MESHLESS):
        nodes = m.meshless_frequency_factor(data)
        theirs += (
            f"Meshless nodes, in explicit steps without this shift, have {nodes.value:.2f} of the beam's "
            f"({nodes.note}): too stiff."
        )
    return (
        "Reference: the clamped–free beam, f₁ = (1.8751/L)² √(EI/ρA)/2π. Measured here: frequency from the zero "
        "crossings of the tip, corrected for implicit Euler (phase atan ωΔt per step); on the finest mesh it is "
        f"{finest.value:.3f} of the beam's ({finest.note}).{theirs} The decay in (a) is the integrator's."
    )
