# SPDX-License-Identifier: BSD-3-Clause
"""Figure 6: cells of an octree in a slice of a body, the nodes at their centres, after repulsion, and after a cut."""

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Circle, Rectangle

from experiments.pauly_et_al_2005.measurements import octree_sampling as octree, resampling, sampled_nodes as nodes
from paper_figures.figure import Array, Axes, Drawing, ExperimentData, Table, Trace, style, titled

ISO = 0.1  # value of the weight function on the paper's circles
CUT, NEW = "#D55E00", "#0072B2"


def iso_radius() -> float:
    """Radius of ω = ISO, in supports."""
    roots = np.roots([-3, 8, -6, 0, 1 - ISO])
    real = roots[np.abs(roots.imag) < 1e-9].real
    return float(real[(real > 0) & (real < 1)][0])


def outline(cell: Trace, axes: Array, height: float) -> Array:
    """Segments [s, 2, 2] where the plane normal to the third axis cuts the skin."""
    points = cell.scene("skin_rest_positions") @ axes.T
    corners = points[cell.scene("skin_triangles")]
    found = []
    for triangle in corners:
        ends = []
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0)):
            if (a[2] - height) * (b[2] - height) < 0:
                ends.append((a + (height - a[2]) / (b[2] - a[2]) * (b - a))[:2])
        if len(ends) == 2:
            found.append(ends)
    return np.array(found)


def pair(data: ExperimentData) -> tuple[Trace, Trace]:
    """The finest cells of the first body with corner adjacency, with repulsion and without."""
    cells = data.some(where={"scene.parameters.adjacency": "corners"})
    finest = max(int(c.number("octree_levels")) for c in cells)
    bodies = [c.value("scene.parameters.body") for c in cells]
    body = next(b for b in ("torus", "block") if b in bodies)
    chosen = [
        c
        for c in cells
        if c.value("scene.parameters.body") == body and c.value("scene.parameters.octree_levels") == finest
    ]
    still = next(c for c in chosen if c.value("scene.parameters.repulsion_iterations") == 0)
    return next(c for c in chosen if c is not still), still


def draw_octree(panels: list[Axes], data: ExperimentData, table: Table) -> Trace:
    """Cells, centres, repelled nodes."""
    moved, still = pair(data)
    sample = octree.samples(moved, still)[0]
    axes, edges = octree.octree_axes(sample), octree.cell_edges(sample)
    centres, points = sample.centres @ axes.T, sample.points @ axes.T
    height = float(np.median(centres[:, 2])) + 0.1 * sample.edge
    kept = np.abs(centres[:, 2] - height) <= 0.5 * edges
    lines = outline(moved, axes, height)
    for axis in panels:
        axis.add_collection(LineCollection(list(lines), colors=style.INK, linewidths=1.0))
        squares = [Rectangle((c[0] - e / 2, c[1] - e / 2), e, e) for c, e in zip(centres[kept], edges[kept])]
        axis.add_collection(PatchCollection(squares, facecolor="none", edgecolor="#b8b8b8", linewidth=0.5))
        axis.autoscale()
        axis.set_aspect("equal")
        axis.axis("off")
    colours = np.array(["#0072B2", "#009E73", "#E69F00", "#D55E00"])[
        np.minimum(sample.levels.max() - sample.levels[kept], 3)
    ]
    cells = [Rectangle((c[0] - e / 2, c[1] - e / 2), e, e) for c, e in zip(centres[kept], edges[kept])]
    panels[0].add_collection(PatchCollection(cells, facecolor=list(colours), alpha=0.35))
    panels[0].set_title("(a) cells with their centre inside")
    panels[1].scatter(*centres[kept][:, :2].T, s=7, color=style.INK, zorder=3)
    panels[1].set_title("(b) nodes at the centres")
    panels[2].scatter(*points[kept][:, :2].T, s=7, color=style.INK, zorder=3)
    for k in np.flatnonzero(kept)[::9]:
        panels[2].add_patch(
            Circle(points[k, :2], iso_radius() * sample.supports[k], fill=False, color=NEW, linewidth=0.5, alpha=0.8)
        )
    panels[2].set(xlim=panels[1].get_xlim(), ylim=panels[1].get_ylim())
    panels[2].set_title("(c) after repulsion; circles: ω = 0.1")
    for level in np.unique(sample.levels):
        of = sample.levels == level
        numbers = (sample.supports[of].mean(), np.linalg.norm(sample.points[of] - sample.centres[of], axis=1).mean())
        table.add(f"nodes in cells of level {level}", int(of.sum()), *numbers)
    return moved


def draw_resampled(axis: Axes, data: ExperimentData, table: Table) -> Trace:
    """A slice of the cut block: nodes before, and those that passes have added."""
    cell = data.some(name="as_printed", where={"scene.parameters.cut": "through"})[0]
    member = next(nodes.frames(cell))
    first, last = member[0], member[-1]
    corner = first["crack_triangles"].reshape(-1, 3, 3)[0]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    normal /= np.linalg.norm(normal)
    up = np.eye(3)[np.argmin(np.abs(normal))]
    along = np.cross(normal, up) / np.linalg.norm(np.cross(normal, up))
    across = np.cross(normal, along)
    middle = first["node_rest_positions"].mean(axis=0)
    spacing = float(first["node_supports"].min()) / cell.number("support_ratio")

    def slice_of(points: Array) -> Array:
        inside = np.abs((points - middle) @ across) < spacing
        return np.asarray((points[inside] - middle) @ np.stack([normal, along]).T)

    old, now = slice_of(first["node_rest_positions"]), slice_of(last["node_rest_positions"][len(first["parents"]) :])
    axis.scatter(*old.T, s=7, color=style.INK, zorder=3)
    axis.scatter(*now.T, s=7, color=NEW, zorder=4)
    axis.axvline((corner[0] - middle) @ normal, color=CUT)
    axis.set_aspect("equal")
    axis.axis("off")
    axis.set_title("(d) a cut block: inserted nodes in blue")
    table.add("nodes of the cut block before", len(first["parents"]), first["node_supports"].mean(), None)
    table.add("nodes of the cut block behind", len(last["parents"]), last["node_supports"].mean(), None)
    return cell


@titled("Figure 6: volumetric sampling")
def make(figure: Drawing) -> str:
    """Draws the figure."""
    sampled, split = figure.experiment(octree.M.experiment), figure.experiment(resampling.M.experiment)
    axes = figure.axes(1, 4, 15.0, 4.2)
    table = figure.table("what; count; mean support [m]; mean way [m]")
    panels = list(np.ravel(axes))
    body = draw_octree(panels[:3], sampled, table)
    block = draw_resampled(panels[3], split, table)
    return (
        "The paper shows a balanced octree, a node at the centre of each cell inside, the nodes after repulsion "
        "within their cells, and nodes added at a crack. Computed here: a slice through a "
        f"{body.value('scene.parameters.body')} rotated against its octree, cells on the surface refined to the last "
        "level, with the law of repulsion of this program (the paper's is not published); and a slice "
        f"two spacings thick of a block of nodes cut by a plane, after {block.value('schedule.steps')} passes of "
        "resampling as printed, each node at its rest position. "
    )
