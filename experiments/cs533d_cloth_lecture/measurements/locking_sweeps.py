# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/locking_sweeps: slip of a pulled sheet against impulse sweeps and time
step, with and without repulsions."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .pulled_sheet import ALL_THREE, ERRORS, SLIP, ends_cross, free_slip_in_edges, shares

M = Measures("cs533d_cloth_lecture/locking_sweeps")
ZONES = 6  # index in collision_counts: vertices in impact zones
UNFINISHED, FINISHED = 0.5, 0.05  # shares of the recorded steps in which sweeps leave contacts to impact zones


def unfinished_shares(trace: Trace) -> Array:
    """Share of recorded steps in which impact zones moved vertices, per mesh rotation."""
    members = range(trace.values("frame", "positions").shape[0])
    counts = (trace.frames(member, names=["collision_counts"]) for member in members)
    return np.array(
        [np.mean([frame["collision_counts"][ZONES] > 0 for step, _, frame in of if step > 0]) for of in counts]
    )


@quantity("slip / free slip of rotations with zones in at least half of the steps")
def _unfinished(trace: Trace) -> Array:
    return shares(trace)[unfinished_shares(trace) >= UNFINISHED]


@quantity("slip / free slip of rotations with zones in at most 1 of 20 steps")
def _finished(trace: Trace) -> Array:
    return shares(trace)[unfinished_shares(trace) <= FINISHED]


def _has_unfinished(trace: Trace) -> bool:
    """Whether a rotation leaves contacts to zones in half of the steps."""
    return len(_unfinished(trace)) > 0


def _has_finished(trace: Trace) -> bool:
    """Whether a rotation leaves contacts to zones in at most a twentieth of the steps."""
    return len(_finished(trace)) > 0


SWEPT = rows(says="all sweeps, Δt and rotations")
BARE = rows(says="no repulsions").where({ERRORS: 0.0}, says="")

M.least(
    "slip_with_all", SLIP, SWEPT.where({ERRORS: ALL_THREE}, says="repulsions twice as thick as the geometric error")
)
M.largest("slip_without_repulsions", SLIP, SWEPT.where({ERRORS: 0.0}, says="no repulsions"))
M.largest("slip_of_unfinished_impulses", _unfinished, BARE.having(_has_unfinished, says="where present"))
M.least("slip_of_finished_impulses", _finished, BARE.having(_has_finished, says="where present"))
M.least("free_slip", free_slip_in_edges, SWEPT)
M.largest("crossings", ends_cross, SWEPT)
