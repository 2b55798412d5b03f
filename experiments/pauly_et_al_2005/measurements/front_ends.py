# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/front_ends: distance of the ends of advancing fronts from their sheets."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, quantity, rows
from .crack_fronts import ON_BODY, Frame, distance_to_triangles, frames, fronts, seeds, surfel_radius, swept

M = Measures("pauly_et_al_2005/front_ends")
# DEVIATION [PKAGDG05] §3.1: the surface that lines of sight, splits and ends of fronts meet is the area that fronts
# have swept, as triangles; surfels lie on it for pictures and contact.
# DEVIATION [PKAGDG05] §3.2: the body's skin is one sheet of triangles, so that an end that passes an edge of a box
# stays on it.
NAMES = ["front_nodes", "front_ids", "crack_vertices", "crack_triangles", "crack_events"]


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


@lru_cache(maxsize=None)
def distances(trace: Trace, on_body: bool) -> Array:
    """Distance of ends from the sheet they belong to, in surfel radii: of the body, or of another crack."""
    body, found = skin(trace), []
    for arrays, places, sheets in moved(trace):
        if on_body:
            found.append(distance_to_triangles(places[sheets == ON_BODY], body))
        for crack in np.unique(sheets[sheets >= 0]) if not on_body else ():
            found.append(distance_to_triangles(places[sheets == crack], swept(arrays, [int(crack)])))
    return np.asarray(np.concatenate([np.zeros(0), *found]) / surfel_radius(trace))


def _count(on_body: bool) -> Quantity:
    return Quantity(
        lambda trace: float(len(distances(trace, on_body))),
        f"number of ends on {'the body' if on_body else 'the sheet of another crack'}, over all stored steps",
    )


@quantity("distance of an end on the body from the triangles of its surface, in surfel radii, every stored step")
def _off_body(trace: Trace) -> Array:
    return distances(trace, True)


@quantity("distance of an end on a crack from that crack's triangles, in surfel radii, every stored step")
def _off_crack(trace: Trace) -> Array:
    return distances(trace, False)


@quantity("ends whose sheet differs from the step before, in steps without an event")
def _changed_sheets(trace: Trace) -> int:
    count = 0
    for member in seeds(trace):
        before: dict[int, tuple[Array, int]] = {}
        known = 0  # a frame has all events up to it
        for _, _, arrays in frames(trace, member, NAMES):
            now, events = ends(arrays), len(arrays["crack_events"])
            if events == known:
                count += sum(s != before[n][1] for n, (_, s) in now.items() if n in before)
            before, known = now, events
    return count


@quantity("largest distance of an end from the surface's tangent plane at its first position, in surfel radii")
def _off_tangent(trace: Trace) -> float:
    body, worst = skin(trace), 0.0
    normals = np.cross(body[:, 1] - body[:, 0], body[:, 2] - body[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    centres = body.mean(axis=1)
    for member in seeds(trace):
        first: dict[int, tuple[Array, Array]] = {}
        for _, _, arrays in frames(trace, member, NAMES):
            for number, (place, sheet) in ends(arrays).items():
                if sheet != ON_BODY:
                    continue
                if number not in first:
                    first[number] = (place, normals[np.linalg.norm(centres - place, axis=1).argmin()])
                start, normal = first[number]
                worst = max(worst, abs(float((place - start) @ normal)))
    return worst / surfel_radius(trace)


M.total("on_body", _count(True))
M.total("on_cracks", _count(False))
M.largest("off_body", _off_body)
M.largest("off_crack", _off_crack)
M.total("changed_sheets", _changed_sheets)
M.least("off_tangent", _off_tangent, rows("round", says="round bodies"))
