# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/thrown_sheets: sheet intersections after every step,
by exact predicates."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Rows, Trace, quantity, rows
from .crossings import counts_in_frames, crossing_counts

M = Measures("cs533d_cloth_lecture/thrown_sheets")
DETECTION = "method.parameters.collision_detection"
WAY = (1 / 3, 2 / 3)  # of a step, along the vertices' straight paths


def on_the_way(member: Array) -> Array:
    """Vertex positions on their straight paths between the frames of a throw."""
    return np.concatenate([(1.0 - part) * member[:-1] + part * member[1:] for part in WAY])


def most_crossings(trace: Trace) -> Array:
    """Most pairs of triangles that intersect at once in any frame of every throw."""
    return np.asarray(counts_in_frames(trace).max(axis=1))


def has_met(trace: Trace) -> Array:
    """For every throw, whether a triangle of one sheet intersects one of the other in a frame or between
    two."""
    triangles = trace.scene("triangles")
    is_second = triangles[:, 0] >= len(trace.scene("rest_positions")) // 2
    return np.array(
        [
            any(crossing_counts(x, triangles, is_second).any() for x in (member, on_the_way(member)))
            for member in trace.values("frame", "positions")
        ]
    )


def largest_strain(trace: Trace) -> float:
    """Largest |l/l0 - 1| of an edge in any frame of any throw."""
    triangles, rest = trace.scene("triangles"), trace.scene("rest_positions")
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)

    def lengths(x: Array) -> Array:
        return np.asarray(np.linalg.norm(x[..., edges[:, 0], :] - x[..., edges[:, 1], :], axis=-1))

    return float(np.abs(lengths(trace.values("frame", "positions")) / lengths(rest) - 1.0).max())


def last_counts(trace: Trace) -> Array:
    """Pairs of triangles that intersect at the end of every throw."""
    return crossing_counts(trace.values("frame", "positions")[:, -1], trace.scene("triangles"))


def unresolved(trace: Trace, column: int = 9) -> int:
    """Sum of a count of the method over all members and steps; by default unresolved pairs."""
    members = trace.values("frame", "positions").shape[0]
    return int(
        sum(
            frame["collision_counts"][column]
            for member in range(members)
            for _, _, frame in trace.frames(member, names=["collision_counts"])
        )
    )


@quantity("intersecting triangle pairs at a third, two thirds or the end of a step, by exact predicates")
def _crossings_on_the_way(trace: Trace) -> Array:
    triangles = trace.scene("triangles")
    between = [crossing_counts(on_the_way(m), triangles).max() for m in trace.values("frame", "positions")]
    return np.maximum(most_crossings(trace), between)


@quantity("throws with intersections at the end")
def _is_tangled(trace: Trace) -> Array:
    return np.asarray(last_counts(trace) > 0)


@quantity("throws with intersections in some frame")
def _has_crossed(trace: Trace) -> Array:
    return np.asarray(most_crossings(trace) > 0)


@quantity("pairs reported as unresolved, summed over throws and steps")
def _unresolved(trace: Trace) -> float:
    return float(unresolved(trace))


@quantity("vertices that the fail-safe stops, summed over throws and steps")
def _stopped(trace: Trace) -> float:
    return float(unresolved(trace, 8))


def _with(tests: str, detection: str) -> Rows:
    return rows(says=f"all time steps, {tests}").where({DETECTION: detection}, says="")


NONE, BOTH = _with("without any test", "none"), _with("both tests", "both")
POINTS, EDGES = _with("point–face tests alone", "point_face"), _with("edge–edge tests only", "edge_edge")
TANGLED = _is_tangled.mean(says="share of throws with intersections at the end")
MET = quantity()(has_met).mean(says="share of throws whose two sheets intersect in a frame or within a step")
CROSSED = _has_crossed.mean(says="share of throws with intersections in some frame")
CROSSINGS = quantity("intersecting triangle pairs in the worst frame of a throw")(most_crossings)

M.least("met_share", MET, NONE)
M.largest("largest_strain", largest_strain)
M.largest("crossings_with_both", _crossings_on_the_way, BOTH)
M.largest("unresolved_with_both", _unresolved, BOTH)
M.largest("stopped_with_both", _stopped, BOTH)
M.least("tangled_share_with_points", TANGLED, POINTS)
M.least("tangled_share_with_edges", TANGLED, EDGES)
M.least("crossings_with_points", CROSSINGS, POINTS)
M.least("crossed_share_with_edges", CROSSED, EDGES)
M.largest("most_tangled_share_with_proximity", TANGLED, _with("repulsions alone", "proximity"))
throws = M.least("throws", quantity("throws of a run")(lambda c: float(c.values("frame", "positions").shape[0])))
