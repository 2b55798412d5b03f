# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/drops: what the contact does to each vertex of a dropped block, from stored states alone.

The impulse on a vertex in a step is m Δv − Δt (f(x) + m g), f of the corotational energy at the step's start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.corotational import Body
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import material
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import deformation_gradients, lame
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/drops"
ON = 1e-12  # m: rounding of places on a flat obstacle
PUSHED = 1e-9  # of m V: an impulse above the rounding of the judge's forces
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


def speed_after_fall(trace: Trace) -> float:
    """V = √(2 g height), m/s."""
    return float(np.sqrt(2 * np.linalg.norm(vector(trace, "gravity_m_s2")) * number(trace, "height_m")))


@dataclass(frozen=True)
class Places:
    """Of every step and vertex, by positions and velocities alone."""

    gap_before: Array  # m
    gap_after: Array  # m
    normals: Array  # at the end of the step
    normal_speed: Array  # after the step, relative to the obstacle, over V


@lru_cache(maxsize=128)
def places(drop: Drop) -> Places:
    """Of every step."""
    trace, rows = drop.trace, range(len(drop.positions))
    found = [gaps(trace, drop.positions[n], float(drop.time[n])) for n in rows]
    gap, normals = np.array([f[0] for f in found]), np.array([f[1] for f in found])
    rate = ((drop.velocities - vector(trace, "obstacle_velocity_m_s")) * normals).sum(axis=2)
    return Places(gap[:-1], gap[1:], normals[1:], rate[1:] / speed_after_fall(trace))


@dataclass(frozen=True)
class Impulses:
    """Of every step and vertex of an explicit drop, over m V."""

    normal: Array
    tangential: Array


@lru_cache(maxsize=128)
def impulses(drop: Drop) -> Impulses:
    """By the judge's forces; normals are those at the end of the step."""
    trace, body = drop.trace, Body.of(drop.trace)
    masses = body.masses(material(trace)[2], drop.positions.shape[1])[:, None]
    gravity, dt = vector(trace, "gravity_m_s2"), number(trace, "time_step_s")
    forces = np.array([body.forces(x) for x in drop.positions[:-1]])
    found = (np.diff(drop.velocities, axis=0) - dt * (forces / masses + gravity)) / speed_after_fall(trace)
    normals = places(drop).normals
    along = (found * normals).sum(axis=2)
    return Impulses(along, np.linalg.norm(found - along[..., None] * normals, axis=2))


def explicit_drops(data: ExperimentData, keep: Callable[[Trace], bool] = is_met) -> dict[str, Drop]:
    """Of explicit steps, whose impulses the judge's forces show."""
    return drops(data, keep=lambda c: c.method_id == "explicit_fem" and keep(c))


def worst(
    data: ExperimentData, of: Callable[[Drop, Impulses], float], keep: Callable[[Trace], bool] = is_met
) -> Measured:
    """The largest of all explicit drops."""
    return extremes.largest({name: of(d, impulses(d)) for name, d in explicit_drops(data, keep).items()})


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
    return extremes.least({name: float(impulses(d).normal.max()) for name, d in explicit_drops(data).items()})


@measurement("drops.beyond_friction", unit="1", experiment=EXPERIMENT)
def beyond_friction(data: ExperimentData) -> Measured:
    """Largest |J_t| − μ J_n of a vertex in a step over m V, explicit steps, flat obstacles."""
    return worst(data, over_friction, is_flat)


@measurement("drops.stray_impulse", unit="1", experiment=EXPERIMENT)
def stray_impulse(data: ExperimentData) -> Measured:
    """Largest |J| over m V of a vertex that is more than 1e-6 m away from the obstacle after the step, explicit steps."""

    def largest(drop: Drop, found: Impulses) -> float:
        size = np.hypot(found.normal, found.tangential)[places(drop).gap_after > NEAR]
        return float(size.max()) if size.size else 0.0

    return worst(data, largest)


def largest_of(values: Array) -> float:
    """Largest absolute value, 0 of none: that there are some is counted apart."""
    return float(np.abs(values).max()) if values.size else 0.0


def stays(found: Places) -> Array:
    """On a flat obstacle before and after the step."""
    return np.asarray((np.abs(found.gap_before) < ON) & (np.abs(found.gap_after) < ON))


def arrives(found: Places) -> Array:
    """Above a flat obstacle before the step, on it after: the step of an impact."""
    return np.asarray((found.gap_before > ON) & (np.abs(found.gap_after) < ON))


@measurement("drops.normal_speed", unit="1", experiment=EXPERIMENT)
def normal_speed(data: ExperimentData) -> Measured:
    """Largest normal speed, relative to the obstacle and over the speed V after the fall, of a vertex that was on a flat obstacle
    before and after a step, every method and step size."""
    flat = {name: places(d) for name, d in drops(data, keep=is_flat).items()}
    return extremes.largest({name: largest_of(p.normal_speed[stays(p)]) for name, p in flat.items()})


@measurement("drops.staying_vertices", unit="1", experiment=EXPERIMENT)
def staying_vertices(data: ExperimentData) -> Measured:
    """Least over drops on flat obstacles of the number of steps in which a vertex was on the obstacle before and after."""
    return extremes.least({n: float(stays(places(d)).sum()) for n, d in drops(data, keep=is_flat).items()})


@measurement("drops.impact_normal_speed", unit="1", experiment=EXPERIMENT)
def impact_normal_speed(data: ExperimentData) -> Measured:
    """Largest normal speed, relative to the obstacle and over the speed V after the fall, of a vertex at the end of the step in
    which it arrives on a flat obstacle, every method and step size."""
    flat = {name: places(d) for name, d in drops(data, keep=is_flat).items()}
    return extremes.largest({name: largest_of(p.normal_speed[arrives(p)]) for name, p in flat.items()})


@measurement("drops.impact_step_error", unit="1", experiment=EXPERIMENT)
def impact_step_error(data: ExperimentData) -> Measured:
    """Largest difference over V, V the speed after the fall, between the normal speed relative to the obstacle of a vertex at the
    end of the step in which it arrives on a flat obstacle and −gap/Δt, its distance before the step over the step."""

    def error(drop: Drop) -> float:
        found, way = places(drop), speed_after_fall(drop.trace) * number(drop.trace, "time_step_s")
        return largest_of((found.normal_speed + found.gap_before / way)[arrives(found)])

    return extremes.largest({name: error(d) for name, d in drops(data, keep=is_flat).items()})


@measurement("drops.arriving_vertices", unit="1", experiment=EXPERIMENT)
def arriving_vertices(data: ExperimentData) -> Measured:
    """Least over drops on flat obstacles of the number of steps in which a vertex arrives on the obstacle."""
    return extremes.least({n: float(arrives(places(d)).sum()) for n, d in drops(data, keep=is_flat).items()})


def speed_when_pushed(drop: Drop, found: Impulses, near: float) -> float:
    """Largest normal speed after a step at whose start the vertex is on the surface and in which the obstacle pushes it."""
    here = places(drop)
    return largest_of(here.normal_speed[(np.abs(here.gap_before) < near) & (found.normal > PUSHED)])


@measurement("drops.pushed_normal_speed", unit="1", experiment=EXPERIMENT)
def pushed_normal_speed(data: ExperimentData) -> Measured:
    """Largest normal speed, relative to the obstacle and over the speed V after the fall, at the end of a step that a vertex begins
    on a flat obstacle and in which the obstacle pushes it (impulse over 1e-9 m V), explicit steps."""
    return worst(data, lambda drop, found: speed_when_pushed(drop, found, ON), is_flat)


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


@measurement("drops.energy_excess", unit="1", experiment=EXPERIMENT)
def largest_energy_excess(data: ExperimentData) -> Measured:
    """Largest energy of a drop at any time, less the work of a moving obstacle, over that of the fall, minus 1, every method and
    step."""
    return extremes.largest({name: energy_excess(d) for name, d in drops(data).items()})


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


def measure_also(experiment: str, *more: str) -> None:
    """Registers the measurements that experiments on other drops share with this one, and more of them by name."""
    shared = "pull push stray_impulse normal_speed pushed_normal_speed staying_vertices impact_normal_speed"
    for name in (*shared.split(), "arriving_vertices", "beyond_friction", "energy_excess", *more):
        function = largest_energy_excess if name == "energy_excess" else globals()[name]
        measurement(f"{experiment.rsplit('/', 1)[-1]}.{name}", unit="1", experiment=experiment)(function)
