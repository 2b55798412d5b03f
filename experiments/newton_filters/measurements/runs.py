# SPDX-License-Identifier: BSD-3-Clause
"""Newton runs in pairs, member by member of their ensembles: what one filter needs beside what another needs."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from deformbench_analysis.paired_ratios import MARGIN, Ratio, paired_ratio, worst_family
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace

CLOSE, LOOSE = 1e-8, 1e-4  # of the drop of the objective: where iterations are counted
SAME_END = 1e-6  # of the drop: ends whose objectives differ by less are one minimum
VOID = 3  # iterations: pairs in which neither filter needs more compare nothing

CLAMPED, ABSOLUTE, SWITCHING = "clamped", "absolute", "switching"
UNFILTERED, ON_DEMAND, PROGRESSIVE = "unfiltered", "on_demand", "progressive"


@dataclass(frozen=True)
class Run:
    """Newton's iterations of one step of one member; the last row is where they ended."""

    objective: Array  # J
    gradient: Array  # N
    converged: bool
    factorisations: Array | None = None  # up to each iteration

    @property
    def drop(self) -> float:
        """Of the objective, J."""
        return float(self.objective[0] - self.objective[-1])

    def ends_with(self, other: "Run") -> bool:
        """Whether both end in one minimum, as far as objectives tell."""
        return abs(float(self.objective[-1] - other.objective[-1])) <= SAME_END * max(self.drop, other.drop)

    def iterations(self, level: float, other: "Run") -> float:
        """Until `level` of the drop is left; where the two ended elsewhere, which compares no drops,
        until √level of the gradient is left, as the drop is quadratic in it. Infinite if not converged."""
        if not self.converged:
            return math.inf
        left = (self.objective - self.objective[-1]) / self.drop
        found = (
            first_below(left, level)
            if self.ends_with(other)
            else first_below(self.gradient / self.gradient[0], math.sqrt(level))
        )
        return math.inf if found is None else float(found)


@lru_cache(maxsize=4096)
def runs(trace: Trace) -> tuple[Run, ...]:
    """Of all members; of a trace without ensemble the only one."""

    def members(clock: str, channel: str) -> list[Array]:
        return [series.values for series in trace.series(clock, channel).members()]

    objectives, gradients = members("iteration", "objective"), members("iteration", "gradient_norm")
    converged = [bool(values[-1] == 1) for values in members("step", "solver_converged")]
    counted = trace.has("iteration", "work_factorisations")
    work = members("iteration", "work_factorisations") if counted else [None] * len(objectives)
    return tuple(Run(*columns) for columns in zip(objectives, gradients, converged, work))


Needs = Callable[[Any, Any], float]  # a run and the one that it is compared with → iterations, factorisations …
Keep = Callable[[Trace], bool]


def iterations(level: float = CLOSE) -> Needs:
    """Newton iterations to a level."""
    return lambda run, other: run.iterations(level, other)


def family(trace: Trace) -> str:
    """Family of meshes."""
    return str(trace.value("scene.parameters.family") or trace.value("scene.parameters.split"))


def everything(trace: Trace) -> bool:
    """Every cell."""
    return True


@dataclass(frozen=True)
class Contest:
    """Two rows on the same cells and seeds."""

    first: str
    second: str
    needs: Needs
    keep: Keep = everything
    is_void: Callable[[Any, Any], bool] = lambda first, second: False
    of: Callable[[Trace], tuple[Any, ...]] = runs

    def pairs(self, data: ExperimentData) -> Iterator[tuple[str, Any, Any]]:
        """Family and both runs. MissingData where a cell of one row has no counterpart."""
        partners = {repr(t.coordinates): t for t in data.every(name=self.second, keep=self.keep)}
        for trace in data.every(name=self.first, keep=self.keep):
            partner = partners.get(repr(trace.coordinates))
            if partner is None:
                raise trace.missing(f"no {self.second} run beside it")
            for one, other in zip(self.of(trace), self.of(partner), strict=True):
                yield family(trace), one, other

    def numbers(self, data: ExperimentData) -> dict[str, tuple[list[float], list[float]]]:
        """By family what both need, without void pairs."""
        found: dict[str, tuple[list[float], list[float]]] = {}
        for name, one, other in self.pairs(data):
            both = found.setdefault(name, ([], []))
            if not self.is_void(one, other):
                both[0].append(self.needs(one, other))
                both[1].append(self.needs(other, one))
        return found

    def ratios(self, data: ExperimentData) -> dict[str, Ratio]:
        """By family."""
        return {name: paired_ratio(*both) for name, both in self.numbers(data).items()}

    def worst(self, data: ExperimentData) -> Ratio:
        """Of the family that is worst for the first."""
        return worst_family(self.ratios(data))


def judge(
    measures: Measures, name: str, contest: Contest, says: str, bound: float = 0.0, margin: float = MARGIN
) -> None:
    """Registers the log ratio, the spread within which a row with this bound is undecided, and the ratio."""

    @measures(f"{name}_log_ratio", of=says)
    def _log_ratio(data: ExperimentData) -> float:
        """Natural logarithm of the median ratio between pairs, worst family of meshes."""
        return contest.worst(data).median

    @measures(f"{name}_log_ratio_spread", of=says)
    def _spread(data: ExperimentData) -> float:
        """Distance from the median log ratio to the end of its 95 % interval, and the margin of a comparison."""
        return contest.worst(data).spread(bound, margin)

    @measures(f"{name}_ratio", of=says)
    def _ratio(data: ExperimentData) -> float:
        """Median ratio between pairs, worst family of meshes."""
        return math.exp(contest.worst(data).median)


def share(flags: dict[str, list[bool]]) -> dict[str, float]:
    """By family."""
    return {name: float(np.mean(found)) for name, found in flags.items()}


def failures(data: ExperimentData, name: str, keep: Keep = everything, of: Any = runs) -> dict[str, list[bool]]:
    """By family whether each run of a row failed to converge."""
    found: dict[str, list[bool]] = {}
    for trace in data.every(name=name, keep=keep):
        found.setdefault(family(trace), []).extend(not run.converged for run in of(trace))
    return found
