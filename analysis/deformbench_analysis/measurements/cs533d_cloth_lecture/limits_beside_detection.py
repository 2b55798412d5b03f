# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/limits_beside_detection: what the detection of collisions does to limits of
strain where nothing meets."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter

EXPERIMENT = "cs533d_cloth_lecture/limits_beside_detection"
DETECTION, SCHEME, FORM = (
    f"method.parameters.{name}" for name in ("collision_detection", "scheme", "strain_limit_form")
)


def excess(trace: Trace) -> float:
    """Largest strain of an edge at any time over the limit."""
    strains = extremes.finite(trace.values("step", "edge_strain_max"), trace.label)
    return float(strains.max()) / parameter(trace, "strain_limit")


@measurement("limits_beside_detection.excess_without", unit="1", experiment=EXPERIMENT)
def excess_without(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit without detection of collisions, all schemes and forms of
    the limit."""
    return extremes.largest({c: excess(c) for c in data.every(where={DETECTION: "none"})})


@measurement("limits_beside_detection.excess_with", unit="1", experiment=EXPERIMENT)
def excess_with(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit with detection of collisions, all schemes and forms of the
    limit."""
    return extremes.largest({c: excess(c) for c in data.every(where={DETECTION: "both"})})


@measurement("limits_beside_detection.largest_difference", unit="1", experiment=EXPERIMENT)
def largest_difference(data: ExperimentData) -> Measured:
    """Largest distance of a vertex at any recorded time from its place without detection of collisions, over the side
    of the cloth."""
    found = {}
    for cell in data.every(where={DETECTION: "both"}):
        same = {path: cell.value(path) for path in (SCHEME, FORM)}
        beside = data.one(where={**same, DETECTION: "none"})
        x, y = (extremes.finite(c.values("frame", "positions"), c.label) for c in (cell, beside))
        found[cell] = float(np.linalg.norm(x - y, axis=2).max()) / number(cell, "side_m")
    return extremes.largest(found)


@measurement("limits_beside_detection.contacts", unit="1", experiment=EXPERIMENT)
def contacts(data: ExperimentData) -> Measured:
    """Largest sum in a recorded step of the method's counts of contacts, impulses, zones and stopped vertices: 0 where
    nothing meets."""
    found = {}
    for cell in data.every(where={DETECTION: "both"}):
        found[cell] = float(
            max(frame["collision_counts"].sum() for _, _, frame in cell.frames(names=["collision_counts"]))
        )
    return extremes.largest(found)
