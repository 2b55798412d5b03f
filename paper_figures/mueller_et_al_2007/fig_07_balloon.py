# SPDX-License-Identifier: BSD-3-Clause
"""Figure 7: a closed character blown up by overpressure, and its volume against the pressure factor."""

from __future__ import annotations

from pathlib import Path

from deformbench_analysis.results import Results
from paper_figures.cloth_figure import Strip, at_end, draw_strips, drawable, entry_of, frame_table, joined, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import PIECES, Look, cloth_shots, view_of
from paper_figures.entry import FigureEntry

EXPERIMENT = "mueller_et_al_2007/balloon"
TURN_DEG, ELEVATION_DEG = 25.0, 10.0
WIDTH, HEIGHT = 440, 440
LOOK = Look(pieces=(PIECES[1],))


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(EXPERIMENT)
    cells = sorted(drawable(data), key=lambda c: float(c.value("method.parameters.pressure", 0.0)))
    stem = out_dir / "fig_07_balloon"
    every = [cloth_shots(c) for c in cells]
    view = view_of([s[-1] for s in every], TURN_DEG, ELEVATION_DEG, has_floor=False)
    ratios = []
    for cell in cells:
        volume = cell.series("step", "closed_volume").members()[0].values
        ratios.append(float(volume[-1] / volume[0]))
    first = Strip(cells[0], every[0], [s[-1] for s in every], [f"pressure factor {float(c.value('method.parameters.pressure')):g}: V/V₀ = {r:.3f}" for c, r in zip(cells, ratios)], view, TURN_DEG, LOOK)
    figure, program, loops = draw_strips([first], stem, WIDTH, HEIGHT)
    cell = cells[-1]
    caption = ("The paper shows: a character with overpressure inside. Its model is not public. "
               f"Measured here: a generated stand-in of {size_of(cell)}, {solver_of(cell)}, {timed(cell)}, at the end of {every[-1][-1].time:.3g} s at each factor; drawn by {program}. "
               f"Edges strain by {100 * (at_end(cell, 'edge_strain_rms') or 0.0):.3g} % (rms) at the largest factor. {worst(cell)}")
    return entry_of("Figure 7 — overpressure", caption, figure, joined([frame_table(c, s, f"pressure {float(c.value('method.parameters.pressure')):g}") for c, s in zip(cells, every)]), stem, data, cells, loops)
