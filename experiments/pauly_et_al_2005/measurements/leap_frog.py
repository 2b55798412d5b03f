# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/leap_frog: order of the energy error, and reversibility."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.explicit_steps import step
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .clouds import by_member, frame, nodes_of, seeds

M = Measures("pauly_et_al_2005/leap_frog")
STRETCH = 1.5
EULER_STEPS = 100


def total(nodes: Nodes, masses: Array, x: Array, v: Array) -> float:
    """Elastic and kinetic energy by the analysis, J."""
    return float(np.real(nodes.energy(x))) + float(masses @ (v**2).sum(axis=1)) / 2


def states(trace: Trace, member: int | None, channel: str) -> Array:
    """A vector of every node in every row, [row, node, 3]."""
    series = trace.series("step", channel)
    return np.asarray((series if member is None else series.member(member)).values)


@lru_cache(maxsize=64)
def energy_error(trace: Trace, member: int | None, every: float) -> float:
    """Largest |E(t) − E(0)|/E(0) at multiples of `every` seconds, velocities and positions of the same rows."""
    first = frame(trace, member)
    nodes, masses = nodes_of(trace, first), first["node_masses"]
    stride = round(every / step(trace))
    at = zip(states(trace, member, "positions")[::stride], states(trace, member, "velocities")[::stride], strict=True)
    energies = np.array([total(nodes, masses, x, v) for x, v in at])
    return float(np.max(np.abs(energies / energies[0] - 1)))


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


def errors(*runs: Trace) -> dict[str, Array]:
    """By seed: rows of Δt and error, the smallest step first."""
    cells = sorted(runs, key=step)
    if len(cells) < 3:
        raise MissingData(f"{M.experiment}: {len(cells)} time steps, expected at least 3")
    largest = step(cells[-1])
    return {f"member {m}": np.array([(step(c), energy_error(c, m, largest)) for c in cells]) for m in seeds(cells[0])}


@quantity("order in Δt of the largest energy error at common times, per seed")
def _orders(*runs: Trace) -> dict[str, float]:
    return {k: float(np.polyfit(np.log(e[:, 0]), np.log(e[:, 1]), 1)[0]) for k, e in errors(*runs).items()}


@quantity("relative error of the energy with the largest step")
def _coarsest_error(*runs: Trace) -> dict[str, float]:
    return {k: float(e[-1, 1]) for k, e in errors(*runs).items()}


@by_member("largest distance of a node from its start, at the end relative to any time")
def _way_back(trace: Trace, member: int | None) -> float:
    x = states(trace, member, "positions")
    away = np.linalg.norm(x - x[0], axis=2).max(axis=1)
    return float(away[-1] / away.max())


@by_member("energy after a hundred forward Euler steps relative to the start, by the analysis")
def _forward_euler_energy(trace: Trace, member: int | None) -> float:
    first = frame(trace, member)
    nodes, masses = nodes_of(trace, first), first["node_masses"]
    x, v = (states(trace, member, channel)[0] for channel in ("positions", "velocities"))
    start = total(nodes, masses, x, v)
    for _ in range(EULER_STEPS):
        x, v = x + step(trace) * v, v + step(trace) * nodes.forces(x) / masses[:, None]
    return total(nodes, masses, x, v) / start


@quantity(_forward_euler_energy.phrase)
def _second_smallest_step(*runs: Trace) -> dict[str, float]:
    return dict(_forward_euler_energy(sorted(runs, key=step)[1]))


@by_member("2/ω_max of the cloud stretched 1.5 times in uniaxial stress relative to rest")
def _limit_when_stretched(trace: Trace, member: int | None) -> float:
    first = frame(trace, member)
    nodes, masses = nodes_of(trace, first), first["node_masses"]
    side = np.sqrt(1 - trace.number("poisson_ratio") * (STRETCH**2 - 1))
    rest, stretched = (largest_eigenvalue(nodes, masses, nodes.rest * s) for s in ([1, 1, 1], [STRETCH, side, side]))
    return float(np.sqrt(rest / stretched))


FORWARD = rows("forward", says="all steps").by_row()
SECOND = rows("forward", says="second smallest step").by_row()
REVERSED = rows("there_and_back", says="runs reversed halfway")

M.least("order_least", _orders, FORWARD)
M.largest("order_largest", _orders, FORWARD)
M.largest("energy_error", _coarsest_error, FORWARD)
M.largest("way_back", _way_back, REVERSED)
M.least("forward_euler_energy", _second_smallest_step, SECOND)
M.least("limit_when_stretched", _limit_when_stretched, REVERSED)
