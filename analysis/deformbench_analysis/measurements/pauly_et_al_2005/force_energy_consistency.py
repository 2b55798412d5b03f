# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/force_energy_consistency: forces of nodes against the slopes of their energy."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .clouds import frame, nodes_of, seeds

EXPERIMENT = "pauly_et_al_2005/force_energy_consistency"
DIRECTIONS, COORDINATES = 10, 60  # of every cloud: random directions, and single coordinates


@measurement("force_energy_consistency.slope_error", unit="1", experiment=EXPERIMENT)
def slope_error(data: ExperimentData) -> Measured:
    """Largest |f·d + dU| over the root mean square force, U the analysis' energy, its slopes by complex steps along ten random directions
    of length one and sixty coordinates; every cloud and seed."""

    def of(cell: Trace, member: int | None) -> float:
        arrays = frame(cell, member)
        own, x, forces = nodes_of(cell, arrays), arrays["positions"], arrays["elastic_forces"]
        random = np.random.default_rng(7)
        scale, worst = float(np.sqrt(np.mean(forces**2))), 0.0
        coordinates = random.choice(x.size, size=min(COORDINATES, x.size), replace=False)
        for k in range(DIRECTIONS + len(coordinates)):
            direction = np.zeros(x.size)
            if k < DIRECTIONS:
                direction = random.normal(size=x.size)
                direction /= np.linalg.norm(direction)
            else:
                direction[coordinates[k - DIRECTIONS]] = 1.0
            slope = own.energy_slope(x, direction.reshape(x.shape))
            worst = max(worst, abs(float(forces.ravel() @ direction) + slope) / scale)
        return worst

    return extremes.largest({c: max(of(c, s) for s in seeds(c)) for c in data.every()})


@measurement("force_energy_consistency.net_force", unit="1", experiment=EXPERIMENT)
def net_force(data: ExperimentData) -> Measured:
    """Largest |Σf| over Σ|f| of a cloud."""
    return extremes.largest({c: max(_net(c, s)[0] for s in seeds(c)) for c in data.every()})


@measurement("force_energy_consistency.torque", unit="1", experiment=EXPERIMENT)
def torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − c) × f| over Σ|x − c||f| of a cloud, c its middle."""
    return extremes.largest({c: max(_net(c, s)[1] for s in seeds(c)) for c in data.every()})


def _net(cell: Trace, member: int | None) -> tuple[float, float]:
    arrays = frame(cell, member)
    forces, arms = arrays["elastic_forces"], arrays["positions"] - arrays["positions"].mean(axis=0)
    sizes = np.linalg.norm(forces, axis=1)
    force = np.linalg.norm(forces.sum(axis=0)) / sizes.sum()
    moment = np.linalg.norm(np.cross(arms, forces).sum(axis=0)) / (np.linalg.norm(arms, axis=1) @ sizes)
    return float(force), float(moment)


@measurement("force_energy_consistency.own_stress_net_force", unit="1", experiment=EXPERIMENT)
def own_stress_net_force(data: ExperimentData) -> Measured:
    """Least |Σg| over Σ|g| of a cloud, g the slope of each node's own energy alone along its own displacement, by the analysis: what a force
    per volume −σ∇ε at every node, times its volume, sums to."""

    def of(cell: Trace, member: int | None) -> float:
        arrays = frame(cell, member)
        own = nodes_of(cell, arrays)
        f = own.deformation_gradients(arrays["positions"])
        stress = own.stresses(own.strains(arrays["positions"]))
        forces = np.einsum("nij,nj->ni", own.volumes[:, None, None] * f @ stress, own.summed(own.gradient_weights))
        return float(np.linalg.norm(forces.sum(axis=0)) / np.linalg.norm(forces, axis=1).sum())

    return extremes.least({c: min(of(c, s) for s in seeds(c)) for c in data.every()})
