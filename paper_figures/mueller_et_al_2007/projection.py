# SPDX-License-Identifier: BSD-3-Clause
"""Explicit constraints of a trace: their values, and one projection with the corrections of the linearised
constraint, computed here from the stored positions. Drawn in Figures 2, 4 and 5 of [MHHR07]."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis import position_constraints as pc
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures.solids import View, arrow, label

EXPERIMENT = "mueller_et_al_2007/constructions"
KIND = "scene.parameters.kind"
# Indexed by /scene/constraint_kinds.
KINDS = ("distance", "bend", "tetra_volume", "triangle_point", "triangle_point_scaled")
BEFORE, AFTER, MOVE = "#8a8f96", "#0072B2", "#D55E00"
PLACES = "; ".join(f"{axis} {when} [m] .9g" for when in ("before", "after") for axis in "xyz")  # columns of tables


def bend_normals(p: Array) -> tuple[Array, Array]:
    """Unit normals of the triangles (0, 2, 1) and (0, 1, 3); equal where the pair is flat. p is […,4,3]."""
    a, b, c, d = (p[..., k, :] for k in range(4))
    first, second = np.cross(c - a, b - a), np.cross(b - a, d - a)
    return first / np.linalg.norm(first, axis=-1, keepdims=True), second / np.linalg.norm(
        second, axis=-1, keepdims=True
    )


def triangle_normal(p: Array) -> Array:
    """Unit normal of the first three of […,3 or 4,3]."""
    normal = np.cross(p[..., 1, :] - p[..., 0, :], p[..., 2, :] - p[..., 0, :])
    return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))


def quantities(kind: str, p: Array) -> Array:
    """Value that the constraint compares with its rest value, p […,n,3] → […], in m, rad or m³."""
    return pc.values(KINDS.index(kind), p)


def triangle_point(p: Array) -> float:
    """Height of vertex 3 above the triangle of the others, m."""
    return float(quantities("triangle_point", p))


def bend(p: Array) -> float:
    """Signed angle between the normals, rad; 0 where the pair is flat."""
    return float(quantities("bend", p))


def constraint_values(trace: Trace) -> tuple[str, Array]:
    """(kind, C [frame, constraint]) of the explicit constraints at every row of the clock frame;
    they are all of one kind."""
    kinds = np.unique(trace.scene("constraint_kinds"))
    if len(kinds) != 1:
        raise trace.missing(f"{len(kinds)} kinds of constraints, expected one")
    kind = KINDS[int(kinds[0])]
    vertices = trace.scene("constraint_vertices")
    points = trace.values("frame", "positions")[:, vertices[:, vertices[0] >= 0]]
    return kind, quantities(kind, points) - trace.scene("constraint_rest_values")


@dataclass(frozen=True)
class Projection:
    """One constraint in a step without forces: `before` are the predicted positions, `after` the projected ones."""

    kind: str
    inverse_masses: Array  # [n], 1/kg; 0 for a held vertex
    rest: float
    before: Array  # [n,3], m
    after: Array  # [n,3], m
    trace: Trace

    def value(self, points: Array) -> float:
        """C."""
        return float(quantities(self.kind, points)) - self.rest

    @property
    def corrections(self) -> Array:
        """Δp, [n,3], m."""
        return np.asarray(self.after - self.before)

    @property
    def expected(self) -> Array:
        """−w_i ∇_iC · C / Σ w_j|∇_jC|², [n,3], m."""
        gradient = pc.gradients(KINDS.index(self.kind), self.before)
        return pc.corrections(np.asarray(self.value(self.before)), gradient, self.inverse_masses, False)

    @property
    def deviation(self) -> float:
        """Largest difference from the expected corrections / the largest of these."""
        return float(np.abs(self.corrections - self.expected).max() / np.abs(self.expected).max())

    @property
    def centre_moved(self) -> float:
        """Displacement of the centre of mass / largest correction; NaN if a vertex is held."""
        if (self.inverse_masses == 0).any():
            return float("nan")
        masses = 1 / self.inverse_masses
        return float(
            np.linalg.norm(masses @ self.corrections) / masses.sum() / np.linalg.norm(self.corrections, axis=1).max()
        )


def projections_of(trace: Trace) -> list[Projection]:
    """The first step of every explicit constraint of a trace whose constraints share no vertex;
    MissingData where two frames are not stored."""
    frames = len(trace.values("frame", "step"))
    if frames < 2 or np.abs(trace.values("frame", "velocities")[0]).max() > 0:
        raise trace.missing(f"{frames} frames, expected one at rest and one after a step")
    samples = pc.Samples(trace)
    return [
        Projection(KINDS[samples.kind], w, float(rest), before, after, trace)
        for w, rest, before, after in zip(samples.w, samples.rest, samples.before, samples.after)
    ]


def projections(results: Results, kind: str) -> list[Projection]:
    """Projections of all cells with constraints of this kind."""
    return [p for c in results.experiment(EXPERIMENT).some(where={KIND: kind}) for p in projections_of(c)]


def nearest(
    found: Sequence[Projection], wanted: Callable[[Projection], bool], cost: Callable[[Projection], float]
) -> Projection:
    """The wanted projection of least cost, for a figure to draw."""
    fitting = [p for p in found if wanted(p)]
    if not fitting:
        raise MissingData(f"{EXPERIMENT}: none of {len(found)} constraints can be drawn")
    return min(fitting, key=cost)


def checked(found: Sequence[Projection]) -> str:
    """How well all stored projections fit the formula and keep the centre of mass, for a caption."""
    off, moved = max(p.deviation for p in found), float(np.nanmax([p.centre_moved for p in found]))
    return (
        f"Over all {len(found)} constraints of the run the stored corrections differ from −w∇C·C/Σw|∇C|², with "
        f"gradients by differences, by at most {off:.1e} of the largest correction, and the centre of mass moves by "
        f"at most {moved:.1e} of it"
    )


def draw_moves(
    axes: Axes,
    view: View,
    before: Array,
    after: Array,
    inverse_masses: Array,
    names: Sequence[str],
    offsets: Sequence[tuple[float, float]],
) -> None:
    """Vertices before (hollow) and after (solid, area by mass), with arrows Δp and names at the old places."""
    heaviest = float((1 / inverse_masses[inverse_masses > 0]).max())
    extent = float(np.ptp(before, axis=0).max())
    for k, (old, new, w) in enumerate(zip(before, after, inverse_masses)):
        size = 14.0 if w == 0 else 5 + 9 * float(np.sqrt(1 / w / heaviest))
        axes.plot(*view.flat(old), "o", ms=size, mfc="#ffffff", markeredgecolor=BEFORE, zorder=4)
        axes.plot(*view.flat(new), "s" if w == 0 else "o", ms=size, color=AFTER, zorder=5)
        if np.linalg.norm(view.flat(new) - view.flat(old)) > 1e-3 * extent:
            arrow(axes, view, old, new, MOVE, width=1.8, order=7)
        label(axes, view, old, names[k], "#1c1c1c", offset=offsets[k], size=9.5)
