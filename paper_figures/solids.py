# SPDX-License-Identifier: BSD-3-Clause
"""A few solids in parallel projection, as vector graphics: tetrahedra with hidden edges dashed,
shaded triangles, arrows, labels.

For constructions on a handful of elements; whole bodies are rendered by render.py or drawn flat by drawing.py."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patheffects import withStroke

from deformbench_analysis.arrays import Array
from paper_figures import style

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])  # outward where det[x1−x0, x2−x0, x3−x0] > 0
EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])


@dataclass(frozen=True)
class View:
    """Rows of `axes`: right, up, and towards the eye; an orthonormal frame."""

    axes: Array

    @staticmethod
    def towards(eye: Sequence[float] | Array, up: Sequence[float] | Array = (0.0, 1.0, 0.0)) -> "View":
        """Seen from direction `eye`, with the projection of `up` upwards."""
        out = np.asarray(eye, dtype=float) / np.linalg.norm(eye)
        right = np.cross(up, out)
        if np.linalg.norm(right) < 1e-9:
            right = np.cross([1.0, 0.0, 0.0] if abs(out[0]) < 0.9 else [0.0, 0.0, 1.0], out)
        right /= np.linalg.norm(right)
        return View(np.array([right, np.cross(out, right), out]))

    def flat(self, points: Array) -> Array:
        """[…,2] in the plane of the picture, metres."""
        return np.asarray(points @ self.axes[:2].T)

    def depth(self, points: Array) -> Array:
        """Distance towards the eye."""
        return np.asarray(points @ self.axes[2])


def mix(colour: str, other: str, share: float) -> str:
    """`share` of the other colour in the first; both #rrggbb."""
    a, b = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)], dtype=float) for c in (colour, other))
    return "#" + "".join(f"{round(v):02x}" for v in (1 - share) * a + share * b)


def plain(axes: Axes) -> None:
    """Equal scales, no frame: a drawing, not a diagram."""
    axes.set_aspect("equal")
    axes.axis("off")


def tetrahedron(
    axes: Axes,
    view: View,
    corners: Array,
    colour: str,
    *,
    fill: float = 0.16,
    width: float = 1.5,
    dashed: bool = False,
    order: float = 1.0,
) -> None:
    """One element, [4,3]: faces tinted, edges behind them thin and dotted.
    `dashed`: visible edges dashed. ValueError if inverted."""
    flat = view.flat(corners)
    if np.linalg.det(corners[1:] - corners[0]) < 0:
        raise ValueError("inverted element")
    normals = [np.cross(corners[b] - corners[a], corners[c] - corners[a]) for a, b, c in FACES]
    seen = [float(n @ view.axes[2]) > 0 for n in normals]
    if fill > 0:
        front = [flat[f] for f, s in zip(FACES, seen) if s]
        axes.add_collection(PolyCollection(front, facecolors=colour, alpha=fill, edgecolors="none", zorder=order))
    for a, b in EDGES:
        hidden = not any(s for f, s in zip(FACES, seen) if a in f and b in f)
        lw = 0.5 * width if hidden else width
        ls = (0, (1, 2)) if hidden else (0, (4, 2)) if dashed else "-"
        axes.plot(*flat[[a, b]].T, color=colour, lw=lw, zorder=order + 0.1, solid_capstyle="round", ls=ls)


def shaded(
    axes: Axes,
    view: View,
    triangles: Array,
    colours: Sequence[str],
    *,
    edge: str = "#ffffff",
    width: float = 0.4,
    alpha: float = 1.0,
    order: float = 1.0,
    light: Sequence[float] = (-0.3, 0.5, 0.8),
) -> None:
    """Triangles [k,3,3], farthest first, with light from the upper left; one of `colours` each."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    source = np.asarray(light) / np.linalg.norm(light) @ view.axes
    bright = np.abs(normal @ source) / length
    tinted = [mix(c, "#ffffff", 0.55 * b) for c, b in zip(colours, bright)]
    far_first = np.argsort(view.depth(triangles).mean(axis=1))
    faces, look = [tinted[k] for k in far_first], {"linewidths": width, "alpha": alpha, "zorder": order}
    axes.add_collection(PolyCollection(view.flat(triangles)[far_first], facecolors=faces, edgecolors=edge, **look))


def arrow(
    axes: Axes,
    view: View,
    start: Array,
    end: Array,
    colour: str,
    *,
    width: float = 1.8,
    order: float = 6.0,
    style: str = "-|>",
) -> None:
    """From start to end, both [3]; drawn above the solids."""
    a, b = view.flat(np.asarray(start)), view.flat(np.asarray(end))
    arrowprops = {
        "arrowstyle": style,
        "color": colour,
        "linewidth": width,
        "mutation_scale": 11,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", xy=b, xytext=a, zorder=order, arrowprops=arrowprops)
    axes.update_datalim([a, b])


def label(
    axes: Axes,
    view: View,
    point: Array,
    text: str,
    colour: str,
    *,
    offset: tuple[float, float] = (4, 4),
    size: float = 9,
    weight: str = "normal",
    order: float = 8.0,
) -> None:
    """Text beside a point; `offset` in points of the page."""
    style.note(
        axes,
        text,
        view.flat(np.asarray(point)),
        offset,
        color=colour,
        fontsize=size,
        weight=weight,
        zorder=order,
        path_effects=[withStroke(linewidth=2.5, foreground="#ffffff")],
        ha="left" if offset[0] > 0 else "right" if offset[0] < 0 else "center",
        va="bottom" if offset[1] > 0 else "top" if offset[1] < 0 else "center",
    )


def shrunk(corners: Array, factor: float) -> Array:
    """Elements [k,4,3] shrunk about their centres, to distinguish neighbours."""
    centre = corners.mean(axis=1, keepdims=True)
    return np.asarray(centre + factor * (corners - centre))


def faces_of(corners: Array) -> Array:
    """All faces of elements [k,4,3] as triangles [4k,3,3]."""
    return np.asarray(corners[:, FACES].reshape(-1, 3, 3))
