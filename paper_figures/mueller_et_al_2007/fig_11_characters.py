# SPDX-License-Identifier: BSD-3-Clause
"""Figure 11: three inflated characters collide, with each other and with themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.results import Results
from paper_figures.cloth_figure import (
    Strip,
    draw_strips,
    drawable,
    entry_of,
    size_of,
    solver_of,
    table_of,
    timed,
    worst,
)
from paper_figures.cloth_scenes import PIECES, Look, at_times, channel_at, cloth_shots, view_of
from paper_figures.entry import FigureEntry

EXPERIMENT = "mueller_et_al_2007/characters"
TURN_DEG, ELEVATION_DEG = 20.0, 18.0
WIDTH, HEIGHT = 480, 380
LOOK = Look(pieces=(PIECES[1], PIECES[0], PIECES[2]))


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(EXPERIMENT)
    cells = drawable(data)
    cell = cells[0]
    stem = out_dir / "fig_11_characters"
    shots = cloth_shots(cell)
    contacts = [float(c) if (c := channel_at(cell, "self_contacts", s.step)) is not None else 0.0 for s in shots]
    end = shots[-1].time
    chosen = at_times(shots, (0.0, 0.12 * end, 0.3 * end, end))
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG, 0.0)
    titles = [f"t = {s.time:.2f} s, {contacts[shots.index(s)]:.0f} contacts" for s in chosen]
    figure, program, loops = draw_strips(
        [Strip(cell, shots, chosen, titles, view, TURN_DEG, LOOK)], stem, WIDTH, HEIGHT
    )
    caption = (
        "The paper shows: three inflated characters with many collisions and self collisions. Their model is not public. "
        f"Measured here: {len(np.unique(shots[0].pieces))} generated stand-ins, together {size_of(cell)}, pressure factor {float(cell.value('method.parameters.pressure', 0.0)):g}; "
        f"{solver_of(cell)}, {timed(cell)}; drawn by {program}. {worst(cell)}"
    )
    return entry_of("Figure 11 — three characters", caption, figure, table_of(cells), stem, data, cells, loops)
