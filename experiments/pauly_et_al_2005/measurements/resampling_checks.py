# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling_checks: advancing fronts,
with and without the resampling check."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows

M = Measures("pauly_et_al_2005/resampling_checks")
CHECKED = ("checked", "all_checked")


def frames(trace: Trace) -> list[dict[str, Array]]:
    """Arrays of every step, the start first."""
    return [arrays for _, _, arrays in trace.frames()]


def first_timed_step(trace: Trace) -> int:
    """Number of the first step that is timed."""
    return int(trace.value("timing.warmup_steps", 0)) + 1


def timed_steps(data: ExperimentData) -> int:
    """Steps that every row has timed and traced."""
    cells = [data.one(name=n) for n in ("unchecked", *CHECKED)]
    return min(
        [c.require_timing().step_seconds.shape[1] for c in cells]
        + [len(frames(c)) - first_timed_step(c) for c in cells]
    )


def seconds(trace: Trace, count: int) -> Array:
    """Fastest repeat of each of the first `count` timed steps, s: other load on the machine can only add time,
    and a few per cent matter."""
    return np.asarray(np.nanmin(trace.require_timing().step_seconds[:, :count], axis=0))


def moving_fronts(trace: Trace) -> Array:
    """Number of front segments that a step moves.

    Without the last step."""
    own = [arrays["crack_fronts"] for arrays in frames(trace)[:-1]]
    return np.array([(before != after).any(axis=(1, 2)).sum() for before, after in zip(own, own[1:])])


@quantity("pairs tested against cracks in a step")
def queries(trace: Trace) -> Array:
    """One number per frame."""
    return np.array([float(arrays["weight_counts"].ravel()[1]) for arrays in frames(trace)])


@quantity("difference in pairs tested against cracks in a step, with and without the check")
def _extra_queries(trace: Trace, bare: Trace) -> Array:
    own, others = queries(trace), queries(bare)
    if len(own) != len(others):
        raise MissingData(f"{M.experiment}: {trace.label} has {len(own)} frames, unchecked {len(others)}")
    return np.asarray(np.abs(own - others))


@quantity(
    "difference of a node's position from the run without the check; infinite where nodes were inserted", unit="m"
)
def _motion(trace: Trace, bare: Trace) -> float:
    own, others = ([arrays["positions"] for arrays in frames(c)] for c in (trace, bare))
    if len(own) != len(others) or any(a.shape != b.shape for a, b in zip(own, others)):
        return float("inf")
    return max(float(np.abs(a - b).max()) for a, b in zip(own, others))


BARE = rows("unchecked", says="runs without the check")
WITH_CHECK = rows(*CHECKED, says="checks of some and of all nodes").beside(BARE, says="")

M.largest("extra_queries", _extra_queries, WITH_CHECK)
M.only("queries", Quantity(lambda trace: np.mean(queries(trace)[1:]), f"mean of {queries.phrase}"), BARE)
M.largest("motion", _motion, WITH_CHECK)
M.least("fronts", moving_fronts)


def advancing(trace: Trace, count: int) -> Array:
    """Mask of the first `count` timed steps: whether at least one weight changed, so that the check ran."""
    first = first_timed_step(trace)
    return np.array([f["weight_counts"].ravel()[2] > 0 for f in frames(trace)[first : first + count]])


def extra_time(data: ExperimentData, name: str) -> Measured:
    """Median over the timed steps in which weights change of (time with the check / time without) − 1."""
    count = timed_steps(data)
    bare, checked = data.one(name="unchecked"), data.one(name=name)
    during = advancing(bare, count)
    if not during.any():
        raise MissingData(f"{M.experiment}: no timed step in which a weight changes")
    ratio = seconds(checked, count)[during] / seconds(bare, count)[during]
    quartiles = np.quantile(ratio, [0.25, 0.75]) - 1
    return Measured(
        float(np.median(ratio) - 1), f"{int(during.sum())} steps, quartiles {quartiles[0]:.3f} and {quartiles[1]:.3f}"
    )


@M("extra_time", timing=True)
def extra_time_of_cracks(data: ExperimentData) -> Measured:
    """Relative extra time of a step with the check of nodes that lost weight to cracks, median of the steps in which
    weights change."""
    return extra_time(data, "checked")


@M("extra_time_of_all", timing=True)
def extra_time_of_all(data: ExperimentData) -> Measured:
    """Relative extra time of a step with the check of all nodes, median of the steps in which weights change."""
    return extra_time(data, "all_checked")


@M("noise", timing=True)
def noise(data: ExperimentData) -> Measured:
    """Half the interquartile range of a step's repeats / their median: median over steps, maximum over rows."""
    found = {}
    for name in ("unchecked", "checked"):
        samples = data.one(name=name).require_timing().step_seconds[:, : timed_steps(data)]
        low, middle, high = np.nanquantile(samples, [0.25, 0.5, 0.75], axis=0)
        found[name] = float(np.median((high - low) / 2 / middle))
    return extremes.largest(found)
