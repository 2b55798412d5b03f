# SPDX-License-Identifier: BSD-3-Clause
"""A cloth draped over a ball by forces, XPBD and PBD: pictures and measures of the folds, and costs."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from experiments.cross.measurements import cloth_drape as m
from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import compared
from paper_figures.cloth_scenes import ClothShot, cloth_shots, render_shots, view_of
from paper_figures.cross.precision import UNTIMED, timed_curve
from paper_figures.cross.swinging_cloths import distance_table, look_of, rows_of, steps_of
from paper_figures.figure import Axes, Drawing, Trace, style, titled

TURN_DEG, ELEVATION_DEG = 24.0, 22.0
WIDTH, HEIGHT = 420, 300
SHOWN = 0.975  # of the ball's radius, in the pictures


def _substep(cell: Trace) -> float:
    whole, parts = steps_of(cell)
    return whole / parts


def pictured(rows: list[tuple[str, list[Trace]]], reference: Trace) -> list[tuple[str, Trace]]:
    """The reference; at most iterations, XPBD with the shortest step, PBD with the shortest and longest."""
    found = [("small explicit steps", reference)]
    for method, label in (("xpbd", "XPBD"), ("pbd", "PBD")):
        cells = [c for name, row in rows if name.startswith(f"{method}_") for c in row]
        if cells:
            most = max(int(c.setting("iterations")) for c in cells)
            ordered = sorted((c for c in cells if c.value("method.parameters.iterations") == most), key=_substep)
            chosen = ordered[:1] if method == "xpbd" else [ordered[0], ordered[-1]]
            found += [(f"{label}, Δt = {1e3 * steps_of(c)[0]:.3g} ms", c) for c in chosen]
    return found


def smaller_ball(shot: ClothShot) -> ClothShot:
    """The ball scaled by SHOWN, as flat triangles between vertices on it would cut it."""
    made = []
    for solid in shot.solids:
        middle = solid.positions.mean(axis=0)
        made.append(replace(solid, positions=middle + SHOWN * (solid.positions - middle)))
    return replace(shot, solids=made)


def row_of_axes(figure: Figure, layout: GridSpec, row: int, count: int) -> list[Axes]:
    """`count` axes side by side in a row of the layout."""
    parts = layout[row, 0].subgridspec(1, count)
    return [figure.add_subplot(parts[0, k]) for k in range(count)]


@titled("Cloth — draped over a ball")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    reference = data.one(name="reference")
    drapes, spread = {c: m.drape(c, reference) for c in [reference, *compared(data)]}, m.spread(reference)
    distance = {c: float(d.distance.mean()) for c, d in drapes.items() if c is not reference}
    rows = rows_of(distance)
    table = distance_table(
        figure,
        "distance / side .3g; worst vertex / side .3g; drape coefficient .3g; ± of the seeds .2g; "
        "mean height / side .3g; folds of the rim .3g",
    )
    shots = [(title, cell, smaller_ball(cloth_shots(cell)[-1])) for title, cell in pictured(rows, reference)]
    grid = figure.axes(2, 1, 12.6, 6.4)
    for axis in grid:
        axis.remove()
    layout = grid[0].get_gridspec()
    view = view_of([s for _, _, s in shots], TURN_DEG, ELEVATION_DEG, has_floor=False)
    pictures, program = render_shots(
        [s for _, _, s in shots], figure.stem, [view] * len(shots), TURN_DEG, WIDTH, HEIGHT
    )
    for axis, picture, (title, cell, _) in zip(row_of_axes(figure.page, layout, 0, len(shots)), pictures, shots):
        axis.axis("off")
        axis.imshow(plt.imread(picture))
        axis.set_title(f"{title}\ncoefficient {drapes[cell].coefficient[0]:.2f}", fontsize=9, loc="center")
    axes = row_of_axes(figure.page, layout, 1, 3)
    for name, cells in [("reference", [reference]), *rows]:
        for cell in cells:
            d = drapes[cell]
            numbers = (d.coefficient.std(), d.mean_height.mean(), d.folds.mean(), cost_if_timed(cell))
            table.add(name, *steps_of(cell), d.distance.mean(), d.worst.max(), d.coefficient.mean(), *numbers)
        if name == "reference":
            continue
        coefficients = [float(drapes[c].coefficient.mean()) for c in cells]
        yerr = [float(drapes[c].coefficient.std()) for c in cells]
        axes[0].errorbar([_substep(c) for c in cells], coefficients, yerr=yerr, capsize=2, **look_of(name))
        timed_curve(axes[1], [cost_if_timed(c) for c in cells], [distance[c] for c in cells], look_of(name))
    own = drapes[reference].coefficient
    axes[0].axhspan(own.min(), own.max(), color="#e2e2e2", zorder=0)
    axes[0].axhline(own.mean(), color=style.REFERENCE, ls="--", lw=1.0)
    style.panel(axes[0], "(a) drape coefficient", "(sub)step [s]", "drape coefficient [1]", log="x")
    axes[0].legend(loc="best", fontsize=7.5)
    axes[1].axhline(spread, color=style.REFERENCE, ls="--", lw=1.0)
    axes[1].set_title("(b) error by cost")
    style.labels(axes[1], "time of a simulated second [s]", "distance from the reference / side [1]", "xy")
    if not axes[1].get_legend_handles_labels()[0]:
        axes[1].text(0.5, 0.3, UNTIMED, transform=axes[1].transAxes, ha="center", fontsize=9)
    for title, cell, _ in shots:
        height = m.heights(cell)
        is_own = cell is reference
        color = style.REFERENCE if is_own else look_of(f"{cell.method_name}_20")["color"]
        ls = "--" if is_own else ("-" if cell is not shots[-1][1] else ":")
        axes[2].plot(np.linspace(0, 1, len(height)), height, color=color, ls=ls, label=title)
    style.panel(axes[2], "(c) heights", "fraction of vertices below", "height / side [1]")
    axes[2].legend(loc="best", fontsize=7.5)
    side, seeds = int(reference.number("vertices_across")), len(m.ends(reference))
    return (
        f"A square cloth of {side} × {side} vertices at rest after falling on a ball of radius 1/4 of its side, "
        f"friction 0.3, {seeds} perturbed starts (the first pictured, with the ball 2.5 % too small, as flat "
        "triangles would cut it); all methods have the same springs (1000 N/m along edges, 2 N/m against bending) "
        f"and damping. The folds of perturbed starts differ: reference shapes of two starts are {spread:.2g} sides "
        "apart after alignment by the symmetries of mesh and ball (dashed in b), so smaller distances do not "
        f"distinguish methods. The drape coefficient, (shadow − disc)/(cloth − disc), does: {own.mean():.3f} for the "
        f"reference (grey: all starts). PBD's depends only on step and iterations. Drawn by {program}. "
    )
