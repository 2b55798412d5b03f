# SPDX-License-Identifier: BSD-3-Clause
"""Figure 5: a surface embedded in a bent mesh, cut through the middle,
with normals transformed by R and by F⁻ᵀ."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from experiments.mueller_gross_2004.measurements.embedded_surface import vertex_normals
from paper_figures.figure import Array, Axes, Drawing, Trace, style, titled
from paper_figures.solids import EDGES, plain

EXPERIMENT = "mueller_gross_2004/bent_surface"
SURFACE = "#b00020"
CHANNELS = {
    "skin_normals_rotated": ("turned by R (as printed)", "#D55E00"),
    "skin_normals_exact": ("by F⁻ᵀ", "#0072B2"),
}
ARROW, ZOOM_ARROW = (
    0.11,
    0.07,
)  # length of the normals / radius of the surface, and / width of the zoom


def mesh_section(rest: Array, tetrahedra: Array, level: float) -> Array:
    """[k,2] edges of the mesh that lie in the rest plane z = level."""
    pairs = np.unique(np.sort(tetrahedra[:, EDGES].reshape(-1, 2), axis=1), axis=0)
    inside = np.abs(rest[:, 2] - level) < 1e-9
    return np.asarray(pairs[inside[pairs].all(axis=1)])


def surface_section(rest: Array, triangles: Array, positions: Array, level: float) -> Array:
    """[k,2,3] segments in which the rest plane cuts the surface, mapped to `positions`."""
    found = []
    height = rest[:, 2] - level
    height = np.where(np.abs(height) < 1e-9, 1e-9, height)  # a vertex in the plane counts as above it
    for triangle in triangles:
        ends = []
        for a, b in ((0, 1), (1, 2), (2, 0)):
            i, j = triangle[a], triangle[b]
            if (height[i] > 0) != (height[j] > 0):
                share = height[i] / (height[i] - height[j])
                ends.append((1 - share) * positions[i] + share * positions[j])
        if len(ends) == 2:
            found.append(ends)
    return np.array(found)


def angle_between(first: Array, second: Array) -> Array:
    """deg, row by row."""
    return np.asarray(
        np.degrees(np.arctan2(np.linalg.norm(np.cross(first, second), axis=1), (first * second).sum(axis=1)))
    )


def _draw(
    axes: Axes, trace: Trace, row: int, level: float, mesh: Array, shown: Array, length: float, width: float
) -> None:
    rest, triangles = trace.scene("skin_rest_positions"), trace.scene("skin_triangles")
    points, nodes = trace.values("pose", "skin_positions")[row], trace.values("pose", "positions")[row]
    axes.add_collection(LineCollection(nodes[mesh][:, :, :2], colors="#b9b9b9", linewidths=0.7, zorder=1))
    section = surface_section(rest, triangles, points, level)[:, :, :2]
    axes.add_collection(LineCollection(section, colors=SURFACE, linewidths=1.8, zorder=2, capstyle="round"))
    axes.plot(*points[shown][:, :2].T, "o", color=SURFACE, ms=2.2, zorder=3)
    for order, (channel, (_, colour)) in enumerate(CHANNELS.items()):
        normals = trace.values("pose", channel)[row][shown]
        place, arrow = points[shown][:, :2].T, (length * normals[:, :2]).T
        head = {"headwidth": 4, "headlength": 5, "headaxislength": 4.5}
        look = {"color": colour, "width": width, "zorder": 5 - order, **head}
        axes.quiver(*place, *arrow, angles="xy", scale_units="xy", scale=1, **look)
    plain(axes)


@titled("Figure 5 — normals of a surface that is bent")
def make(figure: Drawing) -> str:
    data = figure.experiment(EXPERIMENT)
    trace = data.one(name="warped")
    values = trace.values("pose", "pose_parameter")
    flat, bent = int(np.argmin(np.abs(values))), int(np.argmax(np.abs(values)))
    rest, triangles = trace.scene("skin_rest_positions"), trace.scene("skin_triangles")
    nodes, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra")
    level = float(nodes[:, 2].mean())
    mesh = mesh_section(nodes, tetrahedra, level)
    shown = np.flatnonzero(np.abs(rest[:, 2] - level) < 1e-9)
    radius = float(np.ptp(rest[:, 0]) / 2)
    points = trace.values("pose", "skin_positions")[bent]
    difference = angle_between(*(trace.values("pose", c)[bent] for c in CHANNELS))
    axes = figure.axes(1, 3, 12.4, 4.6)
    _draw(axes[0], trace, flat, level, mesh, shown, ARROW * radius, 0.0045)
    _draw(axes[1], trace, bent, level, mesh, shown, ARROW * radius, 0.0045)
    worst = shown[np.argmax(difference[shown])]
    half = 0.36 * radius
    centre = (points[worst] + 0.3 * half * trace.values("pose", "skin_normals_exact")[bent][worst])[:2]
    _draw(axes[2], trace, bent, level, mesh, shown, 2 * half * 2.4 * ZOOM_ARROW, 0.008)
    axes[1].add_patch(
        Rectangle(tuple(centre - half), 2 * half, 2 * half, fill=False, edgecolor=style.INK, linewidth=0.9, zorder=6)
    )
    axes[2].set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    edge = {"fill": False, "edgecolor": style.INK, "linewidth": 1.2}
    axes[2].add_patch(Rectangle(tuple(centre - half), 2 * half, 2 * half, zorder=6, clip_on=False, **edge))
    for panel, row in ((axes[0], flat), (axes[1], bent)):
        shape = trace.values("pose", "positions")[row]
        low, high = shape[:, :2].min(axis=0) - 0.05, shape[:, :2].max(axis=0) + 0.05
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    low = trace.values("pose", "positions")[flat][:, :2].min(axis=0)
    axes[0].plot([low[0], low[0] + 0.2], [low[1] - 0.03] * 2, color=style.INK, lw=2)
    axes[0].annotate("20 cm", (low[0] + 0.22, low[1] - 0.03), va="center", fontsize=8.5)
    for panel, title in zip(
        axes,
        (
            "(a) at rest, cut through the middle",
            f"(b) bent by {values[bent]:g}°",
            "(c) where the normals differ most in the cut",
        ),
    ):
        panel.set_title(title)
    handles = [
        style.key("tetrahedral mesh", "#b9b9b9", lw=1.0),
        style.key("embedded surface", SURFACE, lw=1.8),
        *(style.key(f"normal {t}", c, lw=2.2) for t, c in CHANNELS.values()),
    ]
    figure.legend_below(4, handles=handles, fontsize=8.5)
    table = figure.table(
        "bend [deg]; normals; against; median [deg] .3g; 95th percentile [deg] .3g; largest [deg] .3g; vertices"
    )
    told: dict[str, tuple[float, float]] = {}
    for row in (flat, bent):
        seen = vertex_normals(trace.values("pose", "skin_positions")[row], triangles)
        exact = trace.values("pose", "skin_normals_exact")[row]
        for channel, (name, _) in CHANNELS.items():
            given = trace.values("pose", channel)[row]
            for other, against in ((exact, "F⁻ᵀ n"), (seen, "triangles of the bent surface")):
                if channel == "skin_normals_exact" and other is exact:
                    continue
                angles = angle_between(given, other)
                middle, high = float(np.median(angles)), float(np.percentile(angles, 95))
                table.add(values[row], name, against, middle, high, angles.max(), int(angles.size))
                if row == bent and other is seen:
                    told[channel] = (middle, high)
    turned = trace.values("pose", "rotations")[bent].reshape(-1, 3, 3)
    angles = np.degrees(np.arccos(np.clip((np.trace(turned, axis1=1, axis2=2) - 1) / 2, -1, 1)))
    r, f = told["skin_normals_rotated"], told["skin_normals_exact"]
    return (
        "The paper shows: a surface displaced with the tetrahedra in which its vertices lie, its normals turned by "
        f"their rotation R, as a sketch. Measured here: a sphere of {len(triangles):,} triangles in a block of "
        f"{trace.tetrahedra} tetrahedra that is bent by {values[bent]:g}°; elements turn by {angles.min():.0f}° to "
        f"{angles.max():.0f}°. Drawn are the rest plane z = {level:g} and the {len(shown)} vertices in it. Normals "
        f"by R and by F⁻ᵀ differ by up to {difference.max():.1f}° (median {np.median(difference):.1f}°); "
        f"from the normals of the bent triangles those by R differ by {r[0]:.1f}° (median; 95th percentile "
        f"{r[1]:.1f}°), those by F⁻ᵀ by {f[0]:.1f}° ({f[1]:.1f}°), due to the jump of F between elements. The "
        "verdict on affine maps is that of Section 5.1."
    )
