# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a solver in one implicit Euler step, against the independent program of reference_minimum.py, and
comparisons of two solvers on the same steps."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from deformbench_analysis.paired_ratios import Ratio, paired_ratio
from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.vocabulary import Array, Trace, quantity

CORE = "stable_neo_hookean_core"
FAILED = 1e300  # in place of infinity, which JSON does not hold
MAY_DIVERGE = "a run that diverges has failed"


@lru_cache(maxsize=256)
def problem(trace: Trace) -> ReferenceMinimum:
    """The first step; for XPBD with CORE, the paper's law, whose energy its constraints have."""
    return ReferenceMinimum(trace, str(trace.value("method.parameters.law", CORE)))


def finished(trace: Trace) -> bool:
    """Whether it completed; MissingData unless it completed or diverged."""
    if trace.status not in ("completed", "diverged"):
        raise trace.missing(trace.status)
    return trace.status == "completed"


def _last(trace: Trace) -> Array:
    return np.asarray(trace.values("frame", "positions")[-1])


def residual(trace: Trace) -> float:
    """|M^(−½)∇Φ| after the step relative to its start."""
    if not finished(trace):
        return FAILED
    step = problem(trace)
    roots = np.sqrt(step.inertia)[:, None]
    return float(
        np.linalg.norm(step.gradient(_last(trace)) / roots) / np.linalg.norm(step.gradient(step.start) / roots)
    )


def error(trace: Trace) -> float:
    """Largest distance of a vertex from the solution relative to that at the start."""
    if not finished(trace):
        return FAILED
    step = problem(trace)
    solution = step.minimise().positions
    off, way = (np.linalg.norm(x - solution, axis=1).max() for x in (_last(trace), step.start))
    return float(off / way)


@lru_cache(maxsize=1024)
def _drop(trace: Trace) -> float:
    step = problem(trace)
    return step.objective(step.start) - step.minimise().objective


@lru_cache(maxsize=1024)
def gaps(trace: Trace) -> Array:
    """(Φ − Φ*)/(Φ0 − Φ*) after every iteration. MissingData below Φ*: another minimum."""
    found = Iterations.of(trace).objective
    left = np.asarray(1 + (found - found[0]) / _drop(trace))
    if np.nanmin(left) < -1e-8:
        raise trace.missing("ends below the minimum of the independent program")
    return left


def sweeps(trace: Trace, level: float) -> float:
    """Iterations until the gap is at most `level`; FAILED where it never is."""
    reached = first_below(gaps(trace), level) if finished(trace) else None
    return FAILED if reached is None else float(reached)


@quantity("disagreement of the objective's drop with the independent program, relative to the drop")
def disagreement(trace: Trace) -> float:
    """At the positions after the step."""
    step, found = problem(trace), Iterations.of(trace).objective
    return float(abs(found[-1] - found[0] - step.objective(_last(trace)) + step.objective(step.start)) / _drop(trace))


def ratios(
    first: Sequence[Trace], second: Sequence[Trace], of: Callable[[Trace], float], same: Sequence[str]
) -> Mapping[str, Ratio]:
    """By family of meshes: what `first` needs relative to `second` at the same parameters."""

    def key(trace: Trace) -> tuple[object, ...]:
        return tuple(trace.value(f"scene.parameters.{name}") for name in same)

    partners = {key(trace): trace for trace in second}
    found: dict[str, list[tuple[float, float]]] = {}
    for trace in first:
        if key(trace) not in partners:
            raise trace.missing("no run to compare it with")
        pair = tuple(np.inf if value == FAILED else value for value in (of(trace), of(partners[key(trace)])))
        found.setdefault(str(trace.value("scene.parameters.family")), []).append((pair[0], pair[1]))
    return {family: paired_ratio(*zip(*pairs)) for family, pairs in found.items()}
