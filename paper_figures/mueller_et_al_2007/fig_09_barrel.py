# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9: the cloth of Figure 6 tumbles in a rotating drum, carried up by friction."""

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

EXPERIMENT = "mueller_et_al_2007/barrel"
TURN_DEG, ELEVATION_DEG = 16.0, 9.0
WIDTH, HEIGHT = 480, 480
LOOK = Look(solid=lambda _, __: ("#c3c6ca", 0.0), hollow=lambda _: True)


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(EXPERIMENT)
    cells = drawable(data)
    cell = cells[0]
    stem = out_dir / "fig_09_barrel"
    shots = cloth_shots(cell)
    chosen = evenly(shots, 5)[1:]  # the first is the arc in which it was laid
    view = view_of(shots, TURN_DEG, ELEVATION_DEG, has_floor=False)
    spin, friction = (float(cell.value(f"scene.parameters.{n}")) for n in ("spin_rad_s", "friction"))
    titles = [f"t = {s.time:.2f} s, {spin * s.time / (2 * np.pi):.1f} turns" for s in chosen]
    figure, program, loops = draw_strips(
        [Strip(cell, shots, chosen, titles, view, TURN_DEG, LOOK)], stem, WIDTH, HEIGHT
    )
    heights = [float(s.positions[:, 1].mean()) for s in shots]
    radius = float(cell.value("scene.parameters.drum_radius_m"))
    caption = (
        "The paper shows: the piece of cloth of Figure 6 that tumbles in a rotating barrel, with collisions, self collision and friction. The barrel is not described. "
        f"Measured here: {size_of(cell)} in a drum of radius {radius:g} m that turns at {spin:g} rad/s, friction {friction:g}; {solver_of(cell)}, {timed(cell)}; "
        f"the drum's near side is drawn as glass; drawn by {program}. The middle of the cloth lies between {min(heights):.2f} m and {max(heights):.2f} m above the axis. {worst(cell)}"
    )
    return entry_of("Figure 9 — cloth in a barrel", caption, figure, table_of(cells), stem, data, cells, loops)
