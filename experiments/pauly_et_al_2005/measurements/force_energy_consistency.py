# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/force_energy_consistency: nodal forces against the energy's derivatives."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Quantity, Trace, quantity
from .clouds import frame, nodes_of, seeds

M = Measures("pauly_et_al_2005/force_energy_consistency")
DIRECTIONS, COORDINATES = 10, 60  # of every cloud: random directions, and single coordinates


def _of_seeds(phrase: str) -> Callable[[Callable[[Trace, int | None], float]], Quantity]:
    return lambda of: quantity(phrase)(lambda trace: np.array([of(trace, seed) for seed in seeds(trace)]))


@_of_seeds("|f·d + dU| relative to the root mean square force, complex steps along random directions and coordinates")
def slope_error(cell: Trace, member: int | None) -> float:
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


def net_share(forces: Array) -> float:
    """|Σf| / Σ|f|."""
    return float(np.linalg.norm(forces.sum(axis=0)) / np.linalg.norm(forces, axis=1).sum())


@_of_seeds("|Σf| relative to Σ|f| of a cloud")
def net_force(cell: Trace, member: int | None) -> float:
    return net_share(frame(cell, member)["elastic_forces"])


@_of_seeds("|Σ(x − c) × f| relative to Σ|x − c||f| of a cloud, c its centre")
def torque(cell: Trace, member: int | None) -> float:
    arrays = frame(cell, member)
    forces, arms = arrays["elastic_forces"], arrays["positions"] - arrays["positions"].mean(axis=0)
    sizes = np.linalg.norm(forces, axis=1)
    return float(np.linalg.norm(np.cross(arms, forces).sum(axis=0)) / (np.linalg.norm(arms, axis=1) @ sizes))


@_of_seeds("|Σg| relative to Σ|g|, g the derivative of each node's own energy by its position")
def own_stress_net_force(cell: Trace, member: int | None) -> float:
    arrays = frame(cell, member)
    own = nodes_of(cell, arrays)
    f = own.deformation_gradients(arrays["positions"])
    stress = own.stresses(own.strains(arrays["positions"]))
    # Net force of a force density −σ∇ε at every node times its volume.
    return net_share(np.einsum("nij,nj->ni", own.volumes[:, None, None] * f @ stress, own.summed(own.gradient_weights)))


M.largest("slope_error", slope_error, EVERY_RUN)
M.largest("net_force", net_force, EVERY_RUN)
M.largest("torque", torque, EVERY_RUN)
M.least("own_stress_net_force", own_stress_net_force, EVERY_RUN)
