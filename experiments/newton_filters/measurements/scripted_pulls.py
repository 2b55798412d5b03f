# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/scripted_pulls: iterations to the stop of the filters' public code, half of −gᵀd below
1e-5 λ on a body of radius 1, and to a common one. Bodies, that is type of elements and mesh, are judged apart, stretched
and pressed; where they disagree, a row is undecided. Linear tetrahedra, which lock, are shown only."""

import math
from collections.abc import Mapping

import numpy as np

from deformbench_analysis import paired_ratios
from deformbench_analysis.paired_ratios import MARGIN, Ratio, worst_family
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace
from experiments.newton_filters.measurements import runs as r

M = Measures("newton_filters/scripted_pulls")
STOP, LOOSE_STOP = 1e-5, 1e-4  # half the decrement relative to λ: the code's default, and that of one of its scripts
MOST = 200  # iterations of the public code
NEARLY_ALL, HARDLY_ANY = 0.8, 0.2  # shares of pairs
UNDECIDED = 2 * paired_ratios.BEYOND  # a spread that no margin exceeds


def _to_stop(run: r.Run, level: float) -> float:
    assert run.decrement is not None
    found = first_below(run.decrement, level)
    return math.inf if found is None else float(max(found, 1))


def stopped(run: r.Run, other: r.Run) -> float:
    """Iterations to the public code's stop."""
    return _to_stop(run, STOP)


def stopped_loosely(run: r.Run, other: r.Run) -> float:
    """Iterations to ten times the decrement of the public code's stop."""
    return _to_stop(run, LOOSE_STOP)


def near_its_end(run: r.Run, other: r.Run) -> float:
    """Iterations to 1e-5 λ above the energy where the run ends."""
    assert run.excess is not None
    return math.inf if math.isinf(_to_stop(run, STOP)) else float(max(first_below(run.excess, STOP) or 0, 1))


def body(trace: Trace) -> str:
    """Type of elements, mesh and direction."""
    direction = "pressed" if trace.number("amount") < 1 else "stretched"
    return f"{element(trace)} {r.family(trace)} {direction}"


def element(trace: Trace) -> str:
    """Type of elements."""
    return str(trace.value("method.parameters.elements"))


def is_near_half(trace: Trace) -> bool:
    """ν of 0.495 or more, stretch 4 or 0.5, without locking."""
    return element(trace) != "linear" and has_high_poisson(trace)


def is_pulled(trace: Trace) -> bool:
    """ν of 0.495 or more, stretch 4, without locking."""
    return is_near_half(trace) and trace.number("amount") == 4


def is_linear(trace: Trace) -> bool:
    """ν of 0.495 or more, stretch 4 or 0.5, linear tetrahedra."""
    return element(trace) == "linear" and has_high_poisson(trace)


def has_high_poisson(trace: Trace) -> bool:
    """ν of 0.495 or more, stretch 4 or 0.5."""
    return trace.number("poisson_ratio") >= 0.495 and trace.number("amount") in (4.0, 0.5)


def is_elevenfold(trace: Trace) -> bool:
    """ν = 0.4999, stretch 11, without locking."""
    return element(trace) != "linear" and trace.number("amount") == 11


def is_barely_stretched(trace: Trace) -> bool:
    """ν = 0.4999, stretch 1.5, without locking."""
    return element(trace) != "linear" and trace.number("amount") == 1.5


def contest(first: str, second: str, keep: r.Keep, needs: r.Needs = stopped) -> r.Contest:
    """Two filters, by body."""
    return r.Contest(first, second, keep, needs, family=body)


def decided(found: Mapping[str, Ratio], margin: float) -> bool:
    """Whether the intervals of all bodies lie on one side of 1, by more than the margin."""
    return all(of.high < -margin for of in found.values()) or all(of.low > margin for of in found.values())


def _judge(name: str, of: r.Contest) -> None:
    @M(f"{name}_log_ratio", of=str(of))
    def _log_ratio(data: ExperimentData) -> float:
        """Median log ratio of pairs in the worst body, whose 95 % interval ends highest."""
        return worst_family(of.ratios(data)).median

    @M(f"{name}_log_ratio_spread", of=str(of))
    def _spread(data: ExperimentData) -> float:
        """Zero if the intervals of all bodies lie below 1/1.1, or all above 1.1; otherwise unbounded."""
        return 0.0 if decided(of.ratios(data), MARGIN) else UNDECIDED

    paired_ratios.show(M, f"{name}_ratio", of.ratios, str(of))


_judge("absolute", contest(r.ABSOLUTE, r.CLAMPED, is_near_half))
_judge("pulled_absolute", contest(r.ABSOLUTE, r.CLAMPED, is_pulled))
_judge("pulled_energy_absolute", contest(r.ABSOLUTE, r.CLAMPED, is_pulled, near_its_end))
_judge("common_absolute", contest(r.ABSOLUTE, r.CLAMPED, is_near_half, r.iterations))
for _rival in (r.CLAMPED, r.ABSOLUTE):
    _judge(f"switching_{_rival}", contest(r.SWITCHING, _rival, is_near_half))
    _judge(f"common_switching_{_rival}", contest(r.SWITCHING, _rival, is_near_half, r.iterations))
for _name, _contest in (
    ("loose", contest(r.ABSOLUTE, r.CLAMPED, is_near_half, stopped_loosely)),
    ("linear", contest(r.ABSOLUTE, r.CLAMPED, is_linear)),
    ("elevenfold", contest(r.ABSOLUTE, r.CLAMPED, is_elevenfold)),
):
    paired_ratios.show(M, f"{_name}_absolute_ratio", _contest.ratios, str(_contest))


@M("other_ends", of=str(contest(r.ABSOLUTE, r.CLAMPED, is_near_half)))
def other_ends(data: ExperimentData) -> float:
    """Share of pairs that end at different objectives."""
    return contest(r.ABSOLUTE, r.CLAMPED, is_near_half).ends_elsewhere(data)


@M("both_failed_share", of=str(contest(r.ABSOLUTE, r.CLAMPED, is_near_half)))
def both_failed_share(data: ExperimentData) -> float:
    """Share of pairs in which neither filter stops, largest of the bodies."""
    found = contest(r.ABSOLUTE, r.CLAMPED, is_near_half).numbers(data).values()
    return max(float(np.mean([math.isinf(a) and math.isinf(c) for a, c in zip(*both)])) for both in found)


def slow_shares(data: ExperimentData) -> list[float]:
    """By body the share of pairs, stretch 11, in which clamping does not stop within 200 iterations and absolute
    values do."""
    found = contest(r.ABSOLUTE, r.CLAMPED, is_elevenfold).numbers(data).values()
    return [float(np.mean([c > MOST >= a for a, c in zip(*both)])) for both in found]


@M("slow_share")
def slow_share(data: ExperimentData) -> float:
    """Share of pairs, stretch 11, in which clamping does not stop within 200 iterations and absolute values do, least
    of the bodies."""
    return min(slow_shares(data))


@M("slow_share_spread")
def slow_share_spread(data: ExperimentData) -> float:
    """Zero if that share is at least 0.8 in every body, or at most 0.2 in every body; otherwise 1."""
    found = slow_shares(data)
    return 0.0 if min(found) >= NEARLY_ALL or max(found) <= HARDLY_ANY else 1.0


@M("barely_stretched_share")
def barely_stretched_share(data: ExperimentData) -> float:
    """Share of pairs, stretch 1.5, in which both filters stop within 200 iterations, least of the bodies."""
    found = contest(r.ABSOLUTE, r.CLAMPED, is_barely_stretched).numbers(data).values()
    return min(float(np.mean([max(pair) <= MOST for pair in zip(*both)])) for both in found)


def _most(name: str) -> None:
    of = contest(name, r.CLAMPED if name == r.ABSOLUTE else r.ABSOLUTE, is_elevenfold)

    @M(f"elevenfold_{name}_most", of=name)
    def _iterations(data: ExperimentData) -> float:
        """Most iterations to the public code's stop, stretch 11; 201 if a run never stops."""
        return min(max(max(own) for own, _ in of.numbers(data).values()), MOST + 1.0)


_most(r.CLAMPED)
_most(r.ABSOLUTE)
