# SPDX-License-Identifier: BSD-3-Clause
"""How near a swinging cloth comes to its springs' motion for what it costs: forces, XPBD, PBD."""

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
        f"A cloth of {side} × {side} vertices without bending swings for half a second into two held corners: root "
        "mean square distance of its vertices, over the side, from those of small explicit steps of the same "
        "springs (1000 N/m per edge), largest over the run. XPBD has the springs as compliances and the error of "
        "its steps and iterations; PBD knows no stiffness, and what it leaves depends on both. "
    )
