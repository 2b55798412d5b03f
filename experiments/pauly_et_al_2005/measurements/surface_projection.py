# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surface_projection: projection of front ends onto their own sheet of
surfels."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.surfels import Sheet, sheets_of
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Quantity, Trace, extremes
from deformbench_analysis.vocabulary import parameter, quantity, rows

M = Measures("pauly_et_al_2005/surface_projection")
TUBE = 0.5  # tube radius / ring radius of the torus
SHAPE, SIZE = "scene.parameters.shape", "scene.parameters.size_m"
radius = parameter("method.parameters.surfel_radius_m", float, "Radius of the surfels, m.")


def least_curvature_radius(trace: Trace) -> float:
    """R, m: of the sphere, of the tube."""
    size = float(trace.value(SIZE))
    return size if trace.value(SHAPE) == "sphere" else TUBE * size


def height(trace: Trace, points: Array) -> Array:
    """Signed distance to the round surface in closed form, m."""
    size = float(trace.value(SIZE))
    if trace.value(SHAPE) == "sphere":
        return np.asarray(np.linalg.norm(points, axis=1) - size)
    ring = np.linalg.norm(points[:, :2], axis=1) - size
    return np.asarray(np.hypot(ring, points[:, 2]) - TUBE * size)


@dataclass(frozen=True)
class Ends:
    """All points that one member projects."""

    sheets: dict[int, Sheet]
    own: Array  # [k], number of the sheet
    start: Array  # [k, 3], m
    end: Array  # [k, 3], m; not a number where undefined

    @property
    def is_defined(self) -> Array:
        """Whether each point has a projection."""
        return np.asarray(np.isfinite(self.end).all(axis=1))

    def by_sheet(self) -> Iterator[tuple[Sheet, Array, Array]]:
        """Sheet, starts and ends of the points that have an end."""
        for number, sheet in self.sheets.items():
            chosen = (self.own == number) & self.is_defined
            if chosen.any():
                yield sheet, self.start[chosen], self.end[chosen]


def ends_of(trace: Trace) -> Iterator[Ends]:
    """Projected points of every member at the end."""
    for member in members_of(trace):
        *_, (_, _, frame) = trace.frames(member=member, last=True)
        rows = frame["surfel_projections"]
        if not len(rows):
            raise MissingData(f"{trace.label}: no points were projected")
        yield Ends(sheets_of(frame, radius(trace)), rows[:, 0].astype(int), rows[:, 1:4], rows[:, 4:7])


def _of_members(phrase: str) -> Callable[[Callable[[Trace, Ends], float]], Quantity]:
    return lambda of: quantity(phrase)(lambda trace: np.array([of(trace, ends) for ends in ends_of(trace)]))


@_of_members("|n·(y − a)|/r of a projected point y, n and a the weighted means of its own sheet's surfels")
def residual(trace: Trace, ends: Ends) -> float:
    found = [np.abs(sheet.residuals(end)).max() for sheet, _, end in ends.by_sheet()]
    return float(extremes.finite(found, trace.label).max()) / radius(trace)


@_of_members("distance of a projected point to the surface in closed form relative to r²/R")
def distance(trace: Trace, ends: Ends) -> float:
    off = np.abs(height(trace, ends.end[ends.is_defined]))
    return float(extremes.finite(off, trace.label).max()) * least_curvature_radius(trace) / radius(trace) ** 2


@_of_members("distance of a projected point from the plane of its own sheet relative to r")
def off_plane(trace: Trace, ends: Ends) -> float:
    worst = []
    for sheet, _, end in ends.by_sheet():
        normal = sheet.normals.mean(axis=0)
        worst.append(np.abs((end - sheet.positions.mean(axis=0)) @ normal).max())
    return float(extremes.finite(worst, trace.label).max()) / radius(trace)


@_of_members("share of points that are nearer to another sheet than to their own before they are projected")
def nearer_to_another(_: Trace, ends: Ends) -> float:
    nearest = np.stack([sheet.distances(ends.start) for sheet in ends.sheets.values()])
    numbers = list(ends.sheets)
    own = nearest[[numbers.index(n) for n in ends.own], np.arange(len(ends.own))]
    return float((nearest.min(axis=0) < own).mean())


def is_round(trace: Trace) -> bool:
    """Spheres and tori."""
    return trace.method_name in ("sphere", "torus")


def is_flat(trace: Trace) -> bool:
    """Boxes, and parallel cracks 0.3 r apart."""
    return trace.method_name in ("box", "cracks")


M.largest("residual", residual, EVERY_RUN)
M.largest("distance", distance, EVERY_RUN.where(is_round))
M.largest("off_own_plane", off_plane, EVERY_RUN.where(is_flat))
M.least("nearer_to_another", nearer_to_another, rows("cracks", says="parallel cracks"))
