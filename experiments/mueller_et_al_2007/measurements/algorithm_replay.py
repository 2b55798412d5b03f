# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/solver_stages and verlet_correspondence: the algorithm of [MHHR07] section 3.1,
line by line in numpy, from the start of a trace; and Verlet steps with the same projections."""

from dataclasses import dataclass

from typing import Any

import numpy as np

from deformbench_analysis.position_constraints import inverse_masses
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity, rows

STAGES = Measures("mueller_et_al_2007/solver_stages")
VERLET = Measures("mueller_et_al_2007/verlet_correspondence")


@dataclass
class Net:
    """Particles, distance constraints and a floor, as the trace has them."""

    start: Array
    velocity: Array
    w: Array
    masses: Array
    links: Array
    rest: Array
    stiffness: Array
    gravity: Array
    dt: float
    floor: float | None
    friction: float
    restitution: float

    @staticmethod
    def of(trace: Trace) -> "Net":
        """Start, masses and constraints of a trace."""

        def value(name: str) -> Any:
            return trace.value("scene.parameters." + name)

        positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
        return Net(
            positions[0],
            velocities[0],
            inverse_masses(trace),
            trace.scene("masses"),
            trace.scene("constraint_vertices").astype(int)[:, :2],
            trace.scene("constraint_rest_values"),
            trace.scene("constraint_stiffness"),
            np.asarray(value("gravity_m_s2"), float),
            float(value("time_step_s")),
            -float(value("height_m")) if value("floor") else None,
            float(value("friction")),
            float(value("restitution")),
        )


def damped(net: Net, x: Array, v: Array, amount: float) -> Array:
    """Section 3.5 damping of the unheld particles."""
    free = net.w > 0
    m, x, out = net.masses[free], x[free], v.copy()
    r = x - m @ x / m.sum()
    mean = m @ v[free] / m.sum()
    momentum = (m[:, None] * np.cross(r, v[free])).sum(axis=0)
    skew = np.zeros((len(r), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -r[:, 2], r[:, 1], -r[:, 0]
    skew -= np.swapaxes(skew, 1, 2)
    inertia = np.einsum("i,iab,icb->ac", m, skew, skew)
    omega = np.linalg.solve(inertia, momentum)
    out[free] += amount * (mean + np.cross(omega, r) - v[free])
    return out


def project_link(net: Net, p: Array, link: int, k: float) -> Array:
    """Δp of the two ends, [MHHR07] eq. 9, 10."""
    a, b = net.links[link]
    along = p[b] - p[a]
    length = float(np.linalg.norm(along))
    step = k * (length - net.rest[link]) * along / length / (net.w[a] + net.w[b])
    return np.array([net.w[a] * step, -net.w[b] * step])


def project(net: Net, p: Array, stiffness: Array, order: str) -> None:
    """Line 10: all links once."""
    if order == "jacobi":
        total, count = np.zeros_like(p), np.zeros(len(p))
        for link in range(len(net.links)):
            np.add.at(total, net.links[link], project_link(net, p, link, stiffness[link]))
            np.add.at(count, net.links[link], 1)
        p += total / np.maximum(count, 1)[:, None]
        return
    for link in range(len(net.links))[:: -1 if order == "reverse" else 1]:
        p[net.links[link]] += project_link(net, p, link, stiffness[link])


def touching(net: Net, x: Array, p: Array) -> Array:
    """Particles with a floor contact: p is below the floor, or x and p are within |p − x| of it, from where
    the iterations may push p in. The paper does not specify the second kind."""
    if net.floor is None:
        return np.zeros(0, int)
    before, after, way = x[:, 1] - net.floor, p[:, 1] - net.floor, np.linalg.norm(p - x, axis=1)
    is_near = (before >= -1e-9 * (1 + np.linalg.norm(x, axis=1))) & (before <= way) & (after < way)
    return np.flatnonzero(((after < 0) | is_near) & (net.w > 0))


def replay(trace: Trace) -> Array:
    """Positions of every step by lines 1 to 17, with the velocity update as printed."""
    net = Net.of(trace)

    def value(name: str) -> Any:
        return trace.value("method.parameters." + name)

    count, order, damping = int(value("iterations")), str(value("order")), float(value("damping"))
    k = 1 - (1 - net.stiffness) ** (1 / count) if value("stiffness_law") == "per_step" else net.stiffness
    x, v = net.start.copy(), net.velocity.copy()  # 1–3
    rows = [x.copy()]
    for _ in range(len(trace.values("frame", "positions")) - 1):
        v = v + net.dt * net.gravity * (net.w > 0)[:, None]  # 5
        if damping > 0:
            v = damped(net, x, v, damping)  # 6
        p = x + net.dt * v  # 7
        p[net.w == 0] = x[net.w == 0]
        contacts = touching(net, x, p)  # 8
        for _ in range(count):  # 9–11
            project(net, p, k, order)
            if net.floor is not None:
                p[contacts, 1] = np.maximum(p[contacts, 1], net.floor)
        v, x = (p - x) / net.dt, p  # 12–15
        v[contacts[:, None], [0, 2]] *= 1 - min(net.friction, 1.0)  # 16: damped along the floor, reflected from it
        v[contacts, 1] = np.where(v[contacts, 1] < 0, -net.restitution * v[contacts, 1], v[contacts, 1])
        rows.append(x.copy())
    return np.array(rows)


def verlet(trace: Trace) -> Array:
    """Positions by x' = 2x − x_before + Δt² g and projections of x', without velocities."""
    net = Net.of(trace)
    count = int(trace.setting("iterations"))
    k = 1 - (1 - net.stiffness) ** (1 / count)
    before, x = net.start - net.dt * net.velocity, net.start.copy()
    rows = [x.copy()]
    for _ in range(len(trace.values("frame", "positions")) - 1):
        p = 2 * x - before + net.dt**2 * net.gravity
        p[net.w == 0] = x[net.w == 0]
        contacts = touching(net, x, p)
        for _ in range(count):
            project(net, p, k, "forward")
            if net.floor is not None:
                p[contacts, 1] = np.maximum(p[contacts, 1], net.floor)
        before, x = x, p
        rows.append(x.copy())
    return np.array(rows)


def deviation(trace: Trace, expected: Array) -> float:
    """Largest difference of a coordinate from the expected positions, over all frames, m."""
    return float(np.abs(trace.values("frame", "positions") - expected).max())


replay_error = quantity("coordinate difference from an independent reimplementation", unit="m")(
    lambda c: deviation(c, replay(c))
)
verlet_difference = quantity("largest coordinate difference from Verlet steps with the projections", unit="m")(
    lambda c: deviation(c, verlet(c))
)


@quantity("particles that lie on the floor at the end")
def contacts(trace: Trace) -> int:
    """With none, the replay would test no contact."""
    height = np.abs(trace.values("frame", "positions")[-1, :, 1] - float(Net.of(trace).floor or 0.0))
    return int((height < 1e-6).sum())


STAGES.largest("replay_error", replay_error)
STAGES.least("contacts", contacts, EVERY_RUN.noted(lambda c: ""))
PLAIN = rows("plain", says="nets without damping")
DAMPED = rows("damped", says="nets with damping")
FLOOR = rows("floor", says="nets that fall on a floor")
for name, runs in (("plain", PLAIN), ("damped", DAMPED), ("floor", FLOOR)):
    VERLET.largest(f"{name}_difference", verlet_difference, runs)
for name, runs in (("damped", DAMPED), ("floor", FLOOR)):
    VERLET.least(f"{name}_least_difference", verlet_difference, runs)
