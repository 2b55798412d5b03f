# SPDX-License-Identifier: BSD-3-Clause
"""Section 5.2: surfaces torn in many ways stay closed: open edges,
area vector and volume over the events of every run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.mueller_gross_2004.measurements import watertight_fuzz as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

SKINS = {"sphere": ("sphere", "#0072B2", "o"), "torus": ("torus", "#D55E00", "s")}
PANELS = {
    "skin_boundary_edges": ("(a) edges without their opposite", "unmatched edges [1]"),
    "skin_area_vector": ("(b) area vector", "|Σ A n| / Σ A [1]"),
    "skin_volume_error": ("(c) volume of the pieces at rest", "|Σ V / V₀ − 1| [1]"),
}
BOUNDS = {"skin_area_vector": 1e-12, "skin_volume_error": 1e-10}  # of the claims
FLOOR = 1e-18


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    cells = data.some()
    figure, axes = style.new_figure(1, 3, width=12.6, height=3.9)
    table = Table(
        [
            Column("surface"),
            Column("seed"),
            Column("splits"),
            Column("pieces of the mesh"),
            Column("pieces of the surface"),
            Column("triangles at the end"),
            Column("largest number of open edges"),
            Column("largest area vector", "1", ".3g"),
            Column("largest volume error", "1", ".3g"),
        ]
    )
    rows = 0
    for cell in cells:
        skin = str(cell.value("scene.parameters.skin"))
        _, colour, marker = SKINS[skin]
        splits = cell.values("step", "split_count")
        changed = np.append(True, np.diff(splits) > 0)  # the start, and each step with events
        rows += int(changed.sum()) - 1
        values = {n: np.abs(np.asarray(cell.values("step", n), dtype=float)) for n in PANELS}
        for axis, name in zip(axes, PANELS):
            shown = values[name][changed] if name == "skin_boundary_edges" else np.maximum(values[name][changed], FLOOR)
            axis.plot(
                splits[changed],
                shown,
                marker=marker,
                color=colour,
                markersize=2.5,
                linestyle="none",
                alpha=0.35,
                rasterized=True,
            )
        last = {n: cell.values("step", n)[-1] for n in ("component_count", "skin_piece_count", "skin_triangle_count")}
        table.add(
            skin,
            int(cell.value("scene.parameters.seed")),
            int(splits[-1]),
            int(last["component_count"]),
            int(last["skin_piece_count"]),
            int(last["skin_triangle_count"]),
            int(values["skin_boundary_edges"].max()),
            float(values["skin_area_vector"].max()),
            float(values["skin_volume_error"].max()),
        )
    for axis, (name, (title, label)) in zip(axes, PANELS.items()):
        axis.set(xlabel="vertex splits so far [1]", ylabel=label, title=title)
        if name == "skin_boundary_edges":
            axis.set_ylim(-0.5, max(3.0, 1.2 * axis.dataLim.y1))
            continue
        axis.set(yscale="log", ylim=(FLOOR / 2, 30 * BOUNDS[name]))
        axis.axhline(BOUNDS[name], color=style.REFERENCE, linestyle="--", linewidth=1)
        axis.annotate(
            "bound of the claim",
            (0.99, BOUNDS[name]),
            xycoords=axis.get_yaxis_transform(),
            xytext=(0, 3),
            textcoords="offset points",
            ha="right",
            fontsize=7.5,
        )
        ticks = [10.0**k for k in range(-16, int(np.log10(BOUNDS[name])) + 2, 2)]
        axis.set_yticks([FLOOR, *ticks], ["0", *(style.power(t) for t in ticks)])
    for label, colour, marker in SKINS.values():
        axes[0].plot([], [], marker=marker, color=colour, linestyle="none", label=label)
    axes[0].legend(loc="upper right", fontsize=8)
    stem = out_dir / "sec_5_2_watertight"
    edges, area, volume = m.all_open_edges(data).value, m.all_area_vector(data).value, m.all_volume_error(data).value
    caption = (
        "The paper says: a closed surface mesh inside the tetrahedral mesh breaks with it and stays watertight. "
        f"Measured here: {len(cells)} runs, spheres and tori in blocks that are torn in a different way by every seed, {m.splits(data).value:.0f} vertex splits in {rows:,} steps with events, {m.crack_triangles(data).value:,.0f} new "
        f"triangles; every point is the surface after such a step. Open edges: {edges:.0f} at most; area vector at most {area:.1e}; the volumes of the pieces at rest differ from the first volume by {volume:.1e} of it at most. "
        f"Edges are counted by the indices of their vertices, so that coincident crack faces do not close each other by accident. Machine: {machine_line(cells[:1])}."
    )
    return style.finished("Section 5.2 — torn surfaces stay closed", caption, figure, table, stem, data)
