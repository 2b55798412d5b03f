# SPDX-License-Identifier: BSD-3-Clause
"""Intersections after every recorded step of every scene with collisions, by exact predicates:
`deformbench run … --tier large` records each step of five seeds, 10,000 in all. Runs with both tests and rigid
zones (or position-based methods with both tests)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
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
UNRESOLVED = 9  # index in collision_counts


def runs(trace: Trace) -> list[tuple[Array, int]]:
    """Positions [frame,n,3] and number of frames before the first with unresolved pairs, per member.

    From that frame on, prescribed vertices push triangles into each other: no guarantee holds."""
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


@quantity("intersecting triangle pairs after any recorded step before the first with unresolved pairs")
def crossings(trace: Trace) -> float:
    """Member maximum, by exact predicates."""
    counts = np.atleast_2d(counts_in_frames(trace))
    return float(max(c[:end].max(initial=0) for c, (_, end) in zip(counts, runs(trace))))


@quantity("recorded steps that were searched for intersections")
def steps_judged(trace: Trace) -> int:
    """Sum over all members."""
    return sum(max(end - 1, 0) for _, end in runs(trace))


def promises(trace: Trace) -> bool:
    """Whether the method guarantees no crossings."""
    return bool(trace.value("method.parameters.impact_zones", "rigid") == "rigid")


GUARDED = rows(says="runs with both tests and rigid zones").where(
    {"method.parameters.collision_detection": "both"}, promises, says=""
)

for _experiment in EXPERIMENTS:
    M = Measures(_experiment)
    M.largest("census_crossings", crossings, GUARDED)
    M.total("census_steps", steps_judged, GUARDED)
