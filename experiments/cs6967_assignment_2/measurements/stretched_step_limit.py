# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stretched_step_limit:
the longest stable step of an undamped block that starts stretched."""

from __future__ import annotations

import math
import numpy as np

from deformbench_analysis.errors import MissingData
from deformbench_analysis.recovery import FreeBody, stretched_energy
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measures, quantity, rows

M = Measures("cs6967_assignment_2/stretched_step_limit")
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
    """Whether all steps were taken with kinetic energy ≤ ENERGY × initial elastic energy, per seed."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}: {trace.status_reason}")
    most = ENERGY * stretched_energy(FreeBody.of(trace), factor_of(trace))
    steps = int(trace.value("schedule.steps"))
    if steps != STEPS:
        raise MissingData(f"{trace.label}: {steps} steps where limits are for {STEPS}")
    members = trace.series("step", "kinetic_energy").members()
    return [bool(m.step[-1] == steps and m.values.max() <= most) for m in members]


def law_of(trace: Trace) -> str:
    """Law of the row."""
    return next(law for law, pair in PAIRS.items() if trace.method_name in pair)


def named(law: str, factor: float) -> str:
    """For notes."""
    return f"{law}, s0 = {factor:g}"


def start(trace: Trace) -> str:
    """Law and start."""
    return named(law_of(trace), factor_of(trace))


def longest_steps(*cells: Trace) -> list[float]:
    """Longest step that is stable with all shorter ones, relative to 2/ω of the body at rest, per seed."""
    ordered = sorted(cells, key=step_of)
    relative = [step_of(c) / FreeBody.of(c).longest_step for c in ordered]
    counts = np.cumprod(np.array([stable(c) for c in ordered]), axis=0).sum(axis=0)
    return [relative[n - 1] if n else 0.0 for n in counts]


def ratios(*cells: Trace) -> dict[str, float]:
    """Longest stable step of continued elements over that of standard ones, same law, start and seed,
    without damping."""
    standard, continued = ([c for c in cells if c.method_name == name] for name in PAIRS[law_of(cells[0])])
    if not standard or not continued:
        raise MissingData(f"{start(cells[0])}: standard or continued elements alone")
    found = {}
    for k, (low, high) in enumerate(zip(longest_steps(*standard), longest_steps(*continued), strict=True)):
        if low == 0.0:
            raise MissingData(f"{start(cells[0])}: standard elements are stable at no step")
        found[f"{start(cells[0])}, member {k}: {high:.3f} against {low:.3f} of 2/ω at rest"] = high / low
    return found


def median(*cells: Trace) -> float:
    """Longest stable step of continued elements over that of standard ones, median of the seeds."""
    return float(np.median(list(ratios(*cells).values())))


def _is_from_two(trace: Trace) -> bool:
    return math.isclose(factor_of(trace), 2.0)


def _is_finite(trace: Trace) -> bool:
    return law_of(trace) != INFINITE


# Stable are 2,000 steps with a kinetic energy of at most ten times the elastic energy of the start.
ENDS = "a step with which runs break off is too long"
ALL = rows(says="laws and starts").however_ended(ENDS)
NEO_HOOKEAN = (
    rows(*PAIRS[INFINITE], says="neo-Hookean, twice the size").however_ended(ENDS).where(_is_from_two, says="")
)
FINITE = rows(says="starts of laws that stay finite at inversion").however_ended(ENDS).where(_is_finite, says="")
STANDARD = (
    rows("standard", says="St. Venant–Kirchhoff, twice the size").however_ended(ENDS).where(_is_from_two, says="")
)

# The law that is infinite at inversion and one that is not must be among them.
M.least(
    "ratio_least", ratios, ALL.grouped(start, says="", each=[named(law, 2.0) for law in (next(iter(PAIRS)), INFINITE)])
)
M.least("ratio_neo_hookean", ratios, NEO_HOOKEAN.grouped(start, says=""))
M.largest("median_of_finite_laws", median, FINITE.grouped(start, says=""))
M.least(
    "standard_from_two",
    quantity("longest stable step of standard elements over 2/ω of the body at rest")(longest_steps),
    STANDARD.grouped(start, says=""),
)
