# SPDX-License-Identifier: BSD-3-Clause
"""Volume of a block stretched or compressed along one axis, by law and Poisson's ratio."""

import numpy as np

from experiments.cross.measurements import laws, volume_at_high_poisson as m
from paper_figures.figure import Drawing, MissingData, style, titled


@titled("Volume — towards ν = ½")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some()
    axes = figure.axes(1, 2, 9.6, 4.0)
    table = figure.table(
        "row; Poisson's ratio; stretch; V/V0 .8g; exact V/V0 .8g; pull / E A0 .8g; exact pull / E A0 .8g"
    )
    for c in cells:
        exact = m.exact(c)
        numbers = (m.volume_ratio(c), exact.volume, m.traction(c), exact.traction)
        table.add(c.method_name, c.number("poisson_ratio"), m.stretch(c), *numbers)
    ratios = sorted({c.number("poisson_ratio") for c in cells})
    stretches = np.linspace(0.62, 2.1, 120)
    for axis, poisson, letter in zip(axes, (ratios[0], ratios[-1]), "ab"):
        for law in laws.LAWS:
            look = style.method_style(law)
            values = [laws.uniaxial(law, float(s), poisson).volume for s in stretches]
            axis.plot(stretches, values, color=look.colour, ls=look.line)
        for name in (*laws.LAWS, "warped"):
            look = style.method_style(name)
            chosen = [c for c in cells if c.method_name == name and c.number("poisson_ratio") == poisson]
            x, y = [m.stretch(c) for c in chosen], [m.volume_ratio(c) for c in chosen]
            size, fill = (10, "none") if name == "warped" else (5, look.colour)
            style.marks(axis, x, y, look.marker, look.colour, ms=size, mfc=fill, label=look.label)
        axis.axhline(1, color=style.REFERENCE, ls=":", lw=1)
        style.panel(axis, f"({letter}) ν = {poisson:g}", "length / rest length [1]", "V / V₀ [1]")
        axis.set_ylim(-0.05, 1.45)
    figure.legend_below(5, axes[0])
    kept = []
    for law in laws.LAWS:
        found = m.largest_changes[law](data)
        kept.append(f"{style.method_style(law).label} {found.note.split(',')[0]}")
    try:
        error = m.largest_volume_error(data).value
        agree = f"Measured and exact volumes differ by at most {error:.0e} of the rest volume."
    except MissingData as reason:
        agree = str(reason)
    return (
        "A block between frictionless rollers, its sides free. Lines: the homogeneous state of each law with zero "
        "lateral stress; markers: elements at rest. Towards ν = ½ only laws with a term in det F keep "
        "the volume at large stretch; the corotational law and warped elements keep tr S, St. Venant–Kirchhoff "
        f"keeps tr E, which preserve volume only to first order. Farthest from V₀ at ν = {ratios[-1]:g}: "
        f"{'; '.join(kept)}. {agree}"
    )
