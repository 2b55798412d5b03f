# SPDX-License-Identifier: BSD-3-Clause
"""Section 3.2: averaged stresses and raised thresholds, which should keep cracks straight and alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.pauly_et_al_2005.measurements import notched_slab as slab
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line


def make(results: Results, out_dir: Path) -> FigureEntry:
    paths, starts = results.experiment(slab.ROUGHNESS), results.experiment(slab.BRANCHES)
    figure, axes = style.new_figure(1, 2, width=10.5, height=4.0)
    table = Table([Column("part"), Column("row"), Column("cloud"), Column("value", "1", ".4g")])

    rows = {
        "averaged": style.method_style("warped", "averaged over nodes"),
        "nearest_node": style.method_style("linear", "of the nearest node"),
    }
    heights = {name: slab.roughness(paths.one(name=name)) for name in rows}
    for place, (name, look) in enumerate(rows.items()):
        axes[0].plot(np.full(len(heights[name]), place), heights[name], "o", color=look.colour, alpha=0.7)
        for cloud, value in enumerate(heights[name]):
            table.add("distance from the notch's plane", look.label, cloud + 1, float(value))
    for pair in zip(heights["averaged"], heights["nearest_node"]):
        axes[0].plot([0, 1], pair, color="0.75", linewidth=0.8, zorder=0)
    axes[0].set(
        xticks=[0, 1],
        xticklabels=[look.label for look in rows.values()],
        xlim=(-0.5, 1.5),
        ylim=(0, None),
        ylabel="distance of the crack from its plane / h [1]",
        title="(a) stress at the front",
    )

    none, raised = slab.raised_and_not(starts)
    labels, counts = ["none"], [none]
    for cell, found in raised:
        factor, radius = (float(cell.value(f"method.parameters.crack_raised_{n}")) for n in ("factor", "radius_m"))
        labels.append(f"×{factor:g}\n{radius:g} m")
        counts.append(found)
    for place, (label, found) in enumerate(zip(labels, counts)):
        jitter = np.linspace(-0.18, 0.18, len(found)) if len(found) > 1 else np.zeros(1)
        axes[1].plot(place + jitter, found, ".", color=style.method_style("xpbd").colour, alpha=0.8)
        axes[1].plot([place - 0.25, place + 0.25], [float(np.mean(found))] * 2, color="0.2")
        for cloud, value in enumerate(found):
            table.add("cracks beside the notch's", label.replace("\n", ", "), cloud + 1, float(value))
    axes[1].set(
        xticks=range(len(labels)),
        xticklabels=labels,
        xlabel="factor on thresholds beside new cracks, and how near",
        ylabel="cracks that start beside that of the notch",
        ylim=(0, None),
        title="(b) raised thresholds",
    )
    stem = out_dir / "sec_3_initiation"
    caption = (
        "The paper says: averaging stresses over nodes usually steadies propagation, and raised thresholds beside a new crack avoid spurious "
        "branching; it prints neither factor nor radius. Measured here, a notched block on several clouds of nodes: (a) root mean square distance "
        "of the crack from the notch's plane over the support, every cloud with both stresses (grey lines), ratio of the means "
        f"{slab.roughness_ratio(paths):.2f}; (b) cracks that start within two supports of the notch's, every cloud; bars are means. "
        f"Machine: {machine_line(paths.cells)}."
    )
    return style.finished("Section 3.2 — initiation", caption, figure, table, stem, paths, starts)
