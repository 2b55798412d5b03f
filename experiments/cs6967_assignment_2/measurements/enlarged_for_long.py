# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/enlarged_for_long: whether steps that seem stable from enlarged starts stay
so."""

import math

import numpy as np

from deformbench_analysis.explicit_steps import energies_of_green_strain
from deformbench_analysis.vocabulary import Measures, MissingData, Trace, extremes, quantity, rows
from .step_from_enlarged import ENDS, EXPLODED, scale, share

M = Measures("cs6967_assignment_2/enlarged_for_long")
STEPS = 50_000
FACTOR, LEAST_SHARE = 1.1, 0.45  # start scale; least judged Δt relative to 2/ω_max at rest


def ends(trace: Trace) -> list[float]:
    """First stored step with more than EXPLODED times the initial energy, per start.

    The last step of a run that was cut off; infinite if neither occurs."""
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


@quantity("first step above ten times the initial energy, or of the run's cut-off")
def _explosions(trace: Trace) -> dict[str, float]:
    return {f"{share(trace):.3f} of 2/ω_max at rest, member {k}": end for k, end in enumerate(ends(trace))}


@quantity("share of starts that explode within 50,000 steps")
def _exploded(trace: Trace) -> float:
    return float(np.mean(np.isfinite(ends(trace))))


def seems_stable(trace: Trace) -> bool:
    """A step just below the limit of shorter runs."""
    return share(trace) >= LEAST_SHARE


BLOCKS = rows(says="starts enlarged 1.1 times, Δt = 0.48 · 2/ω_max").however_ended(ENDS)
SEEMING_STABLE = BLOCKS.where(lambda c: math.isclose(scale(c), FACTOR), says="").having(seems_stable, says="")
SHORTER = rows(says="shorter steps, all starts").however_ended(ENDS).having(lambda c: not seems_stable(c), says="")

M.least("first_explosion", _explosions, SEEMING_STABLE)
M.largest("last_explosion", _explosions, SEEMING_STABLE)  # infinite if a start stays stable
M.largest("exploded_below", _exploded, SHORTER)
