# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/impulse_distribution: distribution of a contact's impulse to its vertices,
from positions and velocities before and after, with contact times, weights and normals of the analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Quantity, Trace, quantity, rows
from .crossings import counts_in_frames

M = Measures("cs533d_cloth_lecture/impulse_distribution")
POINT = "point_triangle"


@dataclass(frozen=True)
class Contacts:
    """Contacts of every pair [m], per vertex: position at the contact, mass, velocity before and after,
    held or not."""

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
        """First contact point's velocity relative to the second before, [m,3]."""
        return np.asarray(np.einsum("mk,mki->mi", self.weights, self.before))

    @property
    def impulses(self) -> Array:
        """N s, [m,4,3]."""
        return np.asarray(self.masses[..., None] * (self.after - self.before))

    @property
    def free(self) -> Array:
        """Pairs without held vertices."""
        return np.asarray(~self.held.any(axis=1))


def contact_times(points: Array, motions: Array, is_point: bool) -> Array:
    """First time in (0, 1) at which the points of each row are coplanar and the primitives touch, by bisection
    in 40 intervals. MissingData if none."""

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
    """Two edge vectors of the contact plane, and a vector from the second primitive to the first."""
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
    count, each = int(trace.number("count")), 12 if is_point else 10
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    four = each * np.arange(count)[:, None] + np.arange(4)
    h = trace.number("time_step_s")
    start, before, after = positions[0][four], velocities[0][four], velocities[-1][four]
    # Relative to a vertex: no digits are lost far from the origin.
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


def _of_pairs(phrase: str) -> Callable[[Callable[[Contacts], Array]], Quantity]:
    """A quantity of every pair of a run."""
    return lambda judge: quantity(phrase)(lambda trace: judge(contacts(trace)))


def _change_errors(c: Contacts) -> Array:
    speed = np.einsum("mi,mi->m", c.relative, c.normal)
    wanted = -speed[:, None] * c.normal
    change = np.einsum("mk,mki->mi", c.weights, c.after - c.before)
    return np.asarray(np.linalg.norm(change - wanted, axis=1) / np.abs(speed))


def _moments(c: Contacts, at: Array) -> Array:
    """|Σ x × J| / Σ m|x − x̄||v|, of pairs without held vertices."""
    x = at - at.mean(axis=1, keepdims=True)
    total = np.linalg.norm(np.cross(x, c.impulses).sum(axis=1), axis=1)
    scale = (c.masses * np.linalg.norm(x, axis=2) * np.linalg.norm(c.before, axis=2)).sum(axis=1)
    return np.asarray((total / scale)[c.free])


def _sums(c: Contacts) -> Array:
    """|Σ J| / Σ m|v|, of pairs without held vertices."""
    change = np.linalg.norm(c.impulses.sum(axis=1), axis=1)
    return np.asarray((change / (c.masses * np.linalg.norm(c.before, axis=2)).sum(axis=1))[c.free])


@_of_pairs("|Σx × J + t v_rel × ΣJ₁| / (t|v_rel||ΣJ₁|), x at the start, t the time to the contact")
def _slide_error(c: Contacts) -> Array:
    """J₁ the impulses on the first of the two primitives: how well the tangential travel explains the change."""
    j = c.impulses
    x = c.start - c.start[:, :1]
    is_first = c.weights > 0.0
    one = np.einsum("mk,mki->mi", is_first.astype(float), j)
    travel = c.time[:, None] * c.relative
    error = np.linalg.norm(np.cross(x, j).sum(axis=1) + np.cross(travel, one), axis=1)[c.free]
    return np.asarray(error / (np.linalg.norm(travel, axis=1) * np.linalg.norm(one, axis=1))[c.free])


@_of_pairs("|ΣJ| / Σm|v|, and |Σx × J| / Σm|x − x̄||v|, x at the contact")
def _momenta_change_alone(c: Contacts) -> Array:
    alone = c.is_alone[c.free]
    return np.concatenate([_sums(c)[alone], _moments(c, c.at)[alone]])


@quantity("intersecting triangle pairs before or after the step, by exact predicates")
def _crossings(trace: Trace) -> float:
    return float(counts_in_frames(trace).max())


@quantity("vertex displacement, in edges of about 1 m")
def _travel(trace: Trace) -> Array:
    h = trace.number("time_step_s")
    return np.asarray(h * np.linalg.norm(contacts(trace).before, axis=2))


CHANGE = "|Σwᵢ(v⁺ − v)ᵢ + (n·v_rel) n| / |n·v_rel| of a pair, w and n at the contact"
SHORT, FREE = rows("impulses", says="short paths"), rows("impulses", says="short paths, no vertex held")
LONG = rows("travel", says="long paths")
ALONE = rows("travel", says="long paths, no other contact")

M.largest("velocity_change_error", _of_pairs(CHANGE)(_change_errors), SHORT)
M.largest("momentum_change", _of_pairs("|ΣJ| / Σm|v| of a pair")(_sums), FREE)
M.largest(
    "angular_momentum_change",
    _of_pairs("|Σx × J| / Σm|x − x̄||v| of a pair, x at the contact")(lambda c: _moments(c, c.at)),
    FREE,
)
M.largest(
    "angular_momentum_change_at_start",
    _of_pairs("|Σx × J| / Σm|x − x̄||v| of a pair, x at the start of the step")(lambda c: _moments(c, c.start)),
    FREE,
)
M.largest("slide_error", _slide_error, FREE)
M.total("pairs", quantity("pairs")(lambda trace: float(len(contacts(trace).time))), SHORT)
M.least("held_share", _of_pairs("held pairs")(lambda c: ~c.free).mean("share of pairs with held vertices"), SHORT)
M.least(
    "mass_ratio",
    _of_pairs("log₁₀ of the mass ratio within a pair")(
        lambda c: np.asarray(np.ptp(np.log10(c.masses), axis=1))
    ).largest(),
    SHORT,
)
M.largest("crossings", _crossings, SHORT)
M.least(
    "alone_share_with_travel",
    _of_pairs("pairs alone")(lambda c: c.is_alone).mean("share of pairs without another contact in the sweep"),
    LONG,
)
M.largest("travel", _travel, LONG)
M.largest("velocity_change_error_with_travel", _of_pairs(CHANGE)(lambda c: _change_errors(c)[c.is_alone]), ALONE)
M.largest("momenta_change_with_travel", _momenta_change_alone, ALONE)
