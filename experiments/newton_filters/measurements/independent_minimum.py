# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/independent_minimum: objectives and minima by a program of their own."""

from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.vocabulary import Measures, Trace, rows
from experiments.newton_filters.measurements.runs import Run, runs

BACK = 1e-3  # of the way to the start: where the independent program sets out for the minimum
M = Measures("newton_filters/independent_minimum")


def drop(run: Run) -> float:
    """Fall of the objective from start to end, J."""
    return float(run.objective[0] - run.objective[-1])


def objective_error(trace: Trace) -> float:
    """Difference of the objective at the end from that of the independent program, relative to the drop."""
    (run,) = runs(trace)
    independent = ReferenceMinimum(trace).objective(trace.values("frame", "positions")[-1])
    return abs(float(run.objective[-1]) - independent) / drop(run)


def minimum_error(trace: Trace) -> float:
    """Difference of the objective at the end from the minimum nearby, by the independent program, relative to the
    drop."""
    (run,) = runs(trace)
    first, *_, last = trace.values("frame", "positions")
    found = ReferenceMinimum(trace).minimise(last + BACK * (first - last))
    if found.least_eigenvalue <= 0:
        raise trace.missing("its end is a saddle")
    return abs(float(run.objective[-1]) - found.objective) / drop(run)


M.largest("objective_error", objective_error, rows(says="all filters"))
M.largest("minimum_error", minimum_error, rows("reference", says="references"))
