# SPDX-License-Identifier: BSD-3-Clause
"""Figure 12: several cloths in a level with moving obstacles and a large static surface."""

import numpy as np

from paper_figures.cloth_figure import draw_strip, drawable, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import Look, cloth_shots, view_of
from paper_figures.figure import Drawing, titled
from paper_figures.render import evenly

EXPERIMENT = "mueller_et_al_2007/level"
TURN_DEG, ELEVATION_DEG = 12.0, 26.0
SIZE = 760, 520


@titled("Figure 12 — a level")
def make(figure: Drawing) -> str:
    cells = drawable(figure.experiment(EXPERIMENT))
    cell, shots = cells[0], cloth_shots(cells[0])
    chosen = evenly(shots, 3)[1:]  # the first is the initial layout
    sizes = [len(s.triangles) for s in shots[0].solids]
    level = int(np.argmax(sizes)) if sizes else -1
    look = Look(
        solid=lambda k, kinematic: ("#b9b4a8", 0.0) if k == level else ("#5b6783" if kinematic else "#d9a441", 0.0)
    )
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG, has_floor=False, of_solid=lambda k: k != level)
    program = draw_strip(
        figure, cells, chosen, [f"t = {s.time:.2f} s" for s in chosen], view, TURN_DEG, SIZE, look, inches=11.0
    )
    return (
        "The paper shows: a game level in which several cloths meet animated characters and complex geometry, at "
        f"interactive rates; neither level nor rates are given. Measured here: {len(np.unique(shots[0].pieces))} "
        f"cloths, together {size_of(cell)}, {len(sizes) - 1} moving obstacles and a static surface of "
        f"{max(sizes, default=0):,} triangles, all generated; {solver_of(cell)}, {timed(cell)}; drawn by {program}. "
        f"{worst(cell)}"
    )
