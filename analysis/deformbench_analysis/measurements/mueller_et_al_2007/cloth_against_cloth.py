# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/tangled_start and self_collision_momentum: two sheets of cloth."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import measurement
from ...results import ExperimentData
from ...trace import Trace

TANGLED = "mueller_et_al_2007/tangled_start"
MOMENTUM = "mueller_et_al_2007/self_collision_momentum"


def crossings(data: ExperimentData, start: str) -> Array:
    """Self-intersections, row by row, of the run that starts so."""
    return np.asarray(data.one(where={"scene.parameters.start": start}).values("step", "self_intersections"))


@measurement("tangled_start.crossed_at_start", unit="1", experiment=TANGLED)
def crossed_at_start(data: ExperimentData) -> float:
    """Number of pairs of triangles that intersect at the start, sheets that intersect there."""
    return float(crossings(data, "crossed")[0])


@measurement("tangled_start.crossed_at_end", unit="1", experiment=TANGLED)
def crossed_at_end(data: ExperimentData) -> float:
    """Number of pairs of triangles that intersect at the end, sheets that intersect at the start."""
    return float(crossings(data, "crossed")[-1])


@measurement("tangled_start.apart_at_end", unit="1", experiment=TANGLED)
def apart_at_end(data: ExperimentData) -> float:
    """Largest number of pairs of triangles that intersect at any time, sheets that start apart and fly into one
    another."""
    return float(crossings(data, "apart").max())


def touched(trace: Trace) -> bool:
    """Whether the sheets ever had a contact with each other."""
    return bool(trace.values("step", "self_contacts").max() > 0)


for row, described in (
    ("full", "gradient of the constraint with that of the normal"),
    ("constant_normal", "gradient as if the normal were constant"),
):

    @measurement(f"self_collision_momentum.{row}_angular_change", unit="1", experiment=MOMENTUM, of=described)
    def angular_change(data: ExperimentData, row: str = row) -> float:
        """Largest change of the angular momentum over the linear momentum of the flying sheet times its side."""
        found: list[float] = []
        for cell in data.some(name=row, keep=touched):
            momentum, linear = cell.values("step", "angular_momentum"), cell.values("step", "linear_momentum")
            scale = float(np.linalg.norm(linear[0])) * float(cell.value("scene.parameters.side_m"))
            found.append(float(np.linalg.norm(momentum - momentum[0], axis=1).max()) / scale)
        return float(extremes.finite(found, MOMENTUM).max())
