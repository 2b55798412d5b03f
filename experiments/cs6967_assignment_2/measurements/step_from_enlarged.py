# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/step_from_enlarged: the largest stable explicit step of blocks that start
enlarged."""

import math

from deformbench_analysis.explicit_steps import energies_of_green_strain, highest_frequency
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes, quantity, rows

M = Measures("cs6967_assignment_2/step_from_enlarged")
EXPLODED = 10.0  # × initial energy: near its limit an explicit scheme's energy varies widely
# Start scale → limit relative to 2/ω_max at rest, by a program that shares nothing with the methods
# (run by the tests).
REFERENCE = {1.1: 0.53, 1.3: 0.30, 1.6: 0.23, 2.0: 0.175}


def scale(trace: Trace) -> float:
    """Scale of the start relative to the rest shape."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def enlarged(factor: float) -> str:
    """For notes."""
    return f"enlarged {factor:g} times"


def start(trace: Trace) -> str:
    """Name of the run's start."""
    return enlarged(scale(trace))


def members(trace: Trace) -> list[Array]:
    """E/E_0 per row of every start, by the judge."""
    found = []
    both = (trace.series("step", name).members() for name in ("positions", "velocities"))
    for x, v in zip(*both, strict=True):
        energies = extremes.finite(energies_of_green_strain(trace, x.values, v.values), trace.label)
        found.append(energies / energies[0])
    return found


def explosions(trace: Trace) -> int:
    """Number of starts whose energy exceeded ten times its initial value, or that were cut off early."""
    steps = trace.series("step", "positions").step
    last = int(trace.value("schedule.steps"))
    return sum(
        int(bool((energies > EXPLODED).any()) or int(steps[k].max()) < last)
        for k, energies in enumerate(members(trace))
    )


def share(trace: Trace) -> float:
    """Δt ω_max/2 at rest."""
    return trace.number("time_step_s") * highest_frequency(trace) / 2


@quantity("perturbed starts")
def starts(trace: Trace) -> float:
    """Members of a run."""
    return float(trace.series("step", "positions").step.shape[0])


def limits(*cells: Trace) -> tuple[float, float]:
    """Largest step with which no start exploded, and smallest with which all did, relative to 2/ω_max at rest.

    0 and infinity if there is none."""
    calm, wild = [0.0], [math.inf]
    for cell in cells:
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
        count = explosions(cell)
        if count == 0:
            calm.append(share(cell))
        if count == starts(cell):
            wild.append(share(cell))
    return max(calm), min(wild)


def reference(trace: Trace) -> float:
    """Reference limit for the run's start."""
    if scale(trace) not in REFERENCE:
        raise MissingData(f"{trace.label}: no reference for this start")
    return REFERENCE[scale(trace)]


@quantity(
    "independent limit minus the largest time step at which none of the starts exploded, in units of 2/ω_max at rest"
)
def _below(*cells: Trace) -> float:
    return reference(cells[0]) - limits(*cells)[0]


@quantity(
    "smallest time step at which all the starts exploded minus the independent limit, in units of 2/ω_max at rest"
)
def _above(*cells: Trace) -> float:
    return limits(*cells)[1] - reference(cells[0])


@quantity("mean of stable and unstable limits × ω_max/2")
def _middle(*cells: Trace) -> float:
    return sum(limits(*cells)) / 2


ENDS = "one that diverges has too large a step"
BLOCKS = rows(says="enlarged blocks").however_ended(ENDS).grouped(start, says="", each=[enlarged(s) for s in REFERENCE])
TWICE = rows(says="blocks of double size").however_ended(ENDS).where(lambda c: scale(c) == 2.0, says="")

M.largest("stable_below_reference", _below, BLOCKS)
M.largest("unstable_above_reference", _above, BLOCKS)
M.only("limit_at_twice", _middle, TWICE.grouped(start, says=""))
M.least("starts", starts, rows().however_ended(ENDS))
