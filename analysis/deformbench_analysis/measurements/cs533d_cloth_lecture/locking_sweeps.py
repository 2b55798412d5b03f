# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/locking_sweeps: slip of a pulled sheet over sweeps of impulses and time
steps, with repulsions and without."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .pulled_sheet import ALL_THREE, ERRORS, edge, ends_cross, free_slip, shares, slips

EXPERIMENT = "cs533d_cloth_lecture/locking_sweeps"
ZONES = 6  # place in collision_counts: vertices in impact zones
UNFINISHED, FINISHED = 0.5, 0.05  # shares of the recorded steps in which sweeps leave contacts to impact zones


def unfinished_share(trace: Trace) -> float:
    """Share of the recorded steps, over all turns, in which impact zones had to move vertices."""
    found = [
        frame["collision_counts"][ZONES] > 0
        for member in range(trace.values("frame", "positions").shape[0])
        for step, _, frame in trace.frames(member, names=["collision_counts"])
        if step > 0
    ]
    return float(np.mean(found))


def thick(data: ExperimentData, thickness: float) -> list[Trace]:
    """Cells with repulsions of this thickness over the error of geometry."""
    return data.every(where={ERRORS: thickness})


@measurement("locking_sweeps.slip_with_all", unit="1", experiment=EXPERIMENT)
def slip_with_all(data: ExperimentData) -> Measured:
    """Least slip over the free slip with repulsions twice as thick as the error of geometry, all sweeps, time steps
    and turns."""
    return extremes.least({c: float(shares(c).min()) for c in thick(data, ALL_THREE)})


@measurement("locking_sweeps.slip_without_repulsions", unit="1", experiment=EXPERIMENT)
def slip_without_repulsions(data: ExperimentData) -> Measured:
    """Largest slip over the free slip without repulsions, all sweeps, time steps and turns."""
    return extremes.largest({c: float(shares(c).max()) for c in thick(data, 0.0)})


@measurement("locking_sweeps.slip_of_unfinished_impulses", unit="1", experiment=EXPERIMENT)
def slip_of_unfinished_impulses(data: ExperimentData) -> Measured:
    """Largest slip over the free slip without repulsions where sweeps leave contacts to impact zones in at least half
    of the recorded steps."""
    cells = [c for c in thick(data, 0.0) if unfinished_share(c) >= UNFINISHED]
    return extremes.largest({c: float(shares(c).max()) for c in cells})


@measurement("locking_sweeps.slip_of_finished_impulses", unit="1", experiment=EXPERIMENT)
def slip_of_finished_impulses(data: ExperimentData) -> Measured:
    """Least slip over the free slip without repulsions where sweeps leave contacts to impact zones in at most a
    twentieth of the recorded steps."""
    cells = [c for c in thick(data, 0.0) if unfinished_share(c) <= FINISHED]
    return extremes.least({c: float(shares(c).min()) for c in cells})


@measurement("locking_sweeps.free_slip", unit="1", experiment=EXPERIMENT)
def free_slip_in_edges(data: ExperimentData) -> Measured:
    """Least free slip over the edge of the sheet."""
    return extremes.least({c: float(free_slip(c, slips(c)[0])[-1] / edge(c)) for c in data.every()})


@measurement("locking_sweeps.crossings", unit="1", experiment=EXPERIMENT)
def crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end, by exact signs."""
    return extremes.largest({c: ends_cross(c) for c in data.every()})
