# SPDX-License-Identifier: BSD-3-Clause
"""The opening of a flat round crack in tension, against the ellipsoid of linear fracture mechanics."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import crack_opening as opening
from paper_figures.figure import Drawing, Trace, style, titled

LOOKS = {
    "transparency": style.method_style("warped", "transparency"),
    "visibility": style.method_style("linear", "visibility"),
}


def _supports(cell: Trace) -> float:
    """Radius of the crack / nodes' support."""
    return opening.crack_of(cell).radius / opening.crack_of(cell).support


@titled("Opening of a round crack")
def make(figure: Drawing) -> str:
    data = figure.experiment(opening.M.experiment)
    axes = figure.axes(1, 3, 12.5, 4.0)
    table = figure.table("weights; radius of the crack over the support; excess of the radius [supports]; steepness")
    for weights, look in LOOKS.items():
        finest = opening.finest(data, weights)
        crack = opening.crack_of(finest)
        distance, half = opening.profile(finest, opening.last_frames(finest)[0])
        scale = crack.steepness * crack.radius
        style.marks(axes[0], distance / crack.radius, 2 * half / scale, ".", look.colour, label=look.label, alpha=0.6)
        cells = sorted(data.every(name=weights), key=_supports)
        sizes = [_supports(c) for c in cells]
        excess, steep = [opening.excess_supports(c) for c in cells], [opening.relative_steepness(c) for c in cells]
        for panel, values in ((axes[1], excess), (axes[2], steep)):
            panel.plot(
                sizes, [float(np.mean(v)) for v in values], color=look.colour, marker=look.marker, label=look.label
            )
            least, most = [min(v) for v in values], [max(v) for v in values]
            panel.fill_between(sizes, least, most, color=look.colour, alpha=0.15)
        for size, a, b in zip(sizes, excess, steep):
            table.add(weights, size, np.mean(a), np.mean(b))
    r = np.linspace(0.0, 1.0, 200)
    axes[0].plot(r, np.sqrt(1 - r**2), color="0.4", ls=":", label="linear fracture mechanics")
    axes[0].set_title("(a) the finest cloud, both faces")
    style.labels(axes[0], "distance from the centre / radius [1]", "opening / theory's at the centre [1]")
    axes[1].axhline(0.0, color="0.6", ls=":")
    axes[1].set_title("(b) radius of the fitted ellipsoid")
    style.labels(axes[1], "radius of the crack / support [1]", "fitted radius − radius [supports]")
    axes[2].axhline(1.0, color="0.6", ls=":")
    style.panel(axes[2], "(c) stiffness", "radius of the crack / support [1]", "fitted steepness / theory's [1]")
    for panel in axes:
        panel.legend()
    pulled = opening.crack_of(opening.finest(data, "transparency"))
    return (
        "Not in the paper: how well weights by transparency and by visibility open a crack. A block with a flat "
        f"round crack, pulled by {pulled.strain:g}, at rest. (a) Half openings of every surfel of both faces, "
        "doubled, seed 1, beside the ellipsoid of an infinite body. (b) Fitted radius of the ellipsoid (inner 70 % "
        "of the faces) minus that of the crack. (c) Its steepness relative to theory. Lines: "
        f"means over seeds; bands: their range. Kinetic / elastic energy at most {opening.rest(data).value:.1e}. "
        f"The block is {pulled.side / pulled.radius:.0f} radii wide, which opens the crack a little more than theory."
    )
