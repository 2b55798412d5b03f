# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_stretch: what iterations leave of the stretch of a hanging cloth, and what they cost."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cross/cloth_stretch"
BULLET, NAIVE = "bullet_cloth", "naive_pbd"


def iterations(trace: Trace) -> int:
    """Sweeps over all edges in a step."""
    return int(trace.value("method.parameters.iterations"))


def stretch(trace: Trace) -> float:
    """Root mean square over edges of length/rest length − 1, its mean over the second half of the run."""
    strain = trace.values("step", "edge_strain_rms")
    return float(np.mean(strain[len(strain) // 2 :]))


def step_seconds(trace: Trace) -> float:
    """Lower quartile of the time of a step, s: what else runs on the machine can only add to it."""
    return float(np.nanpercentile(trace.require_timing().step_seconds, 25))


@measurement("cloth_stretch.bullet_over_naive", unit="1", experiment=EXPERIMENT)
def bullet_over_naive(data: ExperimentData) -> Measured:
    """Stretch that Bullet's soft body leaves over that of position based dynamics in a plain loop, at as many iterations, largest
    over them."""
    theirs = {iterations(c): stretch(c) for c in data.some(name=NAIVE)}
    cells = data.some(name=BULLET, keep=lambda c: iterations(c) in theirs)
    return extremes.largest({c.label: stretch(c) / theirs[iterations(c)] for c in cells})


@measurement("cloth_stretch.bullet_time_over_naive", unit="1", experiment=EXPERIMENT, timing=True)
def bullet_time_over_naive(data: ExperimentData) -> Measured:
    """Time of a step of Bullet's soft body over that of position based dynamics in a plain loop, at as many iterations, largest
    over them."""
    theirs = {iterations(c): step_seconds(c) for c in data.some(name=NAIVE)}
    cells = data.some(name=BULLET, keep=lambda c: iterations(c) in theirs)
    return extremes.largest({c.label: step_seconds(c) / theirs[iterations(c)] for c in cells})
