# SPDX-License-Identifier: BSD-3-Clause
"""Figure 12: several cloths in a level with moving obstacles and a large static surface."""

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
from paper_figures.cloth_scenes import Look, cloth_shots, evenly, view_of
from paper_figures.entry import FigureEntry

EXPERIMENT = "mueller_et_al_2007/level"
TURN_DEG, ELEVATION_DEG = 12.0, 26.0
WIDTH, HEIGHT = 760, 520


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(EXPERIMENT)
    cells = drawable(data)
    cell = cells[0]
    stem = out_dir / "fig_12_level"
    shots = cloth_shots(cell)
    chosen = evenly(shots, 3)[1:]  # the first is how the scene is laid out
    sizes = [len(s.triangles) for s in shots[0].solids]
    level = int(np.argmax(sizes)) if sizes else -1
    look = Look(
        solid=lambda k, kinematic: ("#b9b4a8", 0.0) if k == level else ("#5b6783" if kinematic else "#d9a441", 0.0)
    )
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG, has_floor=False, of_solid=lambda k: k != level)
    figure, program, loops = draw_strips(
        [Strip(cell, shots, chosen, [f"t = {s.time:.2f} s" for s in chosen], view, TURN_DEG, look)],
        stem,
        WIDTH,
        HEIGHT,
        11.0,
    )
    caption = (
        "The paper shows: a game level in which several cloths meet animated characters and complex geometry, at interactive rates; neither level nor rates are given. "
        f"Measured here: {len(np.unique(shots[0].pieces))} cloths, together {size_of(cell)}, {len(sizes) - 1} moving obstacles and a static surface of {max(sizes, default=0):,} triangles, all generated; "
        f"{solver_of(cell)}, {timed(cell)}; drawn by {program}. {worst(cell)}"
    )
    return entry_of("Figure 12 — a level", caption, figure, table_of(cells), stem, data, cells, loops)
