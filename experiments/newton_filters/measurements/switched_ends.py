# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/switched_ends: the last iterations before a minimum at which elements are indefinite
and the matrix is not."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.paired_ratios import BEYOND
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, rows
from experiments.newton_filters.measurements import runs as r
from experiments.newton_filters.measurements.independent_minimum import minimum_error
from experiments.newton_filters.measurements.steps import indefinite_shares

M = Measures("newton_filters/switched_ends")
BEGIN, END = 1e-3, 1e-6  # of the initial gradient: range of final iterations; below, ratios are rounding
QUADRATIC = 3  # most final iterations without filter: one for three decades, and two for the constant
NOT_INERT = 3  # more iterations than without filter: where clamping changes the end


def is_tension(trace: Trace) -> bool:
    """Held stretched, with small negative eigenvalues."""
    return str(trace.value("scene.parameters.start")) == "stretched" and trace.number("amount") > 1


def is_compressed(trace: Trace) -> bool:
    """Pressed or twisted, so that elements are indefinite at the minimum."""
    return not is_tension(trace)


def end_of(run: r.Run) -> Array:
    """The gradient relative to the start, from where it is below 1e-3 to where it is below 1e-6; empty for a run that
    does not get there."""
    left = run.gradient / run.gradient[0]
    begin, end = first_below(left, BEGIN), first_below(left, END)
    return np.zeros(0) if begin is None or end is None else np.asarray(left[begin : end + 1])


def end_iterations(run: r.Run) -> float:
    """Iterations of the end."""
    return float(len(end_of(run)) - 1) if len(end_of(run)) else BEYOND


@dataclass(frozen=True)
class Problem:
    """Three runs of one problem."""

    trace: Trace  # unfiltered
    unfiltered: r.Run
    clamped: r.Run
    switching: r.Run

    @property
    def is_judged(self) -> bool:
        """Whether Newton's method without filter finds the minimum and ends quadratically, an element is indefinite
        there, and clamping takes longer for the end."""
        return (
            self.unfiltered.converged
            and self.unfiltered.ends_with(self.clamped)
            and indefinite_shares(self.trace)[0] > 0
            and end_iterations(self.unfiltered) <= QUADRATIC
            and self.extra(self.clamped) >= NOT_INERT
        )

    def extra(self, run: r.Run) -> float:
        """Final iterations of a run minus those without filter; BEYOND where it ends elsewhere."""
        if not run.ends_with(self.unfiltered):
            return BEYOND
        return end_iterations(run) - end_iterations(self.unfiltered)


def problems(data: ExperimentData, keep: r.Keep = is_compressed) -> list[Problem]:
    """All problems, each with the runs of its three rows."""
    names = (r.UNFILTERED, r.CLAMPED, r.SWITCHING)
    found = [{repr(t.coordinates): t for t in data.every(name=name, keep=keep)} for name in names]
    if not found[0] or any(traces.keys() != found[0].keys() for traces in found):
        raise MissingData("a problem that not all three have run")
    return [Problem(found[0][key], *(r.runs(traces[key])[0] for traces in found)) for key in found[0]]


def judged(data: ExperimentData) -> list[Problem]:
    """Those that are judged. MissingData without one."""
    chosen = [problem for problem in problems(data) if problem.is_judged]
    if not chosen:
        raise MissingData("no problem in which clamping changes the end")
    return chosen


@M("extra_iterations")
def extra_iterations(data: ExperimentData) -> float:
    """Iterations in which switching takes the gradient from 1e-3 to 1e-6, minus those without filter: largest of the
    problems in which clamping needs 3 more."""
    return max(p.extra(p.switching) for p in judged(data))


@M("least_extra_iterations")
def least_extra_iterations(data: ExperimentData) -> float:
    """Iterations in which switching takes the gradient from 1e-3 to 1e-6, minus those without filter: least of the
    problems in which clamping needs 3 more."""
    return min(p.extra(p.switching) for p in judged(data))


@M("extra_relative_to_clamped")
def extra_relative_to_clamped(data: ExperimentData) -> float:
    """Final iterations of switching minus those without filter, relative to those of clamping minus the same:
    median of the problems in which clamping needs 3 more."""
    return float(np.median([p.extra(p.switching) / p.extra(p.clamped) for p in judged(data)]))


@M("judged_share")
def judged_share(data: ExperimentData) -> float:
    """Share of problems without tension in which runs without filter need at most 3 final iterations, an element
    is indefinite at the minimum, and clamping needs 3 more: least of the families."""
    found: dict[str, list[bool]] = {}
    for p in problems(data):
        found.setdefault(r.family(p.trace), []).append(p.is_judged)
    return min(float(np.mean(chosen)) for chosen in found.values())


@M("tension_difference")
def tension_difference(data: ExperimentData) -> float:
    """Final iterations of clamped and of switching runs minus those without filter, in tension: largest
    magnitude."""
    return max(abs(p.extra(run)) for p in problems(data, is_tension) for run in (p.clamped, p.switching))


def _rate(name: str) -> None:
    @M(f"{name}_rate", of=name)
    def _median(data: ExperimentData) -> float:
        """Contraction of the gradient per final iteration, median of the problems in which clamping needs 3
        more; 1 for a run that does not get there."""
        ends = [end_of(getattr(p, name)) for p in judged(data)]
        return float(np.median([(e[-1] / e[0]) ** (1 / max(len(e) - 1, 1)) if len(e) else 1.0 for e in ends]))


for _name in (r.UNFILTERED, r.CLAMPED, r.SWITCHING):
    _rate(_name)
M.largest("minimum_error", minimum_error, rows(r.CLAMPED))
