# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/fracture_overhead: milliseconds per step before,
while and after a bar breaks."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, MissingData, Trace, measurement

EXPERIMENT = "mueller_gross_2004/fracture_overhead"


def first_timed_step(trace: Trace) -> int:
    """First timed step; those before are warm-up."""
    return int(trace.value("timing.warmup_steps", 0)) + 1


def timed_steps(data: ExperimentData) -> int:
    """Steps that every row has timed and traced."""
    cells = [data.one(name=n) for n in ("broken", "armed", "whole")]
    return min(
        [c.require_timing().step_seconds.shape[1] for c in cells]
        + [len(c.values("step", "vertex_count")) - first_timed_step(c) for c in cells]
    )


def seconds(trace: Trace, count: int) -> Array:
    """Median over the repeats of the first `count` timed steps, s."""
    return np.asarray(np.nanmedian(trace.require_timing().step_seconds[:, :count], axis=0))


def splits_of_steps(trace: Trace, count: int) -> Array:
    """Vertex splits of each of the first `count` timed steps."""
    total = trace.values("step", "split_count")
    first = first_timed_step(trace)
    return np.asarray(total[first : first + count] - total[first - 1 : first + count - 1])


@measurement("fracture_overhead.time_ratio", unit="1", experiment=EXPERIMENT, timing=True)
def time_ratio(data: ExperimentData) -> Measured:
    """Ratio of step times of the broken bar and the bar below its threshold / ratio of their vertex counts: median of
    steps without splits after the first split."""
    count = timed_steps(data)
    broken, armed = data.one(name="broken"), data.one(name="armed")
    splits = splits_of_steps(broken, count)
    first = first_timed_step(broken)
    vertices = (
        broken.values("step", "vertex_count")[first : first + count]
        / armed.values("step", "vertex_count")[first : first + count]
    )
    quiet = (splits == 0) & (vertices > 1)
    if not quiet.any():
        raise MissingData(f"{EXPERIMENT}: no timed step without a split after the first one")
    ratio = seconds(broken, count)[quiet] / seconds(armed, count)[quiet]
    return Measured(
        float(np.median(ratio / vertices[quiet])),
        f"{int(quiet.sum())} steps: time × {np.median(ratio):.3f}, vertices × {np.median(vertices[quiet]):.3f}",
    )


@measurement("fracture_overhead.splitting_step_ratio", unit="1", experiment=EXPERIMENT, timing=True)
def splitting_step_ratio(data: ExperimentData) -> Measured:
    """Median over steps with splits of the step time / that of the same step of a bar that stays below its
    threshold."""
    count = timed_steps(data)
    broken, armed = data.one(name="broken"), data.one(name="armed")
    splitting = splits_of_steps(broken, count) > 0
    if not splitting.any():
        raise MissingData(f"{EXPERIMENT}: no timed step with a split")
    ratio = seconds(broken, count)[splitting] / seconds(armed, count)[splitting]
    return Measured(float(np.median(ratio)), f"{int(splitting.sum())} steps")


@measurement("fracture_overhead.test_ratio", unit="1", experiment=EXPERIMENT, timing=True)
def test_ratio(data: ExperimentData) -> float:
    """Median over steps of the time with the stress test, threshold never reached / time without fracture."""
    count = timed_steps(data)
    return float(np.median(seconds(data.one(name="armed"), count) / seconds(data.one(name="whole"), count)))
