# SPDX-License-Identifier: BSD-3-Clause
"""Figure 10: gum that is pulled far beyond its shape and then splits: surfels that the nodes carry,
and the nodes beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection

from deformbench_analysis.arrays import Array
from experiments.pauly_et_al_2005.measurements import plastic_gum as m
from experiments.pauly_et_al_2005.measurements.broken_solids import pieces, states
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LIGHT = np.array([-0.35, -0.8, 0.5]) / np.linalg.norm([-0.35, -0.8, 0.5])
MOST_STRETCH = 3.0
CORNERS = 8  # of a splat as it is drawn


def draw_surfels(axis: Any, arrays: dict[str, Array], skin: int) -> None:
    """The splats that face the viewer at −y, the nearest last; the faces of cracks in another colour."""
    x, axes, sheets = (
        arrays["surfel_positions"],
        arrays["surfel_axes"].reshape(-1, 2, 3),
        arrays["surfel_sheets"].ravel(),
    )
    normals = np.cross(axes[:, 0], axes[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1)[:, None], 1e-300)
    seen = np.flatnonzero(normals[:, 1] < 0.05)
    order = seen[np.argsort(-x[seen, 1])]
    shade = 0.35 + 0.65 * np.clip(normals[order] @ LIGHT, 0, 1)
    base = np.where((sheets[order] < skin)[:, None], [0.93, 0.45, 0.60], [0.45, 0.15, 0.25])
    angles = np.arange(CORNERS) * 2 * np.pi / CORNERS
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    splats = x[order, None, :] + np.einsum("ca,nax->ncx", around, axes[order])
    axis.add_collection(
        PolyCollection(list(splats[:, :, [0, 2]]), facecolors=shade[:, None] * base, edgecolors="none", rasterized=True)
    )


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    trace = data.every(name="plastic")[0]
    found = states(trace, seeds(trace)[0])
    first = found[0][2]
    cracked = next((k for k, (_, _, a) in enumerate(found) if len(a["crack_triangles"])), len(found) - 1)
    shown = (0, cracked // 2, max(cracked - 1, 0), len(found) - 1)
    titles = ("start", "flowing", "before the first crack", "end")
    figure, axes = style.new_figure(len(shown), 2, width=11.0, height=8.4)
    table = Table(
        [
            Column("state"),
            Column("time", "s", ".3g"),
            Column("median stretch", "1", ".3g"),
            Column("stretch that would stay", "1", ".3g"),
            Column("det F", "1", ".3g"),
            Column("pieces"),
            Column("surfels"),
        ]
    )
    last = found[-1][2]["positions"]
    reach = (float(last[:, 0].min()) - 0.2, float(last[:, 0].max()) + 0.2)
    image = None
    for row, (k, title) in enumerate(zip(shown, titles)):
        _, time, arrays = found[k]
        flow = m.flow_of(trace, first, arrays)
        draw_surfels(axes[row, 0], arrays, int(first["surfel_counts"].ravel()[0]))
        x = arrays["positions"][: len(first["positions"])]
        order = np.argsort(-x[:, 1])
        image = axes[row, 1].scatter(
            x[order, 0],
            x[order, 2],
            c=flow.residual_stretches[order],
            s=max(2.0, min(16.0, 2e4 / len(x))),
            vmin=1.0,
            vmax=MOST_STRETCH,
            cmap="viridis",
            linewidths=0,
        )
        for axis in axes[row]:
            axis.set(aspect="equal", xlim=reach, ylim=(-0.62, 0.62), title=f"{title}, {time:.3g} s")
            axis.set(xlabel="x (m)" if row == len(shown) - 1 else "")
        axes[row, 0].set_ylabel("z (m)")
        table.add(
            title,
            time,
            float(np.median(flow.stretches)),
            float(np.median(flow.residual_stretches)),
            float(np.median(flow.volumes)),
            len(pieces(arrays)),
            len(arrays["surfel_positions"]),
        )
    figure.colorbar(image, ax=axes, shrink=0.5, label="stretch that would stay (V_e⁻¹ F, largest of every node)")
    stem = out_dir / "fig_10_plastic_gum"
    seconds = seconds_a_frame(trace)
    caption = (
        "The paper shows bubble gum that is deformed beyond recognition before it splits (2.2k to 3.3k nodes, 134k to 144k surfels, 2.4 s a "
        "frame). Drawn from a computed run of a block whose ends are pulled apart and whose shape becomes its reference again and again, from the side: "
        f"the surfels (left; faces of cracks dark) and the nodes (right). There are {len(first['positions'])} nodes at the start and "
        f"{len(found[-1][2]['positions'])} at the end, {len(first['surfel_positions'])} and {len(found[-1][2]['surfel_positions'])} surfels"
        f"{seconds}. Before the first crack the median node is stretched {float(m.stretch(data).value):.2f} times, and "
        f"{float(m.residual(data).value):.2f} times would stay; volumes of nodes are {float(m.volume(data).value):.2f} of what they were. At the end the gum is in "
        f"{float(m.piece_count(data).value):.0f} piece(s). Yield, cap, thresholds and loading of the paper are not published. "
        f"Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Figure 10 — gum", caption, figure, table, stem, data)


def seconds_a_frame(trace: Trace) -> str:
    """Time of a 25th of a second, where the run was timed."""
    timing = trace.timing
    if timing is None:
        return ""
    steps = 1 / 25 / float(trace.value("scene.parameters.time_step_s"))
    return f", and a frame of 1/25 s takes {steps * float(np.nanmean(timing.step_seconds)):.2g} s"
