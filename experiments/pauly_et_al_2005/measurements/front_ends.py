# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/front_ends: where the ends of advancing fronts are, against the sheets they belong
to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crack_fronts import ON_BODY, Frame, distance_to_triangles, frames, fronts, seeds, swept

EXPERIMENT = "pauly_et_al_2005/front_ends"
# DEVIATION [PKAGDG05] §3.1: the surface that lines of sight, splits and ends of fronts meet is the area that fronts
# have swept, as triangles; surfels lie on it for pictures and contact.
# DEVIATION [PKAGDG05] §3.2: the body's skin is one sheet of triangles, so that an end that passes an edge of a box
# stays on it.
NAMES = ["front_nodes", "front_ids", "crack_vertices", "crack_triangles", "crack_events"]


def surfel_radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def skin(trace: Trace) -> Array:
    """Corners of the triangles of the body's surface, [t, 3, 3]."""
    return np.asarray(trace.scene("skin_rest_positions")[trace.scene("skin_triangles")])


def ends(arrays: Frame) -> dict[int, tuple[Array, int]]:
    """Position and sheet of every end, by the number of its node."""
    found = {}
    for front in fronts(arrays):
        for k, (place, sheet) in zip((0, -1), front.ends):
            found[int(front.ids[k])] = (place, sheet)
    return found


def moved(trace: Trace) -> Iterator[tuple[Frame, Array, Array]]:
    """Frames after the first of every member, with the places and sheets of all ends."""
    for member in seeds(trace):
        for step, _, arrays in frames(trace, member, NAMES):
            found = list(ends(arrays).values())
            if step > 0 and found:
                yield arrays, np.array([x for x, _ in found]), np.array([s for _, s in found])


def distances(trace: Trace, on_body: bool) -> Array:
    """Distance of ends from the sheet they belong to, in surfel radii: of the body, or of another crack."""
    body, found = skin(trace), []
    for arrays, places, sheets in moved(trace):
        if on_body:
            found.append(distance_to_triangles(places[sheets == ON_BODY], body))
        for crack in np.unique(sheets[sheets >= 0]) if not on_body else ():
            found.append(distance_to_triangles(places[sheets == crack], swept(arrays, [int(crack)])))
    return np.asarray(np.concatenate([np.zeros(0), *found]) / surfel_radius(trace))


def _all(data: ExperimentData, on_body: bool) -> dict[Trace, Array]:
    found = {c: distances(c, on_body) for c in data.every()}
    if not sum(len(d) for d in found.values()):
        raise MissingData(f"{EXPERIMENT}: no end on {'the body' if on_body else 'a crack'}")
    return {c: d for c, d in found.items() if len(d)}


@measurement("front_ends.on_body", unit="1", experiment=EXPERIMENT)
def on_body(data: ExperimentData) -> float:
    """Number of ends on the body's surface, over all stored steps."""
    return float(sum(len(d) for d in _all(data, True).values()))


@measurement("front_ends.on_cracks", unit="1", experiment=EXPERIMENT)
def on_cracks(data: ExperimentData) -> float:
    """Number of ends on the sheet of another crack, over all stored steps."""
    return float(sum(len(d) for d in _all(data, False).values()))


@measurement("front_ends.off_body", unit="1", experiment=EXPERIMENT)
def off_body(data: ExperimentData) -> Measured:
    """Largest distance of an end on the body from the triangles of its surface, in surfel radii; every stored step of
    every run."""
    return extremes.largest({c: float(d.max()) for c, d in _all(data, True).items()})


@measurement("front_ends.off_crack", unit="1", experiment=EXPERIMENT)
def off_crack(data: ExperimentData) -> Measured:
    """Largest distance of an end on a crack from what that crack has swept, in surfel radii; every stored step of
    every run."""
    return extremes.largest({c: float(d.max()) for c, d in _all(data, False).items()})


@measurement("front_ends.changed_sheets", unit="1", experiment=EXPERIMENT)
def changed_sheets(data: ExperimentData) -> float:
    """Number of ends whose sheet is another one than in the step before, in steps without an event."""
    count = 0
    for cell in data.every():
        for member in seeds(cell):
            before: dict[int, tuple[Array, int]] = {}
            for _, _, arrays in frames(cell, member, NAMES):
                now = ends(arrays)
                if not len(arrays["crack_events"]):
                    count += sum(s != before[n][1] for n, (_, s) in now.items() if n in before)
                before = now
    return float(count)


@measurement("front_ends.off_tangent", unit="1", experiment=EXPERIMENT)
def off_tangent(data: ExperimentData) -> Measured:
    """Largest distance of an end from the tangent plane of the surface where it was first, in surfel radii; round
    bodies, run with the least."""
    found = {}
    for cell in data.every(name="round"):
        body, worst = skin(cell), 0.0
        normals = np.cross(body[:, 1] - body[:, 0], body[:, 2] - body[:, 0])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        centres = body.mean(axis=1)
        for member in seeds(cell):
            first: dict[int, tuple[Array, Array]] = {}
            for _, _, arrays in frames(cell, member, NAMES):
                for number, (place, sheet) in ends(arrays).items():
                    if sheet != ON_BODY:
                        continue
                    if number not in first:
                        first[number] = (place, normals[np.linalg.norm(centres - place, axis=1).argmin()])
                    start, normal = first[number]
                    worst = max(worst, abs(float((place - start) @ normal)))
        found[cell] = worst / surfel_radius(cell)
    return extremes.least(found)
