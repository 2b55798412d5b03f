# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/tangled_steps: explicit invertible elements and the implicit options at equal steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import binom

from ... import extremes
from ...measurement import Measured, measurement
from ...recovery import BROKEN_OFF, FreeBody, ends
from ...results import ExperimentData
from ...trace import Trace
from .inversion_recovery import PERIODS, recovered

EXPERIMENT = "cs6967_assignment_2/tangled_steps"
EXPLICIT = "explicit"
STANDARD = "implicit"  # standard elements, implicit steps
STEP = "scene.parameters.time_step_s"


def relative_step(trace: Trace) -> float:
    """Time step over 2/ω of the body at rest."""
    return float(trace.value(STEP)) / FreeBody.of(trace).longest_step


def is_long(trace: Trace) -> bool:
    """Longer than an explicit step may be at rest."""
    return relative_step(trace) > 1.0


def pairs(data: ExperimentData, keep: Callable[[Trace], bool]) -> dict[Trace, tuple[list[bool], list[bool]]]:
    """Every run of an implicit option → (its seeds that come back, those of the explicit run with the same step)."""
    found = {}
    for cell in data.some(status=None, keep=lambda c: c.method_name != EXPLICIT and keep(c)):
        partner = data.one(name=EXPLICIT, status=None, where={STEP: cell.value(STEP)})
        found[cell] = (recovered(cell), recovered(partner))
    return found


def margin(pair: tuple[list[bool], list[bool]]) -> float:
    """Share of seeds that come back with implicit steps less that with explicit ones."""
    return float(np.mean(np.asarray(pair[0], dtype=float) - np.asarray(pair[1], dtype=float)))


def chance(pair: tuple[list[bool], list[bool]]) -> float:
    """Sign test: how likely as many or more of the seeds that differ favour the implicit run by chance."""
    first, second = (np.asarray(side, dtype=bool) for side in pair)
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    return float(binom.sf(better - 1, better + worse, 0.5))


def is_in_regime(trace: Trace) -> bool:
    """Long steps, against the options that push inverted elements back."""
    return is_long(trace) and trace.method_name != STANDARD


@measurement("tangled_steps.margin_least", unit="1", experiment=EXPERIMENT)
def margin_least(data: ExperimentData) -> Measured:
    """Share of seeds that come back to rest within ten periods with an implicit option, less that of explicit invertible elements with
    the same step: worst option and step."""
    return extremes.least({c: margin(p) for c, p in pairs(data, lambda _: True).items()})


@measurement("tangled_steps.margin_in_regime", unit="1", experiment=EXPERIMENT)
def margin_in_regime(data: ExperimentData) -> Measured:
    """Share of seeds that come back to rest within ten periods with stiffness warping or implicit invertible elements, less that of
    explicit invertible elements with the same step: worst option and step above 2/ω of the body at rest."""
    return extremes.least({c: margin(p) for c, p in pairs(data, is_in_regime).items()})


@measurement("tangled_steps.sign_test_in_regime", unit="1", experiment=EXPERIMENT)
def sign_test_in_regime(data: ExperimentData) -> Measured:
    """One-sided sign test over the seeds that come back with an implicit option alone or with explicit invertible elements alone:
    stiffness warping and implicit invertible elements, worst option and step above 2/ω of the body at rest."""
    return extremes.largest({c: chance(p) for c, p in pairs(data, is_in_regime).items()})


@measurement("tangled_steps.margin_standard", unit="1", experiment=EXPERIMENT)
def margin_standard(data: ExperimentData) -> Measured:
    """Share of seeds that come back to rest within ten periods with implicit steps of standard elements, less that of explicit
    invertible elements with the same step: worst step."""
    return extremes.least({c: margin(p) for c, p in pairs(data, lambda c: c.method_name == STANDARD).items()})


def broken_off(trace: Trace) -> float:
    """Share of seeds whose run diverged."""
    body = FreeBody.of(trace)
    return float(np.mean([end == BROKEN_OFF for end in ends(trace, body, PERIODS * body.period)]))


@measurement("tangled_steps.explicit_broken_off", unit="1", experiment=EXPERIMENT)
def explicit_broken_off(data: ExperimentData) -> Measured:
    """Least share of seeds from which explicit invertible elements diverge at steps above 2/ω of the body at rest."""
    return extremes.least({c: broken_off(c) for c in data.some(name=EXPLICIT, status=None, keep=is_long)})


@measurement("tangled_steps.implicit_broken_off", unit="1", experiment=EXPERIMENT)
def implicit_broken_off(data: ExperimentData) -> Measured:
    """Largest share of seeds from which an implicit option diverges, all steps."""
    cells = data.some(status=None, keep=lambda c: c.method_name != EXPLICIT)
    return extremes.largest({c: broken_off(c) for c in cells})
