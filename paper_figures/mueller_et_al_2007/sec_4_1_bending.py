# SPDX-License-Identifier: BSD-3-Clause
"""Section 4.1: bending against stretching: strain in the planes of two triangles, size of the triangles, and the bag of Figure 3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurements import bending as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

ROWS = {"signed": ("angle, signed", "#7f3c8d", "o"), "printed": ("angle, as printed", "#c2410c", "s"), "diagonal": ("distance across the edge", "#0072B2", "^")}
LEAST = 1e-18
FLOWN_APART = 100.0  # strain of no bag that hangs


def _movement(axes: Axes, data: ExperimentData, table: Table) -> None:
    """What one projection moves where the triangles are strained in their planes only, a marker a member."""
    places: list[str] = []
    for name, (text, colour, marker) in ROWS.items():
        for cell in data.select(name=name, keep=m.strained):
            label = f"{text},\n{'folded' if m.scene(cell, 'rest_fold_rad') else 'flat'} at rest"
            values = np.sort(m.movement(cell))
            axes.plot(np.maximum(values, LEAST), np.full(len(values), len(places)), marker, color=colour, markerfacecolor="none", markersize=5)
            table.add("moved by one projection", text, "folded" if m.scene(cell, "rest_fold_rad") else "flat", None, None, float(values.min()), float(np.median(values)), float(values.max()))
            places.append(label)
    axes.set_yticks(range(len(places)), places, fontsize=8)
    axes.set(xscale="log", xlabel="largest movement / edge [1]", title="(a) in-plane strain alone", xlim=(LEAST / 3, 3), ylim=(len(places) - 0.5, -0.5))
    axes.axvspan(LEAST / 3, 1e-12, color="#f0f0f0", zorder=0)


def _edge_length(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Share of the angle's error that one projection leaves, against the weight of a hinge."""
    weights, shares = [], m.kept_shares(data)
    cells = data.select()
    for cell, share in zip(cells, shares):
        x = cell.scene("rest_positions")
        edge = x[1] - x[0]
        area = sum(float(np.linalg.norm(np.cross(edge, x[k] - x[0]))) / 2 for k in (2, 3))
        weights.append(float(edge @ edge) / area)
        table.add("error left", "angle, signed", f"edge {m.scene(cell, 'edge_m'):g} m, height {m.scene(cell, 'height_m'):g} m", weights[-1], None, share, share, share)
    axes.plot(weights, shares, "o", color=ROWS["signed"][1], markerfacecolor="none")
    stiffness = float(cells[0].value("method.parameters.bend_stiffness"))
    axes.axhline(1 - stiffness, color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)), label="1 − k")
    axes.set(xscale="log", xlabel="|e|² / (A₁ + A₂), the weight of a hinge [1]", ylabel="error of the angle left [1]", ylim=(0, 1), title="(b) size and shape of the triangles")
    axes.legend()


def _bag(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Strain of the bag's edges with and without bending stiffness."""
    for channel, marker, text in (("edge_strain_rms", "o", "root mean square"), ("edge_strain_mean", "s", "mean of the strain")):
        for stretch, values in sorted(m.pairs(data, channel).items()):
            table.add(f"bag: {text}", "", "", None, stretch, values[0], None, values[1])
            for value, colour, name in zip(values, ("#7f3c8d", "#b98a1d"), ("k_bend = 1", "k_bend = 0")):
                if abs(value) > FLOWN_APART:
                    axes.plot([stretch], [0.97], "X", color=style.FAILED, markersize=8, transform=axes.get_xaxis_transform(), clip_on=False)
                    axes.annotate(f"flown apart\n(k_bend = 1: {abs(value):.0e})" if channel == "edge_strain_rms" else "", (stretch, 0.95), xycoords=axes.get_xaxis_transform(), xytext=(9, 0), textcoords="offset points",
                                  fontsize=7.5, color=style.FAILED, va="top")
                    continue
                axes.plot([stretch], [abs(value)], marker, color=colour, markerfacecolor="none", label=f"{name}, {text}" if stretch == max(m.pairs(data, channel)) else None)
    axes.set(xscale="log", yscale="log", xlim=(0.006, 1.7), xlabel="k_stretch [1]", ylabel="|strain| of the edges [1]", title="(c) the bag of Figure 3")
    axes.legend(fontsize=7.5, loc="lower left")


def make(results: Results, out_dir: Path) -> FigureEntry:
    pair, edge, bag = (results.experiment(e) for e in (m.PAIR, m.EDGE, m.BAG))
    if not any(d.select() for d in (pair, edge, bag)):
        raise MissingData(f"{m.PAIR}, {m.EDGE}, {m.BAG} at tier {results.tier}: no cell that completed")
    figure, axes = style.new_figure(3, 1, width=13.2, height=3.9)
    table = Table([Column("what"), Column("constraint"), Column("rest or size"), Column("hinge weight", "1", ".5g"), Column("k_stretch"), Column("least, or k_bend = 1", "", ".5g"), Column("median", "", ".5g"),
                   Column("largest, or k_bend = 0", "", ".5g")])
    for axis, data, part in zip(axes, (pair, edge, bag), (_movement, _edge_length, _bag)):
        if data.select():
            part(axis, data, table)
        else:
            axis.text(0.5, 0.5, "no trace", transform=axis.transAxes, ha="center", color=style.FAILED)
    told = []
    if pair.select(name="signed", keep=m.strained):
        told.append(f"the angle changes by at most {m.angle_change(pair):.1e} rad where two triangles are strained in their planes, and its projection moves nothing; a distance across the edge moves vertices by "
                    f"{m.diagonal_movement(pair):.2g} of the edge in the median")
    if edge.select():
        told.append(f"the share of an error that is left differs from 1 − k by at most {m.share_error(edge):.1e} over triangles whose hinge weights differ by a factor of {m.hinge_ratio(edge):.0f}")
    if bag.select():
        ratio = m.strain_ratio_max(bag)
        told.append(f"in the bag the rms strain with bending stiffness and without differ by a factor of up to {ratio.value:.3g} ({ratio.note})")
    stem = out_dir / "sec_4_1_bending"
    caption = ("The paper says: the bending term does not depend on edge lengths, so that bending and stretching resistance can be chosen independently, and bending does not influence stretching. "
               f"Measured here: {'; '.join(told)}. The constraint is independent of stretching; the projections of a folded pair still move the ends of its edges. Machine: {machine_line([*pair.cells, *edge.cells, *bag.cells])}.")
    failed = [f"{c.label}: {c.status} ({c.status_reason})" for d in (pair, edge, bag) for c in d.failed()]
    return FigureEntry("Section 4.1 — bending and stretching", caption, style.save(figure, stem), write_table(table, stem), failed)
