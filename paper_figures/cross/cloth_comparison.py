# SPDX-License-Identifier: BSD-3-Clause
"""How near a swinging cloth comes to its springs' motion for what it costs: forces, XPBD, PBD."""

from __future__ import annotations

from pathlib import Path

from deformbench_analysis.measurements.cross import cloth_comparison as m
from deformbench_analysis.measurements.cross.common_times import cost_if_timed
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

LABELS = {
    "force_cloth": "springs, explicit steps",
    "xpbd_2": "XPBD, 2 iterations",
    "xpbd_20": "XPBD, 20 iterations",
    "pbd_2": "PBD, 2 iterations",
    "pbd_20": "PBD, 20 iterations",
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    figure, axes = style.new_figure(2, 1, width=9.6, height=3.9)
    table = Table(
        [
            Column("row"),
            Column("Δt", "s", ".6g"),
            Column("substeps"),
            Column("distance / side", "1", ".3g"),
            Column("time of a simulated second", "s", ".3g"),
        ]
    )
    errors = m.errors(data)
    for name, label in LABELS.items():
        look = style.method_style(name.split("_")[0] if name != "force_cloth" else name, label)
        kwargs = {**look.line_kwargs(), **({"linestyle": ":"} if name.endswith("_2") else {})}
        cells = sorted((c for c in errors if m.row(c) == name), key=lambda c: -errors[c])
        wholes = [float(c.value("scene.parameters.time_step_s")) for c in cells]
        parts = [float(c.values("step", "substeps")[-1]) for c in cells]
        steps = [whole / part for whole, part in zip(wholes, parts)]
        for cell, whole, part in zip(cells, wholes, parts):
            table.add(name, whole, int(part), errors[cell], cost_if_timed(cell))
        if cells:
            axes[0].plot(steps, [errors[c] for c in cells], **kwargs)
        timed = [(cost, errors[c]) for c in cells if (cost := cost_if_timed(c)) is not None]
        if timed:
            axes[1].plot([t for t, _ in timed], [e for _, e in timed], **kwargs)
    for axis in axes:
        axis.set(xscale="log", yscale="log", ylabel="distance from the reference / side [1]")
    axes[0].set(xlabel="(sub)step [s]", title="(a) at as long a step")
    axes[1].set(xlabel="time of a simulated second [s]", title="(b) at as much time")
    axes[0].legend(loc="best", fontsize=8)
    if not axes[1].lines:
        axes[1].text(0.5, 0.5, "not timed: deformbench time", transform=axes[1].transAxes, ha="center", fontsize=9)
    stem = out_dir / "cloth_comparison"
    side = next((int(c.value("scene.parameters.vertices_across")) for c in data.cells), 0)
    caption = (
        f"A cloth of {side} × {side} vertices without bending swings for half a second into two held corners: root mean square distance of its vertices, over "
        "the side, from those of small explicit steps of the same springs (1000 N/m per edge), largest over the run. XPBD has the springs as compliances and "
        "the error of its steps and iterations; PBD knows no stiffness, and what it leaves depends on both. "
        f"Machine: {machine_line(data.cells)}."
    )
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in data.failed()]
    return FigureEntry(
        "Cloth — distance from the motion of its springs",
        caption,
        style.save(figure, stem),
        write_table(table, stem),
        failed,
    )
