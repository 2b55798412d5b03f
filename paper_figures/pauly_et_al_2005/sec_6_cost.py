# SPDX-License-Identifier: BSD-3-Clause
"""Section 6: cost of surfels, small fragments and many pieces."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import fragments, piece_counts, surfel_cost
from experiments.pauly_et_al_2005.measurements.surfel_detail import surfel_count
from paper_figures.figure import Drawing, MissingData, style, titled

ROWS = {
    "cracked": style.method_style("warped", "carried in every step, cracked"),
    "whole": style.method_style("xpbd", "carried in every step, whole"),
    "framewise": style.method_style("linear", "carried once a frame"),
}


@titled("Section 6 — cost")
def make(figure: Drawing) -> str:
    surfels = figure.experiment(surfel_cost.M.experiment)
    small = figure.experiment(fragments.M.experiment)
    pieces = figure.experiment(piece_counts.M.experiment)
    axes = figure.axes(1, 3, 13.0, 4.0)
    table = figure.table("part; row; of; value")

    missing = []
    for name, look in ROWS.items():
        try:
            cells = surfel_cost.by_size(surfels, name)
            counts, times = [surfel_count(c) for c in cells], [surfel_cost.step_ms(c) for c in cells]
        except MissingData as reason:
            missing.append(f"{look.label}: {reason}")
            continue
        axes[0].plot(counts, times, color=look.colour, marker=look.marker, label=look.label)
        for count, time in zip(counts, times):
            table.add("ms per step", look.label, count, time)
    if len(missing) < len(ROWS):
        axes[0].set(xscale="log", yscale="log")
        axes[0].legend()
    style.panel(axes[0], "(a) surfels on the same nodes", "surfels", "time of a step [ms]")

    sizes, steps = [], []
    for cell in fragments.CHOPPED.runs(small):
        for piece in fragments.pieces(cell):
            if piece.nodes < 4:
                continue
            sizes.append(piece.nodes)
            steps.append(fragments.courant(cell, piece))
            table.add("stable step of a fragment, Δt c_p / Δ", "fragment", piece.nodes, steps[-1])
    whole = [fragments.whole_step(cell) for cell in fragments.WHOLE.runs(small)]
    axes[1].plot(sizes, steps, ".", color=style.method_style("warped").colour, alpha=0.5, label="fragment")
    axes[1].axhline(min(whole), color="0.4", ls=":", label="whole block, least")
    style.panel(axes[1], "(b) fragments", "nodes of the fragment", "stable step, Δt c_p / Δ [1]", log="y")
    axes[1].legend()

    cells = piece_counts.by_count(*piece_counts.OF_FIGURE.runs(pieces))
    counts = [piece_counts.piece_count(c) for c in cells]
    for number in range(1, min(piece_counts.passes(c) for c in cells) + 1):
        grown = [float(np.mean(piece_counts.growths(c, number))) for c in cells]
        axes[2].plot(counts, grown, marker="o", label=f"pass {number}")
        for count, value in zip(counts, grown):
            table.add(f"nodes over those at the start, pass {number}", "pieces", count, value)
    style.panel(axes[2], "(c) resampling", "pieces of one block", "nodes / initial nodes [1]", log="x")
    axes[2].legend()
    not_shown = f" Not in (a): {'; '.join(missing)}." if missing else ""
    return (
        "The paper says: detail of the surface does not depend on the nodes, which makes it cheap, but small "
        "fragments need dense sampling for stable shape functions, which inflates nodes and cost. Measured here: "
        "(a) time of a whole step with ever more surfels on the same nodes; (b) the largest stable step of every "
        "fragment that random planes leave, by its number of nodes; (c) nodes after each pass of resampling of a "
        f"block cut into ever more pieces, means of the clouds.{not_shown}"
    )
