# SPDX-License-Identifier: BSD-3-Clause
"""What a solver has left of a step's objective after each of its iterations: the clock `iteration` of a trace."""

from dataclasses import dataclass

import numpy as np

from .arrays import Array
from .errors import MissingData
from .trace import Trace

_ROUNDING = 1e-9  # of the drop: starts that differ by more belong to different problems


@dataclass(frozen=True)
class Iterations:
    """The rows of one substep of one step, by iteration; row 0 is where the iterations start from."""

    trace: Trace
    objective: Array  # J
    gradient_norm: Array  # N; not a number where the method does not know it
    seconds: Array  # since the step began

    @staticmethod
    def of(trace: Trace, step: int = 1, substep: int = 0) -> "Iterations":
        """MissingData where the trace has no such rows, or they do not count from 0."""
        series = trace.series("iteration", "iteration")
        rows = np.flatnonzero((series.step == step) & (trace.values("iteration", "substep") == substep))
        if len(rows) < 2 or not np.array_equal(series.values[rows], np.arange(len(rows))):
            raise trace.missing(f"no iterations of step {step} from 0 on")

        def column(name: str) -> Array:
            return np.asarray(trace.values("iteration", name)[rows])

        norms = column("gradient_norm") if trace.has("iteration", "gradient_norm") else np.full(len(rows), np.nan)
        return Iterations(trace, column("objective"), norms, column("elapsed_seconds"))

    def errors(self, start: float, least: float) -> Array:
        """(E − E*)/(E0 − E*) of every row; MissingData where the rows do not start from E0 or do not have E* below
        them."""
        drop = start - least
        if not drop > 0 or abs(self.objective[0] - start) > _ROUNDING * drop:
            raise MissingData(f"{self.trace.experiment}: {self.trace.label} does not start where its reference does")
        return np.asarray((self.objective - least) / drop)

    def largest_rise(self) -> float:
        """Largest increase of the objective from a row to the next over the drop from the first to the lowest;
        0 where it falls."""
        drop = self.objective[0] - self.objective.min()
        return float(max(np.diff(self.objective).max(), 0.0) / drop) if drop > 0 else float("inf")


def first_below(errors: Array, level: float) -> int | None:
    """First iteration at which the error is at most `level`; None where there is none."""
    rows = np.flatnonzero(errors <= level)
    return int(rows[0]) if len(rows) else None
