# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/damping_rigid: damping of the deviation from rigid motion, [MHHR07] section 3.5."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_et_al_2007/damping_rigid"


def rigid_part(positions: Array, velocities: Array, masses: Array) -> Array:
    """The rigid motion with the same momenta: the nearest one in the norm of the masses."""
    r = positions - np.average(positions, axis=0, weights=masses)
    count = len(masses)
    basis = np.zeros((3 * count, 6))
    for k in range(3):
        basis[k::3, k] = 1
        basis[:, 3 + k] = np.cross(np.eye(3)[k], r).ravel()
    weight = np.sqrt(np.repeat(masses, 3))
    solution = np.linalg.lstsq(weight[:, None] * basis, weight * velocities.ravel(), rcond=1e-10)[0]
    return np.asarray((basis @ solution).reshape(-1, 3))


class Step:
    """One damped step of one member."""

    def __init__(self, trace: Trace, member: int):
        positions, velocities = (trace.values("frame", name)[member] for name in ("positions", "velocities"))
        self.masses = trace.scene("masses") if trace.scene_shape("masses") else np.ones(positions.shape[1])
        self.before, self.after, self.positions = velocities[0], velocities[1], positions[0]
        self.damping = float(trace.value("method.parameters.damping"))

    def deviation_error(self) -> float:
        """|deviation after − (1 − k) deviation before| over the largest velocity; masses do not matter."""
        rigid = rigid_part(self.positions, self.before, self.masses)
        return float(
            np.abs(self.after - rigid - (1 - self.damping) * (self.before - rigid)).max() / np.abs(self.before).max()
        )

    def linear_change(self) -> float:
        """Change of linear momentum over Σ m |v|."""
        change = self.masses @ (self.after - self.before)
        return float(np.linalg.norm(change) / (self.masses @ np.linalg.norm(self.before, axis=1)))

    def angular_change(self) -> float:
        """Change of angular momentum over Σ m |x × v|."""
        change = self.masses @ np.cross(self.positions, self.after - self.before)
        return float(
            np.linalg.norm(change) / (self.masses @ np.linalg.norm(np.cross(self.positions, self.before), axis=1))
        )


def steps(data: ExperimentData) -> list[tuple[str, Step]]:
    """One damping step of every run and member, with the run's label."""
    return [(c.label, Step(c, m)) for c in data.some() for m in range(c.values("frame", "positions").shape[0])]


def _worst(data: ExperimentData, name: str) -> Measured:
    found: dict[str, list[float]] = defaultdict(list)
    for label, step in steps(data):
        found[label].append(float(getattr(step, name)()))
    return extremes.largest({label: np.max(values) for label, values in found.items()})


@measurement("damping_rigid.deviation_error", unit="1", experiment=EXPERIMENT)
def deviation_error(data: ExperimentData) -> Measured:
    """Largest difference of the velocities after one step from rigid motion plus 1 − k of the deviation from it, over
    the largest velocity."""
    return _worst(data, "deviation_error")


@measurement("damping_rigid.linear_momentum_change", unit="1", experiment=EXPERIMENT)
def linear_momentum_change(data: ExperimentData) -> Measured:
    """Largest change of the linear momentum over the sum of the magnitudes of the single particles' momenta, all
    arrangements."""
    return _worst(data, "linear_change")


@measurement("damping_rigid.angular_momentum_change", unit="1", experiment=EXPERIMENT)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest change of the angular momentum over the sum of the magnitudes of the single particles' angular momenta,
    all arrangements."""
    return _worst(data, "angular_change")


@measurement("damping_rigid.not_finite", unit="1", experiment=EXPERIMENT)
def not_finite(data: ExperimentData) -> float:
    """Number of velocities after the step that are not finite, including particles on a line and in one point."""
    return float(sum(int((~np.isfinite(step.after)).sum()) for _, step in steps(data)))


@measurement("damping_rigid.energy_factor_error", unit="1", experiment=EXPERIMENT)
def energy_factor_error(data: ExperimentData) -> float:
    """Largest |E_after/E_before − (1 − k)²|, E the kinetic energy of the deviation from rigid motion, all
    arrangements."""
    found: list[float] = []
    for _, step in steps(data):
        rigid = rigid_part(step.positions, step.before, step.masses)
        energy = [float(step.masses @ ((v - rigid) ** 2).sum(axis=1)) for v in (step.before, step.after)]
        found.append(abs(energy[1] / energy[0] - (1 - step.damping) ** 2))
    return float(extremes.finite(found, EXPERIMENT).max())
