# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.2: effect of the factor ½ that the printed Green's strain lacks on a bar that is pulled,
and on one that swings."""

import numpy as np

from experiments.cs6967_assignment_2.measurements import bar_frequency, bent_bar, uniaxial_bar
from paper_figures.figure import Drawing, style, titled

LOOKS = {
    "corrected": style.method_style("warped", "½ (FᵀF − I)"),
    "as_printed": style.method_style("linear", "FᵀF − I, as printed"),
}


@titled("Section 2.2 — the strain as printed")
def make(figure: Drawing) -> str:
    pulled, bent, swinging = (figure.experiment(m.M.experiment) for m in (uniaxial_bar, bent_bar, bar_frequency))
    axes = figure.axes(1, 2, 9.8, 4.2)
    table = figure.table("row; stretch; stress / E .6g; modulus / E .8g")
    lengths = np.linspace(0.94, 1.06, 60)
    for name, factor in (("corrected", 1.0), ("as_printed", 2.0)):
        look = LOOKS[name]
        curve = factor * lengths * (lengths**2 - 1) / 2
        axes[0].plot(lengths, curve, color=look.colour, lw=1)
        for cell in pulled.every(name=name):
            length, modulus = uniaxial_bar.stretch(cell), uniaxial_bar.modulus(cell)
            stress = modulus * length * (length**2 - 1) / 2
            style.marks(axes[0], [length], [stress], look.marker, look.colour)
            table.add(name, length, stress, modulus)
        tip = swinging.one(name=name).series("step", "tip_displacement")
        axes[1].plot(tip.time, 1e3 * tip.values[:, 1], color=look.colour, ls=look.line, label=look.label)
    style.panel(axes[0], "(a) uniaxial load, sides free", "stretch ℓ [1]", "force / (area · E) [1]")
    style.panel(axes[1], "(b) let go from a small bend", "time [s]", "tip [mm]")
    handles = axes[1].get_legend_handles_labels()[0]
    figure.legend_below(2, handles=handles)
    return (
        "The text says: Green's strain is FᵀF − I. That is twice Green's strain. Measured here, with λ and μ "
        "Lamé's: (a) the force on a bar between rollers, markers, beside E ℓ(ℓ² − 1)/2 and twice that, lines; (b) "
        "the tip of a cantilever in explicit steps, whose frequencies differ by a factor of "
        f"{bar_frequency.frequency_ratio(swinging).value:.4f}. Bent by {100 * bent_bar.deflection(bent).value:.0f} % "
        f"of its length, a bar with Green's strain is within {bent_bar.corrected_difference(bent).value:.1e} of an "
        f"independent program, and one with the printed strain {100 * bent_bar.printed_difference(bent).value:.0f} % "
        "off. "
    )
