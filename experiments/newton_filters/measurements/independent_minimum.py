# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/independent_minimum and minimum_of_hexahedra: objectives and minima by an
independent program."""

from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.vocabulary import Measures, Trace, rows
from experiments.newton_filters.measurements.runs import Run, runs

BACK = 1e-3  # of the way back to the start: where the independent minimisation starts
M = Measures("newton_filters/independent_minimum")
HEXAHEDRA = Measures("newton_filters/minimum_of_hexahedra")


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


for _measures in (M, HEXAHEDRA):
    _measures.largest("objective_error", objective_error, rows(says="all filters"))
    _measures.largest("minimum_error", minimum_error, rows("reference", says="references"))
