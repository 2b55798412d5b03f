# SPDX-License-Identifier: BSD-3-Clause
"""A block dropped on a plane: height, energy, rebound and depth behind the plane, by family."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cross.measurements import families as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "invertible", "xpbd", "meshless")
ROUNDING = 1e-12  # of the side: less is no depth


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.DROP.experiment)
    cells = [c for name in ROWS for c in data.some() if c.method_name == name]
    figure, axes = style.new_figure(1, 3, width=13.0, height=4.0)
    table = Table(
        [
            Column("row"),
            Column("energy at the end, change / m g h", "1", ".4g"),
            Column("largest rise of energy / m g h", "1", ".3g"),
            Column("rebound / h", "1", ".4g"),
            Column("deepest vertex / side", "1", ".3g"),
            Column("largest |V / V0 − 1|", "1", ".3g"),
        ]
    )
    for place, cell in enumerate(cells):
        look = style.method_style(cell.method_name)
        change, time = m.energy_change(cell), cell.series("step", "volume").time
        table.add(
            cell.method_name,
            float(change[-1]),
            float(change.max()),
            m.rebound(cell),
            m.deepest(cell),
            float(np.abs(m.growth(cell)).max()),
        )
        every = max(1, len(time) // 12)
        marks = {**look.line_kwargs(), "markevery": (place * every // len(cells), every)}
        axes[0].plot(time, m.height(cell), **marks)
        if cell.method_name != "linear":
            axes[1].plot(time, change, **marks)
        axes[2].bar(place, m.rebound(cell), 0.6, color=look.colour)
        axes[2].annotate(
            f"{m.deepest(cell):.1e}" if m.deepest(cell) > ROUNDING else "0",
            (place, m.rebound(cell)),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=7.5,
        )
    first, fall = cells[0], m.scene_number(cells[0], "height_m")
    gravity = float(np.linalg.norm(first.value("scene.parameters.gravity_m_s2")))
    until = np.sqrt(2 * fall / gravity)
    falling = np.linspace(0, until, 40)
    axes[0].plot(
        falling,
        1 - gravity * falling**2 / 2 / fall,
        color=style.REFERENCE,
        linestyle="--",
        linewidth=1,
        zorder=5,
        label="free fall until the first contact (closed form)",
    )
    axes[1].axhline(0, color=style.GREY, linestyle=":", linewidth=1)
    axes[0].set(xlabel="time [s]", ylabel="(centre of mass − that at contact) / h [1]", title="(a) height")
    axes[1].set(xlabel="time [s]", ylabel="change of energy / m g h [1]", title="(b) energy")
    axes[2].set(ylabel="rise after the lowest point / h [1]", title="(c) rebound; numbers: depth / side")
    axes[2].set_xticks(
        range(len(cells)),
        [style.method_style(c.method_name).label for c in cells],
        rotation=30,
        ha="right",
        rotation_mode="anchor",
        fontsize=7.5,
    )
    axes[2].margins(y=0.12)
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=4, fontsize=8
    )
    stem = out_dir / "drop"
    linear = next((c for c in cells if c.method_name == "linear"), None)
    ghost = f" by {-m.energy_change(linear).min():.0f} m g h" if linear is not None else ""
    rises = {style.method_style(c.method_name).label: float(m.energy_change(c).max()) for c in cells}
    made = [f"{label} {rise:.1%}" for label, rise in rises.items() if rise > 1e-9] or ["none"]
    deep = [
        f"{style.method_style(c.method_name).label} {m.deepest(c):.1e} sides" for c in cells if m.deepest(c) > ROUNDING
    ] or ["none"]
    caption = (
        f"A cube with sides of {m.scene_number(first, 'side_m'):g} m, turned at random, falls {fall:g} m on a plane with friction "
        f"{m.scene_number(first, 'friction'):g} and without restitution of its own; Δt = {m.scene_number(first, 'time_step_s'):g} s, "
        "no damping. It lands on a corner, then turns and swings, for which there is no closed form. Two things must hold: energy "
        "(kinetic, elastic, gravitational) never rises above that at the start, as nothing supplies any, and no vertex is behind the "
        f"plane. Energy rises by {', '.join(made)} of m g h: in finite elements the plane acts after the solve of a step, an error that shrinks "
        "with the step. Penalty forces on the nodes of the meshless solid store energy while it touches, which is not counted. Vertices behind the plane at the end of a step: "
        f"{', '.join(deep)}. The energy that is lost is mostly the integrator's. Linear FEM is not in (b): it takes the turned block for a "
        f"strained one, and its energy falls{ghost}. Machine: {machine_line(cells[:1])}."
    )
    return style.finished("Drop — a block on a plane", caption, figure, table, stem, data)
