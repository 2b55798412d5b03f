# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/euler_block: the energy of an undamped block over ten periods of its lowest
mode."""

import numpy as np

from deformbench_analysis.explicit_steps import energies_of_green_strain, highest_frequency, lowest_frequency
from deformbench_analysis.vocabulary import Measures, Trace, extremes, quantity, rows

M = Measures("cs6967_assignment_2/euler_block")


def drift(trace: Trace) -> float:
    """Largest |E/E_0 − 1| of the undamped block."""
    x, v = (trace.values("frame", name) for name in ("positions", "velocities"))
    energies = extremes.finite(energies_of_green_strain(trace, x, v), trace.label)
    return float(np.abs(energies / energies[0] - 1).max())


@quantity("duration in periods of the lowest elastic mode")
def _periods(trace: Trace) -> float:
    return float(trace.series("frame", "positions").time[-1]) * lowest_frequency(trace) / (2 * np.pi)


@quantity("product ω_max Δt, ω_max of the mesh at rest")
def _turn(trace: Trace) -> float:
    return highest_frequency(trace) * trace.number("time_step_s")


SYMPLECTIC = rows("symplectic", says="symplectic Euler steps")
FORWARD = rows("forward", says="forward Euler steps").however_ended(
    "a block that is torn apart has gained energy before"
)

M.largest("symplectic_drift", drift, SYMPLECTIC)
M.largest("forward_drift", drift, FORWARD)
M.least("forward_drift_least", drift, FORWARD)
M.least("periods", _periods, SYMPLECTIC)
M.largest("turn", _turn, rows().however_ended("the step is declared"))
