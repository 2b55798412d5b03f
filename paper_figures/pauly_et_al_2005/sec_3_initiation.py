# SPDX-License-Identifier: BSD-3-Clause
"""Section 3.2: averaged stresses and raised thresholds, to keep cracks straight and unbranched."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import notched_slab as slab
from paper_figures.figure import Drawing, style, titled


@titled("Section 3.2 — initiation")
def make(figure: Drawing) -> str:
    paths, starts = figure.experiment(slab.M.experiment), figure.experiment(slab.BRANCHES.experiment)
    axes = figure.axes(1, 2, 10.5, 4.0)
    table = figure.table("part; row; cloud; value")

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
        axes[0].plot([0, 1], pair, color="0.75", lw=0.8, zorder=0)
    axes[0].set_xticks([0, 1], [look.label for look in rows.values()])
    axes[0].set(xlim=(-0.5, 1.5), ylim=(0, None), title="(a) stress at the front")
    axes[0].set_ylabel("distance of the crack from its plane / h [1]")

    labels, counts = ["none"], [slab.branches(cell) for cell in slab.WITHOUT.runs(starts)]
    for cell in slab.RAISED.runs(starts):
        factor, radius = (cell.setting(f"crack_raised_{n}") for n in ("factor", "radius_m"))
        labels.append(f"×{factor:g}\n{radius:g} m")
        counts.append(slab.branches(cell))
    for place, (label, found) in enumerate(zip(labels, counts)):
        jitter = np.linspace(-0.18, 0.18, len(found)) if len(found) > 1 else np.zeros(1)
        axes[1].plot(place + jitter, found, ".", color=style.method_style("xpbd").colour, alpha=0.8)
        axes[1].plot([place - 0.25, place + 0.25], [float(np.mean(found))] * 2, color="0.2")
        for cloud, value in enumerate(found):
            table.add("cracks beside the notch's", label.replace("\n", ", "), cloud + 1, float(value))
    axes[1].set_title("(b) raised thresholds")
    style.labels(
        axes[1], "factor on thresholds beside new cracks, and radius", "cracks that start beside that of the notch"
    )
    axes[1].set(xticks=range(len(labels)), xticklabels=labels, ylim=(0, None))
    return (
        "The paper says: averaging stresses over nodes usually steadies propagation, and raised thresholds beside a "
        "new crack avoid spurious branching; it prints neither factor nor radius. Measured here, a notched block on "
        "several clouds of nodes: (a) root mean square distance of the crack from the notch's plane / support, every "
        "cloud with both stresses (grey lines), ratio of the means "
        f"{slab.roughness_ratio(paths):.2f}; (b) cracks that start within two supports of the notch's, every cloud; "
        "bars are means. "
    )
