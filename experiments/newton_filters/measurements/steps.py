# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/steps and large_steps: steps with inertia, projected always, on demand, never."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.mesh import lame
from deformbench_analysis.reference_laws import LAWS
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace
from experiments.newton_filters.measurements import runs as r

M = Measures("newton_filters/steps")
LARGE = Measures("newton_filters/large_steps")
INDEFINITE = -1e-6  # of the largest eigenvalue: one below it is negative, not a rotation's zero mode
TAIL = 1e-9  # of the gradient at the start
FASTER, SLIGHTLY, LESS, MORE = math.log(0.9), math.log(1.05), math.log(0.95), math.log(1.1)


def is_tension(trace: Trace) -> bool:
    """Held stretched, with hardly any negative eigenvalues."""
    return str(trace.value("scene.parameters.start")) == "stretched"


def is_judged(trace: Trace) -> bool:
    """Twisted or disturbed."""
    return not is_tension(trace)


def fails_without_filter(one: r.Run, other: r.Run) -> bool:
    """Failure without filter, or different minima."""
    return not one.converged or not one.ends_with(other)


def its_rival_fails(one: r.Run, other: r.Run) -> bool:
    """Failure without filter, or different minima."""
    return fails_without_filter(other, one)


def factorisations(run: r.Run, other: r.Run) -> float:
    """Factorisations to 1e-8 of the drop."""
    needed = run.iterations(r.CLOSE, other)
    assert run.factorisations is not None
    return needed if math.isinf(needed) else float(run.factorisations[int(needed)])


def tail_rate(run: r.Run) -> float:
    """Last contraction factor of the gradient down to 1e-9 of its start."""
    left = run.gradient / run.gradient[0]
    end = first_below(left, TAIL)
    if end is None:
        raise MissingData(f"a converged run has {left[-1]:.2g} of its gradient left")
    return float(left[end] / left[end - 1])


def indefinite_shares(trace: Trace) -> list[float]:
    """Share of the elements whose Hessian has a negative eigenvalue at the end of the step, by member."""
    law = LAWS[str(trace.value("method.parameters.law"))]

    def share(gradients: Array) -> float:
        f = gradients.reshape(-1, 3, 3)
        lam, mu = lame(1.0, trace.number("poisson_ratio"))
        values = np.linalg.eigvalsh(law(f, np.full(len(f), lam), np.full(len(f), mu))[2]())
        return float(np.mean(values[:, 0] < INDEFINITE * values[:, -1]))

    return [share(values[-1]) for values in r.members(trace, "frame", "deformation_gradients")]


r.judge(M, "unfiltered", r.Contest(r.UNFILTERED, r.CLAMPED, is_judged, is_void=fails_without_filter), FASTER)
r.judge(M, "on_demand", r.Contest(r.ON_DEMAND, r.UNFILTERED, is_judged, is_void=its_rival_fails), SLIGHTLY)
r.judge(M, "on_demand_work", r.Contest(r.ON_DEMAND, r.CLAMPED, is_judged, factorisations), MORE)
r.judge_alike(M, "tension", r.Contest(r.UNFILTERED, r.CLAMPED, is_tension))


def _tails(data: ExperimentData, name: str) -> list[float]:
    """By family the median tail rate of runs of linear tetrahedra with an indefinite element."""
    found: dict[str, list[float]] = {}
    for trace in data.every(name=name, keep=is_judged, where={"method.parameters.elements": "linear"}):
        for run, indefinite in zip(r.runs(trace), indefinite_shares(trace), strict=True):
            if run.converged and indefinite > 0:
                found.setdefault(r.family(trace), []).append(tail_rate(run))
    if not found:
        raise MissingData(f"no {name} run leaves an element indefinite")
    return [float(np.median(rates)) for rates in found.values()]


@M("clamped_tail_rate")
def clamped_tail_rate(data: ExperimentData) -> float:
    """Last contraction of the gradient down to 1e-9, clamped, median of the runs of linear tetrahedra that end with
    an indefinite element, least of the families."""
    return min(_tails(data, r.CLAMPED))


@M("unfiltered_tail_rate")
def unfiltered_tail_rate(data: ExperimentData) -> float:
    """Last contraction of the gradient down to 1e-9, unfiltered, median of the runs of linear tetrahedra that end with
    an indefinite element, largest of the families."""
    return max(_tails(data, r.UNFILTERED))


@M("unfiltered_failures")
def unfiltered_failures(data: ExperimentData) -> float:
    """Share of runs without filter that do not converge, largest of the families."""
    return max(r.failed_shares(data, r.UNFILTERED))


@M("extra_failures")
def extra_failures(data: ExperimentData) -> float:
    """Share of runs on demand that do not converge minus that of clamped ones, largest of the families."""
    return r.extra_failures(data, r.ON_DEMAND, r.CLAMPED)


def _definite(data: ExperimentData) -> list[tuple[r.Run, r.Run]]:
    """Runs on demand that factorise once an iteration, so that nothing was projected, beside unfiltered ones."""
    pairs = r.Contest(r.ON_DEMAND, r.UNFILTERED).pairs(data)
    return [
        (one, other)
        for _, one, other in pairs
        if one.factorisations is not None and one.factorisations[-1] == len(one.objective) - 1
    ]


@M("definite_runs")
def definite_runs(data: ExperimentData) -> float:
    """Number of runs on demand in which nothing is projected."""
    return float(len(_definite(data)))


@M("definite_difference")
def definite_difference(data: ExperimentData) -> float:
    """Number of runs on demand with nothing projected whose objectives are not bit for bit the unfiltered
    ones."""
    return float(sum(not np.array_equal(one.objective, other.objective) for one, other in _definite(data)))


# ---- several steps


@dataclass(frozen=True)
class Total:
    """All steps of one member."""

    iterations: float
    factorisations: float
    projections: float  # elements filtered
    converged: bool


def totals(trace: Trace, reference: Trace | None = None) -> tuple[Total, ...]:
    """Totals of all members."""
    counted = [float(np.count_nonzero(rows)) for rows in r.members(trace, "iteration", "iteration")]
    work = [
        [float(np.nansum(rows)) for rows in r.members(trace, "step", f"work_{of}")]
        for of in ("factorisations", "projections")
    ]
    ends = [bool(np.all(rows[1:] == 1)) for rows in r.members(trace, "step", "solver_converged")]
    return tuple(Total(*columns) for columns in zip(counted, *work, ends, strict=True))


def all_iterations(one: Total, other: Total) -> float:
    """Iterations of all steps."""
    return one.iterations if one.converged else math.inf


def all_factorisations(one: Total, other: Total) -> float:
    """Factorisations of all steps."""
    return one.factorisations if one.converged else math.inf


def theta(trace: Trace) -> float:
    """Θ = Δt²E/(ρL²)."""
    return trace.number("theta")


def is_dynamic(trace: Trace) -> bool:
    """Θ of at most 1."""
    return theta(trace) <= 1


def at(number: float) -> r.Keep:
    """Cells of this Θ."""

    def is_at(trace: Trace) -> bool:
        return theta(trace) == number

    is_at.__doc__ = f"Θ = {number:g}."
    return is_at


def several(first: str, second: str, needs: r.Needs, keep: r.Keep = is_dynamic) -> r.Contest:
    """Two rows, totals of all steps."""
    return r.Contest(first, second, keep, needs, of=totals)


r.judge(LARGE, "progressive", several(r.PROGRESSIVE, r.CLAMPED, all_iterations), LESS)
r.judge(LARGE, "progressive_work", several(r.PROGRESSIVE, r.CLAMPED, all_factorisations), LESS)
r.judge(LARGE, "progressive_on_demand", several(r.PROGRESSIVE, r.ON_DEMAND, all_iterations), SLIGHTLY)
for _name, _theta in (("hundredth", 0.01), ("unit", 1.0), ("hundred", 1e2), ("myriad", 1e4), ("million", 1e6)):
    _contest = several(r.CLAMPED, r.PROGRESSIVE, all_factorisations, at(_theta))
    r.judge(LARGE, f"{_name}_clamped_work", _contest, -MORE)


def projected_shares(trace: Trace) -> list[float]:
    """Filtered elements/(elements · iterations), by member."""
    elements = trace.tetrahedra or 0
    return [total.projections / (elements * total.iterations) for total in totals(trace)]


@LARGE("projected_share")
def projected_share(data: ExperimentData) -> float:
    """Share of elements that progressive projection filters per iteration, largest of the runs, Θ up to 1."""
    return max(max(projected_shares(trace)) for trace in data.every(name=r.PROGRESSIVE, keep=is_dynamic))


@LARGE("projected_of_clamped")
def projected_of_clamped(data: ExperimentData) -> float:
    """Elements that progressive projection filters relative to those that clamping filters in the
    same problem, largest of the runs, Θ up to 1."""
    always = {repr(t.coordinates): totals(t) for t in data.every(name=r.CLAMPED, keep=is_dynamic)}
    found = [
        own.projections / all_of_them.projections
        for trace in data.every(name=r.PROGRESSIVE, keep=is_dynamic)
        for own, all_of_them in zip(totals(trace), always[repr(trace.coordinates)], strict=True)
    ]
    return max(found)


@LARGE("clamped_projected_share")
def clamped_projected_share(data: ExperimentData) -> float:
    """Share of elements that clamping filters per iteration, least of the runs, Θ up to 1."""
    return min(min(projected_shares(trace)) for trace in data.every(name=r.CLAMPED, keep=is_dynamic))


@LARGE("median_projected_share")
def median_projected_share(data: ExperimentData) -> float:
    """Share of elements that progressive projection filters per iteration, median of the runs, Θ up to 1."""
    return float(np.median([s for t in data.every(name=r.PROGRESSIVE, keep=is_dynamic) for s in projected_shares(t)]))


@LARGE("dynamic_failed_share")
def dynamic_failed_share(data: ExperimentData) -> float:
    """Share of runs without filter with a step that does not converge, Θ up to 1, largest of the families."""
    return max(r.failed_shares(data, r.UNFILTERED, is_dynamic, all_iterations, totals))


@LARGE("static_extra_failures")
def static_extra_failures(data: ExperimentData) -> float:
    """Share of runs on demand with a step that does not converge minus that of clamped ones, largest of the families,
    all Θ."""
    return r.extra_failures(data, r.ON_DEMAND, r.CLAMPED, needs=all_iterations, of=totals)
