# SPDX-License-Identifier: BSD-3-Clause
"""The energy of a bar that swings without damping: over time, and by step."""

from __future__ import annotations

from pathlib import Path

from experiments.cross.measurements import energy_behaviour as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

ROWS = {
    "implicit_euler": ("nonlinear", "implicit Euler"),
    "warped": ("warped", "stiffness warping, implicit Euler"),
    "bdf2": ("bdf2", "BDF2"),
    "implicit_midpoint": ("implicit_midpoint", "implicit midpoint"),
    "symplectic_euler": ("explicit", "symplectic Euler, Δt/20"),
    "leap_frog": ("invertible", "leap-frog, Δt/20"),
    "meshless": ("meshless", "meshless nodes, leap-frog, Δt/20"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.0)
    table = Table(
        [
            Column("scheme"),
            Column("Δt", "s", ".6g"),
            Column("largest change of energy / largest elastic energy", "1", ".3g"),
        ]
    )
    (finest,) = m.FINEST.one(data)
    for name, (key, label) in ROWS.items():
        look = style.method_style(key, label)
        cells = sorted((c for c in data.cells if c.status == "completed" and m.scheme(c) == name), key=m.time_step)
        for cell in cells:
            table.add(name, m.time_step(cell), m.deviation(cell, finest))
        if not cells:
            continue
        axes[1].plot(
            [m.time_step(c) for c in cells], [max(m.deviation(c, finest), 1e-16) for c in cells], **look.line_kwargs()
        )
        energy = cells[-1].series("step", "total_energy")
        values = energy.values.reshape(-1)
        axes[0].plot(
            energy.time, (values - values[0]) / m.scale(finest), color=look.colour, linestyle=look.line, linewidth=1.2
        )
    axes[0].set(xlabel="time [s]", ylabel="change of energy / largest elastic energy [1]", title="(a) the longest step")
    axes[1].set(xscale="log", yscale="log", xlabel="Δt [s]", ylabel="largest change of energy [1]", title="(b) by step")
    figure.legend(
        *axes[1].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3, fontsize=8
    )
    stem = out_dir / "energy_behaviour"
    caption = (
        "A bar is let go under its weight and swings without damping, so that its energy should not change. Implicit Euler damps "
        "the swing, with nonlinear elements as with warped ones; BDF2 damps it less; the midpoint rule and the explicit schemes "
        "(twenty substeps in Δt), with elements or with meshless nodes at their vertices, keep it within bounds. Forward Euler, with the same substeps, diverges. "
        f"Machine: {machine_line(data.cells[:1])}."
    )
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in data.unexpected()]
    return FigureEntry(
        "Energy — a bar that swings", caption, style.save(figure, stem), write_table(table, stem), failed
    )
