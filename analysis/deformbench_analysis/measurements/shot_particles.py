# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/collision_projection: particles shot at bodies, [MHHR07] section 3.4."""

from __future__ import annotations

import numpy as np

from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_et_al_2007/collision_projection"
INSIDE = 1e-7  # of the target's size: rounding of the projection stays far below


def scene(trace: Trace, name: str) -> float:
    return float(trace.value("scene.parameters." + name))


def is_paired(trace: Trace) -> bool:
    return bool(trace.value("scene.parameters.paired"))


def distance(trace: Trace, x: np.ndarray) -> np.ndarray:
    """Signed distance to the target, negative inside; for the octahedron the height over its nearest face plane."""
    target, radius = trace.value("scene.parameters.target"), scene(trace, "radius_m")
    if target == "plane":
        return np.asarray(x[..., 1])
    if target == "sphere":
        return np.asarray(np.linalg.norm(x, axis=-1) - radius)
    if target == "capsule":
        axis = np.clip(x[..., 1:2], -radius / 2, radius / 2) * np.array([0.0, 1.0, 0.0])
        return np.asarray(np.linalg.norm(x - axis, axis=-1) - radius / 2)
    if target == "octahedron":
        return np.asarray((np.abs(x).sum(axis=-1) - radius) / np.sqrt(3))
    outside = np.abs(x) - np.array([radius, scene(trace, "thickness_m") / 2, radius])
    return np.asarray(np.linalg.norm(np.maximum(outside, 0), axis=-1) + np.minimum(outside.max(axis=-1), 0))


def depth(trace: Trace) -> float:
    """Deepest particle after any step, m."""
    return float(-min(0.0, float(distance(trace, trace.values("frame", "positions")).min())))


def passages(trace: Trace) -> int:
    """Steps of particles that are outside before and after and go straight through the target between."""
    x = trace.values("frame", "positions")
    deep = INSIDE * scene(trace, "radius_m")
    outside = distance(trace, x) > deep
    rows, columns = np.nonzero(outside[:-1] & outside[1:])
    near = np.linalg.norm(x[:-1][rows, columns], axis=1) < 2 * np.linalg.norm(x[1:][rows, columns] - x[:-1][rows, columns], axis=1) + 2 * scene(trace, "radius_m")
    a, b = x[:-1][rows, columns][near], x[1:][rows, columns][near]
    through = np.zeros(len(a), bool)
    for share in np.linspace(0, 1, 201)[1:-1]:
        through |= distance(trace, a + share * (b - a)) < -deep
    return int(through.sum())


def _worst(data: ExperimentData, name: str, paired: bool) -> Measured:
    found = {c.label: depth(c) / scene(c, "radius_m") for c in data.some(name=name, keep=lambda c: is_paired(c) == paired)}
    worst = max(found, key=lambda k: found[k])
    return Measured(found[worst], worst)


@measurement("collision_projection.single_depth", unit="1", experiment=EXPERIMENT)
def single_depth(data: ExperimentData) -> Measured:
    """Deepest single particle after any step over the target's size, continuous detection with the static one behind it."""
    return _worst(data, "both", False)


@measurement("collision_projection.paired_depth", unit="1", experiment=EXPERIMENT)
def paired_depth(data: ExperimentData) -> Measured:
    """The same of pairs on a rod, whose rods and contacts are projected one after the other."""
    return _worst(data, "both", True)


for row in ("both", "continuous", "static"):

    @measurement(f"collision_projection.{row}_passages", unit="1", experiment=EXPERIMENT)
    def single_passages(data: ExperimentData, row: str = row) -> Measured:
        """Times that a single particle went straight through a target within a step, all targets."""
        found = {c.label: passages(c) for c in data.some(name=row, keep=lambda c: not is_paired(c))}
        worst = max(found, key=lambda k: found[k])
        return Measured(float(sum(found.values())), worst)

    @measurement(f"collision_projection.{row}_inside", unit="1", experiment=EXPERIMENT)
    def inside_share(data: ExperimentData, row: str = row) -> Measured:
        """Largest share of particles of pairs that a target holds inside at the end of a step, mean over the steps."""
        found = {c.label: float((distance(c, c.values("frame", "positions")) < -INSIDE * scene(c, "radius_m")).mean())
                 for c in data.some(name=row, keep=is_paired)}
        worst = max(found, key=lambda k: found[k])
        return Measured(found[worst], worst)
