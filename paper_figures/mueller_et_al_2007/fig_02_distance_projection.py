# SPDX-License-Identifier: BSD-3-Clause
"""Figure 2: projection of a distance constraint; the corrections are weighted by the inverse masses."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.arrays import Array
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line
from paper_figures.mueller_et_al_2007.projection import (
    AFTER,
    BEFORE,
    EXPERIMENT,
    MOVE,
    Projection,
    checked,
    nearest,
    projections,
)

RATIO = 3.0  # m2 / m1 that the drawn pairs come nearest to


def _heavier(p: Projection) -> float:
    return float(p.inverse_masses[0] / p.inverse_masses[1])


def on_line(p: Projection) -> tuple[Array, Array]:
    """Places of both vertices before and after along the line through them, m, from their centre of mass before."""
    direction = (p.before[1] - p.before[0]) / np.linalg.norm(p.before[1] - p.before[0])
    centre = (p.before / p.inverse_masses[:, None]).sum(axis=0) / (1 / p.inverse_masses).sum()
    return (p.before - centre) @ direction, (p.after - centre) @ direction


def _draw(axes: Axes, p: Projection, title: str) -> None:
    old, new = on_line(p)
    unit = p.rest
    heaviest = float((1 / p.inverse_masses).max())
    sizes = [9 + 13 * float(np.sqrt(1 / w / heaviest)) for w in p.inverse_masses]
    axes.plot(old, [0, 0], color=BEFORE, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    axes.plot(new, [0, 0], color=AFTER, linewidth=2.2, zorder=2)
    for k in range(2):
        axes.plot(old[k], 0, "o", markersize=sizes[k], markerfacecolor="#ffffff", markeredgecolor=BEFORE, zorder=3)
        axes.plot(new[k], 0, "o", markersize=sizes[k], color=AFTER, zorder=4)
        axes.annotate(
            "",
            (new[k], 0.24 * unit),
            (old[k], 0.24 * unit),
            arrowprops={"arrowstyle": "-|>", "color": MOVE, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0},
        )
        axes.text(
            (old[k] + new[k]) / 2,
            0.29 * unit,
            f"Δp{'₁₂'[k]} = {1e3 * abs(new[k] - old[k]):.1f} mm",
            ha="center",
            va="bottom",
            color=MOVE,
            fontsize=8.5,
        )
        outside = old[k] if abs(old[k]) > abs(new[k]) else new[k]
        axes.text(
            outside + (-0.16 if k == 0 else 0.16) * unit,
            0,
            f"p{'₁₂'[k]}\n{1 / p.inverse_masses[k]:.2f} kg",
            ha="right" if k == 0 else "left",
            va="center",
            fontsize=8.5,
        )
    axes.plot([0], [0], marker="+", color="#1c1c1c", markersize=9, markeredgewidth=1.4, zorder=6)
    axes.annotate(
        "",
        (new[0], -0.26 * unit),
        (new[1], -0.26 * unit),
        arrowprops={"arrowstyle": "<->", "color": AFTER, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0},
    )
    axes.text(new.mean(), -0.30 * unit, f"d = {1e3 * p.rest:.1f} mm", ha="center", va="top", color=AFTER, fontsize=8.5)
    axes.set_title(title)
    axes.set_aspect("equal")
    axes.set(
        xlim=(min(old.min(), new.min()) - 0.6 * unit, max(old.max(), new.max()) + 0.6 * unit),
        ylim=(-0.5 * unit, 0.5 * unit),
    )
    axes.axis("off")


def make(results: Results, out_dir: Path) -> FigureEntry:
    found = projections(results, "distance")
    pairs = [
        ("(a) too long", nearest(found, lambda p: p.value(p.before) > 0, lambda p: abs(math.log(_heavier(p) / RATIO)))),
        (
            "(b) too short",
            nearest(found, lambda p: p.value(p.before) < 0, lambda p: abs(math.log(_heavier(p) / RATIO))),
        ),
    ]
    figure, axes = style.new_figure(2, 1, width=7.4, height=4.2)
    table = Table(
        [
            Column("pair"),
            Column("vertex"),
            Column("mass", "kg", ".6g"),
            *(Column(f"{a} before", "m", ".9g") for a in "xyz"),
            *(Column(f"{a} after", "m", ".9g") for a in "xyz"),
            Column("correction", "m", ".6g"),
            Column("C before", "m", ".6g"),
            Column("C after", "m", ".3g"),
        ]
    )
    for axis, (title, p) in zip(axes, pairs):
        _draw(axis, p, title)
        for k in range(2):
            table.add(
                title,
                k + 1,
                1 / p.inverse_masses[k],
                *p.before[k],
                *p.after[k],
                float(np.linalg.norm(p.corrections[k])),
                p.value(p.before),
                p.value(p.after),
            )
    stem = out_dir / "fig_02_distance_projection"
    left = max(abs(p.value(p.after)) for p in found)
    caption = (
        "The paper shows: two vertices before and after the projection of C = |p₁ − p₂| − d, with corrections in proportion to the inverse masses (eqs. 9, 10). "
        f"Measured here: two of {len(found)} pairs of one run, those with m₂/m₁ nearest to {RATIO:g}, one stretched and one pressed by {100 * abs(pairs[0][1].value(pairs[0][1].before) / pairs[0][1].rest):.0f} % and "
        f"{100 * abs(pairs[1][1].value(pairs[1][1].before) / pairs[1][1].rest):.0f} %; dashed before, solid after one iteration with k = 1, areas of the discs by mass, + the centre of mass. "
        f"{checked(found)}; |C| is left at {left:.1e} m at most. Machine: {machine_line([p.trace for p in found][:1])}."
    )
    return style.finished(
        "Figure 2 — projection of a distance constraint", caption, figure, table, stem, results.experiment(EXPERIMENT)
    )
