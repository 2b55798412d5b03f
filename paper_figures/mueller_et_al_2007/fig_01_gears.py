# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1: an inflated character is squeezed between rotating gears and comes out whole."""

import numpy as np

from paper_figures.cloth_figure import draw_strip, drawable, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import PIECES, ClothShot, Look, channel_at, cloth_shots, view_of
from paper_figures.figure import Drawing, Trace, titled

EXPERIMENT = "mueller_et_al_2007/gears"
TURN_DEG, ELEVATION_DEG = 22.0, 14.0
SIZE = 440, 520
LOOK = Look(pieces=(PIECES[1], PIECES[0], PIECES[2]))


def volume_ratio(trace: Trace, step: int) -> float:
    """Volume of all closed cloth / initial volume."""
    now, first = channel_at(trace, "closed_volume", step), channel_at(trace, "closed_volume", 0)
    return float("nan") if now is None or first is None else float(now / first)


def key_frames(shots: list[ClothShot]) -> list[ClothShot]:
    """First and last frame; those with the character's centre at the gears' axes
    and a quarter of its height off."""
    heights = np.array([float(s.positions[:, 1].mean()) for s in shots])
    axis = (
        float(np.mean([s.positions[:, 1].mean() for s in shots[0].solids]))
        if shots[0].solids
        else float(heights.mean())
    )
    quarter = 0.25 * float(np.ptp(shots[0].positions[:, 1]))
    passing = {int(np.abs(heights - (axis + k * quarter)).argmin()) for k in (1, 0, -1)}
    return [shots[i] for i in sorted({0, len(shots) - 1} | passing)]


@titled("Figure 1 — through the gears")
def make(figure: Drawing) -> str:
    cells = drawable(
        figure.experiment(EXPERIMENT), keep=lambda c: c.value("scene.parameters.arrangement", "stacked") == "stacked"
    )
    cell, shots = cells[0], cloth_shots(cells[0])
    chosen = key_frames(shots)
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG, 0.0)
    titles = [f"t = {s.time:.2f} s, V/V₀ = {volume_ratio(cell, s.step):.2f}" for s in chosen]
    program = draw_strip(figure, cells, chosen, titles, view, TURN_DEG, SIZE, LOOK, inches=10.5)
    gap, teeth = (float(cell.value(f"scene.parameters.{n}", 0.0)) for n in ("gap_m", "teeth"))
    return (
        "The paper shows: an inflated character squeezed through rotating gears; the method stays stable. Its model "
        f"is not public. Measured here: a generated stand-in of {size_of(cell)}, pressure factor "
        f"{float(cell.value('method.parameters.pressure', 0.0)):g}, between gears of {teeth:g} teeth with "
        f"{1e3 * gap:g} mm between their mean circles; {solver_of(cell)}, {timed(cell)}; drawn by {program}. In the "
        "stored frames after the first the volume lies between "
        f"{min(volume_ratio(cell, s.step) for s in shots[1:]):.3f} and "
        f"{max(volume_ratio(cell, s.step) for s in shots[1:]):.3f} of the start; at the end it is "
        f"{volume_ratio(cell, shots[-1].step):.3f}. {worst(cell)}"
    )
