# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/volume_change, linear_elements, small_deformation and ends_moved: static problems
with large and small changes of volume."""

import math

import numpy as np

from deformbench_analysis.paired_ratios import BEYOND, Ratio, paired_ratio, worst_family
from deformbench_analysis.vocabulary import ExperimentData, Measures, MissingData, Trace
from experiments.newton_filters.measurements import runs as r

M = Measures("newton_filters/volume_change")
LINEAR = Measures("newton_filters/linear_elements")
SMALL = Measures("newton_filters/small_deformation")
MOVED = Measures("newton_filters/ends_moved")
LOW_POISSON = 0.3
FASTER, SLIGHTLY = math.log(0.9), math.log(1.05)
SLOW, QUICK = 200, 100  # iterations


def stretch(trace: Trace) -> float:
    """Ratio of the lengths at the start."""
    return float(trace.value("scene.parameters.amount") or trace.value("scene.parameters.stretch"))


def has_low_poisson(trace: Trace) -> bool:
    """ν = 0.3."""
    return trace.number("poisson_ratio") == LOW_POISSON


def is_large(trace: Trace) -> bool:
    """Large change of volume near ν = ½."""
    return not has_low_poisson(trace) and not 0.4 < stretch(trace) < 3


def is_stretched(trace: Trace) -> bool:
    """Stretched to three times the length or more, near ν = ½."""
    return is_large(trace) and stretch(trace) >= 3


def is_pressed(trace: Trace) -> bool:
    """Shorter than at rest."""
    return stretch(trace) < 1


def is_slight(trace: Trace) -> bool:
    """A tenth longer than at rest, ν = 0.3."""
    return has_low_poisson(trace) and stretch(trace) < 3


def is_barely_stretched(trace: Trace) -> bool:
    """Ends moved by half the length."""
    return stretch(trace) < 3


def is_void(one: r.Run, other: r.Run) -> bool:
    """Neither needs more than three iterations."""
    return max(one.iterations(r.CLOSE, other), other.iterations(r.CLOSE, one)) <= r.VOID


def _absolute(level: float, keep: r.Keep) -> r.Contest:
    return r.Contest(r.ABSOLUTE, r.CLAMPED, r.iterations(level), keep)


# absolute against clamped, large changes of volume
for _measures, _where in ((M, "homogeneous start"), (MOVED, "ends moved")):
    for _name, _level, _words in (("absolute", r.CLOSE, "1e-8"), ("loose_absolute", r.LOOSE, "1e-4")):
        r.judge(
            _measures,
            _name,
            _absolute(_level, is_large),
            f"iterations to {_words} of the drop, absolute to clamped, {_where}, large change of volume",
            FASTER,
            0,
        )
for _name, _level, _words in (("stretched", r.CLOSE, "1e-8"), ("loose_stretched", r.LOOSE, "1e-4")):
    r.judge(
        M,
        _name,
        _absolute(_level, is_stretched),
        f"iterations to {_words} of the drop, absolute to clamped, stretched bodies",
        FASTER,
        0,
    )


def _quartile(measures: Measures, name: str, percent: float, words: str) -> None:
    @measures(f"{name}_gain", of=words)
    def _gain(data: ExperimentData) -> float:
        """Quartile of the iterations of clamping divided by those of absolute values."""
        both = _absolute(r.CLOSE, is_large).numbers(data).values()
        pairs = [(a, c) for absolute, clamped in both for a, c in zip(absolute, clamped)]
        gains = [0.0 if math.isinf(a) else min(c / a, BEYOND) for a, c in pairs]
        return float(np.percentile(gains, percent))


for _measures in (M, MOVED):
    _quartile(_measures, "lower", 25, "lower")
    _quartile(_measures, "upper", 75, "upper")


@M("slight_log_ratio")
def slight_log_ratio(data: ExperimentData) -> float:
    """Log ratio of iterations of absolute to clamped furthest from 0 of all families, stretch 1.1 at ν = 0.3."""
    ratios = _absolute(r.CLOSE, is_slight).ratios(data).values()
    return max((ratio.median for ratio in ratios), key=abs)


def _other_ends(measures: Measures) -> None:
    @measures("other_ends")
    def _share(data: ExperimentData) -> float:
        """Share of pairs of absolute and clamped runs that end in different minima, or of which one does not
        converge, at a large change of volume."""
        pairs = list(_absolute(r.CLOSE, is_large).pairs(data))
        return float(np.mean([not one.ends_with(other) for _, one, other in pairs]))


_other_ends(M)
_other_ends(MOVED)


# ends moved to eleven times the length
@MOVED("slow_share")
def slow_share(data: ExperimentData) -> float:
    """Share of pairs, stretch 11, in which clamping needs more than 200 iterations to 1e-8 of the drop and absolute
    values at most 100, least of the families."""
    found = _absolute(r.CLOSE, lambda trace: stretch(trace) == 11).numbers(data)
    return min(float(np.mean([c > SLOW and a <= QUICK for a, c in zip(*both)])) for both in found.values())


@MOVED("barely_stretched_iterations")
def barely_stretched_iterations(data: ExperimentData) -> float:
    """Largest number of iterations to 1e-8 of the drop of both filters, stretch 1.5."""
    found = _absolute(r.CLOSE, is_barely_stretched).numbers(data)
    return min(max(max(numbers) for both in found.values() for numbers in both), BEYOND)


# small deformations
r.judge(
    SMALL,
    "pressed",
    r.Contest(r.CLAMPED, r.ABSOLUTE, r.iterations(), is_pressed, is_void),
    "iterations to 1e-8 of the drop, clamped to absolute, pressed bodies, without void pairs",
    0.0,
    0,
)


@SMALL("largest_ratio")
def largest_ratio(data: ExperimentData) -> float:
    """Largest median ratio of the iterations of absolute to clamped, of all families, pressed and stretched."""
    found = [
        ratio.median
        for keep in (is_pressed, lambda trace: not is_pressed(trace))
        for ratio in r.Contest(r.ABSOLUTE, r.CLAMPED, r.iterations(), keep, is_void).ratios(data).values()
    ]
    return math.exp(max(found))


@SMALL("void_share")
def void_share(data: ExperimentData) -> float:
    """Share of pairs in which neither filter needs more than three iterations."""
    pairs = _absolute(r.CLOSE, r.everything).pairs(data)
    return float(np.mean([is_void(one, other) for _, one, other in pairs]))


# linear elements beside quadratic ones
r.judge(
    LINEAR,
    "clamped",
    r.Contest(r.CLAMPED, r.ABSOLUTE, r.iterations(), is_stretched),
    "iterations to 1e-8 of the drop, clamped to absolute, linear tetrahedra",
)
r.judge(
    M,
    "quadratic",
    _absolute(r.CLOSE, is_stretched),
    "iterations to 1e-8 of the drop, absolute to clamped, quadratic tetrahedra, stretched bodies",
)


@LINEAR("low_poisson_log_ratio")
def low_poisson_log_ratio(data: ExperimentData) -> float:
    """Largest log ratio of iterations of absolute to clamped of all families, linear tetrahedra at ν = 0.3."""
    return max(ratio.median for ratio in _absolute(r.CLOSE, has_low_poisson).ratios(data).values())


# switching by the trust region
def _switching(name: str, rival: str, bound: float) -> None:
    r.judge(
        M,
        f"switching_{name}",
        r.Contest(r.SWITCHING, rival, r.iterations(), is_large),
        f"iterations to 1e-8 of the drop, switching to {rival}, large change of volume",
        bound,
        0,
    )


_switching("clamped", r.CLAMPED, FASTER)
_switching("absolute", r.ABSOLUTE, FASTER)


@M("switching_best_log_ratio")
def switching_best_log_ratio(data: ExperimentData) -> float:
    """Median log ratio of iterations of switching to the better of the two filters in each pair, worst family."""
    return _to_the_better(data).median


@M("switching_best_log_ratio_spread")
def switching_best_log_ratio_spread(data: ExperimentData) -> float:
    """Distance from the median log ratio of switching to the better filter to the end of its 95 % interval."""
    return _to_the_better(data).spread(SLIGHTLY, 0)


def _to_the_better(data: ExperimentData) -> Ratio:
    found = [r.Contest(r.SWITCHING, rival, r.iterations(), is_large).numbers(data) for rival in (r.CLAMPED, r.ABSOLUTE)]
    better = {
        name: ([max(pair) for pair in zip(a[0], b[0])], [min(pair) for pair in zip(a[1], b[1])])
        for (name, a), b in zip(found[0].items(), found[1].values())
    }
    return worst_family({name: paired_ratio(*both) for name, both in better.items()})


@M("switching_slight_log_ratio")
def switching_slight_log_ratio(data: ExperimentData) -> float:
    """Log ratio of iterations of switching to clamped furthest from 0 of all families, stretch 1.1 at ν = 0.3."""
    ratios = r.Contest(r.SWITCHING, r.CLAMPED, r.iterations(), is_slight).ratios(data).values()
    return max((ratio.median for ratio in ratios), key=abs)


# without any filter
@M("unfiltered_failed_share")
def unfiltered_failed_share(data: ExperimentData) -> float:
    """Share of the runs of stretched bodies without filter that do not converge, least of the families."""
    return min(r.share(r.failures(data, r.UNFILTERED, is_stretched)).values())


@M("clamped_failed_share")
def clamped_failed_share(data: ExperimentData) -> float:
    """Share of the clamped runs of stretched bodies that do not converge, largest of the families."""
    return max(r.share(r.failures(data, r.CLAMPED, is_stretched)).values())


@M("unfiltered_stopped_share")
def unfiltered_stopped_share(data: ExperimentData) -> float:
    """Share of all failures without filter that ended before the largest number of iterations: the direction did not
    descend."""
    ended = [
        len(run.objective) - 1 < trace.setting("newton_max_iterations")
        for trace in data.every(name=r.UNFILTERED, keep=is_stretched)
        for run in r.runs(trace)
        if not run.converged
    ]
    if not ended:
        raise MissingData("no run without filter failed")
    return float(np.mean(ended))
