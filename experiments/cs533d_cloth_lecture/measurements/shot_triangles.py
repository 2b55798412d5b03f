# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/shot_triangles: which pairs of triangles get through each other in one step."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_pairs

EXPERIMENT = "cs533d_cloth_lecture/shot_triangles"
DETECTION = "method.parameters.collision_detection"
PARTS = tuple(k / 16 for k in range(1, 17))  # of the step, at all of which the vertices' straight ways are looked at


@lru_cache(maxsize=64)
def crossed(trace: Trace) -> Array:
    """Pairs that intersect, by exact signs, at sixteenths of the step or at its end, where every vertex goes straight on."""
    start, end = trace.values("frame", "positions")[[0, -1]]
    triangles = trace.scene("triangles")
    found = np.zeros(len(triangles) // 2, bool)
    for part in PARTS:
        x = end if part == 1.0 else (1.0 - part) * start + part * end
        found[crossing_pairs(x, triangles)[:, 0] // 2] = True
    return found


def _shares(data: ExperimentData, detection: str, coordinates: str = "") -> dict[Trace, float]:
    where = {DETECTION: detection}
    if coordinates:
        where["scene.parameters.coordinates"] = coordinates
    return {c: float(crossed(c).mean()) for c in data.every(where=where)}


@measurement("shot_triangles.crossed_with_both", unit="1", experiment=EXPERIMENT)
def crossed_with_both(data: ExperimentData) -> Measured:
    """Largest number of pairs of triangles of a run that intersect at a sixteenth of the step, at another, or at its end, by
    exact signs, with tests of points and faces and of edges."""
    return extremes.largest({c: float(crossed(c).sum()) for c in data.every(where={DETECTION: "both"})})


@measurement("shot_triangles.crossed_share_with_none", unit="1", experiment=EXPERIMENT)
def crossed_share_with_none(data: ExperimentData) -> Measured:
    """Least share of pairs that intersect without any test: those that there is something to do about."""
    return extremes.least(_shares(data, "none"))


@measurement("shot_triangles.crossed_share_with_points", unit="1", experiment=EXPERIMENT)
def crossed_share_with_points(data: ExperimentData) -> Measured:
    """Least share of pairs that intersect with tests of points and faces alone."""
    return extremes.least(_shares(data, "point_face"))


@measurement("shot_triangles.crossed_share_with_edges", unit="1", experiment=EXPERIMENT)
def crossed_share_with_edges(data: ExperimentData) -> Measured:
    """Least share of pairs that intersect with tests of edges alone."""
    return extremes.least(_shares(data, "edge_edge"))


@measurement("shot_triangles.pairs", unit="1", experiment=EXPERIMENT)
def pairs(data: ExperimentData) -> Measured:
    """Number of pairs of all runs with both tests together."""
    return Measured(float(sum(len(crossed(c)) for c in data.every(where={DETECTION: "both"}))))
