# SPDX-License-Identifier: BSD-3-Clause
"""A cloth that swings down onto a slope: how near forces, XPBD and PBD come to the motion of its springs,
for what it costs."""

from __future__ import annotations

from pathlib import Path

from experiments.cross.measurements import cloth_curtain as m
from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import distances, errors
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column
from paper_figures import style
from paper_figures.cross.swinging_cloths import distance_table, draw_distances, look_of, rows_of, steps_of
from paper_figures.entry import FigureEntry, machine_line


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(1, 3, width=12.6, height=3.9)
    ends = [Column("distance at the end / side", "1", ".3g"), Column("sag at the end / side", "1", ".3g")]
    table = distance_table("largest distance / side", [*ends, Column("depth / side", "1", ".2g")])
    worst, reference = errors(data), data.one(name="reference")
    at_end = {c: m.end_error(c, reference) for c in worst}
    for name, cells in rows_of(worst):
        for cell in cells:
            table.add(name, *steps_of(cell), worst[cell], at_end[cell], m.sag(cell), m.depth(cell), cost_if_timed(cell))
        first = min(cells, key=lambda c: steps_of(c)[0] / steps_of(c)[1])
        times, apart = distances(first, reference)
        axes[2].plot(times, apart, **{**look_of(name), "marker": ""})
    draw_distances(axes[:2], at_end)
    axes[0].set_title("(a) at the end, at as long a step")
    axes[1].set_title("(b) at the end, at as much time")
    axes[2].set(
        yscale="log",
        xlabel="time [s]",
        ylabel="distance from the reference / side [1]",
        title="(c) on the way, shortest steps",
    )
    stem = out_dir / "cloth_curtain"
    side = next((int(c.value("scene.parameters.vertices_across")) for c in data.cells), 0)
    floor = m.force_cloth_error(data)
    caption = (
        f"A cloth of {side} × {side} vertices without bending, held at two corners, swings down onto a slope of 40° with friction 0.3: root mean square "
        "distance of its vertices, over the side, from those of small explicit steps of the same springs (1000 N/m per edge). On the way the cloth wrinkles as "
        f"the slope and then its corners catch it; explicit steps of other lengths differ by up to {floor.value:.2g} sides from the reference there, and meet "
        "it again where the cloth comes to rest. All methods stop vertices at the plane one by one; PBD knows no stiffness. "
        f"Machine: {machine_line(data.cells)}."
    )
    return style.finished("Cloth — a curtain on a slope", caption, figure, table, stem, data)
