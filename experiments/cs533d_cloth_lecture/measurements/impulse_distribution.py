# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/impulse_distribution: what the four vertices of a contact get of its impulse, judged from
positions and velocities before and after, with contact times, weights and normals of the analysis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/impulse_distribution"
POINT = "point_triangle"


@dataclass(frozen=True)
class Contacts:
    """Of every pair [m]: its four vertices at the contact, their masses, velocities before and after, whether they are held."""

    at: Array  # [m,4,3], m
    start: Array
    masses: Array  # [m,4]
    before: Array  # [m,4,3], m/s
    after: Array
    held: Array  # [m,4]
    weights: Array  # [m,4], of the difference first − second
    normal: Array  # [m,3]
    time: Array  # [m], s
    is_alone: Array  # [m], whether no other vertex of the pair's surfaces has changed its velocity

    @property
    def relative(self) -> Array:
        """Velocity of the first contact point against the second before, [m,3]."""
        return np.asarray(np.einsum("mk,mki->mi", self.weights, self.before))

    @property
    def impulses(self) -> Array:
        """N s, [m,4,3]."""
        return np.asarray(self.masses[..., None] * (self.after - self.before))

    @property
    def free(self) -> Array:
        """Pairs of which no vertex is held."""
        return np.asarray(~self.held.any(axis=1))


def contact_times(points: Array, motions: Array, is_point: bool) -> Array:
    """First time within (0, 1) at which the four points of every row are coplanar and the primitives touch, by bisection of the brackets
    of 40 samples."""

    def volume(x: Array) -> Array:
        u, w, r = _sides(x, is_point)
        return np.asarray(np.einsum("mi,mi->m", r, np.cross(u, w)))

    def at(t: Array, rows: Array) -> Array:
        return np.asarray(points[rows] + t[:, None, None] * motions[rows])

    samples = np.linspace(0.0, 1.0, 41)
    every = np.arange(len(points))
    signs = np.sign(np.stack([volume(at(np.full(len(points), t), every)) for t in samples]))
    found = np.full(len(points), np.nan)
    for k in range(len(samples) - 1):
        rows = np.flatnonzero((signs[k] != signs[k + 1]) & np.isnan(found))
        low, high = np.full(len(rows), samples[k]), np.full(len(rows), samples[k + 1])
        for _ in range(54):
            middle = 0.5 * (low + high)
            is_before = np.sign(volume(at(middle, rows))) == signs[k, rows]
            low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
        time = 0.5 * (low + high)
        weights = np.abs(_weights(at(time, rows), is_point)[0])
        touches = np.all(weights <= 1.0 + 1e-9, axis=1) & (weights.sum(axis=1) <= 2.0 + 1e-9)
        found[rows[touches]] = time[touches]
    if np.isnan(found).any():
        raise MissingData("a pair that does not meet within the step")
    return found


def _sides(x: Array, is_point: bool) -> tuple[Array, Array, Array]:
    """Two sides of the plane in which the primitives touch, and from the second to the first of them."""
    if is_point:
        return x[:, 2] - x[:, 1], x[:, 3] - x[:, 1], x[:, 0] - x[:, 1]
    return x[:, 1] - x[:, 0], x[:, 3] - x[:, 2], x[:, 0] - x[:, 2]


def _weights(x: Array, is_point: bool) -> tuple[Array, Array]:
    u, w, r = _sides(x, is_point)
    normal = np.cross(u, w)
    squared = np.einsum("mi,mi->m", normal, normal)
    s = np.einsum("mi,mi->m", np.cross(r, w) if is_point else np.cross(w, r), normal) / squared
    t = np.einsum("mi,mi->m", np.cross(u, r), normal) / squared
    weights = [np.ones_like(s), s + t - 1.0, -s, -t] if is_point else [1.0 - s, s, t - 1.0, -t]
    return np.stack(weights, axis=1), normal / np.sqrt(squared)[:, None]


@lru_cache(maxsize=16)
def contacts(trace: Trace) -> Contacts:
    """The pairs of a run: vertices 0 to 3 of each twelve (a point and a triangle) or ten (edges)."""
    is_point = trace.value("scene.parameters.kind") == POINT
    count, each = int(trace.value("scene.parameters.count")), 12 if is_point else 10
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    four = each * np.arange(count)[:, None] + np.arange(4)
    h = float(trace.value("scene.parameters.time_step_s"))
    start, before, after = positions[0][four], velocities[0][four], velocities[-1][four]
    # From one of the vertices: a pair far from the origin loses no digits.
    time = contact_times(start - start[:, :1], h * before, is_point)
    at = start - start[:, :1] + (h * time)[:, None, None] * before
    weights, normal = _weights(at, is_point)
    is_below = np.einsum("mk,mki,mi->m", weights, start - start[:, :1], normal) < 0.0
    normal = np.where(is_below[:, None], -normal, normal)
    held = np.all(positions[-1][four] == start, axis=2)
    others = each * np.arange(count)[:, None] + np.arange(4, each)
    is_alone = np.all(velocities[-1][others] == velocities[0][others], axis=(1, 2))
    masses = trace.scene("masses")[four]
    return Contacts(at, start, masses, before, after, held, weights, normal, h * time, is_alone)


def _change_errors(c: Contacts) -> Array:
    speed = np.einsum("mi,mi->m", c.relative, c.normal)
    wanted = -speed[:, None] * c.normal
    change = np.einsum("mk,mki->mi", c.weights, c.after - c.before)
    return np.asarray(np.linalg.norm(change - wanted, axis=1) / np.abs(speed))


def _moments(c: Contacts, at: Array) -> Array:
    """|Σ x × J| over Σ m|x − x̄||v|, of pairs without held vertices."""
    x = at - at.mean(axis=1, keepdims=True)
    total = np.linalg.norm(np.cross(x, c.impulses).sum(axis=1), axis=1)
    scale = (c.masses * np.linalg.norm(x, axis=2) * np.linalg.norm(c.before, axis=2)).sum(axis=1)
    return np.asarray((total / scale)[c.free])


def _sums(c: Contacts) -> Array:
    """|Σ J| over Σ m|v|, of pairs without held vertices."""
    change = np.linalg.norm(c.impulses.sum(axis=1), axis=1)
    return np.asarray((change / (c.masses * np.linalg.norm(c.before, axis=2)).sum(axis=1))[c.free])


def _short(data: ExperimentData) -> list[Trace]:
    """Runs in which vertices move by a millionth of the size."""
    return data.every(name="impulses")


def _long(data: ExperimentData) -> list[Trace]:
    """Runs in which they move by a good part of it."""
    return data.every(name="travel")


@measurement("impulse_distribution.velocity_change_error", unit="1", experiment=EXPERIMENT)
def velocity_change_error(data: ExperimentData) -> Measured:
    """Largest |Σwᵢ(v⁺ − v)ᵢ + (n·v_rel) n| over |n·v_rel| of a pair: the contact points' relative velocity must lose its normal part
    and nothing else; w and n at the contact, which the analysis finds by bisection from positions and velocities before.
    """
    return extremes.largest({c: float(_change_errors(contacts(c)).max()) for c in _short(data)})


@measurement("impulse_distribution.momentum_change", unit="1", experiment=EXPERIMENT)
def momentum_change(data: ExperimentData) -> Measured:
    """Largest |ΣJ| over Σm|v| of the four vertices of a pair without held ones."""
    return extremes.largest({c: float(_sums(contacts(c)).max()) for c in _short(data)})


@measurement("impulse_distribution.angular_momentum_change", unit="1", experiment=EXPERIMENT)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest |Σx × J| over Σm|x − x̄||v| of a pair without held vertices, x at the contact."""
    return extremes.largest({c: float(_moments(contacts(c), contacts(c).at).max()) for c in _short(data)})


@measurement("impulse_distribution.angular_momentum_change_at_start", unit="1", experiment=EXPERIMENT)
def angular_momentum_change_at_start(data: ExperimentData) -> Measured:
    """Largest |Σx × J| over Σm|x − x̄||v| of a pair without held vertices, x at the start of the step: the impulse times what the contact
    points still slide past each other."""
    return extremes.largest({c: float(_moments(contacts(c), contacts(c).start).max()) for c in _short(data)})


@measurement("impulse_distribution.slide_error", unit="1", experiment=EXPERIMENT)
def slide_error(data: ExperimentData) -> Measured:
    """Largest |Σx × J + t v_rel × ΣJ₁| over t|v_rel||ΣJ₁| of a pair without held vertices, x at the start of the step, t the time to the
    contact, J₁ the impulses on the first of the two primitives: how well the tangential travel explains the change."""

    def of(c: Contacts) -> float:
        j = c.impulses
        x = c.start - c.start[:, :1]
        is_first = c.weights > 0.0
        one = np.einsum("mk,mki->mi", is_first.astype(float), j)
        travel = c.time[:, None] * c.relative
        error = np.linalg.norm(np.cross(x, j).sum(axis=1) + np.cross(travel, one), axis=1)[c.free]
        return float((error / (np.linalg.norm(travel, axis=1) * np.linalg.norm(one, axis=1))[c.free]).max())

    return extremes.largest({c: of(contacts(c)) for c in _short(data)})


@measurement("impulse_distribution.pairs", unit="1", experiment=EXPERIMENT)
def pairs(data: ExperimentData) -> Measured:
    """Number of pairs of all runs together."""
    return Measured(float(sum(len(contacts(c).time) for c in _short(data))))


@measurement("impulse_distribution.held_share", unit="1", experiment=EXPERIMENT)
def held_share(data: ExperimentData) -> Measured:
    """Least share of pairs some of whose vertices are held."""
    return extremes.least({c: float(np.mean(~contacts(c).free)) for c in _short(data)})


@measurement("impulse_distribution.mass_ratio", unit="1", experiment=EXPERIMENT)
def mass_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of two masses within a pair, least of all runs."""
    return extremes.least({c: float(np.max(np.ptp(np.log10(contacts(c).masses), axis=1))) for c in _short(data)})


@measurement("impulse_distribution.crossings", unit="1", experiment=EXPERIMENT)
def crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect, by exact signs, before or after the step."""
    return extremes.largest(
        {
            c: float(max(crossing_count(x, c.scene("triangles")) for x in c.values("frame", "positions")))
            for c in _short(data)
        }
    )


@measurement("impulse_distribution.alone_share_with_travel", unit="1", experiment=EXPERIMENT)
def alone_share_with_travel(data: ExperimentData) -> Measured:
    """Least share of the pairs with long ways that have met nothing else in the one sweep: no other vertex of their surfaces has changed its
    velocity."""
    return extremes.least({c: float(contacts(c).is_alone.mean()) for c in _long(data)})


@measurement("impulse_distribution.travel", unit="1", experiment=EXPERIMENT)
def travel(data: ExperimentData) -> Measured:
    """Largest way of a vertex in the step, of edges of about 1 m."""
    found = {}
    for cell in _long(data):
        h = float(cell.value("scene.parameters.time_step_s"))
        found[cell] = h * float(np.linalg.norm(contacts(cell).before, axis=2).max())
    return extremes.largest(found)


@measurement("impulse_distribution.velocity_change_error_with_travel", unit="1", experiment=EXPERIMENT)
def velocity_change_error_with_travel(data: ExperimentData) -> Measured:
    """As velocity_change_error, of pairs that travel farther and have met nothing else."""
    return extremes.largest({c: float(_change_errors(contacts(c))[contacts(c).is_alone].max()) for c in _long(data)})


@measurement("impulse_distribution.momenta_change_with_travel", unit="1", experiment=EXPERIMENT)
def momenta_change_with_travel(data: ExperimentData) -> Measured:
    """Larger of |ΣJ| over Σm|v| and, x at the contact, |Σx × J| over Σm|x − x̄||v|, of pairs without held vertices that travel farther and have
    met nothing else."""

    def of(c: Contacts) -> float:
        alone = c.is_alone[c.free]
        return float(max(_sums(c)[alone].max(), _moments(c, c.at)[alone].max()))

    return extremes.largest({c: of(contacts(c)) for c in _long(data)})
