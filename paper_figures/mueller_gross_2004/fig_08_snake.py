# SPDX-License-Identifier: BSD-3-Clause
"""Figure 8, left: a snake held by its head hangs and swings; large rotations without growth of volume."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.mueller_gross_2004.measurements import snake_and_cow as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line
from paper_figures.key_frames import (
    Shot,
    evenly,
    loop,
    render_shots,
    row_at,
    set_row,
    shots,
    stand_in,
    view_of,
)
from paper_figures.render import Body

TURN_DEG, ELEVATION_DEG = 25.0, 10.0
WIDTH, HEIGHT = 460, 460


def _rotation_deg(shot: Shot) -> float:
    cosine = (np.trace(np.asarray(shot.fields["rotations"]).reshape(-1, 3, 3), axis1=1, axis2=2) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())


def _body(shot: Shot) -> Body:
    return Body(shot.positions, shot.triangles, style.METHODS["warped"].colour)


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.SNAKE.experiment)
    cell = data.one()
    found = shots(cell)
    chosen = evenly(found)
    stem = out_dir / "fig_08_snake"
    view = view_of(found, TURN_DEG, ELEVATION_DEG)
    pictures, program = render_shots(chosen, stem, _body, view, TURN_DEG, WIDTH, HEIGHT)
    volume = cell.series("step", "volume")
    table = Table(
        [Column("time", "s"), Column("largest rotation of an element", "deg", ".5g"), Column("V/V0", "1", ".6g")]
    )
    for shot in found:
        table.add(shot.time, _rotation_deg(shot), float(volume.values[row_at(volume, shot.step)] / volume.values[0]))
    figure, axes = style.new_figure(1, len(chosen), width=9.6, height=2.8)
    set_row(axes, pictures, [f"t = {s.time:.3g} s, rotation ≤ {_rotation_deg(s):.0f}°" for s in chosen])
    caption = (
        "The paper shows: a snake in large, purely elastic rotations. Its model is not public. "
        f"Measured here: {stand_in(cell)}, held by its head, under gravity; drawn by {program}. The largest rotation of an element is {m.rotation_deg(data).value:.0f}°, and the volume deviates from that at the start by at most {100 * m.largest_volume_change(data).value:.2g} % "
        f"in any row: the weight stretches the snake, and no rotation inflates it. Machine: {machine_line([cell])}."
    )
    loops = loop(cell, found, stem, _body, view, TURN_DEG)
    return style.finished("Figure 8, left — the snake", caption, figure, table, stem, data, below=loops)
