# SPDX-License-Identifier: BSD-3-Clause
"""Section 6: what surfels, small fragments and many pieces cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.errors import MissingData
from experiments.pauly_et_al_2005.measurements import fragments, piece_counts, surfel_cost
from experiments.pauly_et_al_2005.measurements.surfel_detail import surfel_count
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = {
    "cracked": style.method_style("warped", "carried in every step, cracked"),
    "whole": style.method_style("xpbd", "carried in every step, whole"),
    "framewise": style.method_style("linear", "carried once a frame"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    surfels = results.experiment(surfel_cost.EXPERIMENT)
    small = results.experiment(fragments.EXPERIMENT)
    pieces = results.experiment(piece_counts.EXPERIMENT)
    figure, axes = style.new_figure(1, 3, width=13.0, height=4.0)
    table = Table([Column("part"), Column("row"), Column("of"), Column("value", "1", ".4g")])

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
    axes[0].set(xlabel="surfels", ylabel="time of a step [ms]", title="(a) surfels on the same nodes")

    sizes, steps = [], []
    for cell in fragments.chopped(small):
        for piece in fragments.pieces(cell):
            if piece.nodes < 4:
                continue
            sizes.append(piece.nodes)
            steps.append(fragments.courant(cell, piece))
            table.add("stable step of a fragment, Δt c_p / Δ", "fragment", piece.nodes, steps[-1])
    whole = [fragments.courant(cell, piece) for cell, piece in fragments.whole(small).items()]
    axes[1].plot(sizes, steps, ".", color=style.method_style("warped").colour, alpha=0.5, label="fragment")
    axes[1].axhline(min(whole), color="0.4", linestyle=":", label="whole block, least")
    axes[1].set(
        yscale="log",
        xlabel="nodes of the fragment",
        ylabel="stable step, Δt c_p / Δ [1]",
        title="(b) fragments",
    )
    axes[1].legend()

    cells = piece_counts.by_count(pieces)
    counts = [piece_counts.piece_count(c) for c in cells]
    for number in range(1, min(piece_counts.passes(c) for c in cells) + 1):
        grown = [float(np.mean(piece_counts.growths(c, number))) for c in cells]
        axes[2].plot(counts, grown, marker="o", label=f"pass {number}")
        for count, value in zip(counts, grown):
            table.add(f"nodes over those at the start, pass {number}", "pieces", count, value)
    axes[2].set(
        xscale="log",
        xlabel="pieces of one block",
        ylabel="nodes over those at the start [1]",
        title="(c) resampling",
    )
    axes[2].legend()
    stem = out_dir / "sec_6_cost"
    not_shown = f" Not in (a): {'; '.join(missing)}." if missing else ""
    caption = (
        "The paper says: detail of the surface does not depend on the nodes, which makes it cheap, but small fragments need dense sampling for "
        "stable shape functions, which inflates nodes and cost. Measured here: (a) time of a whole step with ever more surfels on the same nodes; "
        "(b) the largest stable step of every fragment that random planes leave, by its number of nodes; (c) nodes after each pass of resampling of "
        f"a block cut into ever more pieces, means of the clouds.{not_shown} Machine: {machine_line(surfels.cells)}."
    )
    return style.finished("Section 6 — cost", caption, figure, table, stem, surfels, pieces)
