# SPDX-License-Identifier: BSD-3-Clause
"""Figure 5: a vertex is kept above a triangle by the thickness h; the triangle gives way."""

import numpy as np

from paper_figures.figure import Array, Axes, Drawing, style, titled
from paper_figures.mueller_et_al_2007.projection import AFTER, BEFORE, EXPERIMENT, PLACES, Projection, checked
from paper_figures.mueller_et_al_2007.projection import draw_moves, nearest, projections, triangle_normal
from paper_figures.mueller_et_al_2007.projection import triangle_point
from paper_figures.solids import View, arrow, label, shaded

NAMES = ("p₁", "p₂", "p₃", "q")


def barycentric(p: Projection) -> Array:
    """Barycentric coordinates of the vertex's foot point in the triangle before the projection."""
    a, b, c, q = p.before
    edges = np.column_stack([b - a, c - a])
    inner = np.linalg.lstsq(edges, q - a, rcond=None)[0]
    return np.array([1 - inner.sum(), *inner])


def local(p: Projection) -> tuple[Array, Array]:
    """Before and after in the triangle's frame before: z its normal, x its first edge, origin its centroid."""
    z = triangle_normal(p.before)
    x = (p.before[1] - p.before[0]) / np.linalg.norm(p.before[1] - p.before[0])
    frame = np.array([x, np.cross(z, x), z])
    centre = p.before[:3].mean(axis=0)
    return (p.before - centre) @ frame.T, (p.after - centre) @ frame.T


def _oblique(axes: Axes, before: Array, after: Array, p: Projection) -> None:
    view = View.towards((0.25, -0.9, 0.38), (0, 0, 1))
    axes.plot(*view.flat(before[[0, 1, 2, 0]]).T, color=BEFORE, lw=1.0, ls=(0, (4, 2)), zorder=3)
    shaded(axes, view, after[None, :3], [AFTER], edge=AFTER, width=1.2, alpha=0.55, order=1)
    normal = triangle_normal(after)
    foot = after[3] - triangle_point(after) * normal
    axes.plot(*view.flat(np.array([foot, after[3]])).T, color="#1c1c1c", lw=1.0, ls=":", zorder=4)
    arrow(axes, view, after[:3].mean(axis=0), after[:3].mean(axis=0) + 0.35 * normal, "#1c1c1c", width=1.3)
    label(axes, view, after[:3].mean(axis=0) + 0.35 * normal, "n", "#1c1c1c", offset=(4, 2))
    draw_moves(axes, view, before, after, p.inverse_masses, NAMES, ((-9, -6), (9, -6), (9, 6), (9, 4)))
    axes.set_aspect("equal")
    axes.margins(0.14)
    axes.axis("off")
    axes.set_title("(a) before (dashed) and after")


def _from_the_side(axes: Axes, before: Array, after: Array, p: Projection) -> None:
    """In the plane of its final normal and first edge: heights true to scale."""
    normal, edge = triangle_normal(after), after[1] - after[0]
    edge = edge - (edge @ normal) * normal
    view = View.towards(np.cross(edge, normal), normal)
    centre = after[0]
    axes.plot(*view.flat(before[[0, 1, 2, 0]] - centre).T, color=BEFORE, lw=1.0, ls=(0, (4, 2)))
    axes.plot(*view.flat(after[[0, 1, 2, 0]] - centre).T, color=AFTER, lw=2.4)
    low, high = (
        float(v) for v in (view.flat(after[:3] - centre)[:, 0].min(), view.flat(after[:3] - centre)[:, 0].max())
    )
    axes.plot([low - 0.1, high + 0.35], [p.rest, p.rest], color="#1c1c1c", lw=0.9, ls=":")
    style.arrow(axes, (high + 0.2, p.rest), (high + 0.2, 0), "#1c1c1c", 1.0, "<->")
    axes.text(high + 0.23, p.rest / 2, "h", va="center")
    draw_moves(axes, view, before[3:] - centre, after[3:] - centre, p.inverse_masses[3:], ("q",), ((9, -9),))
    axes.set_aspect("equal")
    axes.margins(0.1)
    axes.axis("off")
    axes.set_title("(b) from the side")


@titled("Figure 5 — a vertex and a triangle")
def make(figure: Drawing) -> str:
    figure.experiment(EXPERIMENT)
    found = projections(figure.results, "triangle_point")
    p = nearest(
        found, lambda q: q.value(q.before) < 0 and barycentric(q).min() > 0.12, lambda q: -abs(q.value(q.before))
    )
    before, after = local(p)
    axes = figure.axes(1, 2, 8.4, 3.6)
    _oblique(axes[0], before, after, p)
    _from_the_side(axes[1], before, after, p)
    table = figure.table(
        "vertex; mass [kg] .6g", PLACES, "correction [m] .6g; height before [m] .6g; height after [m] .6g; h [m] .6g"
    )
    heights = [triangle_point(q) for q in (p.before, p.after)]
    for k in range(4):
        numbers = (*after[k], np.linalg.norm(p.corrections[k]), *heights, p.rest)
        table.add(NAMES[k], 1 / p.inverse_masses[k], *before[k], *numbers)
    left = np.array([abs(q.value(q.after)) / q.rest for q in found])
    return (
        "The paper shows: C(q, p₁, p₂, p₃) = (q − p₁)·n − h, which keeps a vertex q above a triangle by the "
        f"thickness h of the cloth (eqs. 11, 12). Measured here: one of {len(found)} vertices over triangles of one "
        f"run, the one that lies deepest below h well inside its triangle: its height {1e3 * heights[0]:.0f} mm "
        f"before and {1e3 * heights[1]:.1f} mm after one iteration, h = {1e3 * p.rest:.1f} mm, true to scale (h is "
        "small in cloth), areas of the discs by mass. The triangle moves and rotates, so one projection leaves "
        f"{100 * np.median(left):.2g} % of h in the median and {100 * left.max():.2g} % at most. "
        f"{checked(found)}."
    )
