# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/accelerations and /chebyshev_radius: accelerations of projective dynamics."""

import math

import numpy as np

from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, Rows, Trace, parameter, rows

from .one_step import (
    COST,
    REFERENCE,
    ROUNDS,
    SAME,
    UNREACHED,
    Comparison,
    gaps,
    needed,
    objective_error,
    reference_error,
)
from .one_step import rises

M = Measures("projective_dynamics/accelerations")
PLAIN, CHEBYSHEV, ANDERSON, TWO = (rows(name) for name in ("plain", "chebyshev", "anderson", "l_bfgs_2"))
STIFF = 1e4  # Ω of the stiff problems
SOLVED = rows("reference", says="all references")


def _compared(
    name: str, first: Rows, second: Rows, level: float, factor: float, says: str, channels: tuple[str, ...] = ROUNDS
) -> None:
    """At both stiffnesses, and at the larger one alone."""
    Comparison(first, second, level, channels).measured(M, name, f"{says}, all Ω", factor)
    stiff = Comparison(first.where(omega=STIFF), second.where(omega=STIFF), level, channels)
    stiff.measured(M, f"stiff_{name}", f"{says}, Ω = 1e4", factor)


_TO_PLAIN = "relative to plain rounds, to a gap of"
_compared("chebyshev", CHEBYSHEV, PLAIN, 1e-4, 0.1, f"rounds with Chebyshev {_TO_PLAIN} 1e-4, bound log 0.1")
_compared("chebyshev_gain", CHEBYSHEV, PLAIN, 1e-4, 0.7, f"rounds with Chebyshev {_TO_PLAIN} 1e-4, bound log 0.7")
_compared("anderson", ANDERSON, PLAIN, 1e-6, 0.6, f"rounds with Anderson {_TO_PLAIN} 1e-6")
_compared("anderson_cost", ANDERSON, PLAIN, 1e-6, 0.7, f"work with Anderson {_TO_PLAIN} 1e-6", COST)
_compared("rivals", ANDERSON, CHEBYSHEV, 1e-4, 0.9, "rounds with Anderson relative to Chebyshev, to a gap of 1e-4")
_TWO = "of L-BFGS with two changes relative to Chebyshev, to a gap of 1e-4"
Comparison(TWO, CHEBYSHEV, 1e-4).measured(M, "two", f"iterations {_TWO}, all Ω")
Comparison(TWO, CHEBYSHEV, 1e-4, COST).measured(M, "two_cost", f"work {_TWO}, all Ω", 1.1)


def largest_rise(trace: Trace) -> float:
    """Largest rise of the objective in a round, relative to its total drop; 0 if none."""
    return Iterations.of(trace).largest_rise()


M.total("anderson_rises", rises, ANDERSON)
M.largest("largest_anderson_rise", largest_rise, ANDERSON)
M.total("chebyshev_rises", rises, CHEBYSHEV.however_ended("one rise is enough"))
M.largest("objective_error", objective_error, rows("plain", "anderson", "l_bfgs_2", "reference"))
M.largest("reference_error", reference_error, SOLVED)


def unreached(trace: Trace, reference: Trace) -> int:
    """Runs that do not reach a gap of 1e-4."""
    return int(math.isinf(needed(trace, reference, 1e-4, "iteration")))


for _name, _rows in (("two", TWO), ("chebyshev", CHEBYSHEV.however_ended(UNREACHED))):
    M.total(f"{_name}_unreached", unreached, _rows.beside(REFERENCE, *SAME, says=""))

# ---- how much the spectral radius and the delay matter

R = Measures("projective_dynamics/chebyshev_radius")
RADII = rows("chebyshev").however_ended(UNREACHED)
radius = parameter("method.parameters.spectral_radius", float, "ρ.")
delay = parameter("method.parameters.chebyshev_delay", int, "Rounds before the acceleration.")
ZERO = rows("zero", says="Chebyshev with ρ = 0").beside(rows("plain"), *SAME, says="")


def _at(delayed: int) -> Rows:
    return RADII.where(chebyshev_delay=delayed).beside(REFERENCE, *SAME, says="")


def difference_of_zero(trace: Trace, plain: Trace) -> float:
    """Largest relative difference of the objective from plain rounds."""
    own, other = Iterations.of(trace).objective, Iterations.of(plain).objective
    both = min(len(own), len(other))  # the last round may end one of them by rounding
    return float(np.abs(own[:both] / other[:both] - 1).max())


def is_above_start(trace: Trace, reference: Trace) -> int:
    """Runs that end above the objective of their start, or not finite."""
    if trace.status != "completed" and not trace.has("iteration", "objective"):
        return 1
    last = float(gaps(trace, reference)[-1])
    return int(not last <= 1.0)


@R("fragility")
def fragility(data: ExperimentData) -> Measured:
    """Most rounds to a gap of 1e-4 divided by fewest, over ρ within 1 % of the estimate; median over problems."""
    found: dict[tuple[str, int], list[float]] = {}
    for (trace, reference), _ in _at(10).units(data):
        key = str(trace.value("scene.parameters.family")), int(trace.number("seed"))
        most = float(trace.setting("iterations"))  # no fewer where the gap is not reached
        found.setdefault(key, []).append(min(needed(trace, reference, 1e-4, "iteration"), most))
    worst = [max(counts) / min(counts) for counts in found.values()]
    return Measured(float(np.median(worst)), f"{len(worst)} problems")


R.total("undelayed_above_start", is_above_start, _at(1))
R.total("delayed_above_start", is_above_start, _at(10))
R.largest("difference_of_zero", difference_of_zero, ZERO)
