# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/thrown_sheets: intersections of two sheets after every step, by exact signs."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/thrown_sheets"
DETECTION = "method.parameters.collision_detection"


def counts(trace: Trace) -> Array:
    """Pairs of triangles that intersect, of every member in every frame."""
    triangles = trace.scene("triangles")
    return np.array([[crossing_count(x, triangles) for x in member] for member in trace.values("frame", "positions")])


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


@measurement("thrown_sheets.crossings_with_both", unit="1", experiment=EXPERIMENT)
def crossings_with_both(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect after any step of any throw, by exact signs, with both tests."""
    return extremes.largest({c: float(counts(c).max()) for c in _cells(data, "both")})


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


@measurement("thrown_sheets.tangled_share_with_none", unit="1", experiment=EXPERIMENT)
def tangled_share_with_none(data: ExperimentData) -> Measured:
    """Share of throws with intersections at the end without any test, least of all steps."""
    return _tangled_share(data, "none")


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
    """Mean number of pairs of triangles that intersect at the end of a throw with tests of points and faces alone, least of all steps."""
    return extremes.least({c: float(last_counts(c).mean()) for c in _cells(data, "point_face")})


@measurement("thrown_sheets.most_tangled_share_with_proximity", unit="1", experiment=EXPERIMENT)
def most_tangled_share_with_proximity(data: ExperimentData) -> Measured:
    """Share of throws with intersections at the end with repulsions alone, largest of all steps."""
    return extremes.largest({c: float(np.mean(last_counts(c) > 0)) for c in _cells(data, "proximity")})


@measurement("thrown_sheets.throws", unit="1", experiment=EXPERIMENT)
def throws(data: ExperimentData) -> Measured:
    """Least number of throws of a run."""
    return extremes.least({c: float(c.values("frame", "positions").shape[0]) for c in data.every()})
