# SPDX-License-Identifier: BSD-3-Clause
"""Figure 10: a plastic block that is pulled, before and after it cracks."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from deformbench_analysis.measurements.pauly_et_al_2005 import plastic_gum as m
from deformbench_analysis.measurements.pauly_et_al_2005.broken_solids import pieces, states
from deformbench_analysis.measurements.pauly_et_al_2005.clouds import seeds
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    figure, axes = style.new_figure(2, 3, width=10.6, height=6.2)
    table = Table(
        [
            Column("run"),
            Column("time", "s", ".3g"),
            Column("nodes cut free"),
            Column("pieces"),
            Column("residual stretch", "1", ".3g"),
        ]
    )
    image = None
    for column, name in enumerate(("plastic", "elastic")):
        trace = data.one(name=name)
        found = states(trace, seeds(trace)[0])
        cracked = next((k for k, (_, _, a) in enumerate(found) if len(a["crack_triangles"])), len(found) - 1)
        for row, k in enumerate((0, cracked, len(found) - 1)):
            _, time, arrays = found[k]
            stored = arrays.get("node_plastic_strains")
            strain = np.zeros((len(arrays["positions"]), 3, 3)) if stored is None else stored.reshape(-1, 3, 3)
            stretch = np.sqrt(1 + 2 * np.linalg.eigvalsh(strain)[:, 2])
            axis = axes[row, column]
            x = arrays["positions"]
            order = np.argsort(-x[:, 1])
            held = arrays["pair_weights"].ravel() > 0
            i, j = arrays["pairs"][held].T
            near = np.linalg.norm(arrays["node_rest_positions"][i] - arrays["node_rest_positions"][j], axis=1) < 0.27
            for a, b in zip(i[near], j[near]):
                axis.plot(x[[a, b], 0], x[[a, b], 2], color="0.8", linewidth=0.35, zorder=0)
            image = axis.scatter(x[order, 0], x[order, 2], c=stretch[order], s=16, vmin=1.0, vmax=1.5, cmap="viridis")
            parts = pieces(arrays)
            table.add(name, time, len(x) - sum(len(p) for p in parts), len(parts), float(np.median(stretch)))
            axis.set(
                aspect="equal",
                xlim=(-1.2, 3.2),
                ylim=(-0.75, 0.75),
                title=f"{name}, {time:.3g} s" + (": first crack" if row == 1 else ""),
            )
            if row == 2:
                axis.set_xlabel("x (m)")
            if column == 0:
                axis.set_ylabel("z (m)")
    figure.colorbar(image, ax=axes, shrink=0.6, label="stretch without stress (√(1 + 2ε) of the plastic strain)")
    stem = out_dir / "fig_10_plastic_gum"
    caption = (
        "The paper shows bubble gum that is deformed beyond recognition before it splits. Drawn from computed runs of a block whose ends are pulled "
        "apart, nodes and the pairs of close ones that no crack has parted, from the side: at the start, as the first crack has started, at the end. "
        f"As the first crack starts the plastic block is stretched {float(m.stretch(data).value):.2f} times, and "
        f"{float(m.residual(data).value):.2f} times would stay; its volume is {float(m.volume(data).value):.2f} of what it was. "
        f"At the end it is in {float(m.piece_count(data).value):.0f} piece(s). Yield, cap, thresholds and loading of the paper are not published, and "
        f"neighbours are not found anew as nodes move here. Machine: {machine_line(data.cells[:1])}."
    )
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in data.failed()]
    return FigureEntry(
        "Figure 10 — a plastic block", caption, style.save(figure, stem), write_table(table, stem), failed
    )
