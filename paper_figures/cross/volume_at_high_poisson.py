# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of the volume of a block that is stretched or pressed along one axis, by law and Poisson's ratio."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.errors import MissingData
from experiments.cross.measurements import laws
from experiments.cross.measurements import volume_at_high_poisson as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    cells = data.some()
    figure, axes = style.new_figure(1, 2, width=9.6, height=4.0)
    table = Table(
        [
            Column("row"),
            Column("Poisson's ratio"),
            Column("stretch"),
            Column("V/V0", "1", ".8g"),
            Column("exact V/V0", "1", ".8g"),
            Column("pull / E A0", "1", ".8g"),
            Column("exact pull / E A0", "1", ".8g"),
        ]
    )
    for c in cells:
        exact = m.exact(c)
        table.add(
            c.method_name, m.poisson(c), m.stretch(c), m.volume_ratio(c), exact.volume, m.traction(c), exact.traction
        )
    ratios = sorted({m.poisson(c) for c in cells})
    stretches = np.linspace(0.62, 2.1, 120)
    for axis, poisson, letter in zip(axes, (ratios[0], ratios[-1]), "ab"):
        for law in laws.LAWS:
            look = style.method_style(law)
            axis.plot(
                stretches,
                [laws.uniaxial(law, float(s), poisson).volume for s in stretches],
                color=look.colour,
                linestyle=look.line,
            )
        for name in (*laws.LAWS, "warped"):
            look = style.method_style(name)
            chosen = [c for c in cells if c.method_name == name and m.poisson(c) == poisson]
            axis.plot(
                [m.stretch(c) for c in chosen],
                [m.volume_ratio(c) for c in chosen],
                color=look.colour,
                marker=look.marker,
                linestyle="none",
                markersize=10 if name == "warped" else 5,
                markerfacecolor="none" if name == "warped" else look.colour,
                label=look.label,
            )
        axis.axhline(1, color=style.REFERENCE, linestyle=":", linewidth=1)
        axis.set(xlabel="length / rest length [1]", ylabel="V / V₀ [1]", title=f"({letter}) ν = {poisson:g}")
        axis.set_ylim(-0.05, 1.45)
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=5, fontsize=8
    )
    stem = out_dir / "volume_at_high_poisson"
    kept = []
    for law in laws.LAWS:
        found = m.largest_changes[law](data)
        kept.append(f"{style.method_style(law).label} {found.note.split(',')[0]}")
    try:
        error = m.largest_volume_error(data).value
        agree = f"Measured and exact volumes differ by at most {error:.0e} of the rest volume."
    except MissingData as reason:
        agree = str(reason)
    caption = (
        "A block between frictionless rollers, its sides free. Lines: the homogeneous state of each law, by the root of its lateral "
        "stress; markers: elements at rest. Towards ν = ½ only laws with a term in det F keep the volume at large stretch; "
        "the corotational law and warped elements keep tr S, St. Venant–Kirchhoff keeps tr E, which preserve volume to first order "
        f"alone. Farthest from V₀ at ν = {ratios[-1]:g}: {'; '.join(kept)}. {agree} Machine: {machine_line(cells)}."
    )
    return style.finished("Volume — towards ν = ½", caption, figure, table, stem, data)
