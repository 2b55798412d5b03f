# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/barrel_kept_apart and cross/level_kept_apart: layers of cloth that pass through each other, by kind of test."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData

BARREL, LEVEL = "cross/barrel_kept_apart", "cross/level_kept_apart"


def most(data: ExperimentData, name: str, channel: str) -> float:
    """Largest value of a row's channel, on whichever clock it is."""
    trace = data.one(name=name)
    clock = "operator" if trace.has("operator", channel) else "step"
    return float(np.max(trace.values(clock, channel)))


@measurement("barrel_kept_apart.crossings_of_points", unit="1", experiment=BARREL)
def barrel_points(data: ExperimentData) -> float:
    """Most pairs of triangles of the cloth in a drum that pass through each other at a time, where vertices are kept from triangles."""
    return most(data, "points", "self_intersections")


@measurement("barrel_kept_apart.crossings_of_continuous", unit="1", experiment=BARREL)
def barrel_continuous(data: ExperimentData) -> float:
    """Most pairs of triangles of the cloth in a drum that pass through each other at a time, where continuous tests of points with faces and of
    edges with edges follow the projection."""
    return most(data, "continuous", "self_intersections")


@measurement("barrel_kept_apart.depth_of_continuous", unit="m", experiment=BARREL)
def barrel_depth(data: ExperimentData) -> float:
    """Largest depth of vertices in the drum, where continuous tests of the cloth follow the projection and may push it back in."""
    return most(data, "continuous", "penetration_depth")


@measurement("level_kept_apart.crossings_of_points", unit="1", experiment=LEVEL)
def level_points(data: ExperimentData) -> float:
    """Most pairs of triangles of the cloths in a level that pass through each other at a time, where vertices are kept from triangles."""
    return most(data, "points", "self_intersections")


@measurement("level_kept_apart.crossings_of_continuous", unit="1", experiment=LEVEL)
def level_continuous(data: ExperimentData) -> float:
    """Most pairs of triangles of the cloths in a level that pass through each other at a time, where continuous tests of points with faces and of
    edges with edges follow the projection."""
    return most(data, "continuous", "self_intersections")


@measurement("level_kept_apart.depth_of_continuous", unit="m", experiment=LEVEL)
def level_depth(data: ExperimentData) -> float:
    """Largest depth of vertices of the cloths in bodies of a level, where continuous tests of the cloth follow the projection and may push it
    back in."""
    return most(data, "continuous", "penetration_depth")
