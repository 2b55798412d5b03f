# SPDX-License-Identifier: BSD-3-Clause
"""Section 2: gradients at the nodes: their error by spacing,
and the vibrations of a free cube that they miss."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import gradient_convergence as gradients, spurious_modes as modes
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from paper_figures.figure import Drawing, style, titled

REGIONS = {
    "inside": (gradients.ONE_SIZE, gradients.interior, style.method_style("warped", "inside")),
    "boundary": (gradients.ONE_SIZE, gradients.boundary, style.method_style("linear", "at the boundary")),
    "transition": (gradients.TWO_LEVELS, gradients.transition, style.method_style("xpbd", "where cells halve")),
}
SHOWN = 60  # modes


@titled("Section 2 — elasticity of nodes")
def make(figure: Drawing) -> str:
    waves, cubes = figure.experiment(gradients.M.experiment), figure.experiment(modes.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.2)
    table = figure.table("part; row; spacing in m, or mode; value .6g")
    coarsest = 0.0
    for name, (clouds, region, look) in REGIONS.items():
        found = gradients.errors_by_size(clouds.runs(waves), region)
        spacings, worst = [s for s, _ in found], [max(e) for _, e in found]
        axes[0].plot(spacings, worst, color=look.colour, marker=look.marker, label=look.label)
        coarsest = max(coarsest, max(spacings))
        for spacing, error in zip(spacings, worst):
            table.add("gradient", name, spacing, error)
    line = np.array([0.25 * coarsest, coarsest])
    axes[0].plot(line, 0.6 * line, color="0.6", ls=":", label="first order")
    axes[0].set(xscale="log", yscale="log", xlabel="spacing of nodes [m]", ylabel="error of ∇u, 95th percentile [1]")
    axes[0].set_title("(a) a wave on jittered nodes, worst seed")
    axes[0].legend()

    cube = modes.jittered(cubes)[0]
    across = int(cube.number("nodes_across"))
    poisson = cube.number("poisson_ratio")
    rows = {
        f"{across}³ nodes": (modes.frequencies(cube, seeds(cube)[0]), style.method_style("linear")),
        f"{modes.HEXAHEDRA_ACROSS}³ hexahedra": (modes.hexahedra(poisson), style.method_style("warped")),
    }
    for label, (found_modes, look) in rows.items():
        elastic = found_modes[modes.RIGID : modes.RIGID + SHOWN]
        style.marks(axes[1], np.arange(len(elastic)) + 1, elastic, look.marker, look.colour, ms=3, label=label)
        for k, value in enumerate(elastic):
            table.add("mode", label, float(k + 1), float(value))
    axes[1].axhline(modes.LOWEST, color="0.6", ls=":", label="lowest of a solid cube")
    style.panel(axes[1], "(b) a free cube", "vibration, by frequency", "ω L / c_s [1]", ylim=(0, None))
    axes[1].legend()
    return (
        "The paper says: gradients at the nodes are accurate to first order, and evaluation at the nodes alone "
        "overcomes the need for many integration points. Measured here: (a) the error of the gradient of a wave / "
        f"its largest gradient, by region; fitted orders {gradients.interior_order(waves).value:.2f} "
        f"inside, {gradients.boundary_order(waves).value:.2f} at the boundary, "
        f"{gradients.transition_order(waves).value:.2f} where cells change their size, the worst seed each; (b) the "
        f"slowest vibrations of a free cube, computed from the stored operator: {int(modes.fewest(cubes).value)} to "
        f"{int(modes.most(cubes).value)} are slower than any of a solid cube, as one gradient per node misses them."
    )
