# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surface_projection: ends of fronts that go back to the sheet of surfels they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...mesh_frames import members_of
from ...results import ExperimentData
from ...surfels import Sheet, sheets_of
from ...trace import Trace

EXPERIMENT = "pauly_et_al_2005/surface_projection"
ROUND, FLAT, CRACKS = ("sphere", "torus"), ("box", "cracks"), "cracks"
TUBE = 0.5  # radius of the tube of the torus, over that of its ring
SHAPE, SIZE = "scene.parameters.shape", "scene.parameters.size_m"


def radius(trace: Trace) -> float:
    """Of the surfels, m."""
    return float(trace.value("method.parameters.surfel_radius_m"))


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
    """Of every member, at the end."""
    for member in members_of(trace):
        *_, (_, _, frame) = trace.frames(member=member, last=True)
        rows = frame["surfel_projections"]
        if not len(rows):
            raise MissingData(f"{trace.label}: no points were projected")
        yield Ends(sheets_of(frame, radius(trace)), rows[:, 0].astype(int), rows[:, 1:4], rows[:, 4:7])


def _largest(data: ExperimentData, of: Callable[[Trace, Ends], float], *names: str) -> Measured:
    cells = data.every(keep=lambda c: not names or c.method_name in names)
    return extremes.largest({c: max(of(c, e) for e in ends_of(c)) for c in cells})


def _residual(trace: Trace, ends: Ends) -> float:
    found = [np.abs(sheet.residuals(end)).max() for sheet, _, end in ends.by_sheet()]
    return float(extremes.finite(found, trace.label).max()) / radius(trace)


def distance(trace: Trace, ends: Ends) -> float:
    """Largest distance to the round surface over r²/R, 1."""
    off = np.abs(height(trace, ends.end[ends.is_defined]))
    return float(extremes.finite(off, trace.label).max()) * least_curvature_radius(trace) / radius(trace) ** 2


def off_plane(trace: Trace, ends: Ends) -> float:
    """Largest distance of an end from the plane of its own sheet, over r: the plane by the sheet's surfels."""
    worst = []
    for sheet, _, end in ends.by_sheet():
        normal = sheet.normals.mean(axis=0)
        worst.append(np.abs((end - sheet.positions.mean(axis=0)) @ normal).max())
    return float(extremes.finite(worst, trace.label).max()) / radius(trace)


def share_nearer_to_another(ends: Ends) -> float:
    """Of points that start nearer to the surfels of a sheet that lies elsewhere."""
    nearest = np.stack([sheet.distances(ends.start) for sheet in ends.sheets.values()])
    numbers = list(ends.sheets)
    own = nearest[[numbers.index(n) for n in ends.own], np.arange(len(ends.own))]
    return float((nearest.min(axis=0) < own).mean())


@measurement("surface_projection.residual", unit="1", experiment=EXPERIMENT)
def residual(data: ExperimentData) -> Measured:
    """Largest |n·(y − a)|/r of a projected point y, n and a the weighted means of its own sheet's surfels as the analysis evaluates
    them, every shape."""
    return _largest(data, _residual)


@measurement("surface_projection.distance", unit="1", experiment=EXPERIMENT)
def round_distance(data: ExperimentData) -> Measured:
    """Largest distance of a projected point to the sphere or torus in closed form, over r²/R with R the least radius of curvature."""
    return _largest(data, distance, *ROUND)


@measurement("surface_projection.off_own_plane", unit="1", experiment=EXPERIMENT)
def off_own_plane(data: ExperimentData) -> Measured:
    """Largest distance of a projected point from the plane of its own sheet, over r: faces of a box, and parallel cracks 0.3 r apart."""
    return _largest(data, off_plane, *FLAT)


@measurement("surface_projection.nearer_to_another", unit="1", experiment=EXPERIMENT)
def nearer_to_another(data: ExperimentData) -> Measured:
    """Least share of points near parallel cracks that are nearer to another sheet than to their own before they are projected."""
    cells = data.every(name=CRACKS)
    return extremes.least({c: min(share_nearer_to_another(e) for e in ends_of(c)) for c in cells})
