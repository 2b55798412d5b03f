# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9: the cloth of Figure 6 tumbles in a rotating drum, carried up by friction."""

import numpy as np

from paper_figures.cloth_figure import draw_strip, drawable, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import Look, cloth_shots, view_of
from paper_figures.figure import Drawing, titled
from paper_figures.render import evenly

EXPERIMENT = "mueller_et_al_2007/barrel"
TURN_DEG, ELEVATION_DEG = 16.0, 9.0
SIZE = 480, 480
LOOK = Look(solid=lambda _, __: ("#c3c6ca", 0.0), hollow=lambda _: True)


@titled("Figure 9 — cloth in a barrel")
def make(figure: Drawing) -> str:
    cells = drawable(figure.experiment(EXPERIMENT))
    cell, shots = cells[0], cloth_shots(cells[0])
    chosen = evenly(shots, 5)[1:]  # the first is the initial arc
    view = view_of(shots, TURN_DEG, ELEVATION_DEG, has_floor=False)
    spin, friction = (cell.number(n) for n in ("spin_rad_s", "friction"))
    titles = [f"t = {s.time:.2f} s, {spin * s.time / (2 * np.pi):.1f} turns" for s in chosen]
    program = draw_strip(figure, cells, chosen, titles, view, TURN_DEG, SIZE, LOOK)
    heights = [float(s.positions[:, 1].mean()) for s in shots]
    radius = cell.number("drum_radius_m")
    return (
        "The paper shows: the piece of cloth of Figure 6 that tumbles in a rotating barrel, with collisions, self "
        f"collision and friction. The barrel is not described. Measured here: {size_of(cell)} in a drum of radius "
        f"{radius:g} m that turns at {spin:g} rad/s, friction {friction:g}; {solver_of(cell)}, {timed(cell)}; the "
        f"drum's near side is drawn as glass; drawn by {program}. The middle of the cloth lies between "
        f"{min(heights):.2f} m and {max(heights):.2f} m above the axis. {worst(cell)}"
    )
