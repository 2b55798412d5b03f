# SPDX-License-Identifier: BSD-3-Clause
"""Figure 6: a real surface before and after one face T_v of the mesh opens: cut along it,
closed by two copies of the part inside."""

import re
from dataclasses import dataclass

import numpy as np
from matplotlib.collections import PolyCollection

from experiments.mueller_gross_2004.measurements.broken_meshes import Frame, exposed_faces, frames
from experiments.mueller_gross_2004.measurements.split_events import Choice, choices
from paper_figures.figure import Array, Axes, Drawing, MissingData, Trace, style, titled
from paper_figures.solids import View, label, plain, shaded

EXPERIMENT = "mueller_gross_2004/surface_cut"
SURFACE, FACE, FIRST, SECOND = "#c9b8a8", "#b00020", "#0072B2", "#E69F00"
NEAR = 0.72  # drawn surface: distance from the middle of the cut / size of the face
APART = 0.11  # half the drawn opening where the cut is widest / size of the face
_CUT = re.compile(r"(\d+) faces? opened, (\d+) triangles? cut")


@dataclass(frozen=True)
class Cut:
    """One opened face with the frames before and after it."""

    choice: Choice
    before: Frame
    after: Frame
    face: list[int]  # vertices of the mesh, the split one first
    origin: int  # of the new triangles in skin_origins
    triangles_cut: int

    def mesh(self) -> Array:
        """Positions of the mesh after the cut, m."""
        return self.after.field("positions")

    @property
    def corners(self) -> Array:
        """Corners of T_v, [3,3], m; the split vertex comes first."""
        return np.asarray(self.mesh()[self.face])

    @property
    def normal(self) -> Array:
        """Unit normal of T_v, on the side of the normal of the split plane."""
        a, b, c = self.corners
        n = np.cross(b - a, c - a)
        n /= np.linalg.norm(n)
        return np.asarray(n if n @ self.choice.normal >= 0 else -n)

    def copies(self) -> tuple[Array, Array]:
        """The new triangles that face along the normal, and those that face against it;
        [k,3] surface vertices."""
        skin, points = self.after.field("skin_triangles"), self.after.field("skin_positions")
        new = skin[self.after.field("skin_origins") == self.origin]
        corners = points[new]
        along = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) @ self.normal > 0
        return new[along], new[~along]


def cuts(trace: Trace) -> list[Cut]:
    """Steps in which exactly one face opened and it met the surface."""
    told = {int(e.step): _CUT.search(e.detail) for e in trace.events().itertuples() if e.kind == "surface_cut"}
    done = {c.step: c for c in choices(trace) if c.split}
    stored = {f.step: f for f in frames(trace)}
    found = []
    for step, match in told.items():
        if (
            match is None
            or int(match.group(1)) != 1
            or int(match.group(2)) == 0
            or step not in done
            or step not in stored
            or step - 1 not in stored
        ):
            continue
        before, after = stored[step - 1], stored[step]
        opened = exposed_faces(before.tetrahedra, after.tetrahedra)
        new = sorted(set(after.field("skin_origins").tolist()) - set(before.field("skin_origins").tolist()))
        vertex = done[step].vertex
        if len(opened) != 1 or len(new) != 1 or vertex not in opened[0]:
            continue
        face = [vertex, *(int(v) for v in opened[0] if v != vertex)]
        found.append(Cut(done[step], before, after, face, int(new[0]), int(match.group(2))))
    return found


def chosen(trace: Trace) -> Cut:
    """The cut through the most triangles of the surface."""
    found = cuts(trace)
    if not found:
        raise MissingData(
            f"{EXPERIMENT}: {trace.label}: no step in which one face opened across the surface, with frames before "
            "and after it"
        )
    return max(found, key=lambda c: c.triangles_cut)


def _weights(corners: Array, points: Array) -> Array:
    """Barycentric coordinates [n,3] of points in the plane of a triangle."""
    edges = (corners[1:] - corners[0]).T
    inner = np.linalg.lstsq(edges, (points - corners[0]).T, rcond=None)[0].T
    return np.column_stack([1 - inner.sum(axis=1), inner])


def drawn_apart(cut: Cut, distance: float) -> Array:
    """Surface positions with the elements on the sides of the split vertex moved ± distance
    along the normal."""
    tetrahedra, x = cut.after.tetrahedra, cut.mesh()
    points = cut.after.field("skin_positions")
    other = len(cut.before.parents)  # the vertex that is new
    side = {
        v: float(np.sign(np.mean((x[tetrahedra[(tetrahedra == v).any(axis=1)]].mean(axis=1) - x[v]) @ cut.normal)))
        for v in (cut.face[0], other)
    }
    moved = points.copy()
    best = np.full(len(points), -np.inf)
    for v, sign in side.items():
        for element in tetrahedra[(tetrahedra == v).any(axis=1)]:
            corners = x[element]
            inner = np.linalg.solve((corners[1:] - corners[0]).T, (points - corners[0]).T).T
            weights = np.column_stack([1 - inner.sum(axis=1), inner])
            inside = weights.min(axis=1)
            better = (inside > -1e-6) & (inside > best)
            moved[better] = points[better] + (sign * distance * weights[better][:, element == v]) * cut.normal
            best[better] = inside[better]
    for triangles, sign in zip(cut.copies(), (-1.0, 1.0)):  # a copy facing along the normal closes the side below
        own = np.unique(triangles)
        moved[own] = points[own] + sign * distance * _weights(cut.corners, points[own])[:, :1] * cut.normal
    shared = np.intersect1d(*(np.unique(t) for t in cut.copies()))
    moved[shared] = points[shared]  # on the uncut edge
    return moved


def _rim(triangles: Array) -> Array:
    """[k,2] boundary edges of one copy."""
    pairs, count = np.unique(
        np.sort(np.concatenate([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1),
        axis=0,
        return_counts=True,
    )
    return np.asarray(pairs[count == 1])


def _on_an_edge(corners: Array, points: Array, pair: Array) -> bool:
    """Do both ends of a segment lie on one edge of the face?"""
    return bool((np.abs(_weights(corners, points[pair])) < 1e-7).all(axis=0).any())


def outer_part(cut: Cut) -> Array | None:
    """The part of T_v outside the surface as a polygon [k,3]; None unless the surface meets T_v in one line."""
    corners, points = cut.corners, cut.after.field("skin_positions")
    inside = cut.copies()[0]
    left = [tuple(int(v) for v in pair) for pair in _rim(inside) if not _on_an_edge(corners, points, pair)]
    ends = [v for v, count in zip(*np.unique(np.array(left), return_counts=True)) if count == 1] if left else []
    if len(ends) != 2:
        return None
    line = [int(ends[0])]
    while left:
        following = next((p for p in left if line[-1] in p), None)
        if following is None:
            return None
        left.remove(following)
        line.append(following[0] if following[1] == line[-1] else following[1])
    covered = points[np.unique(inside)]
    out = [k for k in range(3) if np.linalg.norm(covered - corners[k], axis=1).min() > 1e-9]
    start, end = _weights(corners, points[[line[0], line[-1]]])
    if len(out) == 2 and not np.isclose(
        start[out[1]], 0, atol=1e-7
    ):  # the line must end where the second corner's edge is
        out.reverse()
    # The polygon: corners outside, then back along the line from the last corner's side.
    if len(out) == 2 and end[out[0]] > 1e-7:
        line.reverse()
    return np.vstack([corners[out], points[line[::-1]]]) if out else None


def _in_its_plane(axes: Axes, cut: Cut, view: View) -> None:
    corners, points = cut.corners, cut.after.field("skin_positions")
    inside = cut.copies()[0]
    axes.add_collection(
        PolyCollection(
            [view.flat(corners)],
            facecolors="#ffffff",
            edgecolors=FACE,
            hatch="////",
            linewidths=0,
            zorder=1,
            alpha=0.25,
        )
    )
    fill, part = style.METHODS["warped_global"].colour, view.flat(points[inside])
    axes.add_collection(PolyCollection(part, facecolors=fill, edgecolors="#2f86b5", linewidths=0.6, zorder=2))
    closed = np.vstack([corners, corners[:1]])
    axes.plot(*view.flat(closed).T, color=FACE, lw=1.6, zorder=3)
    for pair in _rim(inside):
        if not _on_an_edge(corners, points, pair):
            axes.plot(*view.flat(points[pair]).T, color=style.INK, lw=2.2, zorder=4)
    for k, (corner, name) in enumerate(zip(corners, ("v", "v₁", "v₂"))):
        dx, dy = view.flat(corner - corners.mean(axis=0))
        offset = (5 * np.sign(dx), 5 * np.sign(dy))
        weight = "bold" if k == 0 else "normal"
        label(axes, view, corner, name if k else f"v = {cut.face[0]}", FACE, offset=offset, size=10, weight=weight)


@titled("Figure 6 — a surface cut along a face")
def make(figure: Drawing) -> str:
    data = figure.experiment(EXPERIMENT)
    trace = data.one(name="warped")
    cut = chosen(trace)
    corners, points = cut.corners, cut.after.field("skin_positions")
    size = float(np.linalg.norm(np.ptp(corners, axis=0)))
    first, second = cut.copies()
    middle = points[np.unique(first)].mean(axis=0)
    outward = points[np.unique(first)].mean(axis=0) - cut.mesh().mean(axis=0)
    outward /= np.linalg.norm(outward)
    along = np.cross(cut.normal, outward)
    along /= np.linalg.norm(along)
    straight = (
        outward - (outward @ cut.normal) * cut.normal
    )  # in the plane of T_v, so that both sides of the opening show
    edge_on = View.towards(straight / np.linalg.norm(straight) + 0.55 * along, outward)
    view = View.towards(0.80 * outward + 0.12 * cut.normal + 0.55 * along, outward)
    front = View.towards(cut.normal, outward)
    before, skin = cut.before.field("skin_positions"), cut.before.field("skin_triangles")
    near = skin[(np.linalg.norm(before[skin] - middle, axis=2) < NEAR * size).all(axis=1)]
    axes = figure.axes(1, 3, 12.4, 4.6)
    titles = (
        "(a) before: the surface and the face T_v",
        "(b) T_v in its plane",
        "(c) after, seen along T_v: two copies",
    )
    for panel, title in zip(axes, titles):
        panel.set_title(title)
        plain(panel)
    shaded(axes[0], view, before[near], [SURFACE] * len(near), edge="#8b7a6b", width=0.35, alpha=0.9)
    axes[0].plot(*view.flat(np.vstack([corners, corners[:1]])).T, color=FACE, lw=1.2, ls=(0, (3, 2)), zorder=3)
    outer = outer_part(cut)
    if outer is not None:
        axes[0].add_collection(
            PolyCollection(
                [view.flat(outer)], facecolors="#e8b4bb", alpha=0.85, edgecolors=FACE, linewidths=1.6, zorder=4
            )
        )
    label(axes[0], view, corners[0], "v", FACE, offset=(5, 4), size=10, weight="bold")
    label(axes[0], view, (corners if outer is None else outer).mean(axis=0), "T_v", FACE, offset=(0, 0), size=10)
    _in_its_plane(axes[1], cut, front)
    widest = float(_weights(corners, points[np.unique(first)])[:, 0].max())
    distance = APART * size / max(widest, 0.1)
    moved = drawn_apart(cut, distance)
    after = cut.after.field("skin_triangles")
    origins = cut.after.field("skin_origins")
    close = (np.linalg.norm(points[after] - middle, axis=2) < NEAR * size).all(axis=1) & (origins != cut.origin)
    pieces = np.concatenate([moved[after[close]], moved[first], moved[second]])
    colours = [SURFACE] * int(close.sum()) + [FIRST] * len(first) + [SECOND] * len(second)
    shaded(axes[2], edge_on, pieces, colours, edge="#8b7a6b", width=0.35, alpha=0.95)
    for panel, seen, drawn in (
        (axes[0], view, np.concatenate([before[near].reshape(-1, 3), corners])),
        (axes[2], edge_on, pieces.reshape(-1, 3)),
    ):
        low, high = seen.flat(drawn).min(axis=0) - 0.05 * size, seen.flat(drawn).max(axis=0) + 0.05 * size
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        bar = float(f"{0.3 * size:.1g}")
        panel.plot([low[0], low[0] + bar], [low[1]] * 2, color=style.INK, lw=2, clip_on=False)
        style.note(panel, f"{bar * 100:g} cm", low, (0, 4), size=8.5)
    axes[1].autoscale_view()
    axes[1].margins(0.15)
    square = {"ls": "none", "marker": "s", "ms": 9}
    handles = [
        style.key("surface", SURFACE, **square),
        style.key("face T_v of two tetrahedra", FACE),
        style.key("where T_v meets the surface", style.INK),
        style.key("part of T_v inside", style.METHODS["warped_global"].colour, **square),
        style.key("its copy on one tetrahedron", FIRST, **square),
        style.key("on the other", SECOND, **square),
    ]
    figure.legend_below(6, handles=handles, fontsize=8.5)
    area = [
        float(np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1).sum() / 2)
        for p in (points[first], points[second])
    ]
    whole = float(np.linalg.norm(np.cross(corners[1] - corners[0], corners[2] - corners[0])) / 2)
    table = figure.table("part; triangles; vertices; area [m^2] .5g")
    table.add("T_v", 1, 3, whole)
    table.add("copy on one side", len(first), len(np.unique(first)), area[0])
    table.add("copy on the other side", len(second), len(np.unique(second)), area[1])
    table.add("whole surface before", len(skin), len(before), None)
    table.add("whole surface after", len(after), len(points), None)
    open_edges = (
        int(trace.values("step", "skin_boundary_edges").max()) if trace.has("step", "skin_boundary_edges") else -1
    )
    return (
        "The paper shows: a surface cut along the face T_v of two tetrahedra that come apart, and the part of T_v "
        f"inside it, once for each of them, as a sketch. Measured here: step {cut.choice.step} of a torn block of "
        f"{trace.tetrahedra} tetrahedra with a sphere in it. Vertex {cut.choice.vertex} is split and one face opens; "
        f"{cut.triangles_cut} triangles are cut, and the surface goes from {len(skin):,} to {len(after):,} "
        f"triangles. {area[0] / whole:.0%} of T_v lie inside; the two copies have {len(first)} triangles each and "
        f"areas that differ by {abs(area[0] - area[1]) / whole:.1e} of T_v. No step of the run leaves more than "
        f"{open_edges} open edges. In (a) the part of T_v inside is dashed; in (c) the sides are drawn up to "
        f"{2 * distance * widest * 100:.1f} cm apart, in the frame they still coincide."
    )
