# SPDX-License-Identifier: BSD-3-Clause
"""Figure 11: three inflated characters collide, with each other and with themselves."""

import numpy as np

from paper_figures.cloth_figure import draw_strip, drawable, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import PIECES, Look, at_times, channel_at, cloth_shots, view_of
from paper_figures.figure import Drawing, titled

EXPERIMENT = "mueller_et_al_2007/characters"
TURN_DEG, ELEVATION_DEG = 20.0, 18.0
SIZE = 480, 380
LOOK = Look(pieces=(PIECES[1], PIECES[0], PIECES[2]))


@titled("Figure 11 — three characters")
def make(figure: Drawing) -> str:
    cells = drawable(figure.experiment(EXPERIMENT))
    cell, shots = cells[0], cloth_shots(cells[0])
    contacts = [float(c) if (c := channel_at(cell, "self_contacts", s.step)) is not None else 0.0 for s in shots]
    end = shots[-1].time
    chosen = at_times(shots, (0.0, 0.12 * end, 0.3 * end, end))
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG, 0.0)
    titles = [f"t = {s.time:.2f} s, {contacts[shots.index(s)]:.0f} contacts" for s in chosen]
    program = draw_strip(figure, cells, chosen, titles, view, TURN_DEG, SIZE, LOOK)
    return (
        "The paper shows: three inflated characters with many collisions and self collisions. Their model is not "
        f"public. Measured here: {len(np.unique(shots[0].pieces))} generated stand-ins, together {size_of(cell)}, "
        f"pressure factor {float(cell.value('method.parameters.pressure', 0.0)):g}; {solver_of(cell)}, "
        f"{timed(cell)}; drawn by {program}. {worst(cell)}"
    )
