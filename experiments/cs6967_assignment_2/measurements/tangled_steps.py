# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/tangled_steps: explicit invertible elements and the implicit options at equal steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import bdtrc

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.recovery import BROKEN_OFF, FreeBody, ends
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .inversion_recovery import PERIODS

EXPERIMENT = "cs6967_assignment_2/tangled_steps"
# Explicit invertible elements → the step over 2/ω of the body at rest from which their law is in the regime.
FROM = {"explicit": 0.3, "explicit_neo_hookean": 0.6, "explicit_corotational": 0.9}
COROTATIONAL = "explicit_corotational"
IMPLICIT = ("implicit", "warped", "implicit_invertible")
STEP = "scene.parameters.time_step_s"
ROUNDED = 1 - 1e-3  # steps are declared with four digits
SPEED = 0.1  # of the cell per 1/ω of the lowest mode, root mean square: a damped body faster than this after ten periods is kept moving


def relative_step(trace: Trace) -> float:
    """Time step over 2/ω of the body at rest."""
    step = float(trace.value(STEP)) / FreeBody.of(trace).longest_step
    if step >= 1.0:
        raise MissingData(f"{trace.label}: the step is above 2/ω at rest, where every explicit step diverges")
    return step


def stable(trace: Trace) -> list[bool]:
    """Of every seed, whether its run is not broken off and has come to rest, in whatever shape."""
    body = FreeBody.of(trace)
    most = 0.5 * body.masses.sum() * (SPEED * body.cell * body.lowest_frequency) ** 2
    return [end != BROKEN_OFF and end.kinetic_energy <= most for end in ends(trace, body, PERIODS * body.period)]


def pairs(data: ExperimentData, keep: Callable[[Trace], bool]) -> dict[str, tuple[list[bool], list[bool]]]:
    """An explicit run and an implicit one with the same step, every option → (seeds stable with implicit steps, with explicit ones)."""
    found = {}
    for cell in data.some(status=None, keep=lambda c: c.method_name in FROM and keep(c)):
        for name in IMPLICIT:
            partner = data.one(name=name, status=None, where={STEP: cell.value(STEP)})
            text = f"{name} against {cell.method_name}, {relative_step(cell):.2f} of 2/ω at rest"
            found[text] = (stable(partner), stable(cell))
    return found


def margin(pair: tuple[list[bool], list[bool]]) -> float:
    """Share of seeds that are stable with implicit steps less that with explicit ones."""
    return float(np.mean(np.asarray(pair[0], dtype=float) - np.asarray(pair[1], dtype=float)))


def chance(pair: tuple[list[bool], list[bool]]) -> float:
    """Sign test: how likely as many or more of the seeds that differ favour the implicit run by chance."""
    first, second = (np.asarray(side, dtype=bool) for side in pair)
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    return float(bdtrc(better - 1, better + worse, 0.5))


def is_in_regime(trace: Trace) -> bool:
    """A step that is long for the law."""
    return relative_step(trace) >= FROM[trace.method_name] * ROUNDED


def unstable(trace: Trace) -> float:
    """Share of seeds whose run is not stable."""
    return 1.0 - float(np.mean(stable(trace)))


@measurement("tangled_steps.margin_least", unit="1", experiment=EXPERIMENT)
def margin_least(data: ExperimentData) -> Measured:
    """Share of tangled starts that are stable with an implicit option, less that with explicit invertible elements and the same step:
    worst option, law and step; stable is a damped run that is not broken off and moves at most 0.1 of a cell per 1/ω after ten periods.
    """
    return extremes.least({c: margin(p) for c, p in pairs(data, lambda _: True).items()})


@measurement("tangled_steps.margin_in_regime", unit="1", experiment=EXPERIMENT)
def margin_in_regime(data: ExperimentData) -> Measured:
    """Share of tangled starts that are stable with an implicit option, less that with explicit invertible elements and the same step, over
    2/ω at rest at least 0.3 (St. Venant–Kirchhoff), 0.6 (neo-Hookean), 0.9 (co-rotational): worst option, law and step; stable is a damped
    run that is not broken off and moves at most 0.1 of a cell per 1/ω after ten periods."""
    return extremes.least({c: margin(p) for c, p in pairs(data, is_in_regime).items()})


@measurement("tangled_steps.sign_test_in_regime", unit="1", experiment=EXPERIMENT)
def sign_test_in_regime(data: ExperimentData) -> Measured:
    """One-sided sign test over the tangled starts that are stable with an implicit option alone or with explicit invertible elements alone:
    worst option, law and step, over 2/ω at rest at least 0.3 (St. Venant–Kirchhoff), 0.6 (neo-Hookean), 0.9 (co-rotational).
    """
    return extremes.largest({c: chance(p) for c, p in pairs(data, is_in_regime).items()})


@measurement("tangled_steps.seeds", unit="1", experiment=EXPERIMENT)
def seeds(data: ExperimentData) -> Measured:
    """Least number of tangled starts of a run."""
    return extremes.least({c: float(len(stable(c))) for c in data.some(status=None)})


@measurement("tangled_steps.implicit_unstable", unit="1", experiment=EXPERIMENT)
def implicit_unstable(data: ExperimentData) -> Measured:
    """Largest share of tangled starts from which an implicit option is broken off or still moves faster than 0.1 of a cell per 1/ω after
    ten periods, all options and steps."""
    return extremes.largest({c: unstable(c) for c in data.some(status=None, keep=lambda c: c.method_name in IMPLICIT)})


@measurement("tangled_steps.corotational_unstable", unit="1", experiment=EXPERIMENT)
def corotational_unstable(data: ExperimentData) -> Measured:
    """Share of tangled starts from which explicit invertible co-rotational elements are broken off or still move faster than 0.1 of a cell
    per 1/ω after ten periods: largest of the steps up to 0.6 of 2/ω at rest (tier paper)."""
    cells = data.some(name=COROTATIONAL, status=None, keep=lambda c: relative_step(c) < 0.61)
    return extremes.largest({c: unstable(c) for c in cells})
