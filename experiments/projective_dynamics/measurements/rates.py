# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/projection_rates: convergence of local-global rounds and of Newton's method."""

import math

import numpy as np
import scipy.linalg

from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, parameter, rows

from .one_step import objective_error

M = Measures("projective_dynamics/projection_rates")
ROUNDS = rows("rounds", says="projective dynamics, all meshes and Θ")
NEWTON = rows("newton", says="Newton's method with exact Hessians")
FLOOR, CEILING, TAIL, LEAST = 1e-11, 1e-3, 20, 5
theta = parameter("theta", float, "Θ = Δt²E/(ρL²).")


def _residuals(trace: Trace) -> Array:
    """Norms of the gradient relative to the first, as long as they are above rounding."""
    found = Iterations.of(trace).gradient_norm
    relative = found / found[0]
    below = np.flatnonzero(relative < FLOOR)
    return np.asarray(relative[: below[0]] if len(below) else relative)


def tail_ratios(trace: Trace) -> Array:
    """Ratios of successive gradient norms in the last twenty rounds between 1e-3 and 1e-11 of the first."""
    residuals = _residuals(trace)
    found = residuals[residuals <= CEILING][-TAIL - 1 :]
    if len(found) <= LEAST:
        raise MissingData(f"{trace.label}: {len(found)} rounds between {CEILING:g} and {FLOOR:g} of the first gradient")
    return np.asarray(found[1:] / found[:-1])


def ratio_deviation(trace: Trace) -> float:
    """Largest relative deviation of the tail's ratios from their median."""
    ratios = tail_ratios(trace)
    return float(np.abs(ratios / np.median(ratios) - 1).max())


def rate(trace: Trace) -> float:
    """Factor by which the gradient falls in a round, geometric mean over the tail."""
    return float(np.exp(np.log(tail_ratios(trace)).mean()))


def predicted_rate(trace: Trace) -> float:
    """Largest eigenvalue of I − A⁻¹H at the minimum, A = M/Δt² + Σ 2μV ∇N ∇Nᵀ and H = ∂²Φ of the independent program."""
    step = ReferenceMinimum(trace)
    weights = 2 * step.constants[1] * step.points.volumes
    blocks = np.einsum("p,pak,pbk->pab", weights, step.points.slopes, step.points.slopes)
    matrix = np.diag(step.inertia)
    np.add.at(matrix, (step.points.nodes[:, :, None], step.points.nodes[:, None, :]), blocks)
    a = np.kron(matrix[np.ix_(step.is_free, step.is_free)], np.eye(3))
    h = step.hessian(trace.values("frame", "positions")[-1]).toarray()
    last = len(a) - 1
    return float(scipy.linalg.eigh(a - h, a, eigvals_only=True, subset_by_index=[last, last])[0])


def rate_error(trace: Trace) -> float:
    """Relative error of the logarithm of the rate against the largest eigenvalue of I − A⁻¹H."""
    return abs(math.log(rate(trace)) / math.log(predicted_rate(trace)) - 1)


def quadratic_constant(trace: Trace) -> float:
    """Largest ratio of a relative gradient norm to the square of the one before, from 1e-2 down to 1e-11."""
    found = _residuals(trace)
    small = np.flatnonzero(found[:-1] <= 1e-2)
    if not len(small):
        raise MissingData(f"{trace.label}: no iteration from below 1e-2 to above rounding")
    return float((found[small + 1] / found[small] ** 2).max())


M.largest("ratio_deviation", ratio_deviation, ROUNDS)
M.largest("rate_error", rate_error, ROUNDS)
M.largest("objective_error", objective_error, ROUNDS)
M.largest("newton_constant", quadratic_constant, NEWTON)
M.least("constant_of_rounds", quadratic_constant, ROUNDS)


@M("fastest_rate")
def fastest_rate(data: ExperimentData) -> float:
    """Least tail-mean factor of the gradient per round, of all runs."""
    return min(rate(t) for t in ROUNDS.runs(data))


@M("slowest_rate")
def slowest_rate(data: ExperimentData) -> float:
    """Largest tail-mean factor of the gradient per round, of all runs."""
    return max(rate(t) for t in ROUNDS.runs(data))


@M("theta_exponent")
def theta_exponent(data: ExperimentData) -> float:
    """a of 1 − rate ∝ Θ^−a, least squares over all runs."""
    runs = ROUNDS.runs(data)
    return -float(np.polyfit([math.log(theta(t)) for t in runs], [math.log(1 - rate(t)) for t in runs], 1)[0])
