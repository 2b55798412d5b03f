# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/ten_rounds: swinging bodies with few rounds in a step, beside converged steps."""

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, parameter, rows

M = Measures("projective_dynamics/ten_rounds")
SAME = ("family", "theta")
EULER = rows("euler", says="converged steps")
TEN = rows("ten", says="ten rounds a step").beside(EULER, *SAME, says="")
ONE = rows("one").beside(EULER, *SAME, says="")
POSITION, DAMPING = 0.05, 0.1  # what the claim allows
theta = parameter("theta", float, "Θ = Δt²E/(ρL²).")


def position_error(trace: Trace, converged: Trace) -> float:
    """Largest distance of a vertex from its path with converged steps, relative to their largest motion."""
    own, other = trace.values("frame", "positions"), converged.values("frame", "positions")
    return float(np.linalg.norm(own - other, axis=2).max() / np.linalg.norm(other - other[0], axis=2).max())


def damping_error(trace: Trace, converged: Trace) -> float:
    """Largest error of the dissipated energy against converged steps, relative to their largest."""
    own, other = (t.values("step", "total_energy") for t in (trace, converged))
    return float(np.abs(own - other).max() / np.abs(other[0] - other).max())


M.largest("position_error", position_error, TEN)
M.largest("damping_error", damping_error, TEN)


@M("theta_limit")
def theta_limit(data: ExperimentData) -> float:
    """Largest Θ up to which all runs of ten rounds stay within 5 % in position and 10 % in dissipated energy; 0 if
    none does."""
    worst: dict[float, bool] = {}
    for (trace, converged), _ in TEN.units(data):
        fits = position_error(trace, converged) <= POSITION and damping_error(trace, converged) <= DAMPING
        worst[theta(trace)] = worst.get(theta(trace), True) and fits
    limit = 0.0
    for value in sorted(worst):
        if not worst[value]:
            break
        limit = value
    return limit


@M("error_of_one_round")
def error_of_one_round(data: ExperimentData) -> float:
    """Largest position error with one round per step."""
    return max(position_error(*traces) for traces, _ in ONE.units(data))
