# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9, right: the dragon is pulled apart; its surface breaks with the volume,
and openings are closed by crack faces."""

import numpy as np

from experiments.mueller_gross_2004.measurements import dragon as m
from experiments.mueller_gross_2004.measurements.surfaces import unmatched_edges
from paper_figures.figure import Drawing, titled
from paper_figures.key_frames import Shot, draw_row, row_at, shots, stand_in, view_of
from paper_figures.render import KEY_FRAMES, evenly, Body

TURN_DEG, ELEVATION_DEG = -38.0, 16.0
SIZE = 480, 350
SKIN, CRACK = "#8fa3ad", "#D55E00"


def _body(shot: Shot) -> Body:
    return Body(shot.positions, shot.triangles, SKIN, cut=shot.cracks, cut_colour=CRACK)


def telling(found: list[Shot]) -> list[Shot]:
    """The start, the first frame with a crack, the last, and one between these two;
    evenly spaced when nothing opened."""
    opened = [i for i, s in enumerate(found) if s.cracks.any()]
    if not opened:
        return evenly(found)
    steps = sorted({0, opened[0], (opened[0] + len(found) - 1) // 2, len(found) - 1})
    return [found[i] for i in steps][:KEY_FRAMES]


@titled("Figure 9, right — pulled apart")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.PULL.experiment)
    cell = data.one()
    found = shots(cell)
    chosen = telling(found)
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG)
    names = ("split_count", "component_count", "skin_piece_count", "skin_boundary_edges", "skin_volume_error")
    series = {n: cell.series("step", n) for n in names}
    table = figure.table(
        "time [s]; splits; pieces of the mesh; pieces of the surface; open edges, harness; open edges, counted "
        "here; volume error .3g; triangles; crack triangles"
    )
    at_frame: dict[int, list[float]] = {}
    for shot in found:
        row = row_at(series["split_count"], shot.step)
        values = [float(series[n].values[row]) for n in names]
        at_frame[shot.step] = values
        numbers = (values[4], len(shot.triangles), int(shot.cracks.sum()))
        table.add(shot.time, *(int(v) for v in values[:4]), unmatched_edges(shot.triangles), *numbers)
    titles = [
        f"t = {s.time:.3g} s: {at_frame[s.step][0]:.0f} splits, {at_frame[s.step][2]:.0f} "
        f"piece{'s' if at_frame[s.step][2] != 1 else ''}"
        for s in chosen
    ]
    program = draw_row(figure, cell, found, chosen, titles, (view, TURN_DEG, *SIZE), _body, 2.2)
    splits = m.pull_splits(data).value
    volume_error = float(np.abs(series["skin_volume_error"].values).max())
    opened = int(found[-1].cracks.sum())
    return (
        "The paper shows: a dragon that is pulled apart, the surface mesh fracturing with the volumetric mesh (E = "
        "100 kPa, yield 0.1, creep 1/s, cap 1, threshold 60 kPa). Its model is not public. Measured here: "
        f"{stand_in(cell)}, held at its hind part and pulled at its head; drawn by {program}, crack faces in orange. "
        f"{splits:.0f} vertex splits, {int(series['component_count'].values[-1])} pieces of the mesh and "
        f"{int(series['skin_piece_count'].values[-1])} of the surface, {opened:,} triangles on crack faces at the "
        f"end; at most {m.pull_open_edges(data).value:.0f} open edges in any step, and the rest volumes of the "
        f"pieces sum to the initial within {volume_error:.1e}."
    )
