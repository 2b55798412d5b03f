# SPDX-License-Identifier: BSD-3-Clause
"""Newton runs in pairs, member by member of their ensembles: iterations or work of a filter against another."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from deformbench_analysis import paired_ratios
from deformbench_analysis.mesh import lame
from deformbench_analysis.paired_ratios import Ratio, paired_ratio
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace
from deformbench_analysis.vocabulary.quantities import first_sentence

CLOSE, LOOSE = 1e-8, 1e-4  # of the drop of the objective: where iterations are counted
SAME_END = 1e-6  # of the drop: ends whose objectives differ by less are one minimum
VOID = 3  # iterations: pairs in which neither filter needs more are left out

CLAMPED, ABSOLUTE, SWITCHING = "clamped", "absolute", "switching"
UNFILTERED, ON_DEMAND, PROGRESSIVE = "unfiltered", "on_demand", "progressive"
REFERENCE = "reference"


@dataclass(frozen=True)
class Run:
    """Newton's iterations of one step of one member; the last row is where they ended."""

    objective: Array  # J
    gradient: Array  # N
    converged: bool
    factorisations: Array | None = None  # up to each iteration
    decrement: Array | None = None  # half of −gᵀd relative to λ on a body of radius 1; 0 in the last row if converged
    excess: Array | None = None  # objective minus that of the last row, in the same unit
    least: float | None = None  # J, of the reference; if None, the run's own final objective

    def ends_with(self, other: "Run") -> bool:
        """Whether both end in one minimum, as far as objectives tell."""
        drop = max(float(run.objective[0] - run.objective[-1]) for run in (self, other))
        return abs(float(self.objective[-1] - other.objective[-1])) <= SAME_END * drop

    def iterations(self, level: float, other: "Run") -> float:
        """Until `level` of the drop is left; where both converged to different minima, with unequal drops,
        until √level of the gradient is left, as the drop is quadratic in it. Infinite if that is not reached."""
        if self.least is None and not self.converged:
            return math.inf
        if self.converged and other.converged and not self.ends_with(other):
            found = first_below(self.gradient / self.gradient[0], math.sqrt(level))
        else:
            least = float(self.objective[-1]) if self.least is None else self.least
            found = first_below((self.objective - least) / (self.objective[0] - least), level)
        return math.inf if found is None else float(found)


def _public_unit(trace: Trace) -> float:
    """(λ + μ) r³/3, J, the unit of the public code's stop, for the first member. There bodies have the radius r = 1
    about the mean of their vertices, elements weigh three times their volume, and what is called λ is λ + μ."""
    rest = np.asarray(trace.scene("rest_positions"))
    radius, length = np.linalg.norm(rest - rest.mean(axis=0), axis=1).max(), np.ptp(rest, axis=0).max()
    young = trace.number("theta") * trace.number("density_kg_m3") * (length / trace.number("time_step_s")) ** 2
    return float(sum(lame(young, trace.number("poisson_ratio"))) * radius**3 / 3)


def _decrements(trace: Trace, unit: float, converged: list[bool]) -> list[Array]:
    """Half of −gᵀd relative to the unit, by member: not a number where the direction did not descend, 0 in the last row
    of a run that converged."""
    found = []
    for values, has_converged in zip(members(trace, "iteration", "newton_decrement"), converged, strict=True):
        relative = np.where(values > 0, values / (2 * unit), np.nan)
        if has_converged:
            relative[-1] = 0.0
        found.append(relative)
    return found


def members(trace: Trace, clock: str, channel: str) -> list[Array]:
    """A channel by member; one for a trace without an ensemble."""
    return [series.values for series in trace.series(clock, channel).members()]


@lru_cache(maxsize=4096)
def runs(trace: Trace, reference: Trace | None = None) -> tuple[Run, ...]:
    """Runs of all members, with the least objectives of the reference where it converged."""
    columns: list[Any] = [members(trace, "iteration", name) for name in ("objective", "gradient_norm")]
    columns.append([bool(values[-1] == 1) for values in members(trace, "step", "solver_converged")])
    none: list[Any] = [None] * len(columns[0])
    columns.append(
        members(trace, "iteration", "work_factorisations") if trace.has("iteration", "work_factorisations") else none
    )
    if trace.has("iteration", "newton_decrement"):
        unit = _public_unit(trace)
        columns.append(_decrements(trace, unit, columns[2]))
        columns.append([(values - values[-1]) / unit for values in columns[0]])
    else:
        columns += [none, none]
    if reference is not None:
        columns.append([float(run.objective[-1]) if run.converged else None for run in runs(reference)])
    return tuple(Run(*values) for values in zip(*columns, strict=True))


def references(data: ExperimentData) -> dict[str, Trace]:
    """The references by their coordinates; none in experiments whose runs all converge."""
    if not data.select(name=REFERENCE, status=None):
        return {}
    return {repr(t.coordinates): t for t in data.every(name=REFERENCE)}


Needs = Callable[[Any, Any], float]  # a run and the one that it is compared with → iterations, factorisations …
Keep = Callable[[Trace], bool]


def iterations(run: Run, other: Run) -> float:
    """Iterations to 1e-8 of the drop."""
    return run.iterations(CLOSE, other)


def loose_iterations(run: Run, other: Run) -> float:
    """Iterations to 1e-4 of the drop."""
    return run.iterations(LOOSE, other)


def family(trace: Trace) -> str:
    """Family of meshes."""
    return str(trace.value("scene.parameters.family") or trace.value("scene.parameters.split"))


def everything(trace: Trace) -> bool:
    """All cells."""
    return True


def nothing_is_void(first: Any, second: Any) -> bool:
    """All pairs."""
    return False


@dataclass(frozen=True)
class Contest:
    """Two rows on the same cells and seeds. Its phrase is made of the docstrings of its functions."""

    first: str
    second: str
    keep: Keep = everything
    needs: Needs = iterations
    is_void: Callable[[Any, Any], bool] = field(default=nothing_is_void)
    of: Callable[..., tuple[Any, ...]] = runs
    family: Callable[[Trace], str] = family

    def __str__(self) -> str:
        of: list[Callable[..., Any]] = [self.needs, self.keep, self.is_void]
        said = [first_sentence(function, "contest") for function in of]
        void = [] if self.is_void is nothing_is_void else [f"without pairs: {said[2]}"]
        return ", ".join([said[0], f"{self.first} to {self.second}".replace("_", " "), said[1], *void])

    def pairs(self, data: ExperimentData) -> Iterator[tuple[str, Any, Any]]:
        """Family and both runs. MissingData where a cell of one row has no counterpart."""
        partners = {repr(t.coordinates): t for t in data.every(name=self.second, keep=self.keep)}
        least = references(data)
        for trace in data.every(name=self.first, keep=self.keep):
            partner = partners.get(repr(trace.coordinates))
            if partner is None:
                raise trace.missing(f"no {self.second} run beside it")
            found = [self.of(t, least.get(repr(t.coordinates))) for t in (trace, partner)]
            for one, other in zip(*found, strict=True):
                yield self.family(trace), one, other

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

    def ends_elsewhere(self, data: ExperimentData) -> float:
        """Share of the pairs that end at different objectives."""
        return float(np.mean([not one.ends_with(other) for _, one, other in self.pairs(data)]))


def judge(measures: Measures, name: str, contest: Contest, bound: float = 0.0, margin: float = 0.0) -> None:
    """Registers the log ratio, the spread within which a row with this bound is undecided, and the ratio."""
    names = f"{name}_log_ratio", f"{name}_log_ratio_spread"
    paired_ratios.judge(measures, names, contest.ratios, str(contest), bound, margin)
    paired_ratios.show(measures, f"{name}_ratio", contest.ratios, str(contest))


def judge_alike(measures: Measures, name: str, contest: Contest) -> None:
    """Registers the largest deviation between two rows."""

    @measures(f"{name}_log_ratio", of=str(contest))
    def _furthest(data: ExperimentData) -> float:
        """Median log ratio of pairs, in the family of meshes farthest from 0."""
        return max((ratio.median for ratio in contest.ratios(data).values()), key=abs)


def failed_shares(
    data: ExperimentData, name: str, keep: Keep = everything, needs: Needs = iterations, of: Any = runs
) -> list[float]:
    """By family the share of the runs of a row that need infinitely many iterations."""
    found: dict[str, list[bool]] = {}
    least = references(data)
    for trace in data.every(name=name, keep=keep):
        own = of(trace, least.get(repr(trace.coordinates)))
        found.setdefault(family(trace), []).extend(math.isinf(needs(run, run)) for run in own)
    return [float(np.mean(failed)) for failed in found.values()]


def extra_failures(data: ExperimentData, first: str, second: str, **more: Any) -> float:
    """Share of failures of one row minus another's, largest of the families."""
    pairs = zip(failed_shares(data, first, **more), failed_shares(data, second, **more), strict=True)
    return max(a - b for a, b in pairs)
