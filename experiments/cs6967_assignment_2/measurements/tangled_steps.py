# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/tangled_steps: explicit invertible elements and the implicit options at equal
steps."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import bdtrc

from deformbench_analysis.recovery import BROKEN_OFF, FreeBody, ends
from deformbench_analysis.vocabulary import Measures, MissingData, Quantity, Trace, quantity, rows
from .inversion_recovery import PERIODS

M = Measures("cs6967_assignment_2/tangled_steps")
# Explicit invertible row → least Δt relative to 2/ω of the rest body at which its law is in the regime.
FROM = {"explicit": 0.3, "explicit_neo_hookean": 0.6, "explicit_corotational": 0.9}
COROTATIONAL = "explicit_corotational"
IMPLICIT = ("implicit", "warped", "implicit_invertible")
STEP = "scene.parameters.time_step_s"
LONGEST = 0.9  # of 2/ω at rest: the longest declared step below the explicit limit
ROUNDED = 1 - 1e-3  # steps are declared with four digits
SPEED = 0.1  # cells per 1/ω of the lowest mode, RMS: a faster damped body after ten periods counts as unstable


def relative_step(trace: Trace) -> float:
    """Time step over 2/ω of the body at rest."""
    step = float(trace.value(STEP)) / FreeBody.of(trace).longest_step
    if step >= 1.0:
        raise MissingData(f"{trace.label}: the step is above 2/ω at rest, where every explicit step diverges")
    return step


def stable(trace: Trace) -> list[bool]:
    """Whether the run was not broken off and has come to rest in any shape, per seed."""
    body = FreeBody.of(trace)
    most = 0.5 * body.masses.sum() * (SPEED * body.cell * body.lowest_frequency) ** 2
    return [end != BROKEN_OFF and end.kinetic_energy <= most for end in ends(trace, body, PERIODS * body.period)]


def pairs(cells: Sequence[Trace], keep: Callable[[Trace], bool]) -> dict[str, tuple[list[bool], list[bool]]]:
    """Stability per seed with implicit and with explicit steps, at one step size.

    By pair of an implicit option and an explicit run that is kept."""
    options = [c for c in cells if c.method_name in IMPLICIT]
    if {c.method_name for c in options} != set(IMPLICIT):
        raise MissingData(f"{cells[0].label}: not every implicit option has this step")
    return {
        f"{o.method_name} against {c.method_name}, {relative_step(c):.2f} of 2/ω at rest": (stable(o), stable(c))
        for c in cells
        if c.method_name in FROM and keep(c)
        for o in options
    }


def margin(pair: tuple[list[bool], list[bool]]) -> float:
    """Share of seeds stable with implicit steps minus that with explicit ones."""
    return float(np.mean(np.asarray(pair[0], dtype=float) - np.asarray(pair[1], dtype=float)))


def chance(pair: tuple[list[bool], list[bool]]) -> float:
    """Sign test: P(as many or more of the differing seeds favour the implicit run) by chance."""
    first, second = (np.asarray(side, dtype=bool) for side in pair)
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    return float(bdtrc(better - 1, better + worse, 0.5))


def is_in_regime(trace: Trace) -> bool:
    """A step that is long for the law."""
    return relative_step(trace) >= FROM[trace.method_name] * ROUNDED


def unstable(trace: Trace) -> float:
    """Share of tangled starts broken off or faster than 0.1 of a cell per 1/ω after ten periods."""
    return 1.0 - float(np.mean(stable(trace)))


# Stable: a damped run that is not cut off and moves at most 0.1 of a cell per 1/ω after ten periods.
def _by_pair(
    of: Callable[[tuple[list[bool], list[bool]]], float], keep: Callable[[Trace], bool], what: str
) -> Quantity:
    return Quantity(lambda *cells: {name: of(pair) for name, pair in pairs(cells, keep).items()}, what)


def _is_longest(trace: Trace) -> bool:
    return relative_step(trace) >= LONGEST * ROUNDED


MARGIN = "share of tangled starts stable with an implicit option, less that with explicit invertible elements"
CHANCE = "one-sided sign-test p value, starts stable with implicit or with explicit steps alone"


def _is_short(trace: Trace) -> bool:
    """Steps up to 0.6 of 2/ω."""
    return relative_step(trace) < 0.61


def _time_step(trace: Trace) -> str:
    return f"{float(trace.value(STEP)):g} s"


ENDS = "a seed that is broken off is not stable"
ALL = rows(says="options, laws and equal steps").however_ended(ENDS).grouped(_time_step, says="")
LONG = (
    rows(says="steps from 0.3 of 2/ω, neo-Hookean 0.6, co-rotational 0.9")
    .however_ended(ENDS)
    .grouped(_time_step, says="")
)
AT_LONGEST = rows(says="options and laws, steps of 0.9 of 2/ω").however_ended(ENDS).grouped(_time_step, says="")
OPTIONS = rows(*IMPLICIT, says="implicit options, all steps").however_ended(ENDS)
SHORT = rows(COROTATIONAL, says="explicit co-rotational elements").however_ended(ENDS).having(_is_short)

M.least("margin_least", _by_pair(margin, lambda _: True, MARGIN), ALL)
M.least("margin_in_regime", _by_pair(margin, is_in_regime, MARGIN), LONG)
M.largest("sign_test_in_regime", _by_pair(chance, is_in_regime, CHANCE), LONG)
M.least("margin_at_longest", _by_pair(margin, _is_longest, MARGIN), AT_LONGEST)
M.largest("sign_test_at_longest", _by_pair(chance, _is_longest, CHANCE), AT_LONGEST)
M.least("seeds", quantity("tangled starts")(lambda c: float(len(stable(c)))), rows().however_ended(ENDS))
M.largest("implicit_unstable", unstable, OPTIONS)
M.largest("corotational_unstable", unstable, SHORT)
