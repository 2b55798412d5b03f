# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/uniform_stretch: nodal stresses of bodies at rest whose stress should be the same everywhere."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .clouds import Frame, seeds, spacing

EXPERIMENT = "pauly_et_al_2005/uniform_stretch"


def last(trace: Trace, member: int | None) -> Frame:
    """The frame at the end."""
    return next(iter(trace.frames(member, last=True)))[2]


def variation(arrays: Frame) -> float:
    """Standard deviation of σ_xx over its mean, over all nodes."""
    stress = arrays["node_stresses"][:, 0, 0]
    return float(np.std(stress) / abs(np.mean(stress)))


def jittered(data: ExperimentData) -> list[Trace]:
    """Clouds moved at random, the coarsest first."""
    return sorted(data.every(keep=lambda c: float(c.value("scene.parameters.jitter")) > 0), key=lambda c: -spacing(c))


@measurement("uniform_stretch.variation", unit="1", experiment=EXPERIMENT)
def stress_variation(data: ExperimentData) -> Measured:
    """Largest standard deviation of the nodal σ_xx over its mean, jittered blocks stretched between rollers, at rest."""
    return extremes.largest({c: max(variation(last(c, s)) for s in seeds(c)) for c in jittered(data)})


@measurement("uniform_stretch.finest_over_coarsest", unit="1", experiment=EXPERIMENT)
def finest_over_coarsest(data: ExperimentData) -> float:
    """Mean over seeds of that variation on the finest cloud over that on the coarsest: below 1 where refining helps."""
    cells = jittered(data)
    mean = [float(np.mean([variation(last(c, s)) for s in seeds(c)])) for c in (cells[0], cells[-1])]
    return mean[1] / mean[0]


@measurement("uniform_stretch.start_variation", unit="1", experiment=EXPERIMENT)
def start_variation(data: ExperimentData) -> Measured:
    """Largest standard deviation of the nodal σ_xx over its mean at the start, where positions are an affine map of the rest shape: rounding."""

    def of(cell: Trace) -> float:
        return max(variation(next(iter(cell.frames(s)))[2]) for s in seeds(cell))

    return extremes.largest({c: of(c) for c in jittered(data)})


@measurement("uniform_stretch.residual", unit="1", experiment=EXPERIMENT)
def residual(data: ExperimentData) -> Measured:
    """Largest unbalanced force on a node off the rollers at the end over the largest force of a roller: that it is rest that is judged."""

    def of(cell: Trace) -> float:
        held = (
            np.zeros(0, dtype=int)
            if cell.scene_shape("prescribed_vertices") is None
            else cell.scene("prescribed_vertices")
        )
        worst = 0.0
        for member in seeds(cell):
            forces = last(cell, member)["elastic_forces"]
            free = np.setdiff1d(np.arange(len(forces)), held)
            worst = max(
                worst, float(np.linalg.norm(forces[free], axis=1).max() / np.linalg.norm(forces[held], axis=1).max())
            )
        return worst

    return extremes.largest({c: of(c) for c in data.every()})
