# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/self_contact: depth of surfels of one part of a body inside another
part."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.solid_surfaces import Carrier, box_surface, inside
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .clouds import seeds
from .crack_fronts import distance_to_triangles, near_points, pair_distances

M = Measures("pauly_et_al_2005/self_contact")
IMPACT, REST, FOLDED = "impact", "rest", "folded"
APART, OPEN = "apart", "open"  # parts that fly apart; without contact
STIFFNESS = "method.parameters.body_contact_stiffness"
RADIUS = "method.parameters.surfel_radius_m"
NUDGE = 0.1  # radii: offset in front of its own surface at which a surfel of a folded body is tested for inside
REACH = 4.0  # radii: greater depths in another part are not searched
EVERY = {IMPACT: 2, REST: 10, FOLDED: 3, OPEN: 5}  # every n-th stored frame is judged, from the last back
SETTLED = 0.5  # of the run: bodies at rest are judged from here on


@dataclass(frozen=True)
class Solid:
    """A part of the body: its surface, and surfels of other parts that may enter it."""

    surface: Carrier
    triangles: Array  # [m, 3], of the surface's points
    surfels: Carrier
    ahead: Carrier  # points in front of the surfels, outwards; for another part the surfels themselves
    is_own: bool


def box_of(trace: Trace) -> tuple[Array, Array]:
    """Corners of the block at rest."""
    length, side = (trace.number(n) for n in ("length_m", "side_m"))
    return np.array([0.0, -side / 2, -side / 2]), np.array([length, side / 2, side / 2])


def solids(trace: Trace, arrays: dict[str, Array]) -> list[Solid]:
    """Both halves of a block that is cut across, each with the surfels of the other; or the whole block,
    with its own."""
    low, high = box_of(trace)
    radius = float(trace.value(RADIUS))
    rest, supports = arrays["node_rest_positions"], arrays["node_supports"]
    points, normals = arrays["surfel_rest_positions"], arrays["surfel_rest_normals"]
    margin = 1e-9 * (high - low).max()  # cut surfels beyond the skin are not on the surface
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
    """The positions of the part's nodes."""
    if nodes.count == len(rest):
        return positions
    low, high = box_of(trace)
    is_first = rest[:, 0] < (low[0] + high[0]) / 2
    chosen = is_first if nodes.rest[0, 0] < (low[0] + high[0]) / 2 else ~is_first
    return np.asarray(positions[chosen])


def is_at_another_part(solid: Solid, points: Array, surfels: Array, radius: float) -> Array:
    """Mask of surfels near another part of the body: of the surface points within REACH radii now but not at rest,
    the nearest is more than two supports away at rest. So a crumpling surface is not taken for another
    part."""
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
    """[member][frame] in surfel radii; for bodies at rest on others, in the second half of the run."""
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
    """Depth in radii of every member's deepest surfel in any judged frame."""
    return np.array([max(d) for d in depths(trace)])


def stiffness(trace: Trace) -> float:
    """Stiffness of contacts relative to E/h."""
    return float(trace.value(STIFFNESS))


def swept(*runs: Trace) -> list[Trace]:
    """By stiffness, stiffest last."""
    if len(runs) < 3:
        raise MissingData(f"{M.experiment}: {runs[0].method_name}: {len(runs)} stiffnesses, expected at least three")
    return sorted(runs, key=stiffness)


@quantity("largest surfel depth in another part, radii")
def _depth(trace: Trace) -> dict[str, float]:
    return {f"{trace.label}, member {k}": float(d) for k, d in enumerate(members(trace))}


@quantity("largest surfel depth in another part at the stiffest contacts, radii")
def _depth_at_stiffest(*runs: Trace) -> dict[str, float]:
    return dict(_depth(swept(*runs)[-1]))


def _ratios(soft: Trace, stiff: Trace) -> dict[str, float]:
    """Depth of every member relative to that in softer contacts; infinite if that is 0."""
    return {
        f"{stiff.label}, member {k}": float(after / before) if before > 0 else np.inf
        for k, (before, after) in enumerate(zip(members(soft), members(stiff), strict=True))
    }


@quantity("largest surfel depth at a contact stiffness relative to the next lower one")
def _step_ratio(*runs: Trace) -> dict[str, float]:
    cells = swept(*runs)
    return {k: v for pair in zip(cells, cells[1:]) for k, v in _ratios(*pair).items()}


@quantity("largest surfel depth at the stiffest contacts relative to the softest")
def _drop(*runs: Trace) -> dict[str, float]:
    cells = swept(*runs)
    return _ratios(cells[0], cells[-1])


@quantity("share of the runs that diverge")
def _diverged(trace: Trace) -> float:
    return float(trace.status == "diverged")


def situation(trace: Trace) -> str:
    """Situation."""
    return trace.method_name


HITTING = rows(IMPACT, says="fragments that hit each other").by_row()
CLAPPING = rows(FOLDED, says="arms of a hairpin").by_row()
RESTING = rows(REST, says="fragments at rest on others, second half of the run").by_row()
SITUATIONS = (IMPACT, REST, FOLDED)
ALL = rows(*SITUATIONS, says="impacts, rest and hairpins").grouped(situation, says="", each=SITUATIONS)
BEYOND = rows("beyond", says="contacts eight times as stiff as the stiffest")

impact_depth = M.least("impact_depth", _depth_at_stiffest, HITTING)
folded_depth = M.least("folded_depth", _depth_at_stiffest, CLAPPING)
rest_depth = M.least("rest_depth", _depth_at_stiffest, RESTING)
M.largest("step_ratio", _step_ratio, ALL)
M.largest("impact_drop", _drop, HITTING)
M.largest("rest_drop", _drop, RESTING)
M.largest("folded_drop", _drop, CLAPPING)
open_depth = M.least("open_depth", _depth, rows(OPEN, says="parts that pass through each other, as contact is off"))
M.largest("apart_depth", _depth, rows(APART, says="fragments that never touch"))
M.mean("beyond_diverged", _diverged, BEYOND.however_ended("how they end is counted"))
