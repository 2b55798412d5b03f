# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/unconditional_stability: the energy of a hanging cloth at any time step."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, quantity, rows

M = Measures("mueller_et_al_2007/unconditional_stability")
STABLE, UNSTABLE = 1.0, 10.0  # times the energy supplied; what lies between counts as neither
ENDS = "a run that is broken off has gained energy without bound"
ROWS = {
    "corrected": "forward order, corrected weighting and angle",
    "printed": "forward order, weighting and angle as printed",
    "symmetric": "symmetric sweeps, corrected weighting and angle",
    "stretch_alone": "forward order, no bend constraints",
    "stretch_symmetric": "symmetric sweeps, no bend constraints",
}


def start_energy(trace: Trace) -> float:
    """Upper bound on kinetic energy from the initial disturbance d: projections move no vertex farther from rest, so
    the first step moves it by at most 2d, with Σ ½ m (2d/Δt)² in all."""
    moved = trace.values("frame", "positions")[0] - trace.scene("rest_positions")
    return float(2 * (trace.scene("masses") @ (moved**2).sum(axis=1)) / trace.number("time_step_s") ** 2)


def energy_ratio(trace: Trace) -> float:
    """Largest kinetic energy of a cloth / energy that gravity and the start supplied.

    Supplied up to that step: at most 1 if no energy is gained, also in free fall. Infinite for a run that did not
    complete or has non-finite values."""
    kinetic, potential = trace.values("step", "kinetic_energy"), trace.values("step", "gravitational_energy")
    if trace.status != "completed" or not (np.isfinite(kinetic).all() and np.isfinite(potential).all()):
        return float("inf")
    supplied = np.maximum(potential[0] - potential, 0) + start_energy(trace)
    return float((kinetic[1:] / supplied[1:]).max())


@quantity("iterations of a cloth that reaches ten times the energy supplied or does not complete; 0 for none")
def _unstable_iterations(trace: Trace) -> float:
    return trace.setting("iterations") if energy_ratio(trace) > UNSTABLE else 0.0


for row, described in ROWS.items():
    RUNS = rows(row, says=described).however_ended(ENDS)
    M.largest(f"{row}_energy_ratio", energy_ratio, RUNS)
    M.largest(f"{row}_unstable_iterations", _unstable_iterations, RUNS)


def setting(trace: Trace) -> str:
    """All but the time step: row, stiffness and iterations."""
    stretch, iterations = trace.setting("stretch_stiffness"), int(trace.setting("iterations"))
    return f"{trace.method_name}, k = {stretch:g}, {iterations} iterations"


@quantity("settings with at most the energy supplied at one time step, above ten times that at another")
def _time_step_decides(*cells: Trace) -> float:
    """`cells` differ in the time step alone."""
    if len(cells) < 2:
        raise MissingData(f"{cells[0].label}: expected two time steps or more")
    found = [energy_ratio(c) for c in cells]
    return float(min(found) <= STABLE and max(found) > UNSTABLE)


SETTINGS = rows("corrected", "symmetric", says="both orders, with bends").however_ended(ENDS).grouped(setting, says="")
M.total("time_step_decides", _time_step_decides, SETTINGS)
M.count("time_step_settings", SETTINGS, definition="Number of settings compared at several time steps.")
