# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/histories, /first_newton_step and /general_laws: quasi-Newton steps of several
laws."""

import math
from collections.abc import Iterable

import numpy as np

from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, Trace, rows

from .one_step import COST, REFERENCE, SAME, Comparison, family, gaps, is_one_minimum, objective_error, reference_error

LAW = "method.parameters.law"


def law(trace: Trace) -> str:
    """Law of elasticity."""
    return str(trace.value(LAW))


M = Measures("projective_dynamics/histories")
NONE, FIVE, TWENTY = (rows(name) for name in ("none", "l_bfgs_5", "l_bfgs_20"))


def ends_elsewhere(trace: Trace, reference: Trace) -> bool:
    """Whether a run has converged, but to another minimum than Newton's method, so that a gap to it says nothing."""
    norms = Iterations.of(trace).gradient_norm
    return bool(norms[-1] <= 1e-6 * norms[0] and abs(float(gaps(trace, reference)[-1])) > 1e-6)


def end_alike(one: Trace, other: Trace, reference: Trace) -> bool:
    """Problems in which neither ends elsewhere."""
    return not (ends_elsewhere(one, reference) or ends_elsewhere(other, reference))


_FIVE = "with five changes relative to none, to a gap of 1e-4"
Comparison(FIVE, NONE, 1e-4, keep=end_alike).measured(M, "five", f"iterations {_FIVE}, by family of meshes", 0.8)
Comparison(FIVE, NONE, 1e-4, keep=end_alike, group=law).measured(M, "five_by_law", f"iterations {_FIVE}, by law", 0.8)
Comparison(FIVE, NONE, 1e-4, COST, end_alike).measured(M, "five_cost", f"work {_FIVE}, by family of meshes")
Comparison(TWENTY, FIVE, 1e-4, keep=end_alike).shown(
    M, "twenty", "iterations with twenty changes relative to five, to 1e-4"
)
M.largest("objective_error", objective_error)
M.largest("reference_error", reference_error, REFERENCE.where(seed=1))


@M("several_minima")
def several_minima(data: ExperimentData) -> float:
    """Number of excluded problems: a run ends in another minimum than Newton's method."""
    found = FIVE.beside(NONE, *SAME).beside(REFERENCE, *SAME).units(data)
    return float(sum(not end_alike(*traces) for traces, _ in found))


# ---- ten iterations beside one of Newton's method

N = Measures("projective_dynamics/first_newton_step")
TEN = rows("ten").beside(rows("clamped"), *SAME).beside(rows("exact"), *SAME).beside(REFERENCE, *SAME)
NEAR_REST = 1.0001  # stretch at which Newton's method has a nearly linear problem


def is_far(trace: Trace) -> bool:
    """Not near rest, where the objective is the rounding of larger terms."""
    return trace.number("amount") != NEAR_REST


def is_nearer(ten: Trace, clamped: Trace, exact: Trace, reference: Trace) -> bool:
    """Whether ten iterations leave a smaller gap than one iteration of Newton's method, clamped or exact."""
    return bool(gaps(ten, reference)[-1] < min(float(gaps(one, reference)[-1]) for one in (clamped, exact)))


def _share(units: Iterable[tuple[tuple[Trace, ...], object]], near_rest: bool) -> dict[str, float]:
    found: dict[str, list[bool]] = {}
    for traces, _ in units:
        if is_far(traces[0]) != near_rest and (near_rest or is_one_minimum(traces[-1])):
            found.setdefault(family(traces[0]), []).append(is_nearer(*traces))
    return {name: float(np.mean(values)) for name, values in found.items()}


@N("least_share")
def least_share(data: ExperimentData) -> Measured:
    """Share of problems in which ten iterations with five changes leave a smaller gap than one of Newton's method,
    clamped or exact; least of the families."""
    found = _share(TEN.units(data), False)
    return Measured(min(found.values()), ", ".join(f"{k} {v:.2f}" for k, v in found.items()))


@N("largest_share_near_rest")
def largest_share_near_rest(data: ExperimentData) -> float:
    """Share of bars stretched by 1e-4 whose ten iterations end lower than Newton's first; largest of the families."""
    return max(_share(TEN.units(data), True).values())


@N("several_minima")
def several_newton_minima(data: ExperimentData) -> float:
    """Number of excluded problems: the independent Newton's method ends in another minimum."""
    return float(sum(is_far(run) and not is_one_minimum(run) for run in REFERENCE.runs(data)))


N.largest("objective_error", objective_error, rows(says="far from rest").where(is_far, says=""))

# ---- where general laws end

G = Measures("projective_dynamics/general_laws")
ENDS = rows("l_bfgs_5", says="all laws, meshes and Poisson's ratios").beside(REFERENCE, *SAME, says="")
OTHERS = REFERENCE.where({LAW: "stable_neo_hookean"}).beside(
    REFERENCE.where({LAW: "corotational"}), "family", "seed", "omega", "poisson_ratio"
)


def distance(trace: Trace, other: Trace) -> float:
    """Largest distance between the ends of two steps, relative to the largest motion of the second."""
    start, end = other.values("frame", "positions")[[0, -1]]
    away = np.linalg.norm(trace.values("frame", "positions")[-1] - end, axis=1)
    return float(away.max() / np.linalg.norm(end - start, axis=1).max())


def distance_to_minimum(trace: Trace, reference: Trace) -> float:
    """Distance between a step's end and the minimum nearby of an independent program, relative to the motion.

    Started at random within 1e-3 of the motion. Infinite where it ends in no minimum."""
    start, end = trace.values("frame", "positions")[[0, -1]]
    motion = float(np.linalg.norm(end - start, axis=1).max())
    moved = np.random.default_rng(1).standard_normal(end.shape)
    found = ReferenceMinimum(trace).minimise(end + 1e-3 * motion * moved / np.abs(moved).max())
    if found.least_eigenvalue <= 0:
        return math.inf
    return float(np.linalg.norm(found.positions - end, axis=1).max()) / motion


def is_another(trace: Trace, reference: Trace) -> int:
    """Runs that end in another minimum than Newton's method."""
    return int(distance(trace, reference) > 1e-6)


def is_short(trace: Trace, reference: Trace) -> bool:
    """Share of runs that end with more than 1e-8 of the first gradient."""
    norms = Iterations.of(trace).gradient_norm
    return not norms[-1] <= 1e-8 * norms[0]


def iterations_to_gap(trace: Trace, reference: Trace) -> int:
    """Total iterations."""
    return len(gaps(trace, reference)) - 1


G.largest("distance_to_minimum", distance_to_minimum, ENDS)
G.total("other_minima", is_another, ENDS)
G.mean("short_share", is_short, ENDS)
G.largest("most_iterations", iterations_to_gap, ENDS)
G.largest("objective_error", objective_error)


@G("distance_of_laws")
def distance_of_laws(data: ExperimentData) -> float:
    """Least distance between the minima of stable neo-Hookean and corotational elements, relative to the motion."""
    return min(distance(*traces) for traces, _ in OTHERS.units(data))
