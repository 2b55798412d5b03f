# SPDX-License-Identifier: BSD-3-Clause
"""Figure 8, left: a snake held by its head hangs and swings; large rotations without growth of volume."""

import numpy as np

from experiments.mueller_gross_2004.measurements import snake_and_cow as m
from paper_figures.figure import Drawing, style, titled
from paper_figures.key_frames import Shot, draw_row, row_at, shots, stand_in, view_of
from paper_figures.render import evenly, Body

TURN_DEG, ELEVATION_DEG = 25.0, 10.0
SIZE = 460, 460


def _rotation_deg(shot: Shot) -> float:
    cosine = (np.trace(np.asarray(shot.fields["rotations"]).reshape(-1, 3, 3), axis1=1, axis2=2) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())


def _body(shot: Shot) -> Body:
    return Body(shot.positions, shot.triangles, style.METHODS["warped"].colour)


@titled("Figure 8, left — the snake")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.SNAKE.experiment)
    cell = data.one()
    found = shots(cell)
    chosen = evenly(found)
    view = view_of(found, TURN_DEG, ELEVATION_DEG)
    volume = cell.series("step", "volume")
    table = figure.table("time [s]; largest rotation of an element [deg] .5g; V/V0 .6g")
    for shot in found:
        table.add(shot.time, _rotation_deg(shot), float(volume.values[row_at(volume, shot.step)] / volume.values[0]))
    titles = [f"t = {s.time:.3g} s, rotation ≤ {_rotation_deg(s):.0f}°" for s in chosen]
    program = draw_row(figure, cell, found, chosen, titles, (view, TURN_DEG, *SIZE), _body, 2.8)
    return (
        "The paper shows: a snake in large, purely elastic rotations. Its model is not public. Measured here: "
        f"{stand_in(cell)}, held by its head, under gravity; drawn by {program}. The largest rotation of an element "
        f"is {m.rotation_deg(data).value:.0f}°, and the volume deviates from that at the start by at most "
        f"{100 * m.largest_volume_change(data).value:.2g} % in any row: the weight stretches the snake, and no "
        "rotation inflates it."
    )
