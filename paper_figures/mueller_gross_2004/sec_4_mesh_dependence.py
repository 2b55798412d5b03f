# SPDX-License-Identifier: BSD-3-Clause
"""Section 4: what the mesh decides. The load at which a slit body begins to break,
and how far a crack strays from its plane."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from experiments.mueller_gross_2004.measurements import crack_path as p
from experiments.mueller_gross_2004.measurements import threshold_mesh_dependence as m
from experiments.mueller_gross_2004.measurements.uniaxial_fracture import threshold as threshold_of
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

SPLITS = {"kuhn_six": "Kuhn, six", "alternating_five": "alternating, five", "body_centred": "body-centred"}
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")


def _direction_deg(cell: Trace) -> float:
    direction = p.pull(cell)
    return float(np.degrees(np.arccos(np.clip(abs(direction[0]), 0, 1))))


def _roughness(figure_axes: tuple[Axes, Axes], paths: ExperimentData, table: Table) -> tuple[int, list[str]]:
    """Roughness and tilt of every crack, by kind of mesh; regular hollow, jittered filled,
    a colour a direction of pull."""
    axis, tilt_axis = figure_axes
    kinds = [s for s in SPLITS if paths.select(where={"scene.parameters.split": s})]
    directions = sorted({round(_direction_deg(c), 1) for c in paths.select()})
    none: list[str] = []
    drawn = 0
    for cell in paths.select():
        kind, irregular = str(cell.value("scene.parameters.split")), p.jitter(cell) > 0
        direction = round(_direction_deg(cell), 1)
        try:
            roughness, tilt = p.roughness(cell), p.tilt_deg(cell)
        except MissingData:
            none.append(cell.label)
            continue
        colour = COLOURS[directions.index(direction) % len(COLOURS)]
        shift = (0.2 if irregular else -0.2) + 0.11 * (directions.index(direction) - (len(directions) - 1) / 2)
        for target, value in ((axis, roughness), (tilt_axis, tilt)):
            target.plot(
                [kinds.index(kind) + shift],
                [value],
                marker="o",
                color=colour,
                markerfacecolor=colour if irregular else "none",
                linestyle="none",
            )
        table.add("path", kind, p.cell_size(cell), p.jitter(cell), direction, None, roughness, tilt)
        drawn += 1
    for direction in directions:
        axis.plot(
            [],
            [],
            marker="o",
            linestyle="none",
            color=COLOURS[directions.index(direction) % len(COLOURS)],
            label=f"pulled at {direction:g}°",
        )
    axis.plot([], [], marker="o", linestyle="none", color=style.GREY, markerfacecolor="none", label="regular")
    axis.plot([], [], marker="o", linestyle="none", color=style.GREY, label="jittered")
    for target in (axis, tilt_axis):
        target.set_xticks(range(len(kinds)), [SPLITS[k] for k in kinds], fontsize=8)
        target.set_xlim(-0.6, len(kinds) - 0.4)
        target.set_ylim(bottom=0)
    axis.set_ylim(0, 1.45 * axis.dataLim.y1 if drawn else 1)
    axis.legend(loc="upper center", ncol=2, fontsize=7.5)
    return drawn, none


def make(results: Results, out_dir: Path) -> FigureEntry:
    data, paths = results.experiment(m.EXPERIMENT), results.experiment(p.EXPERIMENT)
    figure, axes = style.new_figure(1, 3, width=12.6, height=4.0)
    table = Table(
        [
            Column("part"),
            Column("mesh"),
            Column("cell size", "m"),
            Column("jitter"),
            Column("direction of pull", "deg"),
            Column("load at the first split / threshold", "1", ".5g"),
            Column("roughness", "cells", ".4g"),
            Column("tilt", "deg", ".4g"),
        ]
    )
    size, load = m.loads(data)
    threshold = threshold_of(data.some()[0])
    axes[0].plot(
        size,
        load / threshold,
        **{**style.method_style("warped").line_kwargs(), "linestyle": "none", "label": "first split"},
    )
    fine = np.geomspace(0.8 * size.min(), 1.25 * size.max(), 20)
    axes[0].plot(
        fine,
        load[-1] / threshold * np.sqrt(fine / size[-1]),
        color=style.REFERENCE,
        linestyle="--",
        linewidth=1,
        label="√h through the finest",
    )
    axes[0].axhline(1.0, color=style.GREY, linewidth=0.8, linestyle=":", label="load without a flaw")
    axes[0].set(
        xscale="log",
        yscale="log",
        xlabel="cell size h [m]",
        ylabel="nominal stress at the first split / threshold [1]",
        title="(a) load at the first split",
    )
    ticks = [t for t in (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0) if 0.9 * load.min() / threshold <= t]
    axes[0].set_yticks(ticks, [f"{t:g}" for t in ticks])
    axes[0].set_yticks([], minor=True)
    axes[0].set_xticks(size, [f"{s:.3g}" for s in size], fontsize=8)
    axes[0].set_xticks([], minor=True)
    axes[0].legend(loc="lower right", fontsize=8)
    for s, value in zip(size, load):
        table.add("threshold", "Kuhn, six", float(s), None, None, float(value / threshold), None, None)
    drawn, none = _roughness((axes[1], axes[2]), paths, table)
    axes[1].set(ylabel="distance from the plane, root mean square [cells]", title="(b) how far the crack strays")
    axes[2].set(ylabel="angle to the plane, root mean square [deg]", title="(c) how its faces are tilted")
    stem = out_dir / "sec_4_mesh_dependence"
    exponent = (
        f"exponent {m.exponent(data).value:.2f} over all meshes, {m.finest_exponent(data):.2f} between the two finest"
        if len(size) > 1
        else "one mesh only"
    )
    try:
        between = p.regular_minus_jittered(paths)
        text = (
            f"(b), (c) Cracks from a flat flaw in a cube, {drawn} runs, each pulled across the flaw: faces open along the mesh, so the crack's roughness is of the order of a cell; regular minus jittered: "
            f"{between.value:+.2f} cells ({between.note}). The largest over the smallest roughness of a direction is {p.regular_direction_spread(paths):.2f} in regular meshes and {p.jittered_direction_spread(paths):.2f} in "
            "jittered ones."
        )
    except MissingData as reason:
        text = f"(b), (c) {reason}."
    caption = (
        "The paper says: fracture by a threshold stress, along the boundaries of elements; irregular meshes hide their structure. "
        f"Measured here: (a) a body with a slit, pulled slowly: the load at the first split falls with the cell size, {exponent}; the field round a crack tip would give ½, and nothing bounds it. At cells of "
        f"{size[-1]:.3g} m the body breaks at {load[-1] / threshold:.2f} of the load that the threshold names: the threshold belongs to the mesh. {text} Machine: {machine_line(data.cells[:1])}."
    )
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for c in [*data.failed(), *paths.failed()]] + [
        f"{label}: nothing opened" for label in none
    ]
    return FigureEntry(
        "Section 4 — what the mesh decides", caption, style.save(figure, stem), write_table(table, stem), failed
    )
