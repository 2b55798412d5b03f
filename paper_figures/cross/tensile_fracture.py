# SPDX-License-Identifier: BSD-3-Clause
"""A block pulled apart: energy against elongation, and where it breaks,
by vertex splits and by cracks among nodes."""

import numpy as np
from matplotlib.patches import Rectangle

from experiments.cross.measurements import tensile_fracture as m
from paper_figures.figure import Drawing, MissingData, style, titled

LOOKS = {
    "warped": style.method_style("warped", "warped FEM, split vertices"),
    "meshless": style.method_style("xpbd", "meshless, crack fronts"),
}


@titled("Two ways to break")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(2, 3, 12.0, 7.0)
    table = figure.table(
        "flaw; method; pull at the largest energy .3f; energy left .3f; pieces; broken edges; their spread along "
        "the pull [cells] .2f; time of a step [ms] .3g"
    )
    ends: list[str] = []
    for row, slit in enumerate((False, True)):
        flaw = "slit" if slit else "no flaw"
        for column, (method, look) in enumerate(LOOKS.items(), start=1):
            cell = m.cell_of(data, method, slit)
            along, stored = m.energy(cell)
            axes[row][0].plot(along, stored, color=look.colour, label=look.label)
            panel = axes[row][column]
            try:
                middles = m.crack(cell)
                panel.plot(middles[:, 0], middles[:, 1], ".", color=look.colour, alpha=0.5)
            except MissingData:
                middles = np.zeros((0, 3))
            half = [0.5 * cell.number(n) for n in ("length_m", "side_m")]
            panel.add_patch(Rectangle((-half[0], -half[1]), 2 * half[0], 2 * half[1], fill=False, color="0.5"))
            style.panel(panel, f"({'abcdef'[3 * row + column]}) {look.label}, {flaw}", "x [m]", "y [m]")
            panel.set(aspect="equal", xlim=(-1.1 * half[0], 1.1 * half[0]))
            timing = cell.timing
            ends.append(f"{look.label}, {flaw}: {m.energy_left(cell):.2g} of the largest, {m.pieces(cell)} piece(s)")
            numbers = (m.spread(cell) if len(middles) else float("nan"), timing.median_ms if timing else float("nan"))
            table.add(
                flaw, look.label, m.pull_at_peak(cell), m.energy_left(cell), m.pieces(cell), len(middles), *numbers
            )
        style.panel(axes[row][0], f"({'ad'[row]}) energy, {flaw}", "elongation / length [1]", "elastic energy [1]")
        axes[row][0].legend()
    threshold = float(m.cell_of(data, "meshless", False).value("method.parameters.crack_threshold_pa"))
    young = float(m.cell_of(data, "meshless", False).value("scene.parameters.young_modulus_pa"))
    return (
        "One block, one threshold, two ways to break: finite elements whose vertices are split, and nodes at the "
        "same vertices with crack fronts among them. Its ends are pulled slowly; a uniform small strain would reach "
        f"the threshold at {threshold / young:g}. Left: elastic energy relative to that of uniform strain at the end "
        "of the pull. Right: rest midpoints of edges stretched more than twofold at the end, by vertex positions "
        f"alone, seen along z. Remaining energy means that the ends are still connected: {'; '.join(ends)}."
    )
