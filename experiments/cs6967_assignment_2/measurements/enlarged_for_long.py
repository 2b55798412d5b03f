# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/enlarged_for_long: whether steps that seem stable from enlarged starts stay so."""

from __future__ import annotations

import math

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import energies_of_green_strain
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .step_from_enlarged import EXPLODED, scale, share

EXPERIMENT = "cs6967_assignment_2/enlarged_for_long"
STEPS = 50_000
SHORT = 2_000  # steps that step_from_enlarged takes
FACTOR, LEAST_SHARE = 1.1, 0.45  # the start and the steps over 2/ω_max at rest that are asked about


def ends(trace: Trace) -> list[float]:
    """Of every start the first stored step with over EXPLODED times the energy of the start, or the last one of a run that was cut
    off; infinite where neither is."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}")
    if int(trace.value("schedule.steps")) != STEPS:
        raise MissingData(f"{trace.label}: not {STEPS} steps")
    found = []
    both = (trace.series("step", name).members() for name in ("positions", "velocities"))
    for x, v in zip(*both, strict=True):
        energies = extremes.finite(energies_of_green_strain(trace, x.values, v.values), trace.label)
        over = np.flatnonzero(energies > EXPLODED * energies[0])
        if over.size:
            found.append(float(x.step[over[0]]))
        else:
            found.append(math.inf if x.step[-1] == STEPS else float(x.step[-1]))
    return found


def of_seeming_stable_steps(data: ExperimentData) -> dict[str, float]:
    """Every start from 1.1 times with a step of at least 0.45 of 2/ω_max at rest → where it explodes."""
    found = {}
    for cell in data.some(status=None, keep=lambda c: math.isclose(scale(c), FACTOR) and share(c) >= LEAST_SHARE):
        for k, end in enumerate(ends(cell)):
            found[f"{share(cell):.3f} of 2/ω_max at rest, member {k}"] = end
    return found


@measurement("enlarged_for_long.first_explosion", unit="1", experiment=EXPERIMENT)
def first_explosion(data: ExperimentData) -> Measured:
    """First step with over ten times the energy of the start, or the last of a run that was cut off: least of the starts, blocks
    enlarged 1.1 times, steps of 0.48 of 2/ω_max at rest."""
    return extremes.least(of_seeming_stable_steps(data))


@measurement("enlarged_for_long.last_explosion", unit="1", experiment=EXPERIMENT)
def last_explosion(data: ExperimentData) -> Measured:
    """First step with over ten times the energy of the start, or the last of a run that was cut off: largest of the starts, infinite
    where one stays calm, blocks enlarged 1.1 times, steps of 0.48 of 2/ω_max at rest."""
    return extremes.largest(of_seeming_stable_steps(data))


@measurement("enlarged_for_long.exploded_below", unit="1", experiment=EXPERIMENT)
def exploded_below(data: ExperimentData) -> Measured:
    """Largest share of starts that explode within 50,000 steps, shorter steps: 1.1 times, 0.30 of 2/ω_max at rest, and at tier paper
    0.42 of it, and 0.18 of it from 1.6 times."""
    cells = data.some(status=None, keep=lambda c: share(c) < LEAST_SHARE)
    return extremes.largest({c: float(np.mean(np.isfinite(ends(c)))) for c in cells})
