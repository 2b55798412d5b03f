# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/volume_change, linear_elements, small_deformation, small_deformation_of_hexahedra and
ends_moved: static problems with large and small changes of volume."""

import math

import numpy as np

from deformbench_analysis import paired_ratios
from deformbench_analysis.paired_ratios import BEYOND, MARGIN, Ratio, judge, paired_ratio
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace
from experiments.newton_filters.measurements import runs as r

M = Measures("newton_filters/volume_change")
LINEAR = Measures("newton_filters/linear_elements")
SMALL = Measures("newton_filters/small_deformation")
HEXAHEDRA = Measures("newton_filters/small_deformation_of_hexahedra")
MOVED = Measures("newton_filters/ends_moved")
FASTER, SLIGHTLY = math.log(0.9), math.log(1.05)
SLOW, QUICK = 200, 100  # iterations


def stretch(trace: Trace) -> float:
    """Ratio of the lengths at the start."""
    return float(trace.value("scene.parameters.amount") or trace.value("scene.parameters.stretch"))


def has_low_poisson(trace: Trace) -> bool:
    """ν = 0.3."""
    return trace.number("poisson_ratio") == 0.3


def is_large(trace: Trace) -> bool:
    """Large change of volume near ν = ½."""
    return not has_low_poisson(trace) and not 0.4 < stretch(trace) < 3


def is_stretched(trace: Trace) -> bool:
    """Stretched to three times the length or more, near ν = ½."""
    return is_large(trace) and stretch(trace) >= 3


def is_elevenfold(trace: Trace) -> bool:
    """Stretched to eleven times the length."""
    return stretch(trace) == 11


def is_barely_stretched(trace: Trace) -> bool:
    """Stretched to less than 3 times."""
    return 1 < stretch(trace) < 3


def is_pressed(trace: Trace) -> bool:
    """Shorter than at rest."""
    return stretch(trace) < 1


def is_slight(trace: Trace) -> bool:
    """A tenth longer than at rest, ν = 0.3."""
    return has_low_poisson(trace) and stretch(trace) < 3


def is_void(one: r.Run, other: r.Run) -> bool:
    """Neither needs more than three iterations."""
    return max(r.iterations(one, other), r.iterations(other, one)) <= r.VOID


def absolute(keep: r.Keep, needs: r.Needs = r.iterations) -> r.Contest:
    """Absolute values against clamping."""
    return r.Contest(r.ABSOLUTE, r.CLAMPED, keep, needs)


def clamped(keep: r.Keep) -> r.Contest:
    """Clamping against absolute values, without void pairs."""
    return r.Contest(r.CLAMPED, r.ABSOLUTE, keep, is_void=is_void)


for _measures in (M, MOVED):
    r.judge(_measures, "absolute", absolute(is_large), FASTER)
    r.judge(_measures, "loose_absolute", absolute(is_large, r.loose_iterations), FASTER)
r.judge(M, "quadratic", absolute(is_stretched), margin=MARGIN)
r.judge(LINEAR, "clamped", r.Contest(r.CLAMPED, r.ABSOLUTE, is_stretched), margin=MARGIN)
for _measures in (SMALL, HEXAHEDRA):
    r.judge(_measures, "pressed", clamped(is_pressed))
    for _name, _contest in (
        ("loose_pressed_ratio", r.Contest(r.CLAMPED, r.ABSOLUTE, is_pressed, r.loose_iterations)),
        ("barely_stretched_ratio", clamped(is_barely_stretched)),
    ):
        paired_ratios.show(_measures, _name, _contest.ratios, str(_contest))
r.judge(M, "switching_clamped", r.Contest(r.SWITCHING, r.CLAMPED, is_large), FASTER)
r.judge(M, "switching_absolute", r.Contest(r.SWITCHING, r.ABSOLUTE, is_large), FASTER)
r.judge_alike(M, "slight", absolute(is_slight))
r.judge_alike(M, "switching_slight", r.Contest(r.SWITCHING, r.CLAMPED, is_slight))


def _gain(percent: float, word: str) -> None:
    @M(f"{word}_gain", of=word)
    def _quartile(data: ExperimentData) -> float:
        """Quartile of the iterations of clamping divided by those of absolute values, large change of volume."""
        both = absolute(is_large).numbers(data).values()
        pairs = [(a, c) for absolutes, clamps in both for a, c in zip(absolutes, clamps)]
        return float(np.percentile([0.0 if math.isinf(a) else min(c / a, BEYOND) for a, c in pairs], percent))


_gain(25, "lower")
_gain(75, "upper")


@MOVED("slow_share")
def slow_share(data: ExperimentData) -> float:
    """Share of pairs, stretch 11, in which clamping needs more than 200 iterations to 1e-8 of the drop and absolute
    values at most 100, least of the families."""
    found = absolute(is_elevenfold).numbers(data).values()
    return min(float(np.mean([c > SLOW and a <= QUICK for a, c in zip(*both)])) for both in found)


@MOVED("barely_stretched_iterations")
def barely_stretched_iterations(data: ExperimentData) -> float:
    """Largest number of iterations to 1e-8 of the drop of both filters, stretch 1.5."""
    found = absolute(is_barely_stretched).numbers(data).values()
    return min(max(number for both in found for numbers in both for number in numbers), BEYOND)


@SMALL("largest_ratio")
def largest_ratio(data: ExperimentData) -> float:
    """Largest median ratio of iterations, absolute to clamped, of all families, pressed and stretched, without
    void pairs."""
    ratios = [clamped(keep).ratios(data).values() for keep in (is_pressed, is_barely_stretched)]
    return math.exp(max(-ratio.median for of in ratios for ratio in of))


@HEXAHEDRA("void_share")
@SMALL("void_share")
def void_share(data: ExperimentData) -> float:
    """Share of pairs in which neither filter needs more than three iterations."""
    return float(np.mean([is_void(one, other) for _, one, other in absolute(r.everything).pairs(data)]))


@LINEAR("low_poisson_log_ratio")
def low_poisson_log_ratio(data: ExperimentData) -> float:
    """Largest log ratio of iterations, absolute to clamped, of all families, linear tetrahedra at ν = 0.3."""
    return max(ratio.median for ratio in absolute(has_low_poisson).ratios(data).values())


def to_the_better(data: ExperimentData) -> dict[str, Ratio]:
    """By family, switching relative to the filter that needs fewer iterations in each pair."""
    rivals = [r.Contest(r.SWITCHING, rival, is_large).numbers(data) for rival in (r.CLAMPED, r.ABSOLUTE)]
    better = {
        name: ([max(pair) for pair in zip(a[0], b[0])], [min(pair) for pair in zip(a[1], b[1])])
        for (name, a), b in zip(rivals[0].items(), rivals[1].values())
    }
    return {name: paired_ratio(*both) for name, both in better.items()}


judge(
    M,
    ("switching_best_log_ratio", "switching_best_log_ratio_spread"),
    to_the_better,
    "iterations of switching relative to the better filter in each pair",
    SLIGHTLY,
)


@M("unfiltered_failed_share")
def unfiltered_failed_share(data: ExperimentData) -> float:
    """Share of the runs of stretched bodies without filter that never come to 1e-8 of the drop, least of the
    families."""
    return min(r.failed_shares(data, r.UNFILTERED, is_stretched))


@M("unfiltered_stopped_share")
def unfiltered_stopped_share(data: ExperimentData) -> float:
    """Share of runs of stretched bodies without filter that stopped unconverged before the largest number of
    iterations: no descent direction."""
    ended = [
        not run.converged and len(run.objective) - 1 < trace.setting("newton_max_iterations")
        for trace in data.every(name=r.UNFILTERED, keep=is_stretched)
        for run in r.runs(trace)
    ]
    return float(np.mean(ended))
