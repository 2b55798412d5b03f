# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_drape: the shape in which a square cloth comes to rest over a ball.

Folds of perturbed starts differ, so that what single vertices do is compared with how far reference runs of other starts are from each
other, and beside it numbers that a fold more or less hardly changes: the drape coefficient of textile tests, heights, folds of the rim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .swinging_cloths import compared

EXPERIMENT = "cross/cloth_drape"
PIXELS = 200  # of the shadow, along the side
PROMINENCE = 0.02  # of a fold, radius of the rim over the side


@lru_cache(maxsize=64)
def ends(trace: Trace) -> dict[int, Array]:
    """Positions at the end of every member over the side, the top of the ball at the origin."""
    side = float(trace.value("scene.parameters.side_m"))
    found = {}
    for member, seed in enumerate(trace.value("ensemble.seeds")):
        frames = [fields["positions"] for _, _, fields in trace.frames(member, last=True, names=["positions"])]
        if not frames:
            raise MissingData(f"{EXPERIMENT}: {trace.label} has no frame of seed {seed}")
        found[seed] = extremes.finite(np.asarray(frames[-1], dtype=float), trace.label) / side
    return found


def _symmetries(n: int) -> list[tuple[Array, bool]]:
    """Where each vertex of the square goes in the eight symmetries of its mesh (N odd), and whether it is a reflection."""
    grid = np.arange(n * n).reshape(n, n)
    return [
        (np.rot90(g, k).ravel(), is_mirrored) for g, is_mirrored in ((grid, False), (grid.T, True)) for k in range(4)
    ]


def distances(own: Array, other: Array) -> Array:
    """Distance of every vertex of one shape from that of the other, after the symmetry of mesh and ball (a quarter turn, a reflection, a turn
    about the vertical axis) that makes their root mean square least."""
    n = round(np.sqrt(len(own)))
    best = np.full(len(own), np.inf)
    for order, is_mirrored in _symmetries(n):
        moved = other[order].copy()
        if is_mirrored:
            moved[:, 0] *= -1
        a, b = own[:, 0] + 1j * own[:, 2], moved[:, 0] + 1j * moved[:, 2]
        turn = np.vdot(b, a)
        b = b * (turn / abs(turn) if turn != 0 else 1)
        found = np.sqrt(np.abs(a - b) ** 2 + (own[:, 1] - moved[:, 1]) ** 2)
        if np.mean(found**2) < np.mean(best**2):
            best = found
    return best


def rms(values: Array) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def shadow_area(positions: Array, triangles: Array) -> float:
    """Area of the cloth seen along the vertical, lengths over the side: middles of squares of a two-hundredth of the side that a triangle covers."""
    corners = positions[triangles][:, :, [0, 2]] * PIXELS
    corners = corners - np.floor(corners.min(axis=(0, 1)))
    width, depth = np.ceil(corners.max(axis=(0, 1))).astype(int) + 1
    covered = np.zeros((width, depth), dtype=bool)
    low, high = np.ceil(corners.min(axis=1) - 0.5).astype(int), np.floor(corners.max(axis=1) - 0.5).astype(int)
    for (a, b, c), (x0, z0), (x1, z1) in zip(corners, low, high):
        (ux, uz), (vx, vz) = b - a, c - a
        area = ux * vz - uz * vx
        if x1 < x0 or z1 < z0 or area == 0:
            continue
        x, z = np.arange(x0, x1 + 1)[:, None] + 0.5 - a[0], np.arange(z0, z1 + 1)[None] + 0.5 - a[1]
        s, t = (x * vz - z * vx) / area, (ux * z - uz * x) / area
        covered[x0 : x1 + 1, z0 : z1 + 1] |= (s >= 0) & (t >= 0) & (s + t <= 1)
    return float(covered.sum()) / PIXELS**2


def drape_coefficient(positions: Array, triangles: Array, radius: float) -> float:
    """(Area of the shadow − of the ball's disc)/(area of the flat cloth − of the disc), lengths over the side, light from above: the areas
    of textile tests, with the ball in place of the disc that cloth lies on there."""
    disc = np.pi * radius**2
    return float((shadow_area(positions, triangles) - disc) / (1.0 - disc))


def rim(n: int) -> Array:
    """Vertices of the border of an N × N grid, in a loop."""
    grid = np.arange(n * n).reshape(n, n)
    return np.concatenate([grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0]])


def fold_count(positions: Array) -> int:
    """Places of the rim that are farther from the axis than what lies between them, by 2 % of the side at least."""
    border = positions[rim(round(np.sqrt(len(positions))))]
    radius = np.hypot(border[:, 0], border[:, 2])
    loop = np.roll(radius, -int(np.argmin(radius)))
    bulges, is_rising, extreme = 0, True, float(loop[0])
    for r in [*loop[1:], loop[0]]:
        extreme = max(extreme, r) if is_rising else min(extreme, r)
        if abs(r - extreme) > PROMINENCE:
            bulges += is_rising
            is_rising, extreme = not is_rising, r
    return bulges


@dataclass(frozen=True)
class Drape:
    """Numbers of a shape, a value for each seed; lengths over the side."""

    distance: Array  # rms of the vertices from the reference's shape of that seed, aligned
    worst: Array  # largest of them
    coefficient: Array
    mean_height: Array
    folds: Array


@lru_cache(maxsize=64)
def drape(trace: Trace, reference: Trace) -> Drape:
    """Of one cell."""
    own, expected = ends(trace), ends(reference)
    if set(own) != set(expected):
        raise MissingData(f"{EXPERIMENT}: {trace.label} has other seeds than the reference")
    triangles = np.asarray(trace.scene("triangles"))
    radius = float(trace.value("scene.parameters.radius_m")) / float(trace.value("scene.parameters.side_m"))
    apart = [distances(own[s], expected[s]) for s in own]
    return Drape(
        np.array([rms(a) for a in apart]),
        np.array([a.max() for a in apart]),
        np.array([drape_coefficient(x, triangles, radius) for x in own.values()]),
        np.array([x[:, 1].mean() for x in own.values()]),
        np.array([fold_count(x) for x in own.values()]),
    )


def drapes(data: ExperimentData) -> dict[Trace, Drape]:
    """Of every cell, the reference among them."""
    reference = data.one(name="reference")
    return {c: drape(c, reference) for c in [reference, *compared(data)]}


def spread(data: ExperimentData) -> float:
    """Mean distance of the reference's shapes of two seeds: what a perturbed start changes."""
    shapes = list(ends(data.one(name="reference")).values())
    return float(np.mean([rms(distances(a, b)) for a, b in combinations(shapes, 2)]))


def heights(trace: Trace) -> Array:
    """Heights of all vertices in order, mean over the seeds, over the side."""
    return np.asarray(np.mean([np.sort(x[:, 1]) for x in ends(trace).values()], axis=0))


def _by_method(data: ExperimentData, method: str, value: Callable[[Drape], float]) -> dict[str, float]:
    return {c.label: value(d) for c, d in drapes(data).items() if c.method_name == method}


def _coefficient_error(data: ExperimentData) -> Callable[[Drape], float]:
    expected = float(drapes(data)[data.one(name="reference")].coefficient.mean())
    return lambda d: abs(float(d.coefficient.mean()) - expected)


@measurement("cloth_drape.spread", unit="1", experiment=EXPERIMENT)
def reference_spread(data: ExperimentData) -> float:
    """Mean over pairs of seeds of the root mean square distance over the side of the reference's shapes, aligned by the symmetries of mesh and ball:
    below it no distance between methods means anything."""
    return spread(data)


@measurement("cloth_drape.force_cloth_distance", unit="1", experiment=EXPERIMENT)
def force_cloth_distance(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth draped by explicit steps of springs from those of small steps and the same
    start, aligned, mean over seeds, largest over all steps."""
    return extremes.largest(_by_method(data, "force_cloth", lambda d: float(d.distance.mean())))


@measurement("cloth_drape.xpbd_least_distance", unit="1", experiment=EXPERIMENT)
def xpbd_least_distance(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a drape of compliant constraints from those of small explicit steps of springs and
    the same start, aligned, mean over seeds, smallest over all steps and iterations."""
    return extremes.least(_by_method(data, "xpbd", lambda d: float(d.distance.mean())))


@measurement("cloth_drape.pbd_least_distance", unit="1", experiment=EXPERIMENT)
def pbd_least_distance(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a drape of position based dynamics from those of small explicit steps of springs
    and the same start, aligned, mean over seeds, smallest over all steps and iterations."""
    return extremes.least(_by_method(data, "pbd", lambda d: float(d.distance.mean())))


@measurement("cloth_drape.force_cloth_coefficient_error", unit="1", experiment=EXPERIMENT)
def force_cloth_coefficient_error(data: ExperimentData) -> Measured:
    """Difference of the drape coefficient, mean over seeds, of explicit steps of springs from that of small ones, largest over all steps."""
    return extremes.largest(_by_method(data, "force_cloth", _coefficient_error(data)))


@measurement("cloth_drape.xpbd_coefficient_error", unit="1", experiment=EXPERIMENT)
def xpbd_coefficient_error(data: ExperimentData) -> Measured:
    """Difference of the drape coefficient, mean over seeds, of compliant constraints from that of the reference, largest over all steps and iterations."""
    return extremes.largest(_by_method(data, "xpbd", _coefficient_error(data)))


@measurement("cloth_drape.pbd_coefficient_error", unit="1", experiment=EXPERIMENT)
def pbd_coefficient_error(data: ExperimentData) -> Measured:
    """Difference of the drape coefficient, mean over seeds, of position based dynamics from that of the reference, largest over all steps and
    iterations."""
    return extremes.largest(_by_method(data, "pbd", _coefficient_error(data)))
