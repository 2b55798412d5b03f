# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/twisted_sheet: how often a sheet can be turned until it locks, and what it crosses before and after."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/twisted_sheet"
DETECTION = "method.parameters.collision_detection"
STOPPED, UNRESOLVED = 8, 9  # places in collision_counts


def members(trace: Trace) -> list[tuple[Array, Array]]:
    """Of every member, positions [frame,n,3] and the method's counts [frame,10]."""
    series = trace.series("frame", "positions")
    positions = series.values if series.is_ensemble else series.values[None]
    return [
        (x, np.array([frame["collision_counts"] for _, _, frame in trace.frames(m, names=["collision_counts"])]))
        for m, x in enumerate(positions)
    ]


def first_unresolved(counts: Array) -> int:
    """The first frame whose step left pairs unresolved: the held ends drive the sheet into itself. As many as there are frames where
    there is none."""
    found = np.flatnonzero(counts[:, UNRESOLVED] > 0)
    return int(found[0]) if found.size else len(counts)


def turns_at(trace: Trace, frame: int) -> float:
    """Turns of one end against the other in this frame."""
    series = trace.series("frame", "positions")
    time = series.time[0] if series.is_ensemble else series.time
    share = min(1.0, float(time[frame]) / float(trace.value("scene.parameters.duration_s")))
    return share * float(trace.value("scene.parameters.turns"))


def crossings(trace: Trace, every: int = 1) -> Iterator[tuple[Array, int]]:
    """Of every member the pairs of triangles that intersect in every frame, or in some, by exact signs, and the first unresolved
    frame."""
    triangles = trace.scene("triangles")
    for x, counts in members(trace):
        yield np.array([crossing_count(p, triangles) for p in x[::every]]), first_unresolved(counts)


def _cells(data: ExperimentData, detection: str) -> list[Trace]:
    return data.every(where={DETECTION: detection})


@measurement("twisted_sheet.crossings_until_locked", unit="1", experiment=EXPERIMENT)
def crossings_until_locked(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect, by exact signs, after any step before the first one that leaves pairs unresolved."""
    found = {
        c: float(max((int(n[:end].max()) for n, end in crossings(c) if end > 0), default=0))
        for c in _cells(data, "both")
    }
    return extremes.largest(found)


@measurement("twisted_sheet.turns_until_locked", unit="1", experiment=EXPERIMENT)
def turns_until_locked(data: ExperimentData) -> Measured:
    """Least number of turns after which the held ends drive triangles of the wound sheet into each other, as the method says; all turns made
    where they never do."""
    found = {}
    for cell in _cells(data, "both"):
        runs = members(cell)
        found[cell] = min(turns_at(cell, min(first_unresolved(counts), len(x) - 1)) for x, counts in runs)
    return extremes.least(found)
