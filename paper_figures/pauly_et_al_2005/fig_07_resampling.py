# SPDX-License-Identifier: BSD-3-Clause
"""Figure 7: new nodes at one node beside a cut, and how many nodes lack neighbours pass by pass."""

import numpy as np
from matplotlib.patches import Circle

from experiments.pauly_et_al_2005.measurements import resampling as m, sampled_nodes as nodes
from paper_figures.figure import Drawing, style, titled

CUT, NEW = "#D55E00", "#0072B2"
ROWS = {
    "as_printed": ("as printed", "o", "-", "#0072B2"),
    "replaced": ("node replaced", "s", "--", "#009E73"),
    "kept": ("support kept", "^", "-.", "#D55E00"),
}


@titled("Figure 7: new nodes at one node")
def make(figure: Drawing) -> str:
    """Draws the figure."""
    data = figure.experiment(m.M.experiment)
    ratio = 1.6
    where = {"scene.parameters.cut": "through", "scene.parameters.support_ratio": ratio}
    cell = data.one(name="as_printed", where=where)
    before, after = next(nodes.frames(cell))[:2]
    omega = m.sums(before)
    splits = after["node_splits"].reshape(-1, 3)
    points, supports = before["node_rest_positions"], before["node_supports"]
    corner = before["crack_triangles"].reshape(-1, 3, 3)[0]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    normal /= np.linalg.norm(normal)
    # The node of least Ω of those split inside the block, where only the cut has removed neighbours.
    depth = np.abs(points - points.mean(axis=0)).max(axis=1)
    candidates = [n for n in splits[:, 0] if depth[n] < np.sort(depth[splits[:, 0]])[len(splits) // 4]] or list(
        splits[:1, 0]
    )
    node = min(candidates, key=lambda n: int(omega[n]))
    inserted, parts = (int(v) for v in splits[splits[:, 0] == node][0][1:])

    along = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    along /= np.linalg.norm(along)
    plane = np.stack([normal, along])

    axes = figure.axes(1, 3, 14.0, 4.4)
    x, h = points[node], supports[node]
    near = np.linalg.norm(points - x, axis=1) < h
    near[node] = False
    side = m.sides(points, before)
    children = np.flatnonzero(
        (after["parents"] == before["parents"][node]) & (np.arange(len(after["parents"])) >= len(points))
    )
    for axis, title in zip(axes[:2], ("before", f"after: {inserted} inserted, {parts} share the mass")):
        for of, face in ((near & (side == side[node]), style.GREY), (near & (side != side[node]), "none")):
            flat = (points[of] - x) @ plane.T
            axis.scatter(flat[:, 0], flat[:, 1], s=28, facecolor=face, edgecolor=style.GREY, zorder=3)
        axis.axvline(float((corner[0] - x) @ normal), color=CUT, zorder=1)
        axis.set_aspect("equal")
        axis.set_xlim(-1.05 * h, 1.05 * h)
        axis.set_ylim(-1.05 * h, 1.05 * h)
        axis.axis("off")
        axis.set_title(title)
    axes[0].scatter([0], [0], s=50, color=style.INK, zorder=4)
    axes[0].add_patch(Circle((0, 0), h, fill=False, color=style.INK))
    for k in [node, *children]:
        flat = (after["node_rest_positions"][k] - x) @ plane.T
        axes[1].scatter(*flat, s=50, color=style.INK if k == node else NEW, zorder=5)
        axes[1].add_patch(Circle(flat, after["node_supports"][k], fill=False, color=NEW, linewidth=0.7, alpha=0.7))

    table = figure.table("row; pass; nodes with Ω below 10; nodes")
    used = [cell]
    for name, (label, marker, line, colour) in ROWS.items():
        for run in data.some(name=name, where=where):
            used.append(run)
            counts = np.array(
                [[int((m.sums(f) < m.LEAST_SUM).sum()) for f in member] for member in nodes.frames(run)], dtype=float
            )
            sizes = np.array([[len(f["parents"]) for f in member] for member in nodes.frames(run)], dtype=float)
            axes[2].plot(counts.mean(axis=0), marker=marker, ls=line, color=colour, label=label)
            for k in range(counts.shape[1]):
                table.add(name, k, counts[:, k].mean(), sizes[:, k].mean())
    axes[2].set(xlabel="passes", ylabel="nodes with Ω below 10", yscale="symlog", ylim=(0, None))
    axes[2].set_xticks(range(int(cell.value("schedule.steps")) + 1))
    axes[2].legend()
    return (
        "The paper shows new nodes around one that a crack has left with too few neighbours. Computed here: a block "
        "of nodes with supports of 1.6 spacings, cut through by a plane (orange), seen along it. Left, a node with "
        f"Ω = {omega[node]:.0f}: neighbours on its side filled, those behind the plane hollow, the circle its "
        f"support. Middle, ⌈10 − Ω⌉ = {inserted} nodes are inserted, in the body and on its side, with their centre "
        "at the node; supports h s^(-1/3) of the s nodes that share the mass (neighbours that are split are shown "
        "where they were). Right, means over placements: with these supports nodes increasingly lack neighbours, "
        "down to the smallest support allowed; where the parts keep the support of the node, none does in the end. "
    )
