# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/unfiltered_by_inertia: how often Newton's method fails without filter, by
Θ = Δt²E/(ρL²)."""

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace
from experiments.newton_filters.measurements import runs as r

M = Measures("newton_filters/unfiltered_by_inertia")
STATIC = 1e6


def is_static(trace: Trace) -> bool:
    """Θ = 10⁶."""
    return trace.number("theta") == STATIC


def is_dynamic(trace: Trace) -> bool:
    """Θ = 1."""
    return trace.number("theta") == 1.0


def failed_by_seed(data: ExperimentData, name: str, keep: r.Keep) -> dict[str, list[float]]:
    """By family, for each seed the share of the problems whose run does not converge."""
    found: dict[str, list[list[bool]]] = {}
    for trace in data.every(name=name, keep=keep):
        found.setdefault(r.family(trace), []).append([not run.converged for run in r.runs(trace)])
    return {family: np.mean(failed, axis=0).tolist() for family, failed in found.items()}


def shares(data: ExperimentData, name: str, keep: r.Keep) -> list[float]:
    """By family the share of the runs that do not converge."""
    return [float(np.mean(of)) for of in failed_by_seed(data, name, keep).values()]


@M("static_failed_share")
def static_failed_share(data: ExperimentData) -> float:
    """Share of static runs without filter that do not converge, least of the families."""
    return min(shares(data, r.UNFILTERED, is_static))


@M("static_failed_share_spread")
def static_failed_share_spread(data: ExperimentData) -> float:
    """Half the range over seeds of the share of failed static runs, largest of the families."""
    return float(max((max(of) - min(of)) / 2 for of in failed_by_seed(data, r.UNFILTERED, is_static).values()))


@M("static_excess")
def static_excess(data: ExperimentData) -> float:
    """Share of static runs that do not converge, without filter minus clamped, least of the families."""
    free, clamped = (shares(data, name, is_static) for name in (r.UNFILTERED, r.CLAMPED))
    return min(a - b for a, b in zip(free, clamped, strict=True))


@M("clamped_static_failed_share")
def clamped_static_failed_share(data: ExperimentData) -> float:
    """Share of static clamped runs that do not converge, largest of the families."""
    return max(shares(data, r.CLAMPED, is_static))


@M("dynamic_failed_share")
def dynamic_failed_share(data: ExperimentData) -> float:
    """Share of runs with Θ = 1 without filter that do not converge, largest of the families."""
    return max(shares(data, r.UNFILTERED, is_dynamic))
