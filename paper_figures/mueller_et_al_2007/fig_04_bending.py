# SPDX-License-Identifier: BSD-3-Clause
"""Figure 4: two triangles and the angle between their normals,
before and after projection of the bending constraint."""

import numpy as np
from matplotlib.patches import Arc

from paper_figures.figure import Array, Axes, Drawing, style, titled
from paper_figures.mueller_et_al_2007.projection import AFTER, BEFORE, EXPERIMENT, PLACES, Projection, bend
from paper_figures.mueller_et_al_2007.projection import bend_normals, checked, draw_moves, nearest, projections
from paper_figures.solids import View, arrow, label, shaded

RANGE_DEG = (35.0, 100.0)  # folds that are distinct in a drawing, before and after
TRIANGLES = ((0, 2, 1), (0, 1, 3))


def local(p: Projection) -> tuple[Array, Array]:
    """Before and after in axes of the pair before: x along the edge, z up between the two normals,
    origin at its middle."""
    first, second = bend_normals(p.before)
    x = (p.before[1] - p.before[0]) / np.linalg.norm(p.before[1] - p.before[0])
    z = first + second
    z = z - (z @ x) * x
    z = z / np.linalg.norm(z)
    frame = np.array([x, np.cross(z, x), z])
    origin = p.before[:2].mean(axis=0)
    return (p.before - origin) @ frame.T, (p.after - origin) @ frame.T


def _drawable(p: Projection) -> bool:
    # negative angle: a roof with diverging normals, as in the paper's figure
    return all(RANGE_DEG[0] <= -np.degrees(bend(q)) <= RANGE_DEG[1] for q in (p.before, p.after))


def unevenness(p: Projection) -> float:
    """Largest log ratio of masses, or twice that of the triangles' heights to each other or to the edge."""
    edge = p.before[1] - p.before[0]
    heights = [float(np.linalg.norm(np.cross(edge, p.before[k] - p.before[0]))) / float(edge @ edge) for k in (2, 3)]
    logs = np.log(p.inverse_masses)
    return float(max(np.ptp(logs), 2 * abs(np.log(heights[0] / heights[1])), *(2 * abs(np.log(h)) for h in heights)))


def _oblique(axes: Axes, before: Array, after: Array, p: Projection) -> None:
    view = View.towards((0.42, -0.5, 1.0), (0, 0, 1))
    for t in TRIANGLES:
        ring = view.flat(before[[*t, t[0]]])
        axes.plot(*ring.T, color=BEFORE, lw=1.0, ls=(0, (4, 2)), zorder=3)
    shaded(axes, view, after[np.array(TRIANGLES)], [AFTER, AFTER], edge=AFTER, width=1.2, alpha=0.55, order=1)
    size = float(np.linalg.norm(after[1] - after[0]))
    for k, (t, n) in enumerate(zip(TRIANGLES, bend_normals(after))):
        middle = after[list(t)].mean(axis=0)
        arrow(axes, view, middle, middle + 0.45 * size * n, "#1c1c1c", width=1.4)
        label(axes, view, middle + 0.45 * size * n, f"n{'₁₂'[k]}", "#1c1c1c", offset=(4, 3))
    draw_moves(
        axes, view, before, after, p.inverse_masses, ("p₁", "p₂", "p₃", "p₄"), ((-8, -8), (8, -8), (8, -8), (-8, -8))
    )
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.axis("off")
    axes.set_title("(a) before (dashed) and after")


def _along_the_edge(axes: Axes, before: Array, after: Array) -> None:
    """Seen along the edge: traces of both triangles and their normals, with the angle φ between these."""
    for points, colour, line, radius in ((before, BEFORE, (0, (4, 2)), 0.30), (after, AFTER, "-", 0.62)):
        edge = points[:2].mean(axis=0)[1:]
        x = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
        normals = bend_normals(points)
        size = 0.55 * float(np.linalg.norm(before[1] - before[0]))
        for vertex in (2, 3):
            arm = points[vertex] - points[0]
            arm = (arm - (arm @ x) * x)[1:]
            axes.plot(*np.transpose([edge, edge + arm]), color=colour, lw=2.0, ls=line, zorder=2)
        turns = []
        for n in normals:
            end = edge + size * n[1:] / np.linalg.norm(n[1:])
            style.arrow(axes, edge, end, colour)
            turns.append(float(np.degrees(np.arctan2(n[2], n[1]))))
        low, high = sorted(turns)
        if high - low > 180:
            low, high = high, low + 360
        width = 2 * radius * size
        axes.add_patch(Arc(tuple(edge), width, width, theta1=low, theta2=high, color=colour, linewidth=1.2))
        axes.update_datalim([edge + size * np.array([0, 1.0])])
    axes.set_aspect("equal")
    axes.margins(0.16)
    axes.axis("off")
    axes.set_title("(b) along the edge")


@titled("Figure 4 — the bending constraint")
def make(figure: Drawing) -> str:
    figure.experiment(EXPERIMENT)
    found = projections(figure.results, "bend")
    p = nearest(found, _drawable, unevenness)
    before, after = local(p)
    axes = figure.axes(1, 2, 8.4, 3.9)
    _oblique(axes[0], before, after, p)
    _along_the_edge(axes[1], before, after)
    phi = [abs(float(np.degrees(a))) for a in (bend(p.before), bend(p.after), p.rest)]
    angles = f"φ before {phi[0]:.1f}°\nφ after {phi[1]:.1f}°\nφ₀ {phi[2]:.1f}°"
    axes[1].text(0.0, 0.9, angles, transform=axes[1].transAxes, fontsize=9, va="top")
    table = figure.table(
        "vertex; mass [kg] .6g",
        PLACES,
        "correction [m] .6g; angle before [deg] .6g; angle after [deg] .6g; angle at rest [deg] .6g",
    )
    for k in range(4):
        correction = float(np.linalg.norm(p.corrections[k]))
        table.add(k + 1, 1 / p.inverse_masses[k], *before[k], *after[k], correction, *phi)
    left = np.degrees([abs(q.value(q.after)) for q in found])
    asked = np.degrees([abs(q.value(q.before)) for q in found])
    return (
        "The paper shows: two triangles (p₁, p₃, p₂) and (p₁, p₂, p₄) with their normals, and the dihedral angle φ "
        f"as the angle between these; C = arccos(n₁·n₂) − φ₀. Measured here: one of {len(found)} pairs of one run, "
        f"the one whose masses and heights differ least among folds of {RANGE_DEG[0]:g}° to "
        f"{RANGE_DEG[1]:g}°; here φ is 0 for a flat pair, and drawn unsigned; one iteration with k = "
        f"1, corrections in orange. One projection is one Newton step: of errors up to {asked.max():.0f}° it leaves "
        f"a median of {np.median(left):.2g}° and at most {left.max():.2g}°. "
        f"{checked(found)}."
    )
