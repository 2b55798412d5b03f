# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/twisted_sheet: turns of a sheet's end until it locks,
and intersections before and after."""

from collections.abc import Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .crossings import crossing_counts

M = Measures("cs533d_cloth_lecture/twisted_sheet")
DETECTION = "method.parameters.collision_detection"
UNRESOLVED = 9  # index in collision_counts


def members(trace: Trace) -> list[tuple[Array, Array]]:
    """Positions [frame,n,3] and the method's counts [frame,10] per member."""
    series = trace.series("frame", "positions")
    positions = series.values if series.is_ensemble else series.values[None]
    return [
        (x, np.array([frame["collision_counts"] for _, _, frame in trace.frames(m, names=["collision_counts"])]))
        for m, x in enumerate(positions)
    ]


def first_unresolved(counts: Array) -> int:
    """First frame whose step left pairs unresolved, as the held ends drive the sheet into itself; the number of
    frames if there is none."""
    found = np.flatnonzero(counts[:, UNRESOLVED] > 0)
    return int(found[0]) if found.size else len(counts)


def turns_at(trace: Trace, frame: int) -> float:
    """Turns of one end against the other in this frame."""
    series = trace.series("frame", "positions")
    time = series.time[0] if series.is_ensemble else series.time
    share = min(1.0, float(time[frame]) / trace.number("duration_s"))
    return share * trace.number("turns")


def crossings(trace: Trace, every: int = 1) -> Iterator[tuple[Array, int]]:
    """Intersecting triangle pairs per frame, by exact predicates, and first unresolved frame, per member.

    Only every `every`-th frame is counted."""
    triangles = trace.scene("triangles")
    for x, counts in members(trace):
        yield crossing_counts(x[::every], triangles), first_unresolved(counts)


@quantity("intersecting triangle pairs after a step before the first that leaves pairs unresolved")
def _crossings_until_locked(trace: Trace) -> Array:
    return np.array([n[:end].max(initial=0) for n, end in crossings(trace)])


@quantity("turns until the held ends drive triangles of the sheet into each other, or all turns")
def _turns_until_locked(trace: Trace) -> Array:
    runs = members(trace)
    return np.array([turns_at(trace, min(first_unresolved(counts), len(x) - 1)) for x, counts in runs])


BOTH = rows(says="both tests").where({DETECTION: "both"}, says="")

crossings_until_locked = M.largest("crossings_until_locked", _crossings_until_locked, BOTH)
turns_until_locked = M.least("turns_until_locked", _turns_until_locked, BOTH)
