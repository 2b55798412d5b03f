# SPDX-License-Identifier: BSD-3-Clause
"""Intersections after every recorded step of every scene with collisions, by exact signs:
`deformbench run … --tier large` records each step of five seeds, 10,000 in all. Of cells with both tests and rigid
zones (or of position-based methods with both tests)."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import counts_in_frames

LECTURE = "cs533d_cloth_lecture"
EXPERIMENTS = [
    f"{LECTURE}/thrown_sheets",
    f"{LECTURE}/folding_stack",
    f"{LECTURE}/impact_zones",
    f"{LECTURE}/shot_triangles",
    f"{LECTURE}/pulled_sheet",
    f"{LECTURE}/twisted_sheet",
    "cross/barrel_kept_apart",
    "cross/level_kept_apart",
]
UNRESOLVED = 9  # place in collision_counts


def guarded(data: ExperimentData) -> list[Trace]:
    """Cells whose method promises that nothing crosses."""
    return data.every(
        where={"method.parameters.collision_detection": "both"},
        keep=lambda c: c.value("method.parameters.impact_zones", "rigid") == "rigid",
    )


def runs(trace: Trace) -> list[tuple[Array, int]]:
    """Positions [frame,n,3] and number of frames before the first with unresolved pairs, per member.

    From that frame on prescribed vertices drive triangles into each other, and nothing is promised.
    """
    series = trace.series("frame", "positions")
    positions = series.values if series.is_ensemble else series.values[None]
    found = []
    for member, x in enumerate(positions):
        end = len(x)
        counts = [f["collision_counts"] for _, _, f in trace.frames(member, names=["collision_counts"]) if f]
        if len(counts) == len(x):  # position-based methods have none
            left = np.flatnonzero(np.array(counts)[:, UNRESOLVED] > 0)
            end = int(left[0]) if left.size else end
        found.append((x, end))
    return found


def crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect after any recorded step of any cell with both tests and rigid zones, by
    exact signs, until a step leaves pairs unresolved, as prescribed vertices drive them together."""
    found = {}
    for cell in guarded(data):
        counts = np.atleast_2d(counts_in_frames(cell))
        found[cell] = float(max(c[:end].max(initial=0) for c, (_, end) in zip(counts, runs(cell))))
    return extremes.largest(found)


def steps_judged(data: ExperimentData) -> float:
    """Recorded steps of all cells and seeds that were searched for intersections."""
    return float(sum(max(end - 1, 0) for cell in guarded(data) for _, end in runs(cell)))


for _experiment in EXPERIMENTS:
    _short = _experiment.split("/")[1]
    measurement(f"{_short}.census_crossings", unit="1", experiment=_experiment, of=_short)(crossings)
    measurement(f"{_short}.census_steps", unit="1", experiment=_experiment, of=_short)(steps_judged)
