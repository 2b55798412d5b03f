# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/cg_truncation_stiffness and …_swing:
for which matrices 20 plain iterations suffice.

Conjugate gradients leave at most 2 ((√κ − 1)/(√κ + 1))ⁿ of the initial error in the A-norm. In free fall from rest
that norm bounds the error of the centre's velocity, so that κ ≤ 57 is enough for one per cent after 20 iterations; κ
grows with Δt²E/(ρh²)."""

import math
from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, MissingData, Trace, rows
from .cg_truncation import EXACT, free_fall_error, tip_error
from .condition_number import require_converged, stiffness_number, with_number

STIFFNESS = Measures("mueller_gross_2004/cg_truncation_stiffness")
SWING = Measures("mueller_gross_2004/cg_truncation_swing")
LEFT = 0.01  # share of the initial error that the bound allows; the regime of free fall
PAPER_COUNT = 20
SEEN_FALLING, SEEN_SWINGING = 4.5, 6.5  # Δt²E/(ρh²) up to which runs are judged beyond what the bound proves


def condition(trace: Trace) -> float:
    """Largest condition number of the run."""
    require_converged(trace)
    return float(trace.values("operator", "condition_number").max())


def bound(trace: Trace) -> float:
    """2 ((√κ − 1)/(√κ + 1))²⁰."""
    root = math.sqrt(condition(trace))
    return 2 * ((root - 1) / (root + 1)) ** PAPER_COUNT


PLAIN = rows("plain", says="20 CG iterations without preconditioner, started from v_n")
FALLING = PLAIN.noted(with_number)
SWINGING = PLAIN.beside(EXACT, "length_m", "young_modulus_pa", says="").noted(lambda run, _: with_number(run))

free_fall_error_max = STIFFNESS.largest("free_fall_error", free_fall_error, FALLING)
SWING.largest("tip_error", tip_error, SWINGING)


def _worst(found: dict[Trace, float], kept: Callable[[Trace], bool], otherwise: str) -> Measured:
    """Largest value; the note has the number of runs and their extremes."""
    cells = [c for c in found if kept(c)]
    if not cells:
        raise MissingData(otherwise)
    numbers, conditions = ([of(c) for c in cells] for of in (stiffness_number, condition))
    reach = f"Δt²E/(ρh²) up to {np.max(numbers):.3g}, condition number up to {np.max(conditions):.3g}"
    return Measured(np.max([found[c] for c in cells]), f"{len(cells)} runs, {reach}")


def _in_regime(found: dict[Trace, float]) -> Measured:
    otherwise = "no run whose condition number lets 20 iterations reach one per cent"
    return _worst(found, lambda c: bound(c) <= LEFT, otherwise)


def _seen(data: ExperimentData, found: dict[Trace, float], most: float) -> Measured:
    otherwise = f"{data.id} at tier {data.tier}: no run with Δt²E/(ρh²) ≤ {most:g}"
    return _worst(found, lambda c: stiffness_number(c) <= most, otherwise)


def falls(data: ExperimentData) -> dict[Trace, float]:
    """Errors of the free falls."""
    return {c: free_fall_error(c) for c in PLAIN.runs(data)}


def tips(data: ExperimentData) -> dict[Trace, float]:
    """Errors of the tips."""
    return {run: tip_error(run, exact) for (run, exact), _ in SWINGING.units(data)}


@STIFFNESS("free_fall_error_in_regime")
def free_fall_error_in_regime(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, 20 unpreconditioned CG iterations from
    v_n, condition number κ ≤ 57.

    κ is such that 2 ((√κ − 1)/(√κ + 1))²⁰ ≤ 0.01."""
    return _in_regime(falls(data))


@STIFFNESS("free_fall_error_seen")
def free_fall_error_seen(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, 20 unpreconditioned CG iterations from
    v_n, Δt²E/(ρh²) ≤ 4.5, h the cell edge."""
    return _seen(data, falls(data), SEEN_FALLING)


@SWING("tip_error_in_regime")
def tip_error_in_regime(data: ExperimentData) -> Measured:
    """Largest tip error against exact solves / largest deflection, 20 unpreconditioned CG iterations from v_n,
    condition number κ ≤ 57.

    κ is such that 2 ((√κ − 1)/(√κ + 1))²⁰ ≤ 0.01."""
    return _in_regime(tips(data))


@SWING("tip_error_seen")
def tip_error_seen(data: ExperimentData) -> Measured:
    """Largest tip error against exact solves / largest deflection, 20 unpreconditioned CG iterations from v_n,
    Δt²E/(ρh²) ≤ 6.5, h the cell edge."""
    return _seen(data, tips(data), SEEN_SWINGING)


def _farthest_count(data: ExperimentData) -> float:
    """Reported number of CG iterations in the step where it is farthest from 20."""
    counts = np.concatenate([np.ravel(c.values("step", "solver_iterations")[1:]) for c in PLAIN.runs(data)])
    return float(counts[np.abs(counts - PAPER_COUNT).argmax()])


for _measures in (STIFFNESS, SWING):
    _measures("iterations")(_farthest_count)
