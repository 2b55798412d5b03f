# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/solver_profiles: what solvers need to a small gap, on many problems of one step."""

import math

import numpy as np

from deformbench_analysis import step_work
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, Measures, Rows, Trace, rows
from .convergence import errors

M = Measures("cross/solver_profiles")
SAME = ("family", "omega", "poisson_ratio", "start")
REFERENCE = rows("reference", says="steps solved to rounding by Newton's method")
SOLVERS = ("clamped", "absolute", "on_demand", "descent", "accelerated", "l_bfgs")
LEVEL = 1e-8  # of the objective's drop
# Products with the matrix of 3×3 blocks: forward and backward in three scalar systems, 6 entries of the factor relative
# to 9 of each block, are 0.7 to 1.3 of them on the meshes of tier large.
BACK_SUBSTITUTION = 1.0
WORK, TIME = "work", "time"


def counts(trace: Trace, unit: str) -> Array:
    """Work in gradients of all elements, or wall time in ms, up to every iteration."""
    if unit == TIME:
        return 1e3 * trace.values("iteration", "elapsed_seconds")
    solves = BACK_SUBSTITUTION * step_work.COSTS["products"] * trace.values("iteration", "work_back_substitutions")
    return np.asarray(step_work.work(trace) + solves)


def needed(trace: Trace, reference: Trace, level: float, unit: str) -> float:
    """Work or time at the first iteration whose gap is at most `level`; infinite if there is none."""
    if not trace.has("iteration", "objective"):
        return math.inf
    row = first_below(errors(trace, reference), level)
    return math.inf if row is None else float(counts(trace, unit)[row])


def problems(name: str) -> Rows:
    """All problems of one solver, each beside its reference."""
    return rows(name).however_ended("a run that diverged has not come to the level").beside(REFERENCE, *SAME, says="")


def is_unsolved(trace: Trace, reference: Trace) -> int:
    """Problems whose gap does not come to 1e-8."""
    return int(math.isinf(needed(trace, reference, LEVEL, WORK)))


def is_lower(trace: Trace, reference: Trace) -> int:
    """Problems that end below the reference by more than 1e-8 of its drop: at another minimum."""
    return int(trace.has("iteration", "objective") and bool(errors(trace, reference)[-1] < -LEVEL))


for _name in SOLVERS:
    M.total(f"{_name}_unsolved", is_unsolved, problems(_name))
    M.total(f"{_name}_lower", is_lower, problems(_name))
