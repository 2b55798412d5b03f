# SPDX-License-Identifier: BSD-3-Clause
"""Section 2: what gradients at the nodes see: their error by spacing,
and the vibrations of a free cube that they miss."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.pauly_et_al_2005.measurements import gradient_convergence as gradients
from experiments.pauly_et_al_2005.measurements import spurious_modes as modes
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

REGIONS = {
    "inside": ("one_size", gradients.interior, style.method_style("warped", "inside")),
    "boundary": ("one_size", gradients.boundary, style.method_style("linear", "at the boundary")),
    "transition": ("two_levels", gradients.transition, style.method_style("xpbd", "where cells halve")),
}
SHOWN = 60  # modes


def make(results: Results, out_dir: Path) -> FigureEntry:
    waves, cubes = results.experiment(gradients.EXPERIMENT), results.experiment(modes.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.2)
    table = Table([Column("part"), Column("row"), Column("spacing in m, or mode"), Column("value", "1", ".6g")])
    coarsest = 0.0
    for name, (sampling, region, look) in REGIONS.items():
        found = gradients.errors_by_size(waves, sampling, region)
        spacings, worst = [s for s, _ in found], [max(e) for _, e in found]
        axes[0].plot(spacings, worst, color=look.colour, marker=look.marker, label=look.label)
        coarsest = max(coarsest, max(spacings))
        for spacing, error in zip(spacings, worst):
            table.add("gradient", name, spacing, error)
    line = np.array([0.25 * coarsest, coarsest])
    axes[0].plot(line, 0.6 * line, color="0.6", linestyle=":", label="first order")
    axes[0].set(xscale="log", yscale="log", xlabel="spacing of nodes [m]", ylabel="error of ∇u, 95th percentile [1]")
    axes[0].set_title("(a) a wave on jittered nodes, worst seed")
    axes[0].legend()

    cube = modes.jittered(cubes)[0]
    across = int(cube.value("scene.parameters.nodes_across"))
    poisson = float(cube.value("scene.parameters.poisson_ratio"))
    rows = {
        f"{across}³ nodes": (modes.frequencies(cube, seeds(cube)[0]), style.method_style("linear")),
        f"{modes.HEXAHEDRA_ACROSS}³ hexahedra": (modes.hexahedra(poisson), style.method_style("warped")),
    }
    for label, (found_modes, look) in rows.items():
        elastic = found_modes[modes.RIGID : modes.RIGID + SHOWN]
        axes[1].plot(
            np.arange(1, len(elastic) + 1),
            elastic,
            color=look.colour,
            marker=look.marker,
            markersize=3,
            linestyle="none",
            label=label,
        )
        for k, value in enumerate(elastic):
            table.add("mode", label, float(k + 1), float(value))
    axes[1].axhline(modes.LOWEST, color="0.6", linestyle=":", label="lowest of a solid cube")
    axes[1].set(xlabel="vibration, by frequency", ylabel="ω L / c_s [1]", ylim=(0, None), title="(b) a free cube")
    axes[1].legend()
    stem = out_dir / "sec_2_elasticity"
    caption = (
        "The paper says: gradients at the nodes are accurate to first order, and evaluation at the nodes alone overcomes the need for many "
        "integration points. Measured here: (a) the error of the gradient of a wave over its largest gradient, for regions apart; fitted orders "
        f"{gradients.interior_order(waves).value:.2f} inside, {gradients.boundary_order(waves).value:.2f} at the boundary, "
        f"{gradients.transition_order(waves).value:.2f} where cells change their size, the worst seed each; (b) the slowest vibrations of a "
        f"free cube, computed from the stored operator: {int(modes.fewest(cubes).value)} to {int(modes.most(cubes).value)} are slower than any of "
        f"a solid cube, as one gradient a node does not see them. Machine: {machine_line(waves.cells)}."
    )
    return style.finished("Section 2 — elasticity of nodes", caption, figure, table, stem, waves, cubes)
