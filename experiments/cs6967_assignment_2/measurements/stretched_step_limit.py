# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stretched_step_limit: the longest stable step of an undamped block that starts stretched."""

from __future__ import annotations

import math
import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.recovery import FreeBody, stretched_energy
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/stretched_step_limit"
# Law → its row of standard elements, its row of elements continued through inversion.
PAIRS = {
    "St. Venant–Kirchhoff": ("standard", "invertible"),
    "co-rotational": ("standard_corotational", "invertible_corotational"),
    "neo-Hookean": ("standard_neo_hookean", "invertible_neo_hookean"),
}
INFINITE = "neo-Hookean"  # the law whose energy has no bound where an element becomes flat
STEPS = 2000
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
    if steps != STEPS:
        raise MissingData(f"{trace.label}: {steps} steps where limits are for {STEPS}")
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


def ratios(data: ExperimentData, law: str) -> dict[tuple[float, int], tuple[float, str]]:
    """Start and seed → longest stable step of continued elements over that of standard ones of the same law, and both in words."""
    of_standard, of_continued = (limits(data, name) for name in PAIRS[law])
    if of_standard.keys() != of_continued.keys():
        raise MissingData(f"{data.id}: {law}: not the same starts with standard and with continued elements")
    found = {}
    for factor, lows in of_standard.items():
        for k, (low, high) in enumerate(zip(lows, of_continued[factor], strict=True)):
            if low == 0.0:
                raise MissingData(f"{data.id}: {law}, s0 = {factor:g}: standard elements are stable at no step")
            text = f"{law}, s0 = {factor:g}, member {k}: {high:.3f} against {low:.3f} of 2/ω at rest"
            found[factor, k] = (high / low, text)
    return found


def laws_of(data: ExperimentData) -> list[str]:
    """Laws that the tier runs; the one that is infinite at inversion and one that is not have to be among them."""
    names = {c.method_name for c in data.cells}
    found = [law for law, pair in PAIRS.items() if names >= set(pair)]
    if INFINITE not in found or len(found) < 2:
        raise MissingData(f"{data.id}: standard and continued elements of {found or 'no law'} alone")
    return found


@measurement("stretched_step_limit.ratio_least", unit="1", experiment=EXPERIMENT)
def ratio_least(data: ExperimentData) -> Measured:
    """Longest stable explicit step of elements continued through inversion over that of standard elements of the same law, without
    damping: worst law, start and seed; stable are 2,000 steps with a kinetic energy of at most ten times the elastic energy of the start.
    """
    return extremes.least({text: ratio for law in laws_of(data) for ratio, text in ratios(data, law).values()})


@measurement("stretched_step_limit.ratio_neo_hookean", unit="1", experiment=EXPERIMENT)
def ratio_neo_hookean(data: ExperimentData) -> Measured:
    """Longest stable explicit step of continued neo-Hookean elements over that of standard neo-Hookean ones, without damping, from twice
    the size: worst seed; stable are 2,000 steps with a kinetic energy of at most ten times the elastic energy of the start.
    """
    found = {text: ratio for (factor, _), (ratio, text) in ratios(data, INFINITE).items() if math.isclose(factor, 2.0)}
    return extremes.least(found)


@measurement("stretched_step_limit.median_of_finite_laws", unit="1", experiment=EXPERIMENT)
def median_of_finite_laws(data: ExperimentData) -> Measured:
    """Longest stable explicit step of continued elements over that of standard elements of the same law, without damping: median of the
    seeds, largest of the starts and of the laws that stay finite at inversion (St. Venant–Kirchhoff, co-rotational)."""
    medians = {}
    for law in laws_of(data):
        if law != INFINITE:
            found = ratios(data, law)
            for factor in sorted({f for f, _ in found}):
                medians[f"{law}, s0 = {factor:g}"] = float(
                    np.median([r for (f, _), (r, _) in found.items() if f == factor])
                )
    return extremes.largest(medians)


@measurement("stretched_step_limit.standard_from_two", unit="1", experiment=EXPERIMENT)
def standard_from_two(data: ExperimentData) -> Measured:
    """Longest stable step of standard St. Venant–Kirchhoff elements from twice the size, over 2/ω of the body at rest: least of the seeds."""
    found = [v for factor, values in limits(data, "standard").items() if math.isclose(factor, 2.0) for v in values]
    return extremes.least(dict(enumerate(found)))
