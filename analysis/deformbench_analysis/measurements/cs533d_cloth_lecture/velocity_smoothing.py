# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/velocity_smoothing: what an implicit velocity update leaves of a collision.

The end of a chain of masses m, whose links are dampers c, has been stopped, the others fly at V. With s = Δt c/2m the update solves
(1 + s L) v = v^{n+1/2}, whose solution falls off by λ = (1 + 2s − √(1 + 4s))/2s from mass to mass. Elastic links k instead take
q = Δt² k/m of the rate of the link that was pressed."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/velocity_smoothing"


def strength(trace: Trace) -> float:
    """s."""
    damping = parameter(trace, "stretch_damping_s") * float(springs_of(trace).stiffnesses[0])
    return number(trace, "time_step_s") * damping / (2 * float(trace.scene("masses")[1]))


def decay(trace: Trace) -> float:
    """λ."""
    s = strength(trace)
    return float((1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s))


def approach(trace: Trace) -> float:
    """Speed of the stopped mass towards the wall after the step, over V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(v[-1, 0] / v[0, 0])


def link_rate(trace: Trace) -> float:
    """Largest speed of one end of a link towards the other after the step, over V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(np.abs(np.diff(v[-1])).max() / abs(v[0, 0]))


@measurement("velocity_smoothing.approach_error", unit="1", experiment=EXPERIMENT)
def approach_error(data: ExperimentData) -> Measured:
    """Largest difference between the residual approach and λV, over V, plain update."""
    return extremes.largest({c: abs(approach(c) - decay(c)) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.rate_error", unit="1", experiment=EXPERIMENT)
def rate_error(data: ExperimentData) -> Measured:
    """Largest difference between the largest link rate and (1 − λ)²V, over V, plain update."""
    return extremes.largest({c: abs(link_rate(c) - (1 - decay(c)) ** 2) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.constrained_rate_error", unit="1", experiment=EXPERIMENT)
def constrained_rate_error(data: ExperimentData) -> Measured:
    """Largest difference between the largest link rate and (1 − λ)V, over V, constrained update."""
    cells = data.every(name="half_step_constrained")
    return extremes.largest({c: abs(link_rate(c) - (1 - decay(c))) for c in cells})


@measurement("velocity_smoothing.rate_without_update", unit="1", experiment=EXPERIMENT)
def rate_without_update(data: ExperimentData) -> float:
    """Largest link rate over V without the update."""
    return link_rate(data.one(name="symplectic"))


@measurement("velocity_smoothing.rate_of_strong_damping", unit="1", experiment=EXPERIMENT)
def rate_of_strong_damping(data: ExperimentData) -> Measured:
    """Largest link rate over V of the plain updates with s ≥ 1."""
    return extremes.largest({c: link_rate(c) for c in data.every(name="half_step") if strength(c) > 1.0 - 1e-3})


@measurement("velocity_smoothing.rate_of_all", unit="1", experiment=EXPERIMENT)
def rate_of_all(data: ExperimentData) -> Measured:
    """Largest link rate over V of the plain updates, with any damping and with elastic links of any stiffness."""
    return extremes.largest({c: link_rate(c) for n in ("half_step", "elastic") for c in data.every(name=n)})


def elasticity(trace: Trace) -> float:
    """q."""
    stiffness = float(springs_of(trace).stiffnesses[0])
    return number(trace, "time_step_s") ** 2 * stiffness / float(trace.scene("masses")[1])


@measurement("velocity_smoothing.elastic_rate_error", unit="1", experiment=EXPERIMENT)
def elastic_rate_error(data: ExperimentData) -> Measured:
    """Largest difference between the largest link rate and (1 − q)V, q = Δt²k/m, over V, elastic links without damping."""
    return extremes.largest({c: abs(link_rate(c) - (1 - elasticity(c))) for c in data.every(name="elastic")})


@measurement("velocity_smoothing.largest_elasticity", unit="1", experiment=EXPERIMENT)
def largest_elasticity(data: ExperimentData) -> Measured:
    """Largest q = Δt²k/m of the elastic links."""
    return extremes.largest({c: elasticity(c) for c in data.every(name="elastic")})


@measurement("velocity_smoothing.least_strength", unit="1", experiment=EXPERIMENT)
def least_strength(data: ExperimentData) -> Measured:
    """Smallest s."""
    return extremes.least({c: strength(c) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.largest_strength", unit="1", experiment=EXPERIMENT)
def largest_strength(data: ExperimentData) -> Measured:
    """Largest s."""
    return extremes.largest({c: strength(c) for c in data.every(name="half_step")})


@measurement("velocity_smoothing.rate_without_force", unit="1", experiment=EXPERIMENT)
def rate_without_force(data: ExperimentData) -> float:
    """Largest link rate over V with the update, links without damping and with next to no stiffness."""
    return link_rate(data.one(name="forceless"))


def next_depth(trace: Trace, is_implicit: bool) -> float:
    """How deep the mass at the wall ends after one more step in which nothing collides, over VΔt: its place now is on the wall.
    `is_implicit`: the first half of that step, in damping."""
    x, v = (extremes.finite(trace.values("step", n), trace.label)[:, :, 0] for n in ("positions", "velocities"))
    masses, dt = trace.scene("masses"), number(trace, "time_step_s")
    damping = parameter(trace, "stretch_damping_s") * springs_of(trace).stiffnesses
    matrix = np.zeros((len(masses), len(masses)))
    for i, c in enumerate(damping):
        matrix[i : i + 2, i : i + 2] += c * np.array([[1.0, -1.0], [-1.0, 1.0]])
    if is_implicit:
        middle = np.linalg.solve(np.diag(masses) + dt / 2 * matrix, masses * v[-1])
    else:
        middle = v[-1] - dt / 2 * (matrix @ v[-1]) / masses
    return float(-(x[-1, 0] + dt * middle[0]) / (dt * abs(v[0, 0])))


def depths(data: ExperimentData, is_implicit: bool) -> dict[float, tuple[float, float]]:
    """Depth with the plain and with the constrained update by s."""
    found = {}
    for cell in data.every(name="half_step"):
        same = {"method.parameters.stretch_damping_s": cell.value("method.parameters.stretch_damping_s")}
        other = data.one(name="half_step_constrained", where=same)
        found[strength(cell)] = (next_depth(cell, is_implicit), next_depth(other, is_implicit))
    return found


def largest_depth_ratio(data: ExperimentData, is_implicit: bool, limit: float) -> Measured:
    """Constrained over plain, of s up to a limit."""
    return extremes.largest({f"s = {s:.3g}": b / a for s, (a, b) in depths(data, is_implicit).items() if s <= limit})


@measurement("velocity_smoothing.depth_ratio", unit="1", experiment=EXPERIMENT)
def depth_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of the depth after one more step without collisions, constrained over plain, first half explicit in damping."""
    return largest_depth_ratio(data, False, np.inf)


@measurement("velocity_smoothing.depth_ratio_below_two", unit="1", experiment=EXPERIMENT)
def depth_ratio_below_two(data: ExperimentData) -> Measured:
    """Largest ratio of the depth after one more step without collisions, constrained over plain, first half explicit in damping, of s < 2."""
    return largest_depth_ratio(data, False, 1.999)


@measurement("velocity_smoothing.depth_ratio_implicit", unit="1", experiment=EXPERIMENT)
def depth_ratio_implicit(data: ExperimentData) -> Measured:
    """Largest ratio of the depth after one more step without collisions, constrained over plain, of every s, first half of the step implicit
    in damping."""
    return largest_depth_ratio(data, True, np.inf)


@measurement("velocity_smoothing.depth_error", unit="1", experiment=EXPERIMENT)
def depth_error(data: ExperimentData) -> Measured:
    """Largest difference between these depths, first half explicit, and the closed forms 2λ, plain, and λ/(1 − λ), constrained."""
    found = {}
    for cell in data.every(name="half_step"):
        found[cell] = abs(next_depth(cell, False) - 2 * decay(cell))
    for cell in data.every(name="half_step_constrained"):
        found[cell] = abs(next_depth(cell, False) - decay(cell) / (1 - decay(cell)))
    return extremes.largest(found)


def energy_lost(trace: Trace) -> float:
    """Kinetic energy that the step takes over that of one mass at V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    masses = trace.scene("masses")
    return float((masses @ (v[0] ** 2 - v[-1] ** 2)) / (masses[0] * v[0, 0] ** 2))


@measurement("velocity_smoothing.extra_energy_lost", unit="1", experiment=EXPERIMENT)
def extra_energy_lost(data: ExperimentData) -> Measured:
    """Least difference between the kinetic energies that the constrained and the plain update take, over that of one mass at V."""
    found = {}
    for cell in data.every(name="half_step"):
        same = {"method.parameters.stretch_damping_s": cell.value("method.parameters.stretch_damping_s")}
        found[cell] = energy_lost(data.one(name="half_step_constrained", where=same)) - energy_lost(cell)
    return extremes.least(found)
