# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/crack_starts: nodes and surfels of new cracks,
from the frames before and after one step."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, Trace, extremes
from deformbench_analysis.vocabulary import quantity
from .crack_fronts import INITIATION, ON_BODY, Frame, Front, distance_to_triangles, frames, fronts, outside_distance
from .crack_fronts import seeds, surfel_radius, swept

M = Measures("pauly_et_al_2005/crack_starts")


@dataclass
class Start:
    """A new crack: centre, front, surfels, and the front's nodes a step later by id."""

    centre: Array
    front: Front
    surfels: Array
    later: dict[int, Array]
    before: Frame


def starts(trace: Trace) -> Iterator[Start]:
    """All cracks of all members that start by themselves; declared ones are left out."""
    given = len(trace.value("method.parameters.crack_pennies", []) or []) // 8
    for member in seeds(trace):
        stored = list(frames(trace, member))
        first, second = stored[0][2], stored[-1][2]
        by_id = {front.id: front for front in fronts(first)}
        later = dict(zip(second["front_ids"][:, 1].tolist(), second["front_nodes"]))
        events = first["crack_events"]
        begun = [k for k in range(len(events)) if events[k, 1] == INITIATION][given:]
        for k in begun:
            front = by_id[int(events[k, 4])]
            surfels = first["crack_surfels"][first["crack_surfels"][:, 7] == front.cracks[0]]
            yield Start(first["crack_event_positions"][k], front, surfels, later, first)


def kind(trace: Trace, start: Start) -> str:
    """inside, face, edge (ends on two faces of a cube), or crack (an end on another crack)."""
    ends = start.front.ends
    if not ends:
        return "inside"
    if any(sheet >= 0 for _, sheet in ends):
        return "crack"
    faces = {int(np.argmax(np.abs(place))) for place, _ in ends}
    return "edge" if trace.value("scene.parameters.shape") == "cube" and len(faces) > 1 else "face"


def tension(trace: Trace) -> Array:
    """Direction of the largest principal stress."""
    xx, yy, zz, xy, yz, zx = trace.value("method.parameters.crack_stress_pa")
    return np.asarray(np.linalg.eigh([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])[1][:, -1])


def unpaired(surfels: Array) -> int:
    """Number of surfels without exactly one partner at their position, of equal radius,
    opposite normal and sheet."""
    count = 0
    for one in surfels:
        same = np.linalg.norm(surfels[:, :3] - one[:3], axis=1) == 0
        same &= surfels[:, 6] == one[6]
        same &= np.linalg.norm(surfels[:, 3:6] + one[3:6], axis=1) < 1e-12
        same &= surfels[:, 8] == -one[8]
        count += int(same.sum()) != 1
    return count


def least_angle_deg(nodes: Array) -> float:
    """Smallest angle of the triangle of three nodes, degrees."""
    sides = [nodes[(k + 1) % 3] - nodes[k] for k in range(3)]
    lengths = [float(np.linalg.norm(s)) for s in sides]
    if min(lengths) == 0:
        return 0.0
    cosines = [-float(sides[k] @ sides[k - 1]) / lengths[k] / lengths[k - 1] for k in range(3)]
    return float(np.degrees(np.arccos(np.clip(cosines, -1, 1)).min()))


def not_three_nodes(trace: Trace) -> int:
    """New cracks of other than three nodes."""
    return sum(len(s.front.nodes) != 3 for s in starts(trace))


def is_paired(trace: Trace, start: Start) -> bool:
    """Whether there are just two surfels at each front node, of radius r, with opposite normals and sheets."""
    places = start.front.nodes
    count = [int((np.linalg.norm(start.surfels[:, :3] - x, axis=1) == 0).sum()) for x in places]
    radii = np.abs(start.surfels[:, 6] / surfel_radius(trace) - 1) < 1e-12
    fits = count == [2] * len(places) and len(start.surfels) == 2 * len(places) and bool(radii.all())
    return fits and unpaired(start.surfels) == 0


def not_paired(trace: Trace) -> int:
    """New cracks without two opposite surfels of radius r, one per sheet, at each node."""
    return sum(not is_paired(trace, s) for s in starts(trace))


@quantity(unit="rad")
def normal_error(trace: Trace) -> float:
    """Angle between the normals of a new crack's surfels and the direction of the largest principal stress."""
    v = tension(trace)
    return max(
        float(np.arcsin(np.clip(np.linalg.norm(np.cross(s.surfels[:, 3:6], v), axis=1), 0, 1)).max())
        for s in starts(trace)
    )


@quantity(unit="deg")
def least_angle(trace: Trace) -> float:
    """Angle of the triangle of a new crack's three nodes."""
    return min(least_angle_deg(s.front.nodes) for s in starts(trace) if len(s.front.nodes) == 3)


def outside(trace: Trace) -> float:
    """Distance of a new crack's node beyond the body's surface relative to r, negative inside."""
    return max(float(outside_distance(trace, s.front.nodes).max()) for s in starts(trace)) / surfel_radius(trace)


def off_sheet(trace: Trace) -> float:
    """Distance of an end of a new crack from its sheet relative to r."""
    worst = 0.0
    for start in starts(trace):
        for place, sheet in start.front.ends:
            on_body = sheet == ON_BODY
            away = (
                abs(float(outside_distance(trace, place[None])[0]))
                if on_body
                else float(distance_to_triangles(place[None], swept(start.before, [sheet]))[0])
            )
            worst = max(worst, away)
    return worst / surfel_radius(trace)


def _not_outwards(trace: Trace, at_edges: bool) -> int:
    count = 0
    for start in starts(trace):
        if not at_edges and kind(trace, start) == "edge":
            continue
        for node, x in zip(start.front.ids.tolist(), start.front.nodes):
            moved = start.later[node] - x if node in start.later else np.zeros(3)
            count += bool(np.any(moved)) and float(moved @ (x - start.centre)) <= 0
    return count


def not_growing(trace: Trace) -> int:
    """New cracks whose nodes do not span a larger triangle after the first step; a node that is gone counts as
    unmoved."""

    def area(nodes: Array) -> float:
        return float(np.linalg.norm(np.cross(nodes[1] - nodes[0], nodes[2] - nodes[0])))

    count = 0
    for start in starts(trace):
        nodes = start.front.nodes
        later = np.array([start.later.get(node, x) for node, x in zip(start.front.ids.tolist(), nodes)])
        count += len(nodes) == 3 and not area(later) > area(nodes)
    return count


M.total("not_three_nodes", not_three_nodes, EVERY_RUN)
M.total("not_paired", not_paired, EVERY_RUN)
M.largest("normal_error", normal_error, EVERY_RUN)
M.least("least_angle", least_angle, EVERY_RUN)
M.largest("outside", outside, EVERY_RUN)
M.largest("off_sheet", off_sheet, EVERY_RUN)
M.total("not_growing", not_growing, EVERY_RUN)
M.total("count", quantity("cracks that start by themselves")(lambda c: len(list(starts(c)))), EVERY_RUN)
M.total(
    "not_outwards",
    quantity("nodes that the first step moves, but not away from their crack's start")(
        lambda c: _not_outwards(c, True)
    ),
    EVERY_RUN,
)
M.total(
    "not_outwards_off_edges",
    quantity("nodes of cracks off a cube's edges that the first step moves, but not away from the start")(
        lambda c: _not_outwards(c, False)
    ),
    EVERY_RUN,
)


@M("rarest")
def rarest(data: ExperimentData) -> Measured:
    """Smallest number of cracks started inside, on a face, at an edge or on another crack."""
    kinds: Counter[str] = Counter()
    for c in data.every():
        kinds.update(kind(c, s) for s in starts(c))
    return extremes.least({name: float(kinds[name]) for name in ("inside", "face", "edge", "crack")})
