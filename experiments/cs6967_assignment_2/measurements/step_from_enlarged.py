# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/step_from_enlarged: the largest stable explicit step of blocks that start enlarged."""

from __future__ import annotations

import math

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import energies_of_green_strain, highest_frequency
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/step_from_enlarged"
EXPLODED = 10.0  # over the energy of the start: near its limit an explicit scheme's own band is wide
# Limits over 2/ω_max at rest, by the scale of the start, of a program that shares nothing with the methods; the tests step it.
REFERENCE = {1.1: 0.53, 1.3: 0.30, 1.6: 0.23, 2.0: 0.175}


def scale(trace: Trace) -> float:
    """Of the start."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def members(trace: Trace) -> list[Array]:
    """E/E_0 of the rows of every start, by the judge."""
    found = []
    both = (trace.series("step", name).members() for name in ("positions", "velocities"))
    for x, v in zip(*both, strict=True):
        energies = extremes.finite(energies_of_green_strain(trace, x.values, v.values), trace.label)
        found.append(energies / energies[0])
    return found


def explosions(trace: Trace) -> int:
    """Starts whose energy passed ten times that of the start, or that were cut off before the last step."""
    steps = trace.series("step", "positions").step
    last = int(trace.value("schedule.steps"))
    return sum(
        int(bool((energies > EXPLODED).any()) or int(steps[k].max()) < last)
        for k, energies in enumerate(members(trace))
    )


def share(trace: Trace) -> float:
    """Δt over 2/ω_max at rest."""
    return float(trace.value("scene.parameters.time_step_s")) * highest_frequency(trace) / 2


def limits(data: ExperimentData) -> dict[float, tuple[float, float]]:
    """By scale: the largest step with which no start exploded, and the smallest with which all did, over 2/ω_max at rest; 0 and infinity where there is none."""
    calm: dict[float, list[float]] = {}
    wild: dict[float, list[float]] = {}
    scales: set[float] = set()
    for cell in data.some(status=None):
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
        scales.add(scale(cell))
        count, all_of = explosions(cell), cell.series("step", "positions").step.shape[0]
        if count == 0:
            calm.setdefault(scale(cell), []).append(share(cell))
        if count == all_of:
            wild.setdefault(scale(cell), []).append(share(cell))
    if scales != set(REFERENCE):
        raise MissingData(f"{EXPERIMENT}: starts from {sorted(scales)}")
    return {s: (max(calm.get(s, [0.0])), min(wild.get(s, [math.inf]))) for s in REFERENCE}


@measurement("step_from_enlarged.stable_below_reference", unit="1", experiment=EXPERIMENT)
def stable_below_reference(data: ExperimentData) -> Measured:
    """Largest amount by which the largest step that no start exploded with is below the independent limit, over 2/ω_max at
    rest, blocks enlarged 1.1, 1.3, 1.6 and 2 times."""
    return extremes.largest({s: REFERENCE[s] - low for s, (low, _) in limits(data).items()})


@measurement("step_from_enlarged.unstable_above_reference", unit="1", experiment=EXPERIMENT)
def unstable_above_reference(data: ExperimentData) -> Measured:
    """Largest amount by which the smallest step that all starts exploded with is above the independent limit, over 2/ω_max
    at rest, blocks enlarged 1.1, 1.3, 1.6 and 2 times."""
    return extremes.largest({s: high - REFERENCE[s] for s, (_, high) in limits(data).items()})


@measurement("step_from_enlarged.limit_at_twice", unit="1", experiment=EXPERIMENT)
def limit_at_twice(data: ExperimentData) -> float:
    """Middle between the two steps, blocks enlarged twice, over 2/ω_max at rest."""
    return sum(limits(data)[2.0]) / 2


@measurement("step_from_enlarged.starts", unit="1", experiment=EXPERIMENT)
def starts(data: ExperimentData) -> Measured:
    """Least number of perturbed starts of a run."""
    return extremes.least({c: float(c.series("step", "positions").step.shape[0]) for c in data.some(status=None)})
