# SPDX-License-Identifier: BSD-3-Clause
"""How near a swinging cloth comes to its springs' motion for what it costs: forces, XPBD, PBD."""

from __future__ import annotations

from pathlib import Path

from experiments.cross.measurements import cloth_comparison as m
from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import errors
from deformbench_analysis.results import Results
from paper_figures import style
from paper_figures.cross.swinging_cloths import distance_table, draw_distances, rows_of, steps_of
from paper_figures.entry import FigureEntry, machine_line


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.6, height=3.9)
    table = distance_table("distance / side")
    found = errors(data)
    for name, cells in rows_of(found):
        for cell in cells:
            table.add(name, *steps_of(cell), found[cell], cost_if_timed(cell))
    draw_distances(axes, found)
    stem = out_dir / "cloth_comparison"
    side = next((int(c.value("scene.parameters.vertices_across")) for c in data.cells), 0)
    caption = (
        f"A cloth of {side} × {side} vertices without bending swings for half a second into two held corners: root mean square distance of its vertices, over "
        "the side, from those of small explicit steps of the same springs (1000 N/m per edge), largest over the run. XPBD has the springs as compliances and "
        "the error of its steps and iterations; PBD knows no stiffness, and what it leaves depends on both. "
        f"Machine: {machine_line(data.cells)}."
    )
    return style.finished("Cloth — distance from the motion of its springs", caption, figure, table, stem, data)
