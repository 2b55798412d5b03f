# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/topology_fuzz: legality of the states that events lead to,
from stored geometry alone."""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, Trace, extremes
from deformbench_analysis.vocabulary import quantity
from .crack_fronts import CROSSING, END_RUN, FORCED, INITIATION, MERGE, ON_BODY, SPLIT, TERMINATION, Frame
from .crack_fronts import distance_to_triangles, frames, fronts, near_pairs, outside_distance, pair_distances
from .crack_fronts import pair_shares, seeds, surfel_radius, swept, within

M = Measures("pauly_et_al_2005/topology_fuzz")
TOLERANCE = 0.02  # surfel radii: facets of the body lie up to this far inside its closed form
SMALL = 8  # nodes: a smaller piece is not compared
CELLS = (1.5, 3, 6)  # grid cells per surfel radius: finer where a coarse grid does not resolve a neck
AGREED = 0.02  # of the nodes
NEAR_END = 0.1  # surfel radii: within it an end touches its sheet


@dataclass
class Findings:
    """Violations found in one state."""

    nodes_outside: int = 0
    loose_ends: int = 0
    crossed_edges: int = 0
    open_boundary: float = 0.0  # m

    @property
    def illegal(self) -> bool:
        """Whether any count is nonzero."""
        return bool(self.nodes_outside or self.loose_ends or self.crossed_edges)


@dataclass
class Edges:
    """Edges of all fronts, one row per edge.

    `before` and `after` are the next three nodes on either side, NaN beyond an end."""

    first: Array
    second: Array
    before: Array  # [e, 3, 3]
    after: Array  # [e, 3, 3]
    cracks: Array  # [e, 4]: of both nodes, two at a crease
    ends: Array  # [e, 2, 3]: of the front, NaN of a closed one


def edges_of(arrays: Frame) -> Edges:
    """Edges of all fronts with what surrounds them."""
    rows: list[tuple[Array, ...]] = []
    others = arrays["front_ids"][:, 5]
    for front in fronts(arrays):
        other = others[arrays["front_ids"][:, 0] == front.id]
        count = len(front.nodes)
        ends = np.full((count, 2, 3), np.nan)
        last = None if front.closed else -1
        way = np.arange(count)[:, None] + np.arange(1, 4)  # indices of nodes
        before, after = front.nodes[(way - 4)[:, ::-1] % count], front.nodes[(way + 1) % count]
        if not front.closed:
            before[(way - 4)[:, ::-1] < 0], after[way + 1 >= count] = np.nan, np.nan
            ends[:] = front.nodes[[0, -1]]
        at = np.stack([front.cracks, np.where(other >= 0, other, front.cracks)], axis=1)
        cracks = np.concatenate([at, np.roll(at, -1, axis=0)], axis=1)
        rows.append((*front.edges, before[:last], after[:last], cracks[:last], ends[:last]))
    shapes = ((0, 3), (0, 3), (0, 3, 3), (0, 3, 3), (0, 4), (0, 2, 3))
    return Edges(*(np.concatenate(c) for c in zip(*rows)) if rows else (np.zeros(shape) for shape in shapes))


def side(nodes: Array, place: Array, normal: Array, radius: float) -> Array:
    """Height above the plane of the first of three nodes [e, 3, 3] off it; zero if all lie in it."""
    heights = np.nan_to_num(np.einsum("ijk,ik->ij", nodes - place[:, None], normal))
    heights[np.abs(heights) <= TOLERANCE * radius] = 0
    return np.asarray(heights[np.arange(len(heights)), np.argmax(heights != 0, axis=1)])


def touches(node: Array, before: Array, after: Array, place: Array, normal: Array, radius: float) -> Array:
    """Mask of nodes at which a front only touches a sheet, coming from and returning to one side of it."""
    sides = side(before, place, normal, radius) * side(after, place, normal, radius)
    return np.asarray((np.linalg.norm(node - place, axis=1) < TOLERANCE * radius) & (sides >= 0))


def crossed_edges(arrays: Frame, radius: float) -> int:
    """Number of front edges that pass through the swept area of another crack, except at ends, which lie on one. A
    front may fold over the strip that it has just swept."""
    triangles, owner = swept(arrays), arrays["crack_triangles"][:, 3]
    edges = edges_of(arrays)
    length = np.linalg.norm(edges.second - edges.first, axis=1)
    i, j = near_pairs((edges.first + edges.second) / 2, length / 2, triangles)
    apart = (owner[j][:, None] != edges.cracks[i]).all(axis=1)
    i, j = i[apart], j[apart]
    share = pair_shares(edges.first[i], edges.second[i], triangles[j])
    hit = ~np.isnan(share)
    i, j, share = i[hit], j[hit], share[hit]
    place = edges.first[i] + share[:, None] * (edges.second[i] - edges.first[i])
    normal = np.cross(triangles[j, 1] - triangles[j, 0], triangles[j, 2] - triangles[j, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    with np.errstate(invalid="ignore"):
        allowed = (np.linalg.norm(edges.ends[i] - place[:, None], axis=2) < NEAR_END * radius).any(axis=1)
    first, second, before, after = edges.first[i], edges.second[i], edges.before[i], edges.after[i]
    with_second = np.concatenate([second[:, None], after[:, :2]], axis=1)
    with_first = np.concatenate([first[:, None], before[:, :2]], axis=1)
    is_end = np.isnan(before[:, 0, 0]), np.isnan(after[:, 0, 0])
    allowed |= touches(first, before, with_second, place, normal, radius) & ~is_end[0]
    allowed |= touches(second, with_first, after, place, normal, radius) & ~is_end[1]
    return len(np.unique(i[~allowed]))


def loose_ends(trace: Trace, arrays: Frame, radius: float) -> int:
    """Number of ends that are off their sheet."""
    found = [end for front in fronts(arrays) for end in front.ends]
    if not found:
        return 0
    places, sheets = np.array([place for place, _ in found]), np.array([sheet for _, sheet in found])
    away = np.full(len(found), np.inf)
    on_body = sheets == ON_BODY
    away[on_body] = np.abs(outside_distance(trace, places[on_body]))
    for sheet in set(sheets[sheets >= 0].tolist()):
        away[sheets == sheet] = distance_to_triangles(places[sheets == sheet], swept(arrays, [sheet]))
    return int((away > TOLERANCE * radius).sum())


def open_boundary(trace: Trace, arrays: Frame, radius: float) -> float:
    """Length, m, of the swept area's boundary that is no front, not on the body's surface and not closed by swept
    area: another crack within a quarter of a radius, any triangle as near ahead, or any sheet that crosses its
    way."""
    rows = arrays["crack_triangles"][:, :3]
    sides = np.concatenate([rows[:, [0, 1, 2]], rows[:, [1, 2, 0]], rows[:, [2, 0, 1]]])
    sides[:, :2].sort(axis=1)
    owner = np.tile(arrays["crack_triangles"][:, 3], 3)
    _, where, counts = np.unique(sides[:, :2], axis=0, return_index=True, return_counts=True)
    owner = owner[where[counts % 2 == 1]]
    a, b, opposite = (arrays["crack_vertices"][sides[where[counts % 2 == 1]][:, k]] for k in range(3))
    middle, along = (a + b) / 2, b - a
    length = np.linalg.norm(along, axis=1)
    keep = (length > 0) & (outside_distance(trace, middle) < -0.25 * radius)
    edges = edges_of(arrays)
    if keep.any() and len(edges.first):
        lines = np.stack([edges.first, edges.second, edges.second], axis=1)
        keep[keep] = ~within(middle[keep], lines, 1e-6 * radius)
    if not keep.any():
        return 0.0
    middle, length, along, owner = middle[keep], length[keep], along[keep] / length[keep][:, None], owner[keep]
    ahead = middle - opposite[keep]
    ahead -= np.einsum("ij,ij->i", ahead, along)[:, None] * along
    ahead *= radius / np.maximum(np.linalg.norm(ahead, axis=1), 1e-300)[:, None]
    triangles = swept(arrays)
    closed = within(middle + 0.25 * ahead, triangles, 0.24 * radius)
    i, j = near_pairs(middle, 0.25 * radius, triangles)
    closed[
        i[
            pair_distances(middle[i], triangles[j]) + radius * (owner[i] == arrays["crack_triangles"][j, 3])
            <= 0.25 * radius
        ]
    ] = True
    normal = np.cross(triangles[j, 1] - triangles[j, 0], triangles[j, 2] - triangles[j, 0])
    steep = np.abs(np.einsum("ij,ij->i", normal, ahead[i])) > 0.2 * radius * np.linalg.norm(normal, axis=1)
    i, j = i[steep], j[steep]
    met = ~np.isnan(pair_shares(middle[i] - 0.1 * ahead[i], middle[i] + 0.25 * ahead[i], triangles[j]))
    closed[i[met]] = True
    return float(length[~closed].sum())


def judge(trace: Trace, arrays: Frame) -> Findings:
    """Everything but connectivity."""
    radius = surfel_radius(trace)
    nodes = arrays["front_nodes"]
    outside = outside_distance(trace, nodes) > TOLERANCE * radius if len(nodes) else np.zeros(0, dtype=bool)
    return Findings(
        int(outside.sum()),
        loose_ends(trace, arrays, radius),
        crossed_edges(arrays, radius),
        open_boundary(trace, arrays, radius),
    )


def blocked_ways(triangles: Array, axis: Array, size: float, d: int) -> Array:
    """Mask of grid cells that a triangle separates from the next along d."""
    n = len(axis)
    blocked = np.zeros((n, n, n), dtype=bool)
    e, f = (d + 1) % 3, (d + 2) % 3
    p, q, r = (triangles[:, k] for k in range(3))
    # Projected along d: where a line of cells goes through the triangle, and how far along.
    det = (q[:, e] - p[:, e]) * (r[:, f] - p[:, f]) - (r[:, e] - p[:, e]) * (q[:, f] - p[:, f])
    steep = np.abs(det) > 1e-300
    triangles, det = triangles[steep], det[steep]
    if len(triangles) == 0:
        return blocked
    p, q, r = (triangles[:, k] for k in range(3))
    low = np.ceil((triangles.min(axis=1) - axis[0]) / size - 1e-9).astype(int)
    high = np.floor((triangles.max(axis=1) - axis[0]) / size + 1e-9).astype(int)
    # Lines of cells within the box of every triangle, as pairs of a triangle and a line.
    across, up = np.maximum(high[:, e] - low[:, e] + 1, 0), np.maximum(high[:, f] - low[:, f] + 1, 0)
    number = np.repeat(np.arange(len(triangles)), across * up)
    within = np.arange(len(number)) - np.repeat(np.cumsum(across * up) - across * up, across * up)
    ie, jf = low[number, e] + within // up[number], low[number, f] + within % up[number]
    valid = (ie >= 0) & (ie < n) & (jf >= 0) & (jf < n)
    number, ie, jf = number[valid], ie[valid], jf[valid]
    p, q, r, det = p[number], q[number], r[number], det[number]
    x, y = axis[ie] - p[:, e], axis[jf] - p[:, f]
    u = (x * (r[:, f] - p[:, f]) - (r[:, e] - p[:, e]) * y) / det
    v = ((q[:, e] - p[:, e]) * y - x * (q[:, f] - p[:, f])) / det
    along = p[:, d] + u * (q[:, d] - p[:, d]) + v * (r[:, d] - p[:, d])
    cell = np.floor((along - axis[0]) / size).astype(int)
    hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (cell >= 0) & (cell + 1 < n)
    index = [cell[hit]] * 3
    index[e], index[f] = ie[hit], jf[hit]
    blocked[tuple(index)] = True
    return blocked


def flooded(trace: Trace, arrays: Frame, size: float) -> tuple[Array, Array]:
    """Centres of the cells of a grid inside the body, and the component of each: cells are neighbours where no swept
    triangle is between their centres."""
    extent = trace.number("radius_m")
    if trace.value("scene.parameters.shape") == "torus":
        extent += trace.number("inner_radius_m")
    n = int(np.ceil(2 * extent / size)) + 1
    axis = (np.arange(n) - (n - 1) / 2) * size + 1e-4 * size  # off all planes of symmetry
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    # Cells at the surface would test how exactly cracks end there, not connectivity.
    inside = (outside_distance(trace, grid.reshape(-1, 3)) < -0.3 * size).reshape(n, n, n)
    blocked = [blocked_ways(swept(arrays), axis, size, d) for d in range(3)]
    number = np.arange(n**3).reshape(n, n, n)
    rows, columns = [], []
    for d in range(3):
        here = [slice(None)] * 3
        there = [slice(None)] * 3
        here[d], there[d] = slice(0, n - 1), slice(1, n)
        open_ = inside[tuple(here)] & inside[tuple(there)] & ~blocked[d][tuple(here)]
        rows.append(number[tuple(here)][open_])
        columns.append(number[tuple(there)][open_])
    i, j = np.concatenate(rows), np.concatenate(columns)
    _, label = connected_components(coo_matrix((np.ones(len(i)), (i, j)), shape=(n**3, n**3)), directed=False)
    chosen = inside.ravel()
    return grid.reshape(-1, 3)[chosen], label[chosen]


def disagreement(rest: Array, graph: Array, cells: Array, label: Array, triangles: Array, finished: bool) -> float:
    """Share of nodes connected in the graph but not in the grid; if no front is left (`finished`), also the converse:
    with a front, a ligament narrower than the node spacing, through which no pair of nodes passes, may connect
    pieces. Nodes that a triangle separates from their cell, and pieces of fewer than eight nodes, are left out."""
    size = float(np.min(np.linalg.norm(cells[1:] - cells[:-1], axis=1)))
    away, near = cKDTree(cells).query(rest)
    clear = away < 2 * size
    i, j = near_pairs((rest + cells[near]) / 2, away / 2, triangles)
    clear[i[~np.isnan(pair_shares(rest[i], cells[near[i]], triangles[j]))]] = False
    pairs = list(zip(graph[clear].tolist(), label[near[clear]].tolist()))
    of_graph, of_cells = Counter(g for g, _ in pairs), Counter(c for _, c in pairs)
    pairs = [(g, c) for g, c in pairs if of_graph[g] >= SMALL and of_cells[c] >= SMALL]
    if not pairs:
        return 0.0
    both = Counter(pairs)
    best_of_graph = {g: max((n, c) for (a, c), n in both.items() if a == g)[1] for g, _ in pairs}
    best_of_cells = {c: max((n, g) for (g, b), n in both.items() if b == c)[1] for _, c in pairs}
    wrong = sum(n for (g, c), n in both.items() if best_of_graph[g] != c or (finished and best_of_cells[c] != g))
    return wrong / len(pairs)


@dataclass
class Tally:
    """Counts and extremes over all members of one run."""

    sequences: int = 0
    states: int = 0
    illegal: int = 0
    open: int = 0  # states with more than one surfel's radius of open boundary
    unclassified: int = 0
    open_boundary: float = 0.0  # largest of one state, in surfel radii
    disagreement: float = 0.0  # worst of one last state
    disagreeing: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    over_edges: int = 0  # end_run events through the surface of a cube


NAMES = {
    INITIATION: "initiation",
    TERMINATION: "termination",
    SPLIT: "split",
    MERGE: "merge",
    END_RUN: "end_run",
    CROSSING: "crossing",
    FORCED: "forced",
}


@lru_cache(maxsize=None)
def tally(trace: Trace) -> Tally:
    """All findings of a run."""
    found = Tally()
    radius = surfel_radius(trace)
    for member in seeds(trace):
        last: Frame = {}
        nodes = np.zeros((0, 3))  # initial positions of this member; every seed has its own
        for _, _, arrays in frames(trace, member):
            nodes = nodes if len(nodes) else arrays["positions"]
            state = judge(trace, arrays)
            found.states += 1
            found.illegal += state.illegal
            found.open += state.open_boundary > radius
            found.open_boundary = max(found.open_boundary, state.open_boundary / radius)
            last = arrays
        found.sequences += 1
        found.unclassified += int(last["crack_tally"].ravel()[1])
        kinds = last["crack_events"][:, 1].tolist()
        found.kinds.update(NAMES[k] for k in kinds)
        if trace.value("scene.parameters.shape") == "cube":
            runs = last["crack_events"][last["crack_events"][:, 1] == END_RUN]
            found.over_edges += int((runs[:, 6] == 0).sum())  # cause 0: by the body, not by a crack
        share = 1.0
        for cells_per_radius in CELLS:
            cells, label = flooded(trace, last, radius / cells_per_radius)
            share = disagreement(
                nodes, last["crack_components"].ravel(), cells, label, swept(last), len(last["front_nodes"]) == 0
            )
            if share <= AGREED:
                break
        found.disagreement = max(found.disagreement, share)
        found.disagreeing += share > AGREED
    return found


for _name, _what, _of in (
    (
        "illegal_states",
        "illegal stored states: a node outside, an end off its sheet, a front's edge through a crack",
        lambda t: t.illegal,
    ),
    ("states", "stored states", lambda t: t.states),
    ("open_states", "stored states with more than one surfel radius of open boundary", lambda t: t.open),
    ("forced", "events without a legal state, nodes left where they were", lambda t: t.kinds["forced"]),
    (
        "ends_over_edges",
        "runs of nodes at an end that come out through the body's surface, in cubes, which have edges",
        lambda t: t.over_edges,
    ),
    ("end_runs", "runs of nodes at an end that come out through a surface", lambda t: t.kinds[NAMES[END_RUN]]),
    ("unclassified", "configurations without a rule, as the method counts them", lambda t: t.unclassified),
    (
        "disagreeing",
        "sequences whose flood fill and node graph disagree about more than two hundredths of the nodes at the end",
        lambda t: t.disagreeing,
    ),
    ("sequences", "sequences", lambda t: t.sequences),
):
    M.total(_name, quantity(_what)(lambda c, of=_of: of(tally(c))), EVERY_RUN)
M.largest(
    "open_boundary",
    quantity("length of the swept area's boundary that is neither front nor on a surface, in surfel radii")(
        lambda c: tally(c).open_boundary
    ),
    EVERY_RUN,
)


@M("rarest_event")
def rarest_event(data: ExperimentData) -> Measured:
    """Number of events of the rarest of initiation, termination, split and merge, a crossing counting as the last
    two."""
    counts: Counter[str] = Counter()
    for cell in data.every():
        counts.update(tally(cell).kinds)
    counts["split"] += counts["crossing"]
    counts["merge"] += counts["crossing"]
    return extremes.least({name: float(counts[name]) for name in ("initiation", "termination", "split", "merge")})
