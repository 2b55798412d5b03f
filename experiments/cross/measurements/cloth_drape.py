# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_drape: the shape in which a square cloth comes to rest over a ball.

Perturbed starts fold differently. Vertex distances are therefore compared with those between reference runs of
different starts, and complemented by numbers that one fold more or less hardly changes: the drape coefficient of
textile tests, heights, folds of the rim."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes
from .swinging_cloths import COMPLIANT, EXPLICIT, POSITION_BASED, REFERENCE

M = Measures("cross/cloth_drape")
PIXELS = 200  # of the shadow, along the side
PROMINENCE = 0.02  # of a fold: radius of the rim/side


@lru_cache(maxsize=64)
def ends(trace: Trace) -> dict[int, Array]:
    """Final positions of every member/side, the top of the ball at the origin."""
    side = trace.number("side_m")
    found = {}
    for member, seed in enumerate(trace.value("ensemble.seeds")):
        frames = [fields["positions"] for _, _, fields in trace.frames(member, last=True, names=["positions"])]
        if not frames:
            raise MissingData(f"{trace.experiment}: {trace.label} has no frame of seed {seed}")
        found[seed] = extremes.finite(np.asarray(frames[-1], dtype=float), trace.label) / side
    return found


def _symmetries(n: int) -> list[tuple[Array, bool]]:
    """Vertex permutations of the eight symmetries of the square's mesh (N odd),
    and whether each is a reflection."""
    grid = np.arange(n * n).reshape(n, n)
    return [
        (np.rot90(g, k).ravel(), is_mirrored) for g, is_mirrored in ((grid, False), (grid.T, True)) for k in range(4)
    ]


def distances(own: Array, other: Array) -> Array:
    """Distances between corresponding vertices of two shapes, after the symmetry of mesh and ball (a quarter
    turn, a reflection, a rotation about the vertical axis) that minimises their rms."""
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
    """Area of the cloth's vertical projection relative to side²: pixels of
    a two-hundredth of the side whose centre a triangle covers."""
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
    """(Shadow area − the ball's disc)/(area of the flat cloth − the disc), lengths relative to the side, light
    from above: the ratio of textile tests, with the ball in place of the supporting disc."""
    disc = np.pi * radius**2
    return float((shadow_area(positions, triangles) - disc) / (1.0 - disc))


def rim(n: int) -> Array:
    """Vertices of the border of an N × N grid, in a loop."""
    grid = np.arange(n * n).reshape(n, n)
    return np.concatenate([grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0]])


def fold_count(positions: Array) -> int:
    """Local maxima of the rim's distance from the axis, of a prominence above 2 % of the side."""
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
    """Numbers of a shape, one per seed; lengths relative to the side."""

    distance: Array  # rms vertex distance from the reference shape of that seed, aligned
    worst: Array  # largest of them
    coefficient: Array
    mean_height: Array
    folds: Array


@lru_cache(maxsize=64)
def drape(trace: Trace, reference: Trace) -> Drape:
    """Differences of one cell from the reference."""
    own, expected = ends(trace), ends(reference)
    if set(own) != set(expected):
        raise MissingData(f"{trace.experiment}: {trace.label} has other seeds than the reference")
    triangles = np.asarray(trace.scene("triangles"))
    radius = trace.number("radius_m") / trace.number("side_m")
    apart = [distances(own[s], expected[s]) for s in own]
    return Drape(
        np.array([rms(a) for a in apart]),
        np.array([a.max() for a in apart]),
        np.array([drape_coefficient(x, triangles, radius) for x in own.values()]),
        np.array([x[:, 1].mean() for x in own.values()]),
        np.array([fold_count(x) for x in own.values()]),
    )


def spread(reference: Trace) -> float:
    """Rms distance of aligned shapes relative to the side, mean over pairs of perturbed starts."""
    return float(np.mean([rms(distances(a, b)) for a, b in combinations(ends(reference).values(), 2)]))


def heights(trace: Trace) -> Array:
    """Sorted vertex heights, mean over the seeds, relative to the side."""
    return np.asarray(np.mean([np.sort(x[:, 1]) for x in ends(trace).values()], axis=0))


def distance(trace: Trace, reference: Trace) -> float:
    """Rms distance from the drape of small explicit steps, aligned, relative to the side, mean over starts."""
    return float(drape(trace, reference).distance.mean())


def coefficient_error(trace: Trace, reference: Trace) -> float:
    """Difference of the drape coefficient, mean over starts, from that of small explicit steps."""
    own, expected = (float(drape(t, reference).coefficient.mean()) for t in (trace, reference))
    return abs(own - expected)


M.only("spread", spread, REFERENCE)
M.largest("force_cloth_distance", distance, EXPLICIT)
M.least("xpbd_least_distance", distance, COMPLIANT)
M.least("pbd_least_distance", distance, POSITION_BASED)
M.largest("force_cloth_coefficient_error", coefficient_error, EXPLICIT)
M.largest("xpbd_coefficient_error", coefficient_error, COMPLIANT)
M.largest("pbd_coefficient_error", coefficient_error, POSITION_BASED)
