# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/unconditional_stability: the energy of a hanging cloth at any time step."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measures, quantity, rows

M = Measures("mueller_et_al_2007/unconditional_stability")
ROWS = {
    "corrected": "order forward, corrected weighting and angle",
    "printed": "order forward, weighting and angle as printed",
    "symmetric": "symmetric sweeps, corrected weighting and angle",
    "stretch_alone": "order forward, no bend constraints",
    "stretch_symmetric": "symmetric sweeps, no bend constraints",
}


def start_energy(trace: Trace) -> float:
    """The most kinetic energy that the disturbance d of the start can turn into: projections bring no vertex farther
    from rest than it is, so that the first step moves it by up to 2d, and ½ m (2d/Δt)² in all."""
    moved = trace.values("frame", "positions")[0] - trace.scene("rest_positions")
    return float(
        2 * (trace.scene("masses") @ (moved**2).sum(axis=1)) / float(trace.value("scene.parameters.time_step_s")) ** 2
    )


def energy_ratio(trace: Trace) -> float:
    """Largest kinetic energy of a cloth over what gravity and the start have supplied.

    Supplied up to that step: at most 1 of a cloth that gains none, in free fall too. Infinite of a run that did not
    complete or holds what is not finite.
    """
    kinetic, potential = trace.values("step", "kinetic_energy"), trace.values("step", "gravitational_energy")
    if trace.status != "completed" or not (np.isfinite(kinetic).all() and np.isfinite(potential).all()):
        return float("inf")
    supplied = np.maximum(potential[0] - potential, 0) + start_energy(trace)
    return float((kinetic[1:] / supplied[1:]).max())


@quantity("iterations of a cloth that reaches ten times the energy supplied or does not complete; 0 for none")
def _unstable_iterations(trace: Trace) -> float:
    return float(trace.value("method.parameters.iterations")) if energy_ratio(trace) > 10 else 0.0


for row, described in ROWS.items():
    RUNS = rows(row, says=described).however_ended("a run that is broken off has gained energy without bound")
    M.largest(f"{row}_energy_ratio", energy_ratio, RUNS)
    M.largest(f"{row}_unstable_iterations", _unstable_iterations, RUNS)
