# SPDX-License-Identifier: BSD-3-Clause
"""Figure 8: the phases of a step in their order, with the share of the time that each took in a timed run with
cracks."""

from typing import Any

import matplotlib
import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from experiments.pauly_et_al_2005.measurements import plastic_gum as m
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from paper_figures.figure import Drawing, MissingData, Trace, titled

WHAT = {
    "weights": "cracks lower weights of\npairs and surfels, §2.1",
    "reference": "the shape becomes\nthe reference, §5",
    "resampling": "nodes are inserted\nwhere Ω is small, §4",
    "stable_step": "stable step",
    "motion": "leap-frog, §2",
    "flow": "plastic flow, §2",
    "forces": "strains, stresses,\nforces, §2",
    "fronts": "cracks start, fronts\nadvance, §3",
    "surfels": "surfels are carried\nby nodes, §3.2",
}
ACROSS = 5


@titled("Figure 8 — the phases of a step")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cell = data.every(name="plastic")[0]
    timing = cell.timing
    if timing is None or timing.phase_seconds.size == 0:
        raise cell.missing(f"no timing pass (deformbench time {m.M.experiment})")
    seconds = np.nansum(timing.phase_seconds, axis=(0, 1))
    steps = int(np.isfinite(timing.step_seconds).sum())
    shares = seconds / seconds.sum()
    axis = figure.axes(1, 1, 9.8, 4.0)
    table = figure.table("phase; share .4f; ms a step [ms]")
    colours = matplotlib.colormaps["Blues"]
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "color": "0.3"}
    places = []
    for k, (name, share) in enumerate(zip(timing.phase_names, shares)):
        row = k // ACROSS
        x = k % ACROSS
        y = -row
        places.append((x, y))
        shade = colours(0.08 + 0.75 * np.sqrt(share))
        axis.add_patch(
            FancyBboxPatch((x - 0.4, y - 0.33), 0.8, 0.66, "round,pad=0.02", facecolor=shade, edgecolor="0.3")
        )
        ink = "white" if share > 0.3 else "black"
        axis.text(x, y + 0.12, WHAT.get(name, name), ha="center", va="center", fontsize=8, color=ink)
        axis.text(x, y - 0.2, f"{100 * share:.1f} %", ha="center", va="center", fontsize=10, color=ink)
        table.add(name, float(share), 1e3 * float(seconds[k]) / steps)
    for (x, y), (next_x, next_y) in zip(places, places[1:]):
        if next_y == y:
            axis.add_patch(FancyArrowPatch((x + 0.43, y), (next_x - 0.43, y), **arrow))
        else:
            axis.plot([x, x, next_x, next_x], [y - 0.36, y - 0.5, y - 0.5, y - 0.58], color="0.3", lw=1.0)
            axis.add_patch(FancyArrowPatch((next_x, y - 0.56), (next_x, next_y + 0.34), **arrow))
    rows = (len(places) - 1) // ACROSS + 1
    axis.set(xlim=(-0.6, ACROSS - 0.4), ylim=(-rows + 0.45, 0.5))
    axis.set_axis_off()
    nodes, surfels = sizes(cell)
    return (
        "The paper shows its pipeline as a diagram: collisions, strains and stresses, cracks, resampling, "
        "integration. Drawn from a timed run of gum that is pulled until it splits: the phases of a time step in "
        f"the order in which the method runs them, and the share of the time of all {steps} timed steps that "
        f"each took ({1e3 * float(seconds.sum()) / steps:.3g} ms a step, {nodes} nodes, {surfels} surfels, one "
        "thread). Motion, flow and forces run once per substep, others once per step; the cracks of one step lower "
        "the weights at the start of the next. Collisions of bodies with each other are not among them."
    )


def sizes(cell: Trace) -> tuple[int, int]:
    """Nodes and surfels at the start."""
    for _, _, arrays in cell.frames(seeds(cell)[0]):
        return len(arrays["node_supports"]), len(arrays["surfel_sheets"])
    raise MissingData(f"{cell.label}: no frame")
