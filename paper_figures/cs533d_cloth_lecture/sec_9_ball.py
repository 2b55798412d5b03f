# SPDX-License-Identifier: BSD-3-Clause
"""Slide 9: what a velocity update makes of the collision of a sheet and of a block with a ball."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import ball_smoothing as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

BODIES = {"sheet": style.method_style("warped", "sheet"), "block": style.method_style("linear", "block")}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    figure, axes = style.new_figure(1, 3, width=12.5, height=3.8)
    table = Table(
        [
            Column("row"),
            Column("s", "1", ".4g"),
            Column("rotations"),
            Column("least", "1", ".4g"),
            Column("median", "1", ".4g"),
            Column("largest", "1", ".4g"),
        ]
    )
    panels = (
        ("share of the rate", m.rate_shares(data)),
        ("depth, explicit", m.depth_ratios(data, "explicit")),
        ("depth, implicit", m.depth_ratios(data, "implicit")),
    )
    for axis, (row, found) in zip(axes, panels):
        for body, look in BODIES.items():
            own = sorted((s, value) for (b, _, s), value in found.items() if b == body)
            if not own:
                continue
            x, y = np.array(own).T
            axis.plot(x, y, color=look.colour, marker=look.marker, linestyle="none", alpha=0.5, label=look.label)
            for s in np.unique(x):
                values = y[x == s]
                table.add(f"{row}, {body}", s, len(values), values.min(), float(np.median(values)), values.max())
    s = np.geomspace(0.1, 25, 80)
    chain = np.array([m.decay(x) for x in s])
    lines = ((1 - chain) ** 2, 1 / (2 * (1 - chain)), None)
    titles = ("(a) rate left by the update", "(b) depth, then explicit", "(c) depth, then implicit")
    for axis, line, title in zip(axes, lines, titles):
        if line is not None:
            axis.plot(s, line, color=style.REFERENCE, linestyle="--", linewidth=1.0, label="chain")
        axis.set(xscale="log", yscale="log", xlabel="s [1]", title=title)
        axis.legend(loc="best", fontsize=8)
    axes[0].set_ylabel("largest rate after / before [1]")
    for axis in axes[1:]:
        axis.axhline(1.0, color=style.GREY, linewidth=0.8)
        axis.set_ylabel("constrained / plain [1]")
    stem = out_dir / "sec_9_ball"
    few = m.rotations(data)
    caption = (
        "The slide says: an implicit velocity update couples the particles that collided with the rest; it is stronger with their normal velocities "
        "constrained. Measured here: a sheet and a block, turned at random, one vertex of which meets a ball, a point for every rotation not flat "
        f"against it ({few.value:.0f} at least): (a) the largest rate of an edge after the plain update over that before, dashed: (1 − λ)² of a chain of dampers; "
        "(b) how deep the body would be after one more step without a collision, constrained over plain, when that step begins with explicit damping, dashed: "
        "the chain; (c) the same with implicit damping. Above 1 the constrained update is the weaker one. s is Δt c/2m of the sheet's edges, Δt k_d ω²/8 of "
        f"the block. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Slide 9 — a sheet and a block on a ball", caption, figure, table, stem, data)
