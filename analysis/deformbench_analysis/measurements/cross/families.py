# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments of cross/ in which every family runs the same scene: spin, drop, tangled_start."""

from __future__ import annotations

import numpy as np

from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

SPIN = "cross/spin"
DROP = "cross/drop"
TANGLED = "cross/tangled_start"
RECOVERED = 1e-6  # elastic energy at the end over the largest: four digits of the displacements and more are gone


def momentum_kept(trace: Trace) -> float:
    """|L| at the end over that at the start."""
    momentum = np.linalg.norm(trace.values("step", "angular_momentum"), axis=1)
    return float(momentum[-1] / momentum[0])


@measurement("spin.xpbd_momentum_difference", unit="1", experiment=SPIN)
def xpbd_momentum_difference(data: ExperimentData) -> float:
    """Largest difference of the share of its angular momentum that a spinning block keeps, XPBD with neo-Hookean
    tetrahedra against nonlinear elements by implicit Euler with the same time step."""
    step = "scene.parameters.time_step_s"
    nonlinear = {c.value(step): momentum_kept(c) for c in data.some(name="nonlinear")}
    return max(abs(momentum_kept(c) - nonlinear[c.value(step)]) for c in data.some(name="xpbd"))


@measurement("drop.largest_volume_error", unit="1", experiment=DROP)
def largest_volume_error(data: ExperimentData) -> Measured:
    """Largest |V/V0 − 1| of a block that is dropped on a plane, over time and all families but linear elements."""
    cells = [c for c in data.some() if c.method_name != "linear"]
    errors = {
        c.method_name: float(np.max(np.abs(c.values("step", "volume") / c.values("step", "volume")[0] - 1)))
        for c in cells
    }
    worst = max(errors, key=lambda name: errors[name])
    return Measured(errors[worst], worst)


@measurement("tangled_start.families_recovered", unit="1", experiment=TANGLED)
def families_recovered(data: ExperimentData) -> Measured:
    """Number of families whose elastic energy is below a millionth of its largest at the end of a run from a tangled
    start."""

    def is_recovered(trace: Trace) -> bool:
        energy = trace.values("step", "elastic_energy")
        return bool(energy[-1] < RECOVERED * np.max(energy))

    names = sorted(c.method_name for c in data.some() if is_recovered(c))
    return Measured(float(len(names)), ", ".join(names))
