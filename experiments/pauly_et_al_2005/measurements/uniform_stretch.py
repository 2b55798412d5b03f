# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/uniform_stretch: nodal stresses of bodies at rest whose stress should be
uniform."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, Trace
from .clouds import Frame, seeds, spacing
from .spurious_modes import is_jittered

M = Measures("pauly_et_al_2005/uniform_stretch")


def last(trace: Trace, member: int | None) -> Frame:
    """The frame at the end."""
    return next(iter(trace.frames(member, last=True)))[2]


def variation(arrays: Frame) -> float:
    """Standard deviation / |mean| of σ_xx of all nodes."""
    stress = arrays["node_stresses"][:, 0, 0]
    return float(np.std(stress) / abs(np.mean(stress)))


def stress_variation(trace: Trace) -> Array:
    """Standard deviation of the nodal σ_xx relative to its mean at rest between rollers."""
    return np.array([variation(last(trace, s)) for s in seeds(trace)])


def start_variation(trace: Trace) -> Array:
    """Standard deviation of the nodal σ_xx relative to its mean after an affine map of the rest shape."""
    return np.array([variation(next(iter(trace.frames(s)))[2]) for s in seeds(trace)])


def residual(trace: Trace) -> float:
    """Unbalanced force on a node off the rollers at the end relative to the largest on a roller."""
    held = (
        np.zeros(0, dtype=int)
        if trace.scene_shape("prescribed_vertices") is None
        else trace.scene("prescribed_vertices")
    )
    worst = 0.0
    for member in seeds(trace):
        forces = last(trace, member)["elastic_forces"]
        free = np.setdiff1d(np.arange(len(forces)), held)
        worst = max(
            worst, float(np.linalg.norm(forces[free], axis=1).max() / np.linalg.norm(forces[held], axis=1).max())
        )
    return worst


JITTERED = EVERY_RUN.where(is_jittered, says="jittered blocks")

M.largest("variation", stress_variation, JITTERED)
M.largest("start_variation", start_variation, JITTERED)
M.largest("residual", residual, EVERY_RUN)


@M("finest_over_coarsest")
def finest_over_coarsest(data: ExperimentData) -> float:
    """Mean over seeds of the relative standard deviation of σ_xx, finest cloud relative to the coarsest."""
    cells = sorted(JITTERED.runs(data), key=lambda c: -spacing(c))
    mean = [float(np.mean(stress_variation(c))) for c in (cells[0], cells[-1])]
    return mean[1] / mean[0]
