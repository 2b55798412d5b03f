# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling_checks: fronts that advance,
with the check for resampling and without."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "pauly_et_al_2005/resampling_checks"
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
    """Fastest repeat of each of the first `count` timed steps, s: what else runs on the machine can only add time,
    and few per cent are to be told apart."""
    return np.asarray(np.nanmin(trace.require_timing().step_seconds[:, :count], axis=0))


def moving_fronts(trace: Trace) -> Array:
    """Segments of fronts that every step has moved."""
    own = frames(trace)
    return np.array(
        [
            int(
                (
                    np.abs(b["crack_fronts"] - a["crack_fronts"]).reshape(len(a["crack_fronts"]), -1).max(axis=1) > 0
                ).sum()
            )
            for a, b in zip(own[:-1], own[1:])
        ]
    )


def advancing(trace: Trace, count: int) -> Array:
    """Mask of the first `count` timed steps: whether at least one weight changed, so that the check ran."""
    first = first_timed_step(trace)
    return np.array([f["weight_counts"].ravel()[2] > 0 for f in frames(trace)[first : first + count]])


def extra_time(data: ExperimentData, name: str) -> Measured:
    """Median over the timed steps in which weights change of (time with the check over time without) − 1."""
    count = timed_steps(data)
    bare, checked = data.one(name="unchecked"), data.one(name=name)
    during = advancing(bare, count)
    if not during.any():
        raise MissingData(f"{EXPERIMENT}: no timed step in which a weight changes")
    ratio = seconds(checked, count)[during] / seconds(bare, count)[during]
    quartiles = np.quantile(ratio, [0.25, 0.75]) - 1
    return Measured(
        float(np.median(ratio) - 1), f"{int(during.sum())} steps, quartiles {quartiles[0]:.3f} and {quartiles[1]:.3f}"
    )


@measurement("resampling_checks.extra_time", unit="1", experiment=EXPERIMENT, timing=True)
def extra_time_of_cracks(data: ExperimentData) -> Measured:
    """Time of a step with the check of the nodes that cracks have taken weight from over that of the same step without, less 1; median
    of the steps in which weights change."""
    return extra_time(data, "checked")


@measurement("resampling_checks.extra_time_of_all", unit="1", experiment=EXPERIMENT, timing=True)
def extra_time_of_all(data: ExperimentData) -> Measured:
    """Time of a step with the check of all nodes over that of the same step without, less 1; median of the steps in which weights change."""
    return extra_time(data, "all_checked")


@measurement("resampling_checks.noise", unit="1", experiment=EXPERIMENT, timing=True)
def noise(data: ExperimentData) -> Measured:
    """How far repeats of the same step differ: median over steps and rows of half the range between the quartiles, over the median."""
    found = {}
    for name in ("unchecked", "checked"):
        samples = data.one(name=name).require_timing().step_seconds[:, : timed_steps(data)]
        low, middle, high = np.nanquantile(samples, [0.25, 0.5, 0.75], axis=0)
        found[name] = float(np.median((high - low) / 2 / middle))
    return extremes.largest(found)


@measurement("resampling_checks.extra_queries", unit="1", experiment=EXPERIMENT)
def extra_queries(data: ExperimentData) -> Measured:
    """Largest difference between the numbers of pairs that a step holds against the cracks with the check and without."""
    bare = [f["weight_counts"].ravel()[1] for f in frames(data.one(name="unchecked"))]
    found = {}
    for name in CHECKED:
        own = [f["weight_counts"].ravel()[1] for f in frames(data.one(name=name))]
        if len(own) != len(bare):
            raise MissingData(f"{EXPERIMENT}: {name} has {len(own)} frames, unchecked {len(bare)}")
        found[name] = float(np.abs(np.subtract(own, bare)).max())
    return extremes.largest(found)


@measurement("resampling_checks.queries", unit="1", experiment=EXPERIMENT)
def queries(data: ExperimentData) -> float:
    """Pairs held against the cracks in a step, mean."""
    return float(np.mean([f["weight_counts"].ravel()[1] for f in frames(data.one(name="unchecked"))[1:]]))


@measurement("resampling_checks.motion", unit="m", experiment=EXPERIMENT)
def motion(data: ExperimentData) -> Measured:
    """Largest difference of a node's position from that of the run without the check, all steps; infinite where nodes were inserted."""
    bare = frames(data.one(name="unchecked"))
    found = {}
    for name in CHECKED:
        own = frames(data.one(name=name))
        same = len(own) == len(bare) and all(a["positions"].shape == b["positions"].shape for a, b in zip(own, bare))
        found[name] = (
            max(float(np.abs(a["positions"] - b["positions"]).max()) for a, b in zip(own, bare)) if same else np.inf
        )
    return extremes.largest(found)


@measurement("resampling_checks.fronts", unit="1", experiment=EXPERIMENT)
def fronts(data: ExperimentData) -> Measured:
    """Least number of fronts that a step moves."""
    return extremes.least({c: float(moving_fronts(c)[:-1].min()) for c in data.every()})
