# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_stretch: the stretch of a hanging cloth that iterations leave,
and their cost."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, Trace, parameter, ratio, rows

M = Measures("cross/cloth_stretch")
BULLET, NAIVE = "bullet_cloth", "naive_pbd"
iterations = parameter("method.parameters.iterations", int, "Sweeps over all edges in a step.")


def stretch(trace: Trace) -> float:
    """Root mean square over edges of length/rest length − 1, mean over the second half of the run."""
    strain = trace.values("step", "edge_strain_rms")
    return float(np.mean(strain[len(strain) // 2 :]))


def step_seconds(trace: Trace) -> float:
    """Lower quartile of the time per step, s: other processes can only add to it."""
    return float(np.nanpercentile(trace.require_timing().step_seconds, 25))


PAIRS = rows(BULLET, says="Bullet's soft body").beside(
    rows(NAIVE), "iterations", says="against position based dynamics in a plain loop, equal iterations"
)
M.largest("bullet_over_naive", ratio(stretch, "residual stretch, ratio"), PAIRS)
M.largest("bullet_time_over_naive", ratio(step_seconds, "time of a step, ratio"), PAIRS, timing=True)
