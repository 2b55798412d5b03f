# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/euler_block: the energy of an undamped block over ten periods of its lowest mode."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.explicit_steps import energies_of_green_strain, highest_frequency, lowest_frequency
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/euler_block"


def drift(trace: Trace) -> float:
    """Largest |E/E_0 − 1| of all frames."""
    x, v = (trace.values("frame", name) for name in ("positions", "velocities"))
    energies = extremes.finite(energies_of_green_strain(trace, x, v), trace.label)
    return float(np.abs(energies / energies[0] - 1).max())


@measurement("euler_block.symplectic_drift", unit="1", experiment=EXPERIMENT)
def symplectic_drift(data: ExperimentData) -> Measured:
    """Largest |E/E_0 − 1| of the undamped block, velocity first."""
    return extremes.largest({c: drift(c) for c in data.every(name="symplectic")})


@measurement("euler_block.forward_drift", unit="1", experiment=EXPERIMENT)
def forward_drift(data: ExperimentData) -> Measured:
    """Largest |E/E_0 − 1| of the undamped block, position first, however the runs ended."""
    return extremes.largest({c: drift(c) for c in data.some(name="forward", status=None)})


@measurement("euler_block.forward_drift_least", unit="1", experiment=EXPERIMENT)
def forward_drift_least(data: ExperimentData) -> Measured:
    """Least over runs of the largest |E/E_0 − 1| of the undamped block, position first, however they ended."""
    return extremes.least({c: drift(c) for c in data.some(name="forward", status=None)})


@measurement("euler_block.periods", unit="1", experiment=EXPERIMENT)
def periods(data: ExperimentData) -> Measured:
    """Least number of periods of the lowest elastic mode that a run lasts, velocity first."""
    found = {}
    for cell in data.every(name="symplectic"):
        found[cell] = float(cell.series("frame", "positions").time[-1]) * lowest_frequency(cell) / (2 * np.pi)
    return extremes.least(found)


@measurement("euler_block.turn", unit="1", experiment=EXPERIMENT)
def turn(data: ExperimentData) -> Measured:
    """Largest ω_max Δt of a run, ω_max of the mesh at rest."""
    return extremes.largest(
        {c: highest_frequency(c) * float(c.value("scene.parameters.time_step_s")) for c in data.some(status=None)}
    )
