# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/locking_sweeps: slip of a pulled sheet over sweeps of impulses and time
steps, with repulsions and without."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measures, rows
from .pulled_sheet import ALL_THREE, ERRORS, SLIP, ends_cross, free_slip_in_edges

M = Measures("cs533d_cloth_lecture/locking_sweeps")
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


def _is_unfinished(trace: Trace) -> bool:
    """Contacts left to impact zones in at least half of the recorded steps."""
    return unfinished_share(trace) >= UNFINISHED


def _is_finished(trace: Trace) -> bool:
    """Contacts left to impact zones in at most a twentieth of the recorded steps."""
    return unfinished_share(trace) <= FINISHED


SWEPT = rows(says="all sweeps, time steps and turns")
BARE = rows(says="no repulsions").where({ERRORS: 0.0}, says="")

M.least(
    "slip_with_all", SLIP, SWEPT.where({ERRORS: ALL_THREE}, says="repulsions twice as thick as the error of geometry")
)
M.largest("slip_without_repulsions", SLIP, SWEPT.where({ERRORS: 0.0}, says="no repulsions"))
M.largest("slip_of_unfinished_impulses", SLIP, BARE.having(_is_unfinished))
M.least("slip_of_finished_impulses", SLIP, BARE.having(_is_finished))
M.least("free_slip", free_slip_in_edges, SWEPT)
M.largest("crossings", ends_cross, SWEPT)
