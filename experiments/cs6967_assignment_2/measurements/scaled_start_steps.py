# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_start_steps: an enlarged body without damping,
and how short an implicit step may be."""

from deformbench_analysis.recovery import FreeBody
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, quantity, rows
from .scaled_start import COUNTED, LONG, is_in_regime, share, turn

M = Measures("cs6967_assignment_2/scaled_start_steps")


def is_shorter(trace: Trace) -> bool:
    """Δt ω_1 below what the regime asks for."""
    return turn(trace, FreeBody.of(trace)) < LONG


# ω_1 is the lowest angular frequency of the free body. Linear and warped elements start at twice the size,
# standard ones at 1.1.
IN_REGIME = rows(says="undamped implicit steps of Δt ω_1 ≥ 0.1").however_ended(COUNTED).having(is_in_regime, says="")
SHORTER = rows(says="undamped implicit steps of Δt ω_1 < 0.1").however_ended(COUNTED).having(is_shorter, says="")

M.least("share_in_regime", share, IN_REGIME)
M.least("least_turn", quantity("Δt ω_1")(lambda c: turn(c, FreeBody.of(c))), IN_REGIME)
M.least("share_of_shorter", share, SHORTER)


@M("methods")
def methods(data: ExperimentData) -> float:
    """Number of different methods with Δt ω_1 ≥ 0.1."""
    return float(len({traces[0].method_id for traces, _ in IN_REGIME.units(data)}))
