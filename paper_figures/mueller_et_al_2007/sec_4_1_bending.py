# SPDX-License-Identifier: BSD-3-Clause
"""Section 4.1: bending against stretching: strain in the planes of two triangles, one strip in several meshes,
and the bag of Figure 3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from experiments.mueller_et_al_2007.measurements import bending as m
from experiments.mueller_et_al_2007.measurements import strip_bending as strip
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = {
    "signed": ("angle, signed", "#7f3c8d", "o"),
    "printed": ("angle, as printed", "#c2410c", "s"),
    "diagonal": ("distance across the edge", "#0072B2", "^"),
}
LEAST = 1e-18
FLOWN_APART = 100.0  # strain of no bag that hangs


def _movement(axes: Axes, data: ExperimentData, table: Table) -> None:
    """What one projection moves where the triangles are strained in their planes only, a marker per member."""
    places: list[str] = []
    for name, (text, colour, marker) in ROWS.items():
        for cell in data.select(name=name, keep=m.strained):
            label = f"{text},\n{'folded' if m.scene(cell, 'rest_fold_rad') else 'flat'} at rest"
            values = np.sort(m.movement(cell))
            axes.plot(
                np.maximum(values, LEAST),
                np.full(len(values), len(places)),
                marker,
                color=colour,
                markerfacecolor="none",
                markersize=5,
            )
            table.add(
                "moved by one projection",
                text,
                "folded" if m.scene(cell, "rest_fold_rad") else "flat",
                None,
                None,
                float(values.min()),
                float(np.median(values)),
                float(values.max()),
            )
            places.append(label)
    axes.set_yticks(range(len(places)), places, fontsize=8)
    axes.set(
        xscale="log",
        xlabel="largest movement / edge [1]",
        title="(a) in-plane strain alone",
        xlim=(LEAST / 3, 3),
        ylim=(len(places) - 0.5, -0.5),
    )
    axes.axvspan(LEAST / 3, 1e-12, color="#f0f0f0", zorder=0)


MARKS = {"alternating": "o", "one_way": "s", "crossed": "X", "graded": "^"}
STRIPS = {
    "angle": ("angle", "#7f3c8d"),
    "hinge": ("angle, weighted as a plate's hinge", "#11846a"),
    "diagonal": ("distance across the edge", "#0072B2"),
}


def _strip(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Deflection of one strip against the number of rectangles along it, a marker per kind of mesh."""
    for name, (text, colour) in STRIPS.items():
        cells = sorted(data.select(name=name), key=strip.mesh_of)
        for cell in cells:
            along, across, kind = strip.mesh_of(cell)
            value = strip.sag(cell)
            axes.plot(
                [along],
                [value],
                MARKS[kind],
                color=colour,
                markerfacecolor="none" if across * 4 == along else colour,
                markersize=6,
            )
            table.add(
                "deflection of a strip over its length",
                text,
                f"{along} × {across}, {kind}",
                None,
                None,
                value,
                None,
                None,
            )
        if cells:
            sizes = [c for c in cells if strip.is_square(c)]
            axes.plot(
                [strip.mesh_of(c)[0] for c in sizes],
                [strip.sag(c) for c in sizes],
                color=colour,
                linewidth=1.0,
                label=text,
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="rectangles along the strip",
        ylabel="deflection / length [1]",
        title="(b) one strip, one stiffness",
    )
    axes.set_xticks([4, 8, 12], ["4", "8", "12"], minor=False)
    axes.set_xticks([], minor=True)
    axes.legend(fontsize=7.5)


def _bag(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Strain of the bag's edges with and without bending stiffness."""
    for channel, marker, text in (
        ("edge_strain_rms", "o", "root mean square"),
        ("edge_strain_mean", "s", "mean of the strain"),
    ):
        for stretch, values in sorted(m.pairs(data, channel).items()):
            table.add(f"bag: {text}", "", "", None, stretch, values[0], None, values[1])
            for value, colour, name in zip(values, ("#7f3c8d", "#b98a1d"), ("k_bend = 1", "k_bend = 0")):
                if abs(value) > FLOWN_APART:
                    axes.plot(
                        [stretch],
                        [0.97],
                        "X",
                        color=style.FAILED,
                        markersize=8,
                        transform=axes.get_xaxis_transform(),
                        clip_on=False,
                    )
                    axes.annotate(
                        f"flown apart\n(k_bend = 1: {abs(value):.0e})" if channel == "edge_strain_rms" else "",
                        (stretch, 0.95),
                        xycoords=axes.get_xaxis_transform(),
                        xytext=(9, 0),
                        textcoords="offset points",
                        fontsize=7.5,
                        color=style.FAILED,
                        va="top",
                    )
                    continue
                axes.plot(
                    [stretch],
                    [abs(value)],
                    marker,
                    color=colour,
                    markerfacecolor="none",
                    label=f"{name}, {text}" if stretch == max(m.pairs(data, channel)) else None,
                )
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(0.006, 1.7),
        xlabel="k_stretch [1]",
        ylabel="|strain| of the edges [1]",
        title="(c) the bag of Figure 3",
    )
    axes.legend(fontsize=7.5, loc="lower left")


def make(results: Results, out_dir: Path) -> FigureEntry:
    pair, edge, bag = (results.experiment(e.experiment) for e in (m.PAIR, strip.STRIP, m.BAG))
    if not any(d.select() for d in (pair, edge, bag)):
        raise MissingData(
            f"{m.PAIR.experiment}, {strip.STRIP.experiment}, {m.BAG.experiment} at tier {results.tier}: no cell that completed"
        )
    figure, axes = style.new_figure(1, 3, width=13.2, height=3.9)
    table = Table(
        [
            Column("what"),
            Column("constraint"),
            Column("rest or size"),
            Column("hinge weight", "1", ".5g"),
            Column("k_stretch"),
            Column("least, or k_bend = 1", "", ".5g"),
            Column("median", "", ".5g"),
            Column("largest, or k_bend = 0", "", ".5g"),
        ]
    )
    for axis, data, part in zip(axes, (pair, edge, bag), (_movement, _strip, _bag)):
        if data.select():
            part(axis, data, table)
        else:
            axis.text(0.5, 0.5, "no trace", transform=axis.transAxes, ha="center", color=style.FAILED)
    told = []
    if pair.select(name="signed", keep=m.strained):
        told.append(
            f"a step moves two triangles that are strained in their planes by at most {m.signed_movement(pair).value:.1e} of their edge with the signed angle; a distance across the edge moves them by "
            f"{m.diagonal_movement(pair):.2g} in the median"
        )
    if pair.select(name="printed", keep=m.strained):
        told[-1:] = [
            *told[-1:],
            f"the printed arccosine moves a flat pair by up to {m.printed_movement(pair).value:.2g} of its edge",
        ]
    if len(edge.select(name="angle")) > 1:
        told.append(
            f"one strip with the same k, steps and iterations sags up to {strip.sags_ratio(edge, 'angle').value:.3g} times as far in one mesh as in another"
        )
    if len(edge.select(name="hinge")) > 1:
        told.append(f"with hinges weighted by |e|²/(A₁ + A₂) up to {strip.sags_ratio(edge, 'hinge').value:.3g} times")
    if bag.select():
        change = m.relative_strain_change(bag)
        told.append(
            f"in the bag bending stiffness changes the root mean square strain by up to {100 * change.value:.2g} % ({change.note} over the second half of the run)"
        )
    stem = out_dir / "sec_4_1_bending"
    caption = (
        "The paper says: the bending term does not depend on edge lengths, so that bending and stretching resistance can be chosen independently, and bending does not influence stretching. "
        f"Measured here: {'; '.join(told)}. The constraint with a sign is independent of stretching; what it takes to bend a cloth depends on its mesh. Filled markers in (b): rectangles that are not square. Machine: {machine_line([*pair.cells, *edge.cells, *bag.cells])}."
    )
    return style.finished("Section 4.1 — bending and stretching", caption, figure, table, stem, pair, edge, bag)
