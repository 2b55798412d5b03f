# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stretched_step_limit:
the longest stable step of an undamped block that starts stretched."""

import math
import numpy as np
from scipy.special import bdtrc

from deformbench_analysis.explicit_steps import step
from deformbench_analysis.recovery import FreeBody, stretched_energy
from deformbench_analysis.vocabulary import Measures, MissingData, Trace, quantity, rows
from .scaled_start import factor_of

M = Measures("cs6967_assignment_2/stretched_step_limit")
# Law → its row of standard elements, its row of elements continued through inversion.
PAIRS = {
    "St. Venant–Kirchhoff": ("standard", "invertible"),
    "co-rotational": ("standard_corotational", "invertible_corotational"),
    "neo-Hookean": ("standard_neo_hookean", "invertible_neo_hookean"),
}
OUTLINE = next(iter(PAIRS))  # the law of the assignment's outline
EQUAL = 1e-9  # relative tolerance for equal steps
INFINITE = "neo-Hookean"  # the law whose energy is unbounded as an element flattens
STEPS = 2000
ENERGY = 10.0  # kinetic energy / elastic energy of the start: a factor of three in speed


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
    ordered = sorted(cells, key=step)
    relative = [step(c) / FreeBody.of(c).longest_step for c in ordered]
    counts = np.cumprod(np.array([stable(c) for c in ordered]), axis=0).sum(axis=0)
    return [relative[n - 1] if n else 0.0 for n in counts]


def ratios(*cells: Trace) -> dict[str, float]:
    """Longest stable step, continued / standard elements, same law, start and seed,
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
    """Longest stable step, continued / standard elements, median over seeds."""
    return float(np.median(list(ratios(*cells).values())))


@quantity("one-sided sign-test p value, seeds with unequal longest stable steps, continued against standard laws")
def _sign_test(*cells: Trace) -> float:
    found = list(ratios(*cells).values())
    better, worse = sum(r > 1 + EQUAL for r in found), sum(r < 1 - EQUAL for r in found)
    return float(bdtrc(better - 1, better + worse, 0.5))


def _is_outline(trace: Trace) -> bool:
    return law_of(trace) == OUTLINE


def _is_from_two(trace: Trace) -> bool:
    return math.isclose(factor_of(trace), 2.0)


def _is_finite(trace: Trace) -> bool:
    return law_of(trace) != INFINITE


# Stable: 2,000 steps with a kinetic energy of at most ten times the initial elastic energy.
ENDS = "a step with which runs break off is too long"
ALL = rows(says="laws and starts").however_ended(ENDS)
NEO_HOOKEAN = (
    rows(*PAIRS[INFINITE], says="neo-Hookean, twice the size").however_ended(ENDS).where(_is_from_two, says="")
)
FINITE = rows(says="starts of laws that stay finite at inversion").however_ended(ENDS).where(_is_finite, says="")
OUTLINE_STARTS = (
    rows(says="starts, St. Venant–Kirchhoff").however_ended(ENDS).where(_is_outline, says="").grouped(start, says="")
)
STANDARD = (
    rows("standard", says="St. Venant–Kirchhoff, twice the size").however_ended(ENDS).where(_is_from_two, says="")
)

# The law that is infinite at inversion and one that is not must be among them.
M.least(
    "ratio_least", ratios, ALL.grouped(start, says="", each=[named(law, 2.0) for law in (next(iter(PAIRS)), INFINITE)])
)
M.least("ratio_neo_hookean", ratios, NEO_HOOKEAN.grouped(start, says=""))
M.largest("median_of_finite_laws", median, FINITE.grouped(start, says=""))
M.least("median_of_outline_law", median, OUTLINE_STARTS)
M.largest("sign_test_of_outline_law", _sign_test, OUTLINE_STARTS)
M.least(
    "standard_from_two",
    quantity("longest stable step of standard elements / (2/ω) of the body at rest")(longest_steps),
    STANDARD.grouped(start, says=""),
)
