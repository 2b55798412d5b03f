# SPDX-License-Identifier: BSD-3-Clause
"""A twisted square bar: the volume that linear stiffness gains, and the torque against St. Venant's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cross.measurements import beams as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LINES = {2: ":", 4: "--", 8: "-"}


def _words(cells: list[Trace]) -> str:
    """What linear FEM does: largest growth and torque, and the torque of a half turn where it was run."""
    grown, strongest = max(cells, key=m.volume_excess), max(cells, key=m.torque_factor)
    half = [abs(m.torque_factor(c)) for c in cells if m.number(c, "angle_deg") == 180]
    return (
        f"Linear FEM grows by up to {100 * m.volume_excess(grown):.0f} % (at {m.number(grown, 'angle_deg'):g}°) and needs up to {m.torque_factor(strongest):.3g} times St. Venant's torque "
        f"(at {m.number(strongest, 'angle_deg'):g}°)"
        + (f", but none at 180° ({max(half):.0e} times)." if half and max(half) < 1e-3 else ".")
    )


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment_at(m.TORSION.experiment, ("paper", "large") if results.tier != "smoke" else ("smoke",))
    for needed in ("linear", "warped"):  # other rows may lack
        data.some(name=needed)
    figure, axes = style.new_figure(1, 2, width=9.6, height=3.9)
    table = Table(
        [
            Column("row"),
            Column("cells across"),
            Column("end rotation", "deg"),
            Column("V/V0 − 1", "1", ".4g"),
            Column("torque / St. Venant", "1", ".4g"),
        ]
    )
    for name in ("linear", "warped", "xpbd", *m.FAMILIES, m.MESHLESS):
        look = style.method_style(name)
        cells = data.select(name=name)
        for across in sorted({int(m.number(c, "cells_across")) for c in cells}):
            chosen = sorted(
                (c for c in cells if m.number(c, "cells_across") == across), key=lambda c: m.number(c, "angle_deg")
            )
            angle = [m.number(c, "angle_deg") for c in chosen]
            excess, torque = [m.volume_excess(c) for c in chosen], [m.torque_factor(c) for c in chosen]
            line = {
                "color": look.colour,
                "marker": look.marker,
                "linestyle": LINES.get(across, "-"),
                "label": f"{look.label}, {across} cells across",
            }
            axes[0].plot(angle, excess, **line)
            axes[1].plot(angle, torque, **line)
            for row in zip(angle, excess, torque):
                table.add(name, across, *row)
    theta = np.linspace(0, 180, 181)
    axes[0].plot(
        theta,
        np.sin(np.radians(theta)) ** 2 / 3,
        color=style.REFERENCE,
        linestyle="--",
        linewidth=1,
        label="sin²Θ / 3 (long bar)",
    )
    axes[1].axhline(1, color=style.REFERENCE, linestyle="--", linewidth=1, label="St. Venant")
    axes[0].set(xlabel="end rotation Θ [deg]", ylabel="V / V₀ − 1 [1]", title="(a) volume gained")
    axes[1].set(xlabel="end rotation Θ [deg]", ylabel="torque · L / (G J Θ) [1]", title="(b) torque")
    axes[0].set_ylim(top=0.4)
    axes[1].set_yscale("symlog", linthresh=1.0)
    axes[1].set_yticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1000"])
    axes[1].set_ylim(-0.15, 1e3)
    lines = {label: line for axis in axes for line, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(lines.values(), lines.keys(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3, fontsize=8)
    stem = out_dir / "torsion"
    nodes = data.select(name=m.MESHLESS, where={"scene.parameters.angle_deg": 1})
    nodes = sorted(nodes, key=lambda c: m.number(c, "cells_across"))
    stiff = ", ".join(f"{m.torque_factor(c):.1f} ({m.number(c, 'cells_across'):.0f} across)" for c in nodes)
    meshless = (
        f" Meshless nodes at the vertices need {stiff} times St. Venant's torque, at all angles alike." if nodes else ""
    )
    caption = (
        "References: St. Venant's torsion of a square bar at small angles; for linear stiffness and finitely rotated ends V/V₀ ≈ 1 + sin²Θ/3 away from the ends. Measured here: both end faces held "
        f"and turned against each other, static. {_words(data.some(name='linear'))} "
        f"Warped FEM: V/V₀ − 1 within {max(abs(m.volume_excess(c)) for c in data.some(name='warped')):.1e}.{meshless} The axis of (b) is linear below 1. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Torsion of a square bar", caption, figure, table, stem, data)
