# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.2: what the half that Green's strain has and the printed strain lacks does to a bar that is pulled,
and to one that swings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs6967_assignment_2.measurements import bar_frequency, bent_bar, uniaxial_bar
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LOOKS = {
    "corrected": style.method_style("warped", "½ (FᵀF − I)"),
    "as_printed": style.method_style("linear", "FᵀF − I, as printed"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    pulled, bent, swinging = (results.experiment(m.M.experiment) for m in (uniaxial_bar, bent_bar, bar_frequency))
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.2)
    table = Table(
        [Column("row"), Column("stretch"), Column("stress / E", "1", ".6g"), Column("modulus / E", "1", ".8g")]
    )
    lengths = np.linspace(0.94, 1.06, 60)
    for name, factor in (("corrected", 1.0), ("as_printed", 2.0)):
        look = LOOKS[name]
        curve = factor * lengths * (lengths**2 - 1) / 2
        axes[0].plot(lengths, curve, color=look.colour, linewidth=1)
        for cell in pulled.every(name=name):
            length, modulus = uniaxial_bar.stretch(cell), uniaxial_bar.modulus(cell)
            stress = modulus * length * (length**2 - 1) / 2
            axes[0].plot([length], [stress], color=look.colour, marker=look.marker, linestyle="none")
            table.add(name, length, stress, modulus)
        tip = swinging.one(name=name).series("step", "tip_displacement")
        axes[1].plot(tip.time, 1e3 * tip.values[:, 1], color=look.colour, linestyle=look.line, label=look.label)
    axes[0].set(xlabel="stretch ℓ [1]", ylabel="force / (area · E) [1]", title="(a) pulled and pressed, sides free")
    axes[1].set(xlabel="time [s]", ylabel="tip [mm]", title="(b) let go from a small bend")
    handles = axes[1].get_legend_handles_labels()[0]
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=2, fontsize=8)
    stem = out_dir / "sec_2_2_printed_strain"
    caption = (
        "The text says: Green's strain is FᵀF − I. That is twice Green's strain. Measured here, with λ and μ Lamé's: (a) the force on a "
        "bar between rollers, markers, beside E ℓ(ℓ² − 1)/2 and twice that, lines; (b) the tip of a cantilever in explicit steps, whose "
        f"frequencies differ by a factor of {bar_frequency.frequency_ratio(swinging).value:.4f}. Bent by "
        f"{100 * bent_bar.deflection(bent).value:.0f} % of its length, a bar with Green's strain is within {bent_bar.corrected_difference(bent).value:.1e} "
        f"of an independent program, and one with the printed strain {100 * bent_bar.printed_difference(bent).value:.0f} % off. "
        f"Machine: {machine_line(pulled.cells)}."
    )
    return style.finished("Section 2.2 — the strain as printed", caption, figure, table, stem, pulled, bent, swinging)
