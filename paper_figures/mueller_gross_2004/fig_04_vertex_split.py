# SPDX-License-Identifier: BSD-3-Clause
"""Figure 4: a real vertex split, from the frames before and after it and the event that names vertex,
stress and direction."""

from dataclasses import dataclass

import numpy as np
from matplotlib.collections import PolyCollection

from experiments.mueller_gross_2004.measurements import split_rule as m
from experiments.mueller_gross_2004.measurements.broken_meshes import Frame, frames
from experiments.mueller_gross_2004.measurements.split_events import Choice, choices
from paper_figures.figure import Array, Axes, Drawing, Trace, style, titled
from paper_figures.solids import EDGES, View, arrow, faces_of, label, plain, shaded, shrunk

ABOVE, BELOW, PLANE, TIP = "#0072B2", "#E69F00", "#6e6e6e", "#b00020"
SHRINK = 0.86
FEWEST_FACES, MOST_ELEMENTS = 4, 16
TURN_DEG = 9.0  # of the eye out of the plane α


@dataclass(frozen=True)
class Split:
    """One split with the mesh before and after, and the paper's rule for it."""

    choice: Choice
    before: Frame
    after: Frame
    above: list[int]
    below: list[int]
    faces: list[tuple[int, int]]  # (v1, v2) of the exposed faces (v, v1, v2)

    @property
    def positions(self) -> Array:
        """At the end of the step, where the plane is laid."""
        return self.after.field("positions")

    @property
    def new_vertex(self) -> int:
        """Index of the vertex that the split made."""
        return len(self.before.parents)

    @property
    def tips(self) -> list[int]:
        """Vertices of the opened faces."""
        return sorted({v for face in self.faces for v in face})

    def vertex_of(self, side: list[int]) -> int:
        """The vertex that the elements of a side have afterwards in place of the split one."""
        element = side[0]
        return int(self.after.tetrahedra[element][self.before.tetrahedra[element] == self.choice.vertex][0])

    def as_the_rule_says(self) -> bool:
        """Elements on the one side keep the vertex, those on the other have the new one,
        and no other element changed."""
        old, new = self.before.tetrahedra, self.after.tetrahedra
        sides = {frozenset(new[e][old[e] == self.choice.vertex].tolist()) for e in self.above}, {
            frozenset(new[e][old[e] == self.choice.vertex].tolist()) for e in self.below
        }
        changed = set(np.flatnonzero((old != new).any(axis=1)).tolist())
        both = {next(iter(s)) for side in sides for s in side}
        return (
            len(sides[0]) == len(sides[1]) == 1
            and both == {self.choice.vertex, self.new_vertex}
            and changed in (set(self.above), set(self.below))
            and len(self.faces) == self.choice.faces
        )


def splits(trace: Trace) -> list[Split]:
    """Splits of a run with a frame per step, in order; hinges are kept, so each makes one vertex."""
    stored = {f.step: f for f in frames(trace)}
    found = []
    for choice in choices(trace):
        if not choice.split or choice.step not in stored or choice.step - 1 not in stored:
            continue
        before, after = stored[choice.step - 1], stored[choice.step]
        if len(after.parents) != len(before.parents) + 1:
            continue
        above, below = m.sides(before.tetrahedra, after.field("positions"), choice.vertex, choice.normal)
        found.append(
            Split(choice, before, after, above, below, m.opened_faces(before.tetrahedra, choice.vertex, above, below))
        )
    return found


def chosen(trace: Trace) -> Split:
    """The first split that opens a few faces, for a drawing that is neither empty nor crowded."""
    found = splits(trace)
    if not found:
        raise trace.missing("no split with frames before and after it")
    return next(
        (s for s in found if len(s.faces) >= FEWEST_FACES and len(s.above + s.below) <= MOST_ELEMENTS),
        max(found, key=lambda s: len(s.faces)),
    )


def _edge_on(normal: Array, inwards: Array) -> View:
    """View with the normal to the right, the eye TURN_DEG out of the plane and opposite the elements (`inwards`: to
    their centre)."""
    straight = -inwards + (inwards @ normal) * normal
    straight = straight / np.linalg.norm(straight)
    turn = np.radians(TURN_DEG)
    out = np.cos(turn) * straight + np.sin(turn) * normal
    right = np.cos(turn) * normal - np.sin(turn) * straight
    return View(np.array([right, np.cross(out, right), out]))


def _star(axes: Axes, view: View, split: Split, corners: Array) -> None:
    """The elements round the vertex, [k,4,3], in the colours of their sides."""
    elements = split.above + split.below
    colours = [ABOVE] * len(split.above) + [BELOW] * len(split.below)
    small = shrunk(corners, SHRINK)
    shaded(axes, view, faces_of(small), np.repeat(colours, 4).tolist(), edge="#ffffff", width=0.5, alpha=0.93)
    if split.choice.element in elements:
        here = view.flat(small[elements.index(split.choice.element)])
        for a, b in EDGES:
            axes.plot(*here[[a, b]].T, color=style.INK, lw=1.0, zorder=3)


def _plane(axes: Axes, view: View, centre: Array, normal: Array, half: float) -> None:
    u = np.cross(normal, view.axes[2])
    u /= np.linalg.norm(u)
    w = np.cross(normal, u)
    square = np.array([centre + half * (i * u + j * w) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    look = {"facecolors": PLANE, "edgecolors": PLANE, "alpha": 0.16, "linewidths": 0.8, "zorder": 2.5}
    axes.add_collection(PolyCollection([view.flat(square)], **look))
    top = centre + half * u if view.flat(u)[1] > 0 else centre - half * u
    label(axes, view, top, "α", PLANE, offset=(0, 3), size=11)


@titled("Figure 4 — a vertex split")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    trace = sorted(data.some(name="keep"), key=lambda c: int(c.value("scene.parameters.seed", 1)))[0]
    split = chosen(trace)
    choice, x = split.choice, split.positions
    old = split.before.tetrahedra
    v, normal = choice.vertex, choice.normal / np.linalg.norm(choice.normal)
    elements = split.above + split.below
    corners = x[old[elements]]
    size = float(np.linalg.norm(np.ptp(corners.reshape(-1, 3), axis=0)))
    apart = 0.09 * size
    opened = corners.copy()
    for k, e in enumerate(elements):
        opened[k, old[e] == v] += (apart if k < len(split.above) else -apart) * normal
    view = _edge_on(normal, corners.mean(axis=(0, 1)) - x[v])
    axes = figure.axes(1, 3, 12.4, 4.2)
    axes[0].get_gridspec().set_width_ratios([1.25, 1.25, 0.9])
    for panel, title in zip(
        axes,
        (
            "(a) before: plane α through v, across σ_max",
            "(b) after: v₊ and v₋, drawn apart",
            "(c) seen along σ_max: exposed faces",
        ),
    ):
        panel.set_title(title)
        plain(panel)
    half = 0.42 * size
    for panel, shape in ((axes[0], corners), (axes[1], opened)):
        _star(panel, view, split, shape)
        _plane(panel, view, x[v], normal, half)
    ends = [x[v] + s * 0.62 * size * normal for s in (1, -1)]
    for s, end in zip((1, -1), ends):
        arrow(axes[0], view, end - s * 0.16 * size * normal, end, style.INK, width=2.2)
    label(axes[0], view, ends[0], "σ_max", style.INK, offset=(0, 7), size=10)
    axes[0].plot(*view.flat(x[v]), "o", color=TIP, ms=7, zorder=7)
    label(axes[0], view, x[v], f"v = {v}", TIP, offset=(7, 5), size=10, weight="bold")
    for s, name, side in ((1, "v₊", split.above), (-1, "v₋", split.below)):
        number = split.vertex_of(side)
        axes[1].plot(*view.flat(x[v] + s * apart * normal), "o", color=TIP, ms=7, zorder=7)
        place, what = x[v] + s * apart * normal, f"{name} = {number}"
        label(axes[1], view, place, what, TIP, offset=(8 * s, 5), size=10, weight="bold")
    for tip in split.tips:
        axes[1].plot(*view.flat(x[tip]), "s", color=TIP, ms=5, zorder=7, mfc="#ffffff", mew=1.4)
    front = View.towards(normal)
    for e in elements:
        for a, b in EDGES:
            axes[2].plot(*front.flat(x[old[e][[a, b]]]).T, color="#d4d4d4", lw=0.7, zorder=1)
    fan = np.array([[x[v], x[a], x[b]] for a, b in split.faces])
    axes[2].add_collection(
        PolyCollection(front.flat(fan), facecolors="#f3c9c9", edgecolors=TIP, linewidths=1.2, zorder=2)
    )
    axes[2].plot(*front.flat(x[v]), "o", color=TIP, ms=7, zorder=7)
    label(axes[2], front, x[v], "v", TIP, offset=(6, 5), size=10, weight="bold")
    for tip in split.tips:
        axes[2].plot(*front.flat(x[tip]), "s", color=TIP, ms=5, zorder=7, mfc="#ffffff", mew=1.4)
        dx, dy = front.flat(x[tip] - x[v])
        offset = (6 * (np.sign(dx) or 1), 5 * (np.sign(dy) or 1))
        label(axes[2], front, x[tip], str(tip), TIP, offset=offset, size=8.5)
    flat = np.concatenate([view.flat(p).reshape(-1, 2) for p in (corners, opened, np.array(ends))])
    low, high = flat.min(axis=0) - 0.06 * size, flat.max(axis=0) + 0.08 * size
    for panel in axes[:2]:
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    bar = float(f"{0.25 * size:.1g}")
    axes[0].plot([low[0], low[0] + bar], [low[1]] * 2, color=style.INK, lw=2, clip_on=False)
    style.note(axes[0], f"{bar * 100:g} cm", low, (0, 4), size=8.5)
    axes[2].margins(0.12)
    axes[2].autoscale_view()
    handles = [
        style.key("element with its centre above α", ABOVE, ls="none", marker="^", ms=8),
        style.key("below α", BELOW, ls="none", marker="^", ms=8),
        style.key("the element whose stress passed the threshold", style.INK, ls="none", marker="^", mfc="w", ms=8),
        style.key("split vertex", TIP, ls="none", marker="o", ms=6),
        style.key("crack tip from now on", TIP, ls="none", marker="s", mfc="w", ms=5),
    ]
    figure.legend_below(5, handles=handles, fontsize=8.5)
    table = figure.table("element; side; distance of its centre from α [m]; vertex after; exposed faces")
    for k, e in enumerate(elements):
        distance = float((x[old[e]].mean(axis=0) - x[v]) @ normal)
        own = sum(1 for a, b in split.faces if {v, a, b} <= set(old[e].tolist()))
        after = int(split.after.tetrahedra[e][old[e] == v][0])
        table.add(int(e), "+" if k < len(split.above) else "−", distance, after, own)
    threshold = trace.setting("fracture_threshold_pa")
    verdict = "all as the rule says" if split.as_the_rule_says() else "NOT as the rule says"
    same = float(np.linalg.norm(x[v] - x[split.new_vertex]))
    return (
        "The paper shows: a plane through a vertex, across the largest tension, and the elements round it linked to "
        f"v₊ or v₋ by the side on which their centres lie, as a sketch in 2D. Measured here: step {choice.step} of a "
        f"torn block of {trace.tetrahedra} elements. Element {choice.element} bears σ_max = "
        f"{choice.stress / 1e3:.1f} kPa (threshold {threshold / 1e3:g} kPa); vertex {v} is split: {len(split.above)} "
        f"elements with their centres above α have v₊ = {split.vertex_of(split.above)}, {len(split.below)} below it "
        f"v₋ = {split.vertex_of(split.below)}; {len(split.faces)} faces open and {len(split.tips)} vertices become "
        f"crack tips. Sides, faces and vertices were replayed from the frames before and after: {verdict}. Hinges "
        f"are kept in this run, so that a split makes one vertex. Elements are drawn at {SHRINK:.0%} of their size; "
        f"v₊ and v₋ are {same:.1g} m apart in the frame and are drawn {2 * apart * 100:.1f} cm apart."
    )
