# SPDX-License-Identifier: BSD-3-Clause
"""Slide 9: effect of a velocity update on the collision of a sheet and of a block with a ball."""

from collections.abc import Callable

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import ball_smoothing as m
from deformbench_analysis.vocabulary import Rows
from paper_figures.figure import Drawing, style, titled

BODIES = {"sheet": style.method_style("warped", "sheet"), "block": style.method_style("linear", "block")}


@titled("Slide 9 — a sheet and a block on a ball")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 3, 12.5, 3.8)
    table = figure.table("row; s; rotations; least; median; largest")
    panels: tuple[tuple[str, Callable[..., dict[str, float]], Rows], ...] = (
        ("share of the rate", m.rate_shares, m.PLAIN),
        ("depth, explicit", m.depth_ratios("explicit"), m.BOTH),
        ("depth, implicit", m.depth_ratios("implicit"), m.BOTH),
    )
    for axis, (row, quantity, runs) in zip(axes, panels):
        found = [(traces[0], quantity(*traces)) for traces, _ in runs.units(data)]
        for body, look in BODIES.items():
            own = sorted((m.strength(c), value) for c, of in found if m.body(c) == body for value in of.values())
            if not own:
                continue
            x, y = np.array(own).T
            style.marks(axis, x, y, look.marker, look.colour, alpha=0.5, label=look.label)
            for s in np.unique(x):
                values = y[x == s]
                table.add(f"{row}, {body}", s, len(values), values.min(), np.median(values), values.max())
    s = np.geomspace(0.1, 25, 80)
    chain = np.array([m.decay(x) for x in s])
    lines = ((1 - chain) ** 2, 1 / (2 * (1 - chain)), None)
    titles = ("(a) rate left by the update", "(b) depth, then explicit", "(c) depth, then implicit")
    for axis, line, title in zip(axes, lines, titles):
        if line is not None:
            style.reference(axis, s, line, label="chain")
        axis.set(xscale="log", yscale="log", xlabel="s [1]", title=title)
        axis.legend(loc="best", fontsize=8)
    axes[0].set_ylabel("largest rate after / before [1]")
    for axis in axes[1:]:
        axis.axhline(1.0, color=style.GREY, lw=0.8)
        axis.set_ylabel("constrained / plain [1]")
    few = m.rotations(data)
    return (
        "The slide says: an implicit velocity update couples the particles that collided with the rest; it is "
        "stronger with their normal velocities constrained. Measured here: a sheet and a block, turned at random, "
        f"one vertex of which meets a ball, a point for every rotation not flat against it ({few.value:.0f} at "
        "least): (a) the largest edge rate, after / before the plain update, dashed: (1 − λ)² of a "
        "chain of dampers; (b) depth after one more step without collision, constrained relative to plain, if that "
        "step begins with explicit damping, dashed: the chain; (c) the same with implicit damping. "
        "Above 1 the constrained update is the weaker one. s is Δt c/2m of the sheet's edges, Δt k_d ω²/8 of the "
        "block."
    )
