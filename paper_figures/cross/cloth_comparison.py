# SPDX-License-Identifier: BSD-3-Clause
"""Error of a swinging mass–spring cloth against cost: forces, XPBD, PBD."""

from experiments.cross.measurements import cloth_comparison as m
from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import errors
from paper_figures.cross.swinging_cloths import distance_table, draw_distances, rows_of, steps_of
from paper_figures.figure import Drawing, titled


@titled("Cloth — distance from the motion of its springs")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.6, 3.9)
    table = distance_table(figure, "distance / side .3g")
    found = errors(data)
    for name, cells in rows_of(found):
        for cell in cells:
            table.add(name, *steps_of(cell), found[cell], cost_if_timed(cell))
    draw_distances(axes, found)
    side = next((int(c.number("vertices_across")) for c in data.cells), 0)
    return (
        f"A cloth of {side} × {side} vertices without bending swings for 0.5 s from two held corners: root mean "
        "square distance of its vertices, relative to the side, from small explicit steps of the same springs (1000 "
        "N/m per edge), maximum over the run. XPBD has the springs as compliances, and the error of its steps and "
        "iterations; PBD's stiffness depends on both. "
    )
