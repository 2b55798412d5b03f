# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stretched_step_limit: the longest stable step of an undamped block that starts stretched."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...recovery import FreeBody, stretched_energy
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "cs6967_assignment_2/stretched_step_limit"
COROTATIONAL = "invertible_corotational"
LAWS = ("invertible", COROTATIONAL)
ENERGY = 10.0  # kinetic energy over the elastic energy of the start: a factor of three in speed


def factor_of(trace: Trace) -> float:
    """s0."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def step_of(trace: Trace) -> float:
    """Time step, s."""
    return float(trace.value("scene.parameters.time_step_s"))


def stable(trace: Trace) -> list[bool]:
    """Of every seed, whether all steps were taken and the kinetic energy stayed within ENERGY times the elastic one of the start."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}: {trace.status_reason}")
    most = ENERGY * stretched_energy(FreeBody.of(trace), factor_of(trace))
    steps = int(trace.value("schedule.steps"))
    members = trace.series("step", "kinetic_energy").members()
    return [bool(m.step[-1] == steps and m.values.max() <= most) for m in members]


def limits(data: ExperimentData, name: str) -> dict[float, list[float]]:
    """s0 → of every seed the longest step that is stable with all shorter ones, in steps 2/ω of the body at rest."""
    found = {}
    rows = data.some(name=name, status=None)
    for factor in sorted({factor_of(c) for c in rows}):
        cells = sorted((c for c in rows if factor_of(c) == factor), key=step_of)
        relative = [step_of(c) / FreeBody.of(c).longest_step for c in cells]
        table = np.array([stable(c) for c in cells])
        counts = np.cumprod(table, axis=0).sum(axis=0)
        found[factor] = [relative[n - 1] if n else 0.0 for n in counts]
    return found


def ratios(data: ExperimentData, names: Sequence[str]) -> dict[str, float]:
    """Law, start and seed → longest stable step of invertible elements over that of standard ones."""
    standard = limits(data, "standard")
    found = {}
    for name in names:
        invertible = limits(data, name)
        if standard.keys() != invertible.keys():
            raise MissingData(f"{data.id}: {name}: not the same starts as for standard elements")
        for factor, of_standard in standard.items():
            for k, (low, high) in enumerate(zip(of_standard, invertible[factor], strict=True)):
                if low == 0.0:
                    raise MissingData(f"{data.id}: s0 = {factor:g}: standard elements are stable at no step")
                found[f"{name}, s0 = {factor:g}, member {k}: {high:.2f} against {low:.2f} of 2/ω at rest"] = high / low
    return found


@measurement("stretched_step_limit.ratio_least", unit="1", experiment=EXPERIMENT)
def ratio_least(data: ExperimentData) -> Measured:
    """Longest stable step of explicit invertible elements over that of standard St. Venant–Kirchhoff elements, without damping: worst
    law, start and seed."""
    return extremes.least(ratios(data, LAWS))


@measurement("stretched_step_limit.ratio_corotational", unit="1", experiment=EXPERIMENT)
def ratio_corotational(data: ExperimentData) -> Measured:
    """Longest stable step of explicit invertible elements over that of standard St. Venant–Kirchhoff elements, without damping:
    co-rotational law, which does not stiffen when stretched, worst start and seed."""
    return extremes.least(ratios(data, [COROTATIONAL]))


@measurement("stretched_step_limit.standard_from_two", unit="1", experiment=EXPERIMENT)
def standard_from_two(data: ExperimentData) -> Measured:
    """Longest stable step of standard elements from twice the size, over 2/ω of the body at rest: least of the seeds."""
    found = [v for factor, values in limits(data, "standard").items() if math.isclose(factor, 2.0) for v in values]
    return extremes.least(dict(enumerate(found)))
