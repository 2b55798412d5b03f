# SPDX-License-Identifier: BSD-3-Clause
"""Slides 10 and 12: a sheet whose ends are turned against each other until it locks,
and what it crosses meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import twisted_sheet as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LABELS = {"both": "both tests, rigid zones", "none": "no detection"}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.8, height=3.9)
    table = Table(
        [Column("detection"), Column("turns"), Column("pairs that cross"), Column("unresolved pairs")]
        + [Column("elastic energy", "J", ".4g")]
    )
    for detection, label in LABELS.items():
        cell = data.some(where={m.DETECTION: detection})[0]
        every = max(1, len(m.members(cell)[0][0]) // 60)
        numbers, end = next(iter(m.crossings(cell, every)))
        counts = m.members(cell)[0][1]
        turns = [m.turns_at(cell, every * k) for k in range(len(numbers))]
        axes[1].plot(turns, numbers, color="C0" if detection == "both" else "C1", label=label)
        series = cell.series("step", "elastic_energy")
        energy = np.ravel(series.values[0] if series.is_ensemble else series.values)
        steps = np.ravel(series.step[0] if series.is_ensemble else series.step)
        for k, number in enumerate(numbers):
            at = int(np.argmin(np.abs(steps - every * k)))
            left = int(counts[every * k, m.UNRESOLVED])
            table.add(detection, turns[k], int(number), left, float(energy[at]))
        if detection == "both":
            last = min(end, len(counts)) - 1
            axes[1].axvline(m.turns_at(cell, last), color=style.GREY, linewidth=0.8)
            position = axes[0].get_position()
            axes[0].remove()
            picture = figure.add_subplot(1, 2, 1, projection="3d")
            picture.set_position(position)
            x, triangles = m.members(cell)[0][0][last], cell.scene("triangles")
            picture.plot_trisurf(
                x[:, 0], x[:, 2], x[:, 1], triangles=triangles, color="#88CCEE", edgecolor=style.INK, linewidth=0.2
            )
            picture.set_box_aspect(np.ptp(x[:, [0, 2, 1]], axis=0))
            picture.set_axis_off()
            picture.view_init(elev=20, azim=-70)
            picture.set_title(f"(a) after {m.turns_at(cell, last):.2g} turns")
    axes[1].set_yscale("symlog", linthresh=1.0)
    axes[1].set_ylim(bottom=-0.2)
    axes[1].set(xlabel="turns", ylabel="pairs of triangles that cross", title="(b) of the first seed")
    axes[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=2)
    stem = out_dir / "sec_12_twisted_sheet"
    caption = (
        "Ours: a sheet whose ends turn against each other and come nearer winds onto itself until they drive it through itself. "
        f"With both tests and rigid zones nothing crosses (at most {m.crossings_until_locked(data).value:.0f} pairs, by exact signs) up "
        f"to {m.turns_until_locked(data).value:.3g} turns, the least of all seeds, where the method first says that pairs are "
        "unresolved (grey line, and the picture just before); held vertices that drive triangles together are outside of "
        f"what it promises. Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Slide 12 — a sheet wound onto itself", caption, figure, table, stem, data)
