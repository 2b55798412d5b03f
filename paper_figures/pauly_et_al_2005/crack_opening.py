# SPDX-License-Identifier: BSD-3-Clause
"""The opening of a flat round crack in tension, against the ellipsoid of linear fracture mechanics."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.pauly_et_al_2005.measurements import crack_opening as opening
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LOOKS = {
    "transparency": style.method_style("warped", "transparency"),
    "visibility": style.method_style("linear", "visibility"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(opening.EXPERIMENT)
    figure, axes = style.new_figure(1, 3, width=12.5, height=4.0)
    table = Table(
        [
            Column("weights"),
            Column("radius of the crack over the support"),
            Column("excess of the radius", "supports"),
            Column("steepness", "1"),
        ]
    )
    for weights, look in LOOKS.items():
        finest = opening.finest(data, weights)
        crack = opening.crack_of(finest)
        distance, half = opening.profile(finest, opening.last_frames(finest)[0])
        scale = crack.steepness * crack.radius
        axes[0].plot(
            distance / crack.radius,
            2 * half / scale,
            color=look.colour,
            marker=".",
            linestyle="none",
            label=look.label,
            alpha=0.6,
        )
        cells = sorted(data.every(name=weights), key=lambda c: opening.crack_of(c).radius / opening.crack_of(c).support)
        sizes = [opening.crack_of(c).radius / opening.crack_of(c).support for c in cells]
        excess, steep = [opening.excess_supports(c) for c in cells], [opening.relative_steepness(c) for c in cells]
        for panel, values in ((axes[1], excess), (axes[2], steep)):
            panel.plot(
                sizes, [float(np.mean(v)) for v in values], color=look.colour, marker=look.marker, label=look.label
            )
            panel.fill_between(sizes, [min(v) for v in values], [max(v) for v in values], color=look.colour, alpha=0.15)
        for size, a, b in zip(sizes, excess, steep):
            table.add(weights, size, float(np.mean(a)), float(np.mean(b)))
    r = np.linspace(0.0, 1.0, 200)
    axes[0].plot(r, np.sqrt(1 - r**2), color="0.4", linestyle=":", label="linear fracture mechanics")
    axes[0].set(
        xlabel="distance from the centre over the radius [1]",
        ylabel="opening over that of the centre in theory [1]",
        title="(a) the finest cloud, both faces",
    )
    axes[1].axhline(0.0, color="0.6", linestyle=":")
    axes[1].set(
        xlabel="radius of the crack over the support [1]",
        ylabel="fitted radius − radius [supports]",
        title="(b) radius of the fitted ellipsoid",
    )
    axes[2].axhline(1.0, color="0.6", linestyle=":")
    axes[2].set(
        xlabel="radius of the crack over the support [1]",
        ylabel="fitted steepness over the theory's [1]",
        title="(c) stiffness",
    )
    for panel in axes:
        panel.legend()
    stem = out_dir / "crack_opening"
    pulled = opening.crack_of(opening.finest(data, "transparency"))
    caption = (
        "Not in the paper: how well weights by transparency and by visibility open a crack. A block with a flat round crack, pulled by "
        f"{pulled.strain:g}, at rest. (a) Half openings of every surfel of both faces, doubled, seed 1, beside the ellipsoid of an infinite "
        "body. (b) By how much the ellipsoid fitted to the inner 70 % of the faces is wider than the crack. (c) The ellipsoid's "
        "steepness over the theory's. Lines: means over seeds; bands: their range. "
        f"Kinetic over elastic energy at most {opening.rest(data).value:.1e}. The block is {pulled.side / pulled.radius:.0f} radii wide, "
        f"which opens the crack a little more than theory. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Opening of a round crack", caption, figure, table, stem, data)
