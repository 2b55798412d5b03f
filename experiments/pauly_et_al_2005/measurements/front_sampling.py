# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/front_sampling: rays through the swept area that miss surfels,
and node gaps."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, rows
from .crack_fronts import Front, frames, fronts, near_points, seeds, surfel_radius

M = Measures("pauly_et_al_2005/front_sampling")
OBLIQUE_DEG = 60.0  # largest angle of a ray with the normal of the swept area
RAYS = 5_000  # of every member of every run


def zipped(first: Array, second: Array) -> list[Array]:
    """Triangle strip between two polylines, advancing on the one of which less is covered."""

    def shares(row: Array) -> Array:
        if len(row) == 2:
            return np.array([0.0, 1.0])
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(row, axis=0), axis=1))])
        return np.asarray(lengths / lengths[-1] if lengths[-1] > 0 else np.linspace(0, 1, len(row)))

    a, b = shares(first), shares(second)
    i = j = 0
    found = []
    while i + 1 < len(first) or j + 1 < len(second):
        if j + 1 == len(second) or (i + 1 < len(first) and a[i + 1] <= b[j + 1]):
            found.append(np.array([first[i], first[i + 1], second[j]]))
            i += 1
        else:
            found.append(np.array([first[i], second[j + 1], second[j]]))
            j += 1
    return found


def ribbon(before: Front, after: Front) -> list[Array]:
    """Triangles between a closed front and itself a frame later, strip by strip between nodes common to both."""
    if not (before.closed and after.closed):
        raise MissingData("a front that is not closed")
    remaining = set(after.ids.tolist())
    common = [k for k in before.ids.tolist() if k in remaining]
    if len(common) < 2:
        raise MissingData("two frames whose fronts have fewer than two nodes in common")

    def between(front: Front) -> Iterator[Array]:
        """Nodes from each common one to the next."""
        place, twice, n = {k: i for i, k in enumerate(front.ids.tolist())}, np.tile(front.nodes, (2, 1)), len(front.ids)
        for one, other in zip(common, common[1:] + common[:1]):
            yield twice[place[one] : place[one] + (place[other] - place[one]) % n + 1]

    return [triangle for rows in zip(between(before), between(after)) for triangle in zipped(*rows)]


def area(trace: Trace, member: int | None) -> tuple[Array, Array, float]:
    """Triangles [t, 3, 3] swept between stored fronts,
    surfels (position, normal) at the end, the front nodes' own included, and r."""
    triangles: list[Array] = []
    before: Front | None = None
    surfels = np.zeros((0, 6))
    for _, _, arrays in frames(trace, member):
        found = fronts(arrays)
        if not found:
            break  # contracted to a point: what it left behind is judged
        if len(found) != 1:
            raise MissingData(f"{trace.label}: {len(found)} fronts, expected one")
        if before is not None:
            triangles += ribbon(before, found[0])
        before = found[0]
        carried = np.hstack([arrays["front_nodes"], arrays["front_normals"]])
        surfels = np.vstack([arrays["crack_surfels"][:, :6], carried])
    return np.array(triangles), surfels, surfel_radius(trace)


def missed(triangles: Array, surfels: Array, radius: float, seed: int, rays: int = RAYS) -> Array:
    """Which of random rays through random points of the triangles meet no surfel within 2 r of the point."""
    random = np.random.default_rng(seed)
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(normal, axis=1)
    chosen = random.choice(len(triangles), size=rays, p=size / size.sum())
    u, v = random.random((2, rays))
    flip = u + v > 1
    u, v = np.where(flip, 1 - u, u), np.where(flip, 1 - v, v)
    t = triangles[chosen]
    points = t[:, 0] + u[:, None] * (t[:, 1] - t[:, 0]) + v[:, None] * (t[:, 2] - t[:, 0])
    n = normal[chosen] / size[chosen, None]
    side = np.cross(n, random.normal(size=(rays, 3)))
    side /= np.linalg.norm(side, axis=1)[:, None]
    angle = np.radians(OBLIQUE_DEG) * np.sqrt(random.random(rays))
    along = np.cos(angle)[:, None] * n + np.sin(angle)[:, None] * side
    i, j, _ = near_points(points, surfels[:, :3], 2 * radius)
    p, m = surfels[j, :3], surfels[j, 3:6]
    with np.errstate(divide="ignore", invalid="ignore"):
        way = np.einsum("ij,ij->i", p - points[i], m) / np.einsum("ij,ij->i", along[i], m)
        place = points[i] + way[:, None] * along[i]
        meets = (np.linalg.norm(place - p, axis=1) <= radius) & (np.abs(way) <= 2 * radius)
    hit = np.zeros(rays, dtype=bool)
    hit[i[meets]] = True
    return np.asarray(~hit)


@lru_cache(maxsize=None)
def missed_share(trace: Trace) -> float:
    """Share of rays up to 60° from the swept area's normal that meet no surfel."""
    worst = 0.0
    for index, member in enumerate(seeds(trace)):
        triangles, surfels, radius = area(trace, member)
        if len(triangles) == 0:
            raise MissingData(f"{trace.label}: nothing swept")
        worst = max(worst, float(missed(triangles, surfels, radius, 1 + index).mean()))
    return worst


def advance(trace: Trace) -> float:
    """αλΔt / r; λ is 1 Pa in all runs."""
    largest = float(max(trace.value("method.parameters.crack_stress_pa")))
    speed = trace.setting("crack_speed_m_s_pa") * largest
    return speed * trace.number("time_step_s") / surfel_radius(trace)


def is_short(trace: Trace) -> bool:
    """αλΔt up to one radius."""
    return advance(trace) <= 1 + 1e-9


def has_short_parts(trace: Trace) -> bool:
    """Steps in parts, or whole up to r."""
    return trace.method_name == "in_parts" or is_short(trace)


def gap_ratios(trace: Trace) -> list[Array]:
    """Gaps / r of fronts with over four nodes after the start."""
    return [
        front.gaps / surfel_radius(trace)
        for member in seeds(trace)
        for step, _, arrays in frames(trace, member)
        if step > 0
        for front in fronts(arrays)
        if len(front.nodes) > 4
    ]


def largest_gap(trace: Trace) -> float:
    """Gap between neighbouring nodes relative to the radius of a surfel."""
    return max(float(g.max()) for g in gap_ratios(trace))


def least_gap(trace: Trace) -> float:
    """Gap of neighbours relative to a surfel's radius, fronts of over four nodes."""
    return min(float(g.min()) for g in gap_ratios(trace))


WHOLE = rows("whole_steps", says="runs of whole steps")

missed_in_parts = M.largest("missed_in_parts", missed_share, rows("in_parts", says="runs of steps in parts"))
missed_whole = M.largest("missed_whole", missed_share, WHOLE)
M.largest("missed_whole_short", missed_share, WHOLE.where(is_short))
M.largest("largest_gap", largest_gap, EVERY_RUN.where(has_short_parts))
M.least("least_gap", least_gap, EVERY_RUN.where(has_short_parts))
