# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9, right: the dragon is pulled apart; its surface breaks with the volume,
and what opens is closed by crack faces."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.mueller_gross_2004.measurements import dragon as m
from experiments.mueller_gross_2004.measurements.surfaces import unmatched_edges
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line
from paper_figures.key_frames import (
    KEY_FRAMES,
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

TURN_DEG, ELEVATION_DEG = -38.0, 16.0
WIDTH, HEIGHT = 480, 350
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


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.PULL.experiment)
    cell = data.one()
    found = shots(cell)
    chosen = telling(found)
    stem = out_dir / "fig_09_pull"
    view = view_of(chosen, TURN_DEG, ELEVATION_DEG)
    pictures, program = render_shots(chosen, stem, _body, view, TURN_DEG, WIDTH, HEIGHT)
    names = ("split_count", "component_count", "skin_piece_count", "skin_boundary_edges", "skin_volume_error")
    series = {n: cell.series("step", n) for n in names}
    table = Table(
        [
            Column("time", "s"),
            Column("splits"),
            Column("pieces of the mesh"),
            Column("pieces of the surface"),
            Column("open edges, harness"),
            Column("open edges, counted here"),
            Column("volume error", "1", ".3g"),
            Column("triangles"),
            Column("crack triangles"),
        ]
    )
    at_frame: dict[int, list[float]] = {}
    for shot in found:
        row = row_at(series["split_count"], shot.step)
        values = [float(series[n].values[row]) for n in names]
        at_frame[shot.step] = values
        table.add(
            shot.time,
            *(int(v) for v in values[:4]),
            unmatched_edges(shot.triangles),
            values[4],
            len(shot.triangles),
            int(shot.cracks.sum()),
        )
    figure, axes = style.new_figure(1, len(chosen), width=9.6, height=2.2)
    set_row(
        axes,
        pictures,
        [
            f"t = {s.time:.3g} s: {at_frame[s.step][0]:.0f} splits, {at_frame[s.step][2]:.0f} piece{'s' if at_frame[s.step][2] != 1 else ''}"
            for s in chosen
        ],
    )
    splits = m.pull_splits(data).value
    volume_error = float(np.abs(series["skin_volume_error"].values).max())
    opened = int(found[-1].cracks.sum())
    caption = (
        "The paper shows: a dragon that is pulled apart, the surface mesh fracturing with the volumetric mesh (E = 100 kPa, yield 0.1, creep 1/s, cap 1, threshold 60 kPa). Its model is not public. "
        f"Measured here: {stand_in(cell)}, held at its hind part and pulled at its head; "
        f"drawn by {program}, what a crack opened in orange. {splits:.0f} vertex splits, {int(series['component_count'].values[-1])} pieces of the mesh and "
        f"{int(series['skin_piece_count'].values[-1])} of the surface, {opened:,} triangles on crack faces at the end; at most {m.pull_open_edges(data).value:.0f} open edges in any step, "
        f"and the volumes of the pieces at rest add up to the first within {volume_error:.1e}. Machine: {machine_line([cell])}."
    )
    loops = loop(cell, found, stem, _body, view, TURN_DEG)
    return style.finished("Figure 9, right — pulled apart", caption, figure, table, stem, data, below=loops)
