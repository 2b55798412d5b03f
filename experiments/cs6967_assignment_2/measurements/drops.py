# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/drops: what the contact does to each vertex of a dropped block,
from stored states alone.

The impulse on a vertex in a step is m Δv − Δt (f(x) + m g), f of the corotational energy at the step's start."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.explicit_steps import material
from deformbench_analysis.mesh import deformation_gradients, lame
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Quantity, Rows, Trace, extremes, quantity
from deformbench_analysis.vocabulary import rows

M = Measures("cs6967_assignment_2/drops")
ON = 1e-12  # m: position rounding on a flat obstacle
PUSHED = 1e-9  # relative to m V: above the rounding of the judge's forces
NEAR = 1e-6  # m: above the gap (v Δt)²/2R that a step along a tangent of the ball opens


def vector(trace: Trace, name: str) -> Array:
    """A parameter of the scene."""
    return np.asarray(trace.value(f"scene.parameters.{name}"), dtype=float)


def gaps(trace: Trace, points: Array, time: Array) -> tuple[Array, Array]:
    """Signed distances (m) of points [row, point, 3] from the obstacle, negative inside, and its normals."""
    moved: Array = points - time[:, None, None] * vector(trace, "obstacle_velocity_m_s")
    if trace.value("scene.parameters.obstacle") == "ball":
        radius = trace.number("obstacle_size_m")
        out = moved + [0, radius, 0]
        length = np.linalg.norm(out, axis=2)
        return length - radius, out / length[..., None]
    return moved[..., 1], np.broadcast_to([0.0, 1.0, 0.0], moved.shape)  # the drop stays above the box's upper side


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


def speed_after_fall(trace: Trace) -> float:
    """V = √(2 g height), m/s."""
    return float(np.sqrt(2 * np.linalg.norm(vector(trace, "gravity_m_s2")) * trace.number("height_m")))


@dataclass(frozen=True)
class Places:
    """Gaps, normals and speeds per step and vertex, from positions and velocities."""

    gap_before: Array  # m
    gap_after: Array  # m
    normals: Array  # at the end of the step
    normal_speed: Array  # after the step, relative to the obstacle, over V


@lru_cache(maxsize=128)
def places(drop: Drop) -> Places:
    """Gaps, normals and speeds of every step."""
    trace = drop.trace
    gap, normals = gaps(trace, drop.positions, drop.time)
    rate = ((drop.velocities - vector(trace, "obstacle_velocity_m_s")) * normals).sum(axis=2)
    return Places(gap[:-1], gap[1:], normals[1:], rate[1:] / speed_after_fall(trace))


@dataclass(frozen=True)
class Impulses:
    """Impulses per step and vertex of an explicit drop, relative to m V."""

    normal: Array
    tangential: Array


@lru_cache(maxsize=128)
def impulses(drop: Drop) -> Impulses:
    """From the judge's forces; normals at the end of the step."""
    trace, body = drop.trace, Body.of(drop.trace)
    masses = body.masses(material(trace)[2], drop.positions.shape[1])[:, None]
    gravity, dt = vector(trace, "gravity_m_s2"), trace.number("time_step_s")
    found = (
        np.diff(drop.velocities, axis=0) - dt * (body.forces(drop.positions[:-1]) / masses + gravity)
    ) / speed_after_fall(trace)
    normals = places(drop).normals
    along = (found * normals).sum(axis=2)
    return Impulses(along, np.linalg.norm(found - along[..., None] * normals, axis=2))


def of_drops(says: str, of: Callable[[Drop], float], unit: str = "1") -> Quantity:
    """Value per drop of a run, keyed by its label."""
    return Quantity(lambda c: {f"{c.label}, drop {k}": of(d) for k, d in enumerate(drops_of(c))}, says, unit)


def is_flat(trace: Trace) -> bool:
    """Whether the block meets a plane or a box."""
    return is_met(trace) and trace.value("scene.parameters.obstacle") != "ball"


def over_friction(drop: Drop) -> float:
    """Largest |J_t| − μ J_n."""
    found = impulses(drop)
    return float((found.tangential - drop.trace.number("friction") * found.normal).max())


def stray_impulse(drop: Drop) -> float:
    """Largest |J| of a vertex away from the obstacle after the step."""
    found = impulses(drop)
    return largest_of(np.hypot(found.normal, found.tangential)[places(drop).gap_after > NEAR])


def largest_of(values: Array) -> float:
    """Largest absolute value, 0 if empty: their number is a measurement."""
    return float(np.abs(values).max()) if values.size else 0.0


def stays(found: Places) -> Array:
    """On a flat obstacle before and after the step."""
    return np.asarray((np.abs(found.gap_before) < ON) & (np.abs(found.gap_after) < ON))


def arrives(found: Places) -> Array:
    """Above a flat obstacle before the step, on it after: the step of an impact."""
    return np.asarray((found.gap_before > ON) & (np.abs(found.gap_after) < ON))


def speed_of(which: Callable[[Places], Array]) -> Callable[[Drop], float]:
    """Largest |normal speed| / V after a selected step."""
    return lambda drop: largest_of(places(drop).normal_speed[which(places(drop))])


def impact_step_error(drop: Drop) -> float:
    """Largest |v_n + gap/Δt| / V, with the normal speed v_n after the step of an impact and the gap before it."""
    found, way = places(drop), speed_after_fall(drop.trace) * drop.trace.number("time_step_s")
    return largest_of((found.normal_speed + found.gap_before / way)[arrives(found)])


def speed_when_pushed(drop: Drop) -> float:
    """Largest |normal speed| / V after a step that starts on the surface and in which the obstacle pushes."""
    here = places(drop)
    return largest_of(here.normal_speed[(np.abs(here.gap_before) < ON) & (impulses(drop).normal > PUSHED)])


def deepest(drop: Drop) -> float:
    """Largest penetration of a vertex into an obstacle, m."""
    return float(-gaps(drop.trace, drop.positions, drop.time)[0].min())


@lru_cache(maxsize=256)
def energy_excess(drop: Drop) -> float:
    """Largest (kinetic + elastic + gravitational energy − the obstacle's work) / energy at the start − 1; the
    potential is zero at the height V²/2g below the start."""
    trace, body = drop.trace, Body.of(drop.trace)
    young, poisson, density = material(trace)
    first, second = lame(young, poisson)
    masses = body.masses(density, drop.positions.shape[1])
    gravity, of_obstacle = vector(trace, "gravity_m_s2"), vector(trace, "obstacle_velocity_m_s")
    x, v = drop.positions, drop.velocities
    stretch = np.linalg.svd(deformation_gradients(body.rest, body.tetrahedra, x), compute_uv=False) - 1
    stored = second * (stretch**2).sum(axis=2) + first / 2 * stretch.sum(axis=2) ** 2
    energies = stored @ body.volume + ((v**2).sum(axis=2) / 2 - (x - x[0]) @ gravity) @ masses
    momentum = np.einsum("i,nij->nj", masses, v)
    steps = drop.time[:, None]
    work = (momentum - momentum[0] - masses.sum() * gravity * (steps - steps[0])) @ of_obstacle
    fallen = masses.sum() * float(np.linalg.norm(gravity)) * trace.number("height_m")
    start = energies[0] + fallen
    return float(((energies + fallen - work) / start).max() - 1)


@quantity("position difference between blocks with a receding obstacle and without one", unit="m")
def _difference(left: Trace, free: Trace) -> float:
    a, b = left.values("step", "positions"), free.values("step", "positions")
    if a.shape != b.shape:
        raise MissingData(f"{left.label}: {a.shape} numbers, {free.label}: {b.shape}")
    return float(np.abs(a - b).max())


def _is_left(trace: Trace) -> bool:
    return bool(vector(trace, "obstacle_velocity_m_s")[1] < 0)


def _explicit(keep: Callable[[Trace], bool], says: str) -> Rows:
    """Explicit steps: the judge's forces give impulses."""
    return rows(method="explicit_fem", says=says).where(keep, says="")


DROPS = rows(says="drops, every method and step").where(is_met, says="")
FLAT = rows(says="drops on flat obstacles, every method and step").where(is_flat, says="")
EXPLICIT, EXPLICIT_FLAT = _explicit(is_met, "explicit steps"), _explicit(is_flat, "explicit steps, flat obstacles")
FREE = rows().where(lambda c: c.value("scene.parameters.obstacle") == "none", says="")
LEFT = rows(says="methods").where(_is_left, says="").beside(FREE, "method.name", says="")
STAYING, ARRIVING = "on the obstacle before and after a step", "at the end of the step in which it arrives"

# Normal speeds are relative to the obstacle, V is the speed after the fall, m V the unit of impulses; a vertex
# is away from the obstacle if its distance exceeds 1e-6 m, and pushed if its impulse exceeds 1e-9 m V.
PULL = of_drops(
    "impulse on any vertex towards the obstacle in a step / m V", lambda d: float(-impulses(d).normal.min())
)
PUSH = of_drops("largest impulse away from the obstacle / m V", lambda d: float(impulses(d).normal.max()))
STRAY = of_drops("impulse |J| / m V on a vertex away from the obstacle after the step", stray_impulse)
SPEED = of_drops(f"normal speed / V of a vertex {STAYING}", speed_of(stays))
PUSHED_SPEED = of_drops(
    f"normal speed / V of a vertex after any step in which the obstacle pushes it", speed_when_pushed
)
IMPACT_SPEED = of_drops(f"normal speed / V of a vertex {ARRIVING}", speed_of(arrives))
IMPACT_ERROR = of_drops("|v_n + gap/Δt| / V, v_n the normal speed of an arriving vertex", impact_step_error)
STAYING_COUNT = of_drops(f"how often a vertex is {STAYING}", lambda d: float(stays(places(d)).sum()))
ARRIVING_COUNT = of_drops("how often a vertex arrives on the obstacle", lambda d: float(arrives(places(d)).sum()))
FRICTION = of_drops("(|J_t| − μ J_n) / m V of a vertex in a step", over_friction)
ENERGY = of_drops("(energy − the obstacle's work) / energy before the fall, minus 1", energy_excess)
DEPTH = of_drops("depth of a vertex inside an obstacle after a step", deepest, "m")
COUNT = of_drops("number of drops that meet an obstacle", lambda _: 1.0)

M, STEPS, PRINTED = (Measures(f"cs6967_assignment_2/{name}") for name in ("drops", "drop_steps", "printed_drops"))
for of in (M, STEPS, PRINTED):
    of.largest("pull", PULL, EXPLICIT)
    of.least("push", PUSH, EXPLICIT)  # every drop meets the obstacle
    of.largest("stray_impulse", STRAY, EXPLICIT)
    of.largest("normal_speed", SPEED, FLAT)
    of.largest("pushed_normal_speed", PUSHED_SPEED, EXPLICIT_FLAT)
    of.least("staying_vertices", STAYING_COUNT, FLAT)
    of.largest("impact_normal_speed", IMPACT_SPEED, FLAT)
    of.least("arriving_vertices", ARRIVING_COUNT, FLAT)
    of.largest("beyond_friction", FRICTION, EXPLICIT_FLAT)
    of.largest("energy_excess", ENERGY, DROPS)
    of.largest("depth", DEPTH, DROPS)
for of in (M, STEPS):
    of.largest("impact_step_error", IMPACT_ERROR, FLAT)
for of in (M, PRINTED):
    of.largest("differs_when_left_alone", _difference, LEFT)  # 0 bit for bit
    of.total("count", COUNT, DROPS)
