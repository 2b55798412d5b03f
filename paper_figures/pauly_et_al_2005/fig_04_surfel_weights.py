# SPDX-License-Identifier: BSD-3-Clause
"""Figure 4: which nodes carry a surfel on the face of a crack; the thickness of a line is the share of the node."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import surfel_detail as m
from paper_figures.figure import Array, Axes, Drawing, MissingData, Table, Trace, style, titled
from paper_figures.solids import plain

ROWS = {"transparency": "transparency", "visibility": "line of sight"}
DEPTHS = (0.12, 0.6)  # supports behind the front: a surfel near it, and one far from it
THICKEST = 7.0  # points, the largest share of all panels
SLAB = 0.5  # supports to both sides of the picture's plane within which nodes are drawn


class Picture:
    """The plane across the middle of the front: x ahead of it, y along the crack's normal."""

    def __init__(self, frame: dict[str, Array]) -> None:
        centre = frame["surfel_rest_positions"][frame["surfel_sheets"] < int(frame["surfel_counts"][0])].mean(axis=0)
        a, b = min(frame["crack_fronts"], key=lambda s: float(np.linalg.norm(s.mean(axis=0) - centre)))
        self.along = (b - a) / np.linalg.norm(b - a)
        self.front = a + self.along * float((centre - a) @ self.along)
        p, q, r = min(frame["crack_triangles"], key=lambda t: float(np.linalg.norm(t.mean(axis=0) - self.front)))
        normal = np.cross(q - p, r - p)
        self.normal = normal / np.linalg.norm(normal)
        self.ahead = np.cross(self.along, self.normal)
        if self.ahead @ (p + q + r - 3 * self.front) > 0:
            self.ahead = -self.ahead

    def flat(self, points: Array) -> Array:
        """[…, 2], m."""
        away = points - self.front
        return np.stack([away @ self.ahead, away @ self.normal], axis=-1)

    def off(self, points: Array) -> Array:
        """Distance from the plane, m."""
        return np.asarray(np.abs((points - self.front) @ self.along))


def surfel_at(frame: dict[str, Array], picture: Picture, depth: float) -> int:
    """The surfel of the crack's face with nodes above (normal down) nearest to that depth (m) behind the front."""
    faces = frame["surfel_sheets"] >= int(frame["surfel_counts"][0])
    below = frame["surfel_rest_normals"] @ picture.normal < 0
    wanted = picture.front - depth * picture.ahead
    far = np.linalg.norm(frame["surfel_rest_positions"] - wanted, axis=1)
    if not (faces & below).any():
        raise MissingData("no surfel on the face of the crack")
    return int(np.where(faces & below, far, np.inf).argmin())


def shares_of(frame: dict[str, Array], surfel: int) -> tuple[Array, Array]:
    """Nodes and their shares."""
    at = frame["surfel_pairs"][:, 0] == surfel
    return frame["surfel_pairs"][at, 1], frame["surfel_pair_weights"][at]


def _panel(axes: Axes, trace: Trace, frame: dict[str, Array], depth: float, largest: float, table: Table) -> None:
    rest = trace.scene("rest_positions")
    support = float(frame["node_supports"][0])
    picture = Picture(frame)
    surfel = surfel_at(frame, picture, depth * support)
    nodes, shares = shares_of(frame, surfel)
    at = picture.flat(frame["surfel_rest_positions"][surfel]) / support
    flat = picture.flat(rest) / support
    drawn = (picture.off(rest) < SLAB * support) & (np.abs(flat - at).max(axis=1) < 1.15)
    axes.plot([at[0] - 1.15, 0], [0, 0], color=style.FAILED, lw=1.6)
    axes.plot([0], [0], marker="|", color=style.FAILED, ms=10)
    for node, share in zip(nodes, shares):
        if drawn[node] and share > 0:
            lw = THICKEST * share / largest
            axes.plot(*np.stack([at, flat[node]]).T, color=style.INK, lw=lw, solid_capstyle="butt", zorder=1)
    axes.plot(*flat[drawn].T, "o", color="#009E73", ms=5, zorder=2)
    axes.plot(*at, "o", color="#E69F00", markeredgecolor=style.INK, ms=8, zorder=3)
    plain(axes)
    side = (rest[nodes] - picture.front) @ picture.normal
    depth_here = -float(at[0])
    axes.set_title(f"{ROWS[trace.method_name]}, {depth_here:.2f} h behind the front", fontsize=8.5)
    table.add(trace.method_name, depth_here, int((shares > 0).sum()), shares.max(), float(shares[side < 0].sum()))


@titled("Figure 4 — weights that carry a surfel")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = {}
    for name in ROWS:
        with_surfels = [c for c in data.some(name=name) if m.radius(c) > 0]
        if with_surfels:
            cells[name] = max(with_surfels, key=m.radius)
    if not cells:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: no cell with surfels")
    frames = {name: m.last(cell) for name, cell in cells.items()}
    table = figure.table(
        "weights; depth behind the front [h] .3g; nodes that carry it; largest share; "
        "share of nodes across the crack"
    )
    largest = 0.0
    for frame in frames.values():
        picture, support = Picture(frame), float(frame["node_supports"][0])
        largest = max(
            largest, *(float(shares_of(frame, surfel_at(frame, picture, d * support))[1].max()) for d in DEPTHS)
        )
    axes = figure.axes(len(cells), len(DEPTHS), 7.2, 3.3 * len(cells))
    for row, (name, cell) in zip(np.atleast_2d(axes), cells.items()):
        for panel, depth in zip(row, DEPTHS):
            _panel(panel, cell, frames[name], depth, largest, table)
    return (
        "The paper shows: lines between a surfel and simulation nodes, whose thickness is the influence of the "
        "node, at a crack front that advances. Drawn here from computed weights: a surfel (orange) on the upper "
        "face of a crack (red, its front the upright mark), near the front and far from it, and the nodes (green) "
        "within half a support of the picture's plane. Near the front, nodes across the crack still carry the "
        "surfel with transparency, and none does by line of sight; the table has the shares."
    )
