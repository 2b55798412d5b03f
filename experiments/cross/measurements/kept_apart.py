# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/barrel_kept_apart and cross/level_kept_apart:
layers of cloth that pass through each other, by kind of test."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows

BARREL, LEVEL = Measures("cross/barrel_kept_apart"), Measures("cross/level_kept_apart")


def crossings(trace: Trace) -> Array:
    """Largest number of intersecting pairs of cloth triangles at any time."""
    clock = "operator" if trace.has("operator", "self_intersections") else "step"
    return np.asarray(trace.values(clock, "self_intersections"))


@quantity(unit="m")
def depth(trace: Trace) -> Array:
    """Largest penetration of bodies by cloth vertices."""
    return np.asarray(trace.values("step", "penetration_depth"))


POINTS = rows("points", says="vertices kept from triangles")
CONTINUOUS = rows("continuous", says="continuous tests of points and edges after the projection")
for M in (BARREL, LEVEL):
    M.only("crossings_of_points", crossings, POINTS)
    M.only("crossings_of_continuous", crossings, CONTINUOUS)
    M.only("depth_of_continuous", depth, CONTINUOUS)
