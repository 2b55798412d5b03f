# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/self_contact: how deep surfels of one part of a body are inside of another
part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.solid_surfaces import Carrier, box_surface, inside
from deformbench_analysis.trace import Trace
from .clouds import seeds
from .crack_fronts import distance_to_triangles, near_points, pair_distances

EXPERIMENT = "pauly_et_al_2005/self_contact"
IMPACT, REST, FOLDED = "impact", "rest", "folded"
APART, OPEN = "apart", "open"  # parts that fly apart; without contact
STIFFNESS = "method.parameters.body_contact_stiffness"
RADIUS = "method.parameters.surfel_radius_m"
NUDGE = 0.1  # radii: how far in front of its own surface a surfel of a folded body is looked for inside of the body
REACH = 4.0  # radii: what is deeper inside of another part is not looked for
EVERY = {
    IMPACT: 2,
    REST: 10,
    FOLDED: 3,
    OPEN: 5,
}  # of the stored frames those that are looked at, from the last one back
SETTLED = 0.5  # of the run: what lies on something is judged from here on


@dataclass(frozen=True)
class Solid:
    """A part of the body: its surface, and surfels of other parts that may come into it."""

    surface: Carrier
    triangles: Array  # [m, 3], of the surface's points
    surfels: Carrier
    ahead: Carrier  # what is in front of the surfels, outwards; the surfels themselves where they are of another part
    is_own: bool


def box_of(trace: Trace) -> tuple[Array, Array]:
    """Corners of the block at rest."""
    length, side = (float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
    return np.array([0.0, -side / 2, -side / 2]), np.array([length, side / 2, side / 2])


def solids(trace: Trace, arrays: dict[str, Array]) -> list[Solid]:
    """Both halves of a block that is cut across, each with the surfels of the other; or the whole block,
    with its own."""
    low, high = box_of(trace)
    radius = float(trace.value(RADIUS))
    rest, supports = arrays["node_rest_positions"], arrays["node_supports"]
    points, normals = arrays["surfel_rest_positions"], arrays["surfel_rest_normals"]
    margin = 1e-9 * (high - low).max()  # surfels of a cut that are beyond the skin are not of the surface
    kept = ((points >= low - margin) & (points <= high + margin)).all(axis=1)
    points, normals = points[kept], normals[kept]
    if trace.value("scene.parameters.arrangement") == "folded":
        nodes = Nodes(rest, supports)
        surface, triangles = box_surface(low, high, radius)
        ahead = Carrier(nodes, points + NUDGE * radius * normals)
        return [Solid(Carrier(nodes, surface), triangles, Carrier(nodes, points), ahead, True)]
    middle = (low[0] + high[0]) / 2
    on_cut = np.abs(points[:, 0] - middle) < 1e-9 * high[0]
    is_first = np.where(on_cut, normals[:, 0] > 0, points[:, 0] < middle)
    halves = [Nodes(rest[k], supports[k]) for k in (rest[:, 0] < middle, rest[:, 0] >= middle)]
    found = []
    for k, (begin, end) in enumerate(((low[0], middle), (middle, high[0]))):
        surface, triangles = box_surface(np.array([begin, *low[1:]]), np.array([end, *high[1:]]), radius)
        others = Carrier(halves[1 - k], points[is_first if k else ~is_first])
        found.append(Solid(Carrier(halves[k], surface), triangles, others, others, False))
    return found


def positions_of(trace: Trace, nodes: Nodes, positions: Array, rest: Array) -> Array:
    """Those of the part's nodes, of all positions."""
    if nodes.count == len(rest):
        return positions
    low, high = box_of(trace)
    is_first = rest[:, 0] < (low[0] + high[0]) / 2
    chosen = is_first if nodes.rest[0, 0] < (low[0] + high[0]) / 2 else ~is_first
    return np.asarray(positions[chosen])


def is_at_another_part(solid: Solid, points: Array, surfels: Array, radius: float) -> Array:
    """Which surfels of a body have another part of it near: of all of the surface that is more than REACH radii away
    at rest and fewer now, the nearest is farther off at rest than two supports. A surface that crumples is near to
    itself before it is to another part.
    """
    s, vertices, now = near_points(surfels, points, REACH * radius)
    at_rest = np.linalg.norm(solid.surface.points[vertices] - solid.surfels.points[s], axis=1)
    beyond = at_rest > REACH * radius
    s, now, at_rest = s[beyond], now[beyond], at_rest[beyond]
    order = np.lexsort((now, s))
    with_one, first = np.unique(s[order], return_index=True)
    found = np.zeros(len(surfels), dtype=bool)
    found[with_one] = at_rest[order[first]] > 2 * float(solid.surface.nodes.supports.max())
    return found


def depth_in(trace: Trace, solid: Solid, positions: Array, rest: Array) -> float:
    """Depth of the deepest surfel below the surface of the part that it is in, m; 0 if none is inside."""
    radius = float(trace.value(RADIUS))
    points = solid.surface.at(positions_of(trace, solid.surface.nodes, positions, rest))
    own = positions_of(trace, solid.surfels.nodes, positions, rest)
    surfels, corners = solid.surfels.at(own), points[solid.triangles]
    if not solid.is_own:
        near = np.flatnonzero(cKDTree(points).query(surfels, distance_upper_bound=REACH * radius)[0] < np.inf)
        found = near[inside(surfels[near], corners)]
        return float(distance_to_triangles(surfels[found], corners).max(initial=0.0))
    near = np.flatnonzero(is_at_another_part(solid, points, surfels, radius))
    found = near[inside(solid.ahead.at(own)[near], corners)]
    middles = solid.surface.points[solid.triangles].mean(axis=1)
    i, j, _ = near_points(surfels[found], corners[:, 0], 3 * REACH * radius)
    apart = 2 * float(solid.surface.nodes.supports.max())
    is_far = np.linalg.norm(middles[j] - solid.surfels.points[found[i]], axis=1) > apart
    i, j = i[is_far], j[is_far]
    distance = np.full(len(found), np.inf)  # where no triangle has a corner in reach
    np.minimum.at(distance, i, pair_distances(surfels[found[i]], corners[j]))
    return float(distance.max(initial=0.0))


def looked_at(trace: Trace, frames: list[dict[str, Array]]) -> list[dict[str, Array]]:
    """Judged frames, in order."""
    name = str(trace.value("method.name"))
    begin = int(SETTLED * len(frames)) if name == REST else 0
    return frames[begin:][:: -EVERY.get(name, 1)][::-1]


@lru_cache(maxsize=None)
def depths(trace: Trace) -> tuple[tuple[float, ...], ...]:
    """[member][frame] over the radius of the surfels; of what lies on something, in the second half of the run."""
    radius, found = float(trace.value(RADIUS)), []
    for member in seeds(trace):
        frames = [arrays for _, _, arrays in trace.frames(member)]
        if not frames or "surfel_rest_positions" not in frames[0]:
            raise MissingData(f"{trace.label}: no frames with surfels")
        parts = solids(trace, frames[0])
        rest = frames[0]["node_rest_positions"]
        frames = looked_at(trace, frames)
        deepest = [max(depth_in(trace, s, f["positions"], rest) for s in parts) for f in frames]
        found.append(tuple(d / radius for d in deepest))
    return tuple(found)


def members(trace: Trace) -> Array:
    """Deepest surfel of every member in radii, in any frame that is looked at."""
    return np.array([max(d) for d in depths(trace)])


def swept(data: ExperimentData, name: str) -> list[tuple[float, Trace]]:
    """Cells by stiffness that ran to their end, stiffest last."""
    cells = sorted(((float(c.value(STIFFNESS)), c) for c in data.every(name=name)), key=lambda f: f[0])
    if len(cells) < 3:
        raise MissingData(f"{EXPERIMENT}: {name}: {len(cells)} stiffnesses, expected at least three")
    return cells


def at_stiffest(data: ExperimentData, name: str) -> Measured:
    """Least over members of the deepest surfel, radii, where contacts are stiffest."""
    cell = swept(data, name)[-1][1]
    return extremes.least({f"{cell.label}, member {k}": float(d) for k, d in enumerate(members(cell))})


@measurement("self_contact.impact_depth", unit="1", experiment=EXPERIMENT)
def impact_depth(data: ExperimentData) -> Measured:
    """Deepest surfel of a fragment inside of another that it hits, radii, in any frame, where contacts are stiffest: least over clouds."""
    return at_stiffest(data, IMPACT)


@measurement("self_contact.folded_depth", unit="1", experiment=EXPERIMENT)
def folded_depth(data: ExperimentData) -> Measured:
    """Deepest surfel of an arm of a hairpin inside of the other arm, radii, in any frame, where contacts are stiffest: least over clouds."""
    return at_stiffest(data, FOLDED)


@measurement("self_contact.rest_depth", unit="1", experiment=EXPERIMENT)
def rest_depth(data: ExperimentData) -> Measured:
    """Deepest surfel of a fragment at rest on another, radii, in the second half of the run, where contacts are stiffest: least over clouds."""
    return at_stiffest(data, REST)


def ratios(data: ExperimentData, name: str) -> dict[str, float]:
    """Largest depth at a stiffness relative to the next lower one, per member; infinite if that depth is 0."""
    found = {}
    cells = swept(data, name)
    for (_, soft), (stiffness, stiff) in zip(cells, cells[1:]):
        for k, (before, after) in enumerate(zip(members(soft), members(stiff), strict=True)):
            found[f"{name}, {stiffness:g}, member {k}"] = float(after / before) if before > 0 else np.inf
    return found


@measurement("self_contact.step_ratio", unit="1", experiment=EXPERIMENT)
def step_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of the deepest surfel at a contact stiffness to that at the next lower one: impact, rest and hairpin, every cloud."""
    return extremes.largest({k: v for name in (IMPACT, REST, FOLDED) for k, v in ratios(data, name).items()})


def drop(data: ExperimentData, name: str) -> Measured:
    """Largest over members of the deepest surfel at the highest stiffness over that at the lowest."""
    cells = swept(data, name)
    soft, stiff = members(cells[0][1]), members(cells[-1][1])
    return extremes.largest(
        {f"member {k}": float(b / a) if a > 0 else np.inf for k, (a, b) in enumerate(zip(soft, stiff))}
    )


@measurement("self_contact.impact_drop", unit="1", experiment=EXPERIMENT)
def impact_drop(data: ExperimentData) -> Measured:
    """Deepest surfel in an impact where contacts are stiffest over that where they are softest: largest over clouds."""
    return drop(data, IMPACT)


@measurement("self_contact.rest_drop", unit="1", experiment=EXPERIMENT)
def rest_drop(data: ExperimentData) -> Measured:
    """Deepest surfel at rest where contacts are stiffest over that where they are softest: largest over clouds."""
    return drop(data, REST)


@measurement("self_contact.folded_drop", unit="1", experiment=EXPERIMENT)
def folded_drop(data: ExperimentData) -> Measured:
    """Deepest surfel of a hairpin where contacts are stiffest over that where they are softest: largest over clouds."""
    return drop(data, FOLDED)


@measurement("self_contact.open_depth", unit="1", experiment=EXPERIMENT)
def open_depth(data: ExperimentData) -> Measured:
    """Deepest surfel, radii, where parts pass through each other, as contact is off: least over clouds."""
    return extremes.least(
        {f"{c.label}, member {k}": float(d) for c in data.every(name=OPEN) for k, d in enumerate(members(c))}
    )


@measurement("self_contact.apart_depth", unit="1", experiment=EXPERIMENT)
def apart_depth(data: ExperimentData) -> Measured:
    """Deepest surfel, radii, of fragments that never touch: largest over clouds."""
    return extremes.largest(
        {f"{c.label}, member {k}": float(d) for c in data.every(name=APART) for k, d in enumerate(members(c))}
    )


@measurement("self_contact.beyond_diverged", unit="1", experiment=EXPERIMENT)
def beyond_diverged(data: ExperimentData) -> float:
    """Share of the runs with the same step and contacts eight times as stiff as the stiffest that diverge."""
    cells = data.some(name="beyond", status=None)
    return float(np.mean([c.status == "diverged" for c in cells]))
