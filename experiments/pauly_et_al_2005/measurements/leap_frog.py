# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/leap_frog: order of the energy's error, and the way back."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import step
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .clouds import frame, nodes_of, seeds

EXPERIMENT = "pauly_et_al_2005/leap_frog"
STRETCH = 1.5
EULER_STEPS = 100


def total(nodes: Nodes, masses: Array, x: Array, v: Array) -> float:
    """Elastic and kinetic energy by the analysis, J."""
    return float(np.real(nodes.energy(x))) + float(masses @ (v**2).sum(axis=1)) / 2


def rows(trace: Trace, member: int | None, channel: str) -> Array:
    """A vector of every node in every row, [row, node, 3]."""
    series = trace.series("step", channel)
    return np.asarray((series if member is None else series.member(member)).values)


@lru_cache(maxsize=64)
def energy_error(trace: Trace, member: int | None, every: float) -> float:
    """Largest |E(t) − E(0)|/E(0) at multiples of `every` seconds, velocities and positions of the same rows."""
    first = frame(trace, member)
    nodes, masses = nodes_of(trace, first), first["node_masses"]
    stride = round(every / step(trace))
    states = zip(rows(trace, member, "positions")[::stride], rows(trace, member, "velocities")[::stride], strict=True)
    energies = np.array([total(nodes, masses, x, v) for x, v in states])
    return float(np.max(np.abs(energies / energies[0] - 1)))


def _errors(data: ExperimentData) -> dict[str, Array]:
    """By seed: rows of Δt and error, the smallest step first."""
    cells = sorted(data.every(name="forward"), key=step)
    if len(cells) < 3:
        raise MissingData(f"{EXPERIMENT}: {len(cells)} time steps, expected at least 3")
    largest = step(cells[-1])
    return {f"member {m}": np.array([(step(c), energy_error(c, m, largest)) for c in cells]) for m in seeds(cells[0])}


def _orders(data: ExperimentData) -> dict[str, float]:
    return {k: float(np.polyfit(np.log(e[:, 0]), np.log(e[:, 1]), 1)[0]) for k, e in _errors(data).items()}


@measurement("leap_frog.order_least", unit="1", experiment=EXPERIMENT)
def order_least(data: ExperimentData) -> Measured:
    """Least exponent of the time step in the largest error of the energy over the same times, over seeds."""
    return extremes.least(_orders(data))


@measurement("leap_frog.order_largest", unit="1", experiment=EXPERIMENT)
def order_largest(data: ExperimentData) -> Measured:
    """Largest exponent of the time step in the largest error of the energy over the same times, over seeds."""
    return extremes.largest(_orders(data))


@measurement("leap_frog.energy_error", unit="1", experiment=EXPERIMENT)
def coarsest_error(data: ExperimentData) -> Measured:
    """Largest relative error of the energy with the largest step."""
    return extremes.largest({k: float(e[-1, 1]) for k, e in _errors(data).items()})


@measurement("leap_frog.way_back", unit="1", experiment=EXPERIMENT)
def way_back(data: ExperimentData) -> Measured:
    """Distance of a node at the end of a run that is reversed halfway from where it started, over the largest distance in between."""
    found = {}
    for cell in data.every(name="there_and_back"):
        for member in seeds(cell):
            x = rows(cell, member, "positions")
            away = np.linalg.norm(x - x[0], axis=2).max(axis=1)
            found[f"{cell.label}, member {member}"] = float(away[-1] / away.max())
    return extremes.largest(found)


@measurement("leap_frog.forward_euler_energy", unit="1", experiment=EXPERIMENT)
def forward_euler_energy(data: ExperimentData) -> Measured:
    """Least energy after a hundred steps of forward Euler over that at the start, by the analysis from the same starts with the second smallest step."""
    cell = sorted(data.every(name="forward"), key=step)[1]
    found = {}
    for member in seeds(cell):
        first = frame(cell, member)
        nodes, masses = nodes_of(cell, first), first["node_masses"]
        x, v, dt = rows(cell, member, "positions")[0], rows(cell, member, "velocities")[0], step(cell)
        start = total(nodes, masses, x, v)
        for _ in range(EULER_STEPS):
            x, v = x + dt * v, v + dt * nodes.forces(x) / masses[:, None]
        found[f"member {member}"] = total(nodes, masses, x, v) / start
    return extremes.least(found)


@measurement("leap_frog.limit_when_stretched", unit="1", experiment=EXPERIMENT)
def limit_when_stretched(data: ExperimentData) -> Measured:
    """2/ω_max of the cloud stretched 1.5 times, without stress across, over that at rest; slopes of the forces by complex steps."""
    cell = data.every(name="there_and_back")[0]
    found = {}
    for member in seeds(cell):
        first = frame(cell, member)
        nodes = nodes_of(cell, first)
        side = np.sqrt(1 - float(cell.value("scene.parameters.poisson_ratio")) * (STRETCH**2 - 1))
        squared = [
            largest_eigenvalue(nodes, first["node_masses"], nodes.rest * shape)
            for shape in ([1, 1, 1], [STRETCH, side, side])
        ]
        found[f"member {member}"] = float(np.sqrt(squared[0] / squared[1]))
    return extremes.least(found)


def largest_eigenvalue(nodes: Nodes, masses: Array, x: Array) -> float:
    """Largest eigenvalue of −M⁻¹ ∂f/∂x at x, 1/s²."""
    size, step_size = x.size, 1e-20
    matrix = np.empty((size, size))
    for k in range(size):
        moved = x.astype(complex)
        moved.reshape(-1)[k] += 1j * step_size
        matrix[:, k] = -np.imag(nodes.forces(moved)).ravel() / step_size
    root = np.repeat(masses, 3) ** -0.5
    return float(np.linalg.eigvalsh(root[:, None] * (matrix + matrix.T) / 2 * root)[-1])
