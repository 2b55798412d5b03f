# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the experiments on one step: the gap to the minimum, a run's cost to reach it, and paired comparisons of
two rows on the same problem."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deformbench_analysis import paired_ratios
from deformbench_analysis.paired_ratios import MARGIN, Ratio, paired_ratio
from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Rows, Trace, rows

SAME = ("family", "seed", "omega", "poisson_ratio", "law")
REFERENCE = rows("reference", says="steps solved to rounding by Newton's method")
ROUNDING = 1e-12  # of the objective: smaller rises are rounding of a sum of non-negative terms
ROUNDS = ("iteration",)
# Counts that two rows of one method share: passes over the elements, and solves with the factorised matrix.
COST = ("work_gradients", "work_back_substitutions")
UNREACHED = "a run that diverged has not reached the level"


def family(trace: Trace) -> str:
    """Family of meshes."""
    return str(trace.value("scene.parameters.family"))


def gaps(trace: Trace, reference: Trace) -> Array:
    """(Φ − Φ*)/(Φ0 − Φ*) after every iteration, Φ* the last objective of the reference."""
    objective = Iterations.of(reference).objective
    return Iterations.of(trace).errors(float(objective[0]), float(objective[-1]))


def rises(trace: Trace) -> int:
    """Iterations that raise the objective by more than 1e-12 of it."""
    objective = Iterations.of(trace).objective
    return int((np.diff(objective) > ROUNDING * np.abs(objective[:-1])).sum())


def iterations(trace: Trace) -> int:
    """Iterations."""
    return len(Iterations.of(trace).objective) - 1


def objective_error(trace: Trace) -> float:
    """Relative difference of objectives at start and end between the method and an independent program."""
    program, positions = ReferenceMinimum(trace), trace.values("frame", "positions")
    own, other = Iterations.of(trace).objective[[0, -1]], [program.objective(positions[k]) for k in (0, -1)]
    return float(np.abs(own / other - 1).max())


def reference_error(reference: Trace) -> float:
    """Gap between a reference's end and the minimum of the independent program.

    Infinite where that is no minimum."""
    program = ReferenceMinimum(reference)
    found, first = program.minimise(), program.objective(program.start)
    if found.least_eigenvalue <= 0:
        return math.inf
    end = program.objective(reference.values("frame", "positions")[-1])
    return abs(end - found.objective) / (first - found.objective)


def is_one_minimum(reference: Trace) -> bool:
    """Problems in which the independent program and Newton's method come to the same minimum."""
    return reference_error(reference) <= 1e-8


def needed(trace: Trace, reference: Trace, level: float, channel: str) -> float:
    """Count on this channel at the first iteration whose gap is at most `level`; infinite if there is none."""
    if trace.status != "completed" and not trace.has("iteration", "objective"):
        return math.inf
    row = first_below(gaps(trace, reference), level)
    return math.inf if row is None else float(trace.values("iteration", channel)[row])


def settled(trace: Trace, reference: Trace, level: float, channel: str) -> float:
    """Count on this channel from which on the gap is at most `level`, interpolated log-linearly between
    iterations; infinite if it ends above."""
    if trace.status != "completed":
        return math.inf
    left, counts = gaps(trace, reference), trace.values("iteration", channel)
    above = np.flatnonzero(left > level)
    if above.size == 0 or above[-1] + 1 == len(left):
        return float(counts[0]) if above.size == 0 else math.inf
    last = int(above[-1])
    before, after = np.log(np.maximum(left[[last, last + 1]], 1e-16))
    return float(counts[last] + (counts[last + 1] - counts[last]) * (before - math.log(level)) / (before - after))


@dataclass(frozen=True)
class Comparison:
    """What `first` needs until its gap is at most `level`, relative to `second`. Of several channels the one with the
    larger ratio counts, so that no conversion between them matters."""

    first: Rows
    second: Rows
    level: float
    channels: tuple[str, ...] = ROUNDS
    keep: Callable[[Trace, Trace, Trace], bool] = lambda one, other, reference: True
    group: Callable[[Trace], str] = family
    count: Callable[[Trace, Trace, float, str], float] = needed

    def ratios(self, data: ExperimentData) -> dict[str, Ratio]:
        """By group of problems."""
        first, second = (of.however_ended(UNREACHED) for of in (self.first, self.second))
        pairs: dict[str, list[tuple[float, float]]] = {}
        for (one, other, reference), _ in first.beside(second, *SAME).beside(REFERENCE, *SAME).units(data):
            if not self.keep(one, other, reference):
                continue
            counts = [[self.count(t, reference, self.level, c) for c in self.channels] for t in (one, other)]
            is_whole = all(map(math.isfinite, counts[0] + counts[1]))
            pair = (max(a / b for a, b in zip(*counts)), 1.0) if is_whole else (max(counts[0]), max(counts[1]))
            pairs.setdefault(self.group(one), []).append(pair)
        return {name: paired_ratio(*zip(*found)) for name, found in pairs.items()}

    def shown(self, measures: Measures, name: str, says: str) -> None:
        """Registers the ratio, for readers."""
        paired_ratios.show(measures, f"{name}_ratio", self.ratios, says)

    def measured(self, measures: Measures, name: str, says: str, factor: float = 1.0) -> None:
        """Registers what a row `<name>_log_ratio < log(factor)` needs. At factor 1 the margin is a tenth."""
        self.shown(measures, name, says)
        names, margin = (f"{name}_log_ratio", f"{name}_spread"), MARGIN if factor == 1.0 else 0.0
        paired_ratios.judge(measures, names, self.ratios, says, math.log(factor), margin)
