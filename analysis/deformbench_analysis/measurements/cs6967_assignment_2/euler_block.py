# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/euler_block: the energy of an undamped block over ten periods of its lowest mode."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.sparse import diags
from scipy.sparse.linalg import eigsh

from ... import extremes
from ...arrays import Array
from ...corotational import Body
from ...measurement import Measured, measurement
from ...mesh import deformation_gradients, lame, volumes
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "cs6967_assignment_2/euler_block"


def energy(trace: Trace, frame: Mapping[str, Array]) -> float:
    """Σ m v²/2 + Σ V (μ E:E + λ/2 tr²E), E = (FᵀF − I)/2, J."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson, density = (
        float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio", "density_kg_m3")
    )
    first, second = lame(young, poisson)
    gradient = deformation_gradients(rest, tets, frame["positions"])
    green = 0.5 * (np.swapaxes(gradient, 1, 2) @ gradient - np.eye(3))
    density_of = second * (green**2).sum(axis=(1, 2)) + first / 2 * np.trace(green, axis1=1, axis2=2) ** 2
    masses = Body.of(trace).masses(density, len(rest))
    return float(volumes(rest, tets) @ density_of + masses @ (frame["velocities"] ** 2).sum(axis=1) / 2)


def drift(trace: Trace) -> float:
    """Largest |E/E_0 − 1| of all frames."""
    energies = extremes.finite([energy(trace, frame) for _, _, frame in trace.frames()], trace.label)
    return float(np.abs(energies / energies[0] - 1).max())


def frequencies(trace: Trace) -> tuple[float, float]:
    """Lowest elastic and highest ω of the block at rest, rad/s."""
    body = Body.of(trace)
    n = len(body.rest)
    root = diags(np.repeat(body.masses(float(trace.value("scene.parameters.density_kg_m3")), n), 3) ** -0.5)
    matrix = root @ body.stiffness_matrix(np.tile(np.eye(3), (len(body.tetrahedra), 1, 1)), n) @ root
    high = float(eigsh(matrix, k=1, which="LA", return_eigenvectors=False)[0])
    low = np.sort(eigsh(matrix, k=7, sigma=-1e-6 * high, return_eigenvectors=False))
    return float(np.sqrt(low[6])), float(np.sqrt(high))


@measurement("euler_block.symplectic_drift", unit="1", experiment=EXPERIMENT)
def symplectic_drift(data: ExperimentData) -> Measured:
    """Largest |E/E_0 − 1| of the undamped block, velocity first."""
    return extremes.largest({c: drift(c) for c in data.every(name="symplectic")})


@measurement("euler_block.forward_drift", unit="1", experiment=EXPERIMENT)
def forward_drift(data: ExperimentData) -> Measured:
    """Largest |E/E_0 − 1| of the undamped block, position first, however the runs ended."""
    return extremes.largest({c: drift(c) for c in data.some(name="forward", status=None)})


@measurement("euler_block.forward_drift_least", unit="1", experiment=EXPERIMENT)
def forward_drift_least(data: ExperimentData) -> Measured:
    """Least over runs of the largest |E/E_0 − 1| of the undamped block, position first, however they ended."""
    return extremes.least({c: drift(c) for c in data.some(name="forward", status=None)})


@measurement("euler_block.periods", unit="1", experiment=EXPERIMENT)
def periods(data: ExperimentData) -> Measured:
    """Least number of periods of the lowest elastic mode that a run lasts, velocity first."""
    found = {}
    for cell in data.every(name="symplectic"):
        *_, (_, time, _) = cell.frames(last=True)
        found[cell] = time * frequencies(cell)[0] / (2 * np.pi)
    return extremes.least(found)


@measurement("euler_block.turn", unit="1", experiment=EXPERIMENT)
def turn(data: ExperimentData) -> Measured:
    """Largest ω_max Δt of a run, ω_max of the mesh at rest."""
    return extremes.largest(
        {c: frequencies(c)[1] * float(c.value("scene.parameters.time_step_s")) for c in data.every()}
    )
