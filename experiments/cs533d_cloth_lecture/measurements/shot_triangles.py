# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/shot_triangles: pairs of triangles that pass through each other in a step."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .crossings import crossing_pairs

M = Measures("cs533d_cloth_lecture/shot_triangles")
DETECTION = "method.parameters.collision_detection"
PARTS = tuple(k / 16 for k in range(1, 17))  # of the step, at which the vertices' straight paths are tested


@lru_cache(maxsize=64)
def crossed(trace: Trace) -> Array:
    """Pairs that intersect at sixteenths of a step on straight paths, or at its end, by exact predicates."""
    start, end = trace.values("frame", "positions")[[0, -1]]
    triangles = trace.scene("triangles")
    found = np.zeros(len(triangles) // 2, bool)
    for part in PARTS:
        x = end if part == 1.0 else (1.0 - part) * start + part * end
        found[crossing_pairs(x, triangles)[:, 0] // 2] = True
    return found


@quantity("pairs that intersect at any sixteenth of the step or at its end, by exact predicates")
def _crossed_pairs(trace: Trace) -> float:
    return float(crossed(trace).sum())


@quantity("pairs of triangles")
def _pairs(trace: Trace) -> float:
    return float(len(crossed(trace)))


SHARE = quantity()(crossed).mean(says="share of pairs that intersect at any sixteenth of the step or its end")
NONE, POINTS, EDGES, BOTH = (
    rows(says=f"runs with {tests}").where({DETECTION: detection}, says="")
    for detection, tests in (
        ("none", "no test"),
        ("point_face", "point–face tests alone"),
        ("edge_edge", "edge–edge tests only"),
        ("both", "both tests"),
    )
)

M.largest("crossed_with_both", _crossed_pairs, BOTH)
M.least("crossed_share_with_none", SHARE, NONE)
M.least("crossed_share_with_points", SHARE, POINTS)
M.least("crossed_share_with_edges", SHARE, EDGES)
M.total("pairs", _pairs, BOTH)
