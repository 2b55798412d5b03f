# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/drops: what the contact does to each vertex of a dropped block, from stored states alone.

The impulse on a vertex in a step is m Δv − Δt (f(x) + m g), f of the corotational energy at the step's start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body
from ...errors import MissingData
from ...explicit_steps import material
from ...measurement import Measured, measurement
from ...mesh import deformation_gradients, lame
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "cs6967_assignment_2/drops"
SMALL = 0.0025  # Δt²E/(ρh²) up to which a contact after the solve makes no energy to speak of
NEAR = 1e-6  # m: what a step along a tangent of the ball, (v Δt)²/2R, leaves of the distance


def number(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value(f"scene.parameters.{name}"))


def vector(trace: Trace, name: str) -> Array:
    """A parameter of the scene."""
    return np.asarray(trace.value(f"scene.parameters.{name}"), dtype=float)


def gaps(trace: Trace, points: Array, time: float) -> tuple[Array, Array]:
    """Distances of points from the obstacle's surface, negative inside, and its normals there."""
    moved = points - time * vector(trace, "obstacle_velocity_m_s")
    if trace.value("scene.parameters.obstacle") == "ball":
        radius = number(trace, "obstacle_size_m")
        out = moved + [0, radius, 0]
        length = np.linalg.norm(out, axis=1)
        return length - radius, out / length[:, None]
    return moved[:, 1], np.broadcast_to([0.0, 1.0, 0.0], moved.shape)  # the drop stays above the box's upper side


@dataclass(frozen=True, eq=False)
class Drop:
    """One start of a run."""

    trace: Trace
    positions: Array  # [row, vertex, 3] m
    velocities: Array  # m/s
    time: Array  # s


def is_met(trace: Trace) -> bool:
    """Whether there is an obstacle that the block reaches."""
    return trace.value("scene.parameters.obstacle") != "none" and bool(vector(trace, "obstacle_velocity_m_s")[1] >= 0)


@lru_cache(maxsize=64)
def drops_of(trace: Trace) -> tuple[Drop, ...]:
    """The starts of a run."""
    found = []
    x, v = trace.series("step", "positions"), trace.series("step", "velocities")
    for a, b in zip(x.members(), v.members(), strict=True):
        extremes.finite(a.values, trace.label)
        found.append(Drop(trace, a.values, extremes.finite(b.values, trace.label), a.time))
    return tuple(found)


def drops(data: ExperimentData, name: str | None = None, keep: Callable[[Trace], bool] = is_met) -> dict[str, Drop]:
    """All starts of the runs that `keep` keeps, of one row or of all, by what notes call them."""
    cells = data.every(**({} if name is None else {"name": name}), keep=keep)
    return {f"{c.label}, drop {k}": drop for c in cells for k, drop in enumerate(drops_of(c))}


@dataclass(frozen=True)
class Impulses:
    """Of every step and vertex of an explicit drop. Lengths in m, impulses over m V, V the speed after the fall."""

    normal: Array
    tangential: Array
    gap_before: Array
    gap_after: Array
    normal_speed: Array  # after the step, relative to the obstacle, m/s


@lru_cache(maxsize=64)
def impulses(drop: Drop) -> Impulses:
    """By the judge's forces; normals are those at the end of the step."""
    trace, body = drop.trace, Body.of(drop.trace)
    masses = body.masses(material(trace)[2], drop.positions.shape[1])[:, None]
    gravity, dt = vector(trace, "gravity_m_s2"), number(trace, "time_step_s")
    speed = np.sqrt(2 * float(np.linalg.norm(gravity)) * number(trace, "height_m"))
    of_obstacle = vector(trace, "obstacle_velocity_m_s")
    columns: list[list[Array]] = [[], [], [], [], []]
    for n in range(len(drop.positions) - 1):
        change = masses * (drop.velocities[n + 1] - drop.velocities[n])
        impulse = (change - dt * (body.forces(drop.positions[n]) + masses * gravity)) / (masses * speed)
        after, normals = gaps(trace, drop.positions[n + 1], float(drop.time[n + 1]))
        along = (impulse * normals).sum(axis=1)
        across = np.linalg.norm(impulse - along[:, None] * normals, axis=1)
        before = gaps(trace, drop.positions[n], float(drop.time[n]))[0]
        rate = ((drop.velocities[n + 1] - of_obstacle) * normals).sum(axis=1)
        for column, values in zip(columns, (along, across, before, after, rate), strict=True):
            column.append(values)
    return Impulses(*(np.array(c) for c in columns))


def worst(
    data: ExperimentData, of: Callable[[Drop, Impulses], float], keep: Callable[[Trace], bool] = is_met
) -> Measured:
    """The largest of all explicit drops."""
    return extremes.largest({name: of(d, impulses(d)) for name, d in drops(data, "explicit", keep).items()})


def is_flat(trace: Trace) -> bool:
    """Whether the block meets a plane or a box."""
    return is_met(trace) and not is_ball(trace)


def is_ball(trace: Trace) -> bool:
    """Whether the block meets a ball."""
    return bool(trace.value("scene.parameters.obstacle") == "ball")


def over_friction(drop: Drop, found: Impulses) -> float:
    """Largest |J_t| − μ J_n."""
    return float((found.tangential - number(drop.trace, "friction") * found.normal).max())


@measurement("drops.pull", unit="1", experiment=EXPERIMENT)
def pull(data: ExperimentData) -> Measured:
    """Largest impulse towards the obstacle of a vertex in a step over m V, V the speed after the fall, explicit steps."""
    return worst(data, lambda _, found: float(-found.normal.min()))


@measurement("drops.push", unit="1", experiment=EXPERIMENT)
def push(data: ExperimentData) -> Measured:
    """Least over drops of the largest impulse away from the obstacle over m V, explicit steps: every drop meets it."""
    return extremes.least({name: float(impulses(d).normal.max()) for name, d in drops(data, "explicit").items()})


@measurement("drops.beyond_friction", unit="1", experiment=EXPERIMENT)
def beyond_friction(data: ExperimentData) -> Measured:
    """Largest |J_t| − μ J_n of a vertex in a step over m V, explicit steps, flat obstacles."""
    return worst(data, over_friction, is_flat)


@measurement("drops.beyond_friction_on_ball", unit="1", experiment=EXPERIMENT)
def beyond_friction_on_ball(data: ExperimentData) -> Measured:
    """Largest |J_t| − μ J_n of a vertex in a step over m V, explicit steps, the ball, with its normal at the end of the step."""
    return worst(data, over_friction, is_ball)


@measurement("drops.stray_impulse", unit="1", experiment=EXPERIMENT)
def stray_impulse(data: ExperimentData) -> Measured:
    """Largest |J| over m V of a vertex that is more than 1e-6 m away from the obstacle after the step, explicit steps."""

    def largest(_: Drop, found: Impulses) -> float:
        size = np.hypot(found.normal, found.tangential)[found.gap_after > NEAR]
        return float(size.max()) if size.size else 0.0

    return worst(data, largest)


@measurement("drops.normal_speed", unit="1", experiment=EXPERIMENT)
def normal_speed(data: ExperimentData) -> Measured:
    """Largest normal speed, relative to the obstacle and over V, of a vertex that was on a flat obstacle before and after a
    step, explicit steps."""

    def largest(drop: Drop, found: Impulses) -> float:
        stays = (np.abs(found.gap_before) < 1e-12) & (np.abs(found.gap_after) < 1e-12)
        gravity = float(np.linalg.norm(vector(drop.trace, "gravity_m_s2")))
        speed = np.sqrt(2 * gravity * number(drop.trace, "height_m"))
        return float(np.abs(found.normal_speed[stays]).max() / speed) if stays.any() else 0.0

    return worst(data, largest, is_flat)


@measurement("drops.staying_vertices", unit="1", experiment=EXPERIMENT)
def staying_vertices(data: ExperimentData) -> Measured:
    """Least over drops on flat obstacles of the number of steps in which a vertex was on the obstacle before and after."""

    def count_of(drop: Drop) -> float:
        found = impulses(drop)
        return float(((np.abs(found.gap_before) < 1e-12) & (np.abs(found.gap_after) < 1e-12)).sum())

    return extremes.least({name: count_of(d) for name, d in drops(data, "explicit", is_flat).items()})


@measurement("drops.depth", unit="m", experiment=EXPERIMENT)
def depth(data: ExperimentData) -> Measured:
    """Deepest place of a vertex inside an obstacle after any step, every method."""

    def deepest(drop: Drop) -> float:
        rows = zip(drop.positions, drop.time, strict=True)
        return max(float(-gaps(drop.trace, x, float(t))[0].min()) for x, t in rows)

    return extremes.largest({name: deepest(d) for name, d in drops(data).items()})


@lru_cache(maxsize=256)
def energy_excess(drop: Drop) -> float:
    """Largest (kinetic + elastic + gravitational energy − the obstacle's work) over that of the start, minus 1; the potential is
    zero where the block would lie V²/2g below its start."""
    trace, body = drop.trace, Body.of(drop.trace)
    young, poisson, density = material(trace)
    first, second = lame(young, poisson)
    masses = body.masses(density, drop.positions.shape[1])
    gravity, of_obstacle = vector(trace, "gravity_m_s2"), vector(trace, "obstacle_velocity_m_s")
    rest, tets = body.rest, body.tetrahedra
    energies = []
    for x, v in zip(drop.positions, drop.velocities, strict=True):
        stretch = np.linalg.svd(deformation_gradients(rest, tets, x), compute_uv=False) - 1
        stored = second * (stretch**2).sum(axis=1) + first / 2 * stretch.sum(axis=1) ** 2
        energies.append(body.volume @ stored + masses @ ((v**2).sum(axis=1) / 2 - (x - drop.positions[0]) @ gravity))
    momentum = np.einsum("i,nij->nj", masses, drop.velocities)
    steps = drop.time[:, None]
    work = (momentum - momentum[0] - masses.sum() * gravity * (steps - steps[0])) @ of_obstacle
    fallen = masses.sum() * float(np.linalg.norm(gravity)) * number(trace, "height_m")
    start = energies[0] + fallen
    return float(((np.array(energies) + fallen - work) / start).max() - 1)


def step_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the side of a cell."""
    young, _, density = material(trace)
    size = number(trace, "side_m") / number(trace, "cells_across")
    return number(trace, "time_step_s") ** 2 * young / (density * size**2)


@measurement("drops.energy_excess", unit="1", experiment=EXPERIMENT)
def largest_energy_excess(data: ExperimentData) -> Measured:
    """Largest energy of a drop at any time, less the work of a moving obstacle, over that of the fall, minus 1, every method and
    step."""
    return extremes.largest({name: energy_excess(d) for name, d in drops(data).items()})


@measurement("drops.energy_excess_in_regime", unit="1", experiment=EXPERIMENT)
def energy_excess_in_regime(data: ExperimentData) -> Measured:
    """Largest energy of a drop at any time, less the work of a moving obstacle, over that of the fall, minus 1, every method and
    step with Δt²E/(ρh²) ≤ 0.0025."""
    kept = drops(data, keep=lambda c: is_met(c) and step_number(c) <= SMALL * (1 + 1e-9))
    return extremes.largest({name: energy_excess(d) for name, d in kept.items()})


@measurement("drops.differs_when_left_alone", unit="m", experiment=EXPERIMENT)
def differs_when_left_alone(data: ExperimentData) -> Measured:
    """Largest difference between a block that an obstacle touches and leaves and one without an obstacle, every method: 0 bit
    for bit."""
    found: dict[str, float] = {}
    for free in data.every(keep=lambda c: c.value("scene.parameters.obstacle") == "none"):
        left = data.every(name=free.method_name, keep=lambda c: bool(vector(c, "obstacle_velocity_m_s")[1] < 0))
        for cell in left:
            a, b = cell.values("step", "positions"), free.values("step", "positions")
            if a.shape != b.shape:
                raise MissingData(f"{cell.label}: {a.shape} numbers, {free.label}: {b.shape}")
            found[cell.label] = float(np.abs(a - b).max())
    return extremes.largest(found)


@measurement("drops.count", unit="1", experiment=EXPERIMENT)
def count(data: ExperimentData) -> float:
    """Number of drops that meet an obstacle."""
    return float(len(drops(data)))
