# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/unconditional_stability: the energy of a hanging cloth at any time step."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_et_al_2007/unconditional_stability"
ROWS = {
    "corrected": "order forward, corrected weighting and angle",
    "printed": "order forward, weighting and angle as printed",
    "symmetric": "symmetric sweeps, corrected weighting and angle",
    "stretch_alone": "order forward, no bend constraints",
    "stretch_symmetric": "symmetric sweeps, no bend constraints",
}


def start_energy(trace: Trace) -> float:
    """The most kinetic energy that the disturbance d of the start can turn into: projections bring no vertex farther from rest
    than it is, so that the first step moves it by up to 2d, and ½ m (2d/Δt)² in all."""
    moved = trace.values("frame", "positions")[0] - trace.scene("rest_positions")
    return float(
        2 * (trace.scene("masses") @ (moved**2).sum(axis=1)) / float(trace.value("scene.parameters.time_step_s")) ** 2
    )


def energy_ratio(trace: Trace) -> float:
    """Largest kinetic energy over what was supplied up to that step: the work of gravity and the energy of the start. At most 1
    of a cloth that gains none, in free fall too; infinite of a run that did not complete, or holds what is not finite.
    """
    kinetic, potential = trace.values("step", "kinetic_energy"), trace.values("step", "gravitational_energy")
    if trace.status != "completed" or not (np.isfinite(kinetic).all() and np.isfinite(potential).all()):
        return float("inf")
    supplied = np.maximum(potential[0] - potential, 0) + start_energy(trace)
    return float((kinetic[1:] / supplied[1:]).max())


for row, described in ROWS.items():

    @measurement(f"unconditional_stability.{row}_energy_ratio", unit="1", experiment=EXPERIMENT, of=described)
    def largest_energy_ratio(data: ExperimentData, row: str = row) -> Measured:
        """Largest kinetic energy of a hanging cloth over the work that gravity has done plus the energy at the start,
        all time steps, stiffnesses and numbers of iterations; infinite for a run that did not complete."""
        found = {c.label: energy_ratio(c) for c in data.some(name=row, status=None)}
        worst = extremes.at_largest(found)
        return Measured(found[worst], f"{worst}; above 1 in {sum(v > 1 for v in found.values())} of {len(found)}")

    @measurement(f"unconditional_stability.{row}_unstable_iterations", unit="1", experiment=EXPERIMENT, of=described)
    def unstable_iterations(data: ExperimentData, row: str = row) -> Measured:
        """Largest number of iterations with which a hanging cloth reaches ten times the kinetic energy that was
        supplied or does not complete; 0 for none."""
        bad = [c for c in data.some(name=row, status=None) if energy_ratio(c) > 10]
        worst = max(bad, key=lambda c: int(c.value("method.parameters.iterations")), default=None)
        return (
            Measured(0.0)
            if worst is None
            else Measured(float(worst.value("method.parameters.iterations")), worst.label)
        )
