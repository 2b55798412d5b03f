# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/thrown_sheets: intersections of two sheets after every step, by exact signs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_count, crossing_pairs

EXPERIMENT = "cs533d_cloth_lecture/thrown_sheets"
DETECTION = "method.parameters.collision_detection"
WAY = (1 / 3, 2 / 3)  # of a step, where vertices are on their straight ways


def _motion(member: Array) -> Iterator[Array]:
    """Positions of a throw in its frames, and where its vertices are on their straight ways between them."""
    for start, end in zip(member[:-1], member[1:]):
        for part in WAY:
            yield (1.0 - part) * start + part * end
        yield end


def most_crossings(trace: Trace, on_the_way: bool = False) -> Array:
    """Most pairs of triangles that intersect at once in any frame of every throw, or there and on the way between frames."""
    triangles = trace.scene("triangles")
    return np.array(
        [
            max(crossing_count(x, triangles) for x in (_motion(member) if on_the_way else member))
            for member in trace.values("frame", "positions")
        ]
    )


def has_met(trace: Trace) -> Array:
    """Of every throw, whether a triangle of the one sheet intersects one of the other in a frame or on the way between two."""
    triangles = trace.scene("triangles")
    is_second = triangles[:, 0] >= len(trace.scene("rest_positions")) // 2

    def meet(x: Array) -> bool:
        pairs = crossing_pairs(x, triangles)
        return bool(np.any(is_second[pairs[:, 0]] != is_second[pairs[:, 1]]))

    return np.array([any(meet(x) for x in _motion(member)) for member in trace.values("frame", "positions")])


def largest_strain(trace: Trace) -> float:
    """Largest |l/l0 - 1| of an edge in any frame of any throw."""
    triangles, rest = trace.scene("triangles"), trace.scene("rest_positions")
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)

    def lengths(x: Array) -> Array:
        return np.asarray(np.linalg.norm(x[..., edges[:, 0], :] - x[..., edges[:, 1], :], axis=-1))

    return float(np.abs(lengths(trace.values("frame", "positions")) / lengths(rest) - 1.0).max())


def last_counts(trace: Trace) -> Array:
    """The same of every member at the end."""
    triangles = trace.scene("triangles")
    return np.array([crossing_count(member[-1], triangles) for member in trace.values("frame", "positions")])


def unresolved(trace: Trace, column: int = 9) -> int:
    """Sum of a count of the method over all members and steps: pairs that it calls unresolved."""
    members = trace.values("frame", "positions").shape[0]
    return int(
        sum(
            frame["collision_counts"][column]
            for member in range(members)
            for _, _, frame in trace.frames(member, names=["collision_counts"])
        )
    )


def _cells(data: ExperimentData, detection: str) -> list[Trace]:
    return data.every(where={DETECTION: detection})


@measurement("thrown_sheets.met_share", unit="1", experiment=EXPERIMENT)
def met_share(data: ExperimentData) -> Measured:
    """Share of throws in which, without any test, the two sheets intersect each other in a frame or at a third or two thirds
    of a step, least of all lengths of step."""
    return extremes.least({c: float(np.mean(has_met(c))) for c in _cells(data, "none")})


@measurement("thrown_sheets.largest_strain", unit="1", experiment=EXPERIMENT)
def worst_strain(data: ExperimentData) -> Measured:
    """Largest |l/l0 − 1| of an edge in any frame, of all runs."""
    return extremes.largest({c: largest_strain(c) for c in data.every()})


@measurement("thrown_sheets.crossings_with_both", unit="1", experiment=EXPERIMENT)
def crossings_with_both(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at a third, two thirds or the end of any step of any throw, by exact signs, with
    both tests."""
    return extremes.largest({c: float(most_crossings(c, on_the_way=True).max()) for c in _cells(data, "both")})


@measurement("thrown_sheets.unresolved_with_both", unit="1", experiment=EXPERIMENT)
def unresolved_with_both(data: ExperimentData) -> Measured:
    """Most pairs in a run that the method itself calls unresolved, with both tests."""
    return extremes.largest({c: float(unresolved(c)) for c in _cells(data, "both")})


@measurement("thrown_sheets.stopped_with_both", unit="1", experiment=EXPERIMENT)
def stopped_with_both(data: ExperimentData) -> Measured:
    """Most vertices in a run that the method had to stop where they were, summed over its steps, with both tests."""
    return extremes.largest({c: float(unresolved(c, 8)) for c in _cells(data, "both")})


def _tangled_share(data: ExperimentData, detection: str) -> Measured:
    return extremes.least({c: float(np.mean(last_counts(c) > 0)) for c in _cells(data, detection)})


@measurement("thrown_sheets.tangled_share_with_points", unit="1", experiment=EXPERIMENT)
def tangled_share_with_points(data: ExperimentData) -> Measured:
    """Share of throws with intersections at the end with tests of points and faces alone, least of all steps."""
    return _tangled_share(data, "point_face")


@measurement("thrown_sheets.tangled_share_with_edges", unit="1", experiment=EXPERIMENT)
def tangled_share_with_edges(data: ExperimentData) -> Measured:
    """Share of throws with intersections at the end with tests of edges alone, least of all steps."""
    return _tangled_share(data, "edge_edge")


@measurement("thrown_sheets.crossings_with_points", unit="1", experiment=EXPERIMENT)
def crossings_with_points(data: ExperimentData) -> Measured:
    """Pairs of triangles that intersect at once in a throw with tests of points and faces alone, in the frame that has the most; least of
    all throws and lengths of step."""
    return extremes.least({c: float(most_crossings(c).min()) for c in _cells(data, "point_face")})


@measurement("thrown_sheets.crossed_share_with_edges", unit="1", experiment=EXPERIMENT)
def crossed_share_with_edges(data: ExperimentData) -> Measured:
    """Share of throws with intersections in some frame with tests of edges alone, least of all lengths of step."""
    return extremes.least({c: float(np.mean(most_crossings(c) > 0)) for c in _cells(data, "edge_edge")})


@measurement("thrown_sheets.most_tangled_share_with_proximity", unit="1", experiment=EXPERIMENT)
def most_tangled_share_with_proximity(data: ExperimentData) -> Measured:
    """Share of throws with intersections at the end with repulsions alone, largest of all steps."""
    return extremes.largest({c: float(np.mean(last_counts(c) > 0)) for c in _cells(data, "proximity")})


@measurement("thrown_sheets.throws", unit="1", experiment=EXPERIMENT)
def throws(data: ExperimentData) -> Measured:
    """Least number of throws of a run."""
    return extremes.least({c: float(c.values("frame", "positions").shape[0]) for c in data.every()})
