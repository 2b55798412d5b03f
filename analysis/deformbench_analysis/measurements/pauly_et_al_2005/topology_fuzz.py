# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/topology_fuzz: whether states that events lead to are legal, from the stored geometry alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import (
    CROSSING,
    END_RUN,
    INITIATION,
    MERGE,
    ON_BODY,
    SPLIT,
    TERMINATION,
    Frame,
    crossings,
    distance_to_triangles,
    frames,
    fronts,
    outside_distance,
    seeds,
    swept,
)

EXPERIMENT = "pauly_et_al_2005/topology_fuzz"
TOLERANCE = 0.02  # of a surfel's radius: the facets of the body lie this far within its closed form
SMALL = 8  # nodes: a smaller piece is not compared
NEAR_END = 0.1  # of a surfel's radius: within it an end touches what it lies on


def surfel_radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


@dataclass
class Findings:
    """Of one state."""

    nodes_outside: int = 0
    loose_ends: int = 0
    crossed_edges: int = 0
    open_boundary: float = 0.0  # m
    front_length: float = 0.0  # m

    @property
    def illegal(self) -> bool:
        """Whether anything is as it may not be; a piece of boundary counts from one surfel on (in `judge`)."""
        return bool(self.nodes_outside or self.loose_ends or self.crossed_edges)


def crossed_edges(arrays: Frame, radius: float) -> int:
    """Edges of fronts that go through the area of another crack elsewhere than at an end that lies on a crack. A front may fold over the strip that
    it has just swept itself."""
    triangles, owner = swept(arrays), arrays["crack_triangles"][:, 3]
    count = 0
    if len(triangles) == 0:
        return 0
    tree = cKDTree(triangles.mean(axis=1))
    reach = float(np.linalg.norm(triangles - triangles.mean(axis=1)[:, None], axis=2).max())
    for front in fronts(arrays):
        first, second = front.edges
        for k, (a, b) in enumerate(zip(first, second)):
            length = float(np.linalg.norm(b - a))
            around = tree.query_ball_point((a + b) / 2, reach + length / 2)
            near = triangles[around]
            apart = ~np.isin(owner[around], front.cracks[[k, (k + 1) % len(front.nodes)]])
            for x in (a, b):
                apart &= np.linalg.norm(near - x, axis=2).min(axis=1) > 1e-9
            shares, _ = crossings(a[None], b[None], near[apart])
            for share in shares[~np.isnan(shares)]:
                place = a + share * (b - a)
                if not any(np.linalg.norm(place - end) < NEAR_END * radius for end, _ in front.ends):
                    count += 1
                    break
    return count


def loose_ends(trace: Trace, arrays: Frame, radius: float) -> int:
    """Ends that do not lie on the sheet that they name."""
    count = 0
    for front in fronts(arrays):
        for place, sheet in front.ends:
            away = (
                abs(float(outside_distance(trace, place[None])[0]))
                if sheet == ON_BODY
                else float(distance_to_triangles(place[None], swept(arrays, [sheet]))[0])
                if sheet >= 0
                else np.inf
            )
            count += away > TOLERANCE * radius
    return count


def open_boundary(trace: Trace, arrays: Frame, radius: float) -> float:
    """Length of the swept area's boundary, m, that is neither a front, nor on the body's surface, nor on other swept area."""
    rows = arrays["crack_triangles"][:, :3]
    edges = np.sort(np.concatenate([rows[:, [0, 1]], rows[:, [1, 2]], rows[:, [2, 0]]]), axis=1)
    unique, counts = np.unique(edges, axis=0, return_counts=True)
    border = unique[counts % 2 == 1]
    a, b = arrays["crack_vertices"][border[:, 0]], arrays["crack_vertices"][border[:, 1]]
    middle, length = (a + b) / 2, np.linalg.norm(b - a, axis=1)
    keep = outside_distance(trace, middle) < -0.25 * radius
    for front in fronts(arrays):
        first, second = front.edges
        for p, q in zip(first, second):
            along = q - p
            t = np.clip((middle - p) @ along / max(float(along @ along), 1e-300), 0, 1)
            keep &= np.linalg.norm(p + t[:, None] * along - middle, axis=1) > 1e-6 * radius
    triangles = swept(arrays)
    tree = cKDTree(triangles.mean(axis=1)) if len(triangles) else None
    reach = float(np.linalg.norm(triangles - triangles.mean(axis=1)[:, None], axis=2).max()) if len(triangles) else 0.0
    total = 0.0
    for k in np.flatnonzero(keep):
        near = [
            t for t in tree.query_ball_point(middle[k], reach + 0.25 * radius) if not set(border[k]) <= set(rows[t])
        ]
        if distance_to_triangles(middle[k][None], triangles[near])[0] > 0.25 * radius:
            total += float(length[k])
    return total


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
        float(sum(front.gaps.sum() for front in fronts(arrays))),
    )


def flooded(trace: Trace, arrays: Frame, size: float) -> tuple[Array, Array]:
    """Centres of the cells of a grid inside the body, and the component of each: cells are neighbours where no swept triangle is between their
    centres."""
    extent = float(trace.value("scene.parameters.radius_m"))
    if trace.value("scene.parameters.shape") == "torus":
        extent += float(trace.value("scene.parameters.inner_radius_m"))
    n = int(np.ceil(2 * extent / size)) + 1
    axis = (np.arange(n) - (n - 1) / 2) * size + 1e-4 * size  # off all planes of symmetry
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    # Cells in the surface itself would tell how exactly cracks end there, not what hangs together.
    inside = (outside_distance(trace, grid.reshape(-1, 3)) < -0.3 * size).reshape(n, n, n)
    blocked = [np.zeros((n, n, n), dtype=bool) for _ in range(3)]
    for p, q, r in swept(arrays):
        normal = np.cross(q - p, r - p)
        low = np.floor((np.minimum(np.minimum(p, q), r) - axis[0]) / size).astype(int) - 1
        high = np.ceil((np.maximum(np.maximum(p, q), r) - axis[0]) / size).astype(int) + 1
        low, high = np.clip(low, 0, n - 1), np.clip(high, 0, n - 1)
        for d in range(3):
            if abs(normal[d]) < 1e-300:
                continue
            e, f = (d + 1) % 3, (d + 2) % 3
            ie, jf = np.meshgrid(np.arange(low[e], high[e] + 1), np.arange(low[f], high[f] + 1), indexing="ij")
            x, y = axis[ie].ravel(), axis[jf].ravel()
            # Projected along d: where the line of cells goes through the triangle, and how far along.
            det = (q[e] - p[e]) * (r[f] - p[f]) - (r[e] - p[e]) * (q[f] - p[f])
            u = ((x - p[e]) * (r[f] - p[f]) - (r[e] - p[e]) * (y - p[f])) / det
            v = ((q[e] - p[e]) * (y - p[f]) - (x - p[e]) * (q[f] - p[f])) / det
            hit = (u >= 0) & (v >= 0) & (u + v <= 1)
            along = p[d] + u * (q[d] - p[d]) + v * (r[d] - p[d])
            cell = np.floor((along - axis[0]) / size).astype(int)
            hit &= (cell >= 0) & (cell + 1 < n)
            index = [None, None, None]
            index[d], index[e], index[f] = cell[hit], ie.ravel()[hit], jf.ravel()[hit]
            blocked[d][tuple(index)] = True
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
    """Share of nodes that hang together in the graph and not in the grid; where no front is left (`finished`), also the other way round: while there
    is one, a ligament narrower than the nodes' spacing may hold pieces together that no pair of nodes sees through. Nodes that a triangle
    separates from their cell, and pieces of fewer than eight nodes, are left out."""
    size = float(np.min(np.linalg.norm(cells[1:] - cells[:-1], axis=1)))
    away, near = cKDTree(cells).query(rest)
    clear = away < 2 * size
    if len(triangles):
        tree = cKDTree(triangles.mean(axis=1))
        reach = float(np.linalg.norm(triangles - triangles.mean(axis=1)[:, None], axis=2).max()) + 2 * size
        for k in np.flatnonzero(clear):
            some = triangles[tree.query_ball_point(rest[k], reach)]
            if len(some):
                share, _ = crossings(rest[k][None], cells[near[k]][None], some)
                clear[k] = bool(np.isnan(share).all())
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
    """Of one run, all members."""

    sequences: int = 0
    states: int = 0
    illegal: int = 0
    unclassified: int = 0
    open_boundary: float = 0.0  # largest of one state, in surfel radii
    disagreement: float = 0.0  # worst of one last state
    disagreeing: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


NAMES = {
    INITIATION: "initiation",
    TERMINATION: "termination",
    SPLIT: "split",
    MERGE: "merge",
    END_RUN: "end_run",
    CROSSING: "crossing",
}


@lru_cache(maxsize=None)
def tally(trace: Trace) -> Tally:
    """Everything that is judged of a cell."""
    found = Tally()
    radius = surfel_radius(trace)
    rest = trace.scene("rest_positions")
    for member in seeds(trace):
        last: Frame = {}
        for _, _, arrays in frames(trace, member):
            state = judge(trace, arrays)
            found.states += 1
            found.illegal += state.illegal or state.open_boundary > radius
            found.open_boundary = max(found.open_boundary, state.open_boundary / radius)
            last = arrays
        found.sequences += 1
        found.unclassified += int(last["crack_tally"].ravel()[1])
        found.kinds.update(NAMES[k] for k in last["crack_events"][:, 1].tolist())
        size = radius / 1.5
        nodes = rest if rest.ndim == 2 else rest[member or 0]
        cells, label = flooded(trace, last, size)
        share = disagreement(
            nodes, last["crack_components"].ravel(), cells, label, swept(last), len(last["front_nodes"]) == 0
        )
        found.disagreement = max(found.disagreement, share)
        found.disagreeing += share > 0.02
    return found


@measurement("topology_fuzz.illegal_states", unit="1", experiment=EXPERIMENT)
def illegal_states(data: ExperimentData) -> float:
    """Number of stored states with a node outside the body, an end off its sheet, an edge through a crack, or more than one surfel radius of boundary that
    is neither a front nor on a surface."""
    return float(sum(tally(c).illegal for c in data.every()))


@measurement("topology_fuzz.unclassified", unit="1", experiment=EXPERIMENT)
def unclassified(data: ExperimentData) -> float:
    """Number of constellations that no rule knew, as the method counts them."""
    return float(sum(tally(c).unclassified for c in data.every()))


@measurement("topology_fuzz.disagreeing", unit="1", experiment=EXPERIMENT)
def disagreeing(data: ExperimentData) -> float:
    """Number of sequences at whose end the flooded grid and the graph of nodes disagree about more than two hundredths of the nodes."""
    return float(sum(tally(c).disagreeing for c in data.every()))


@measurement("topology_fuzz.sequences", unit="1", experiment=EXPERIMENT)
def sequences(data: ExperimentData) -> float:
    """Number of sequences."""
    return float(sum(tally(c).sequences for c in data.every()))


@measurement("topology_fuzz.rarest_event", unit="1", experiment=EXPERIMENT)
def rarest_event(data: ExperimentData) -> Measured:
    """How often the rarest of initiation, termination, split and merge (or crossing, which is both) happened in all sequences."""
    counts: Counter[str] = Counter()
    for cell in data.every():
        counts.update(tally(cell).kinds)
    counts["split"] += counts["crossing"]
    counts["merge"] += counts["crossing"]
    return extremes.least({name: float(counts[name]) for name in ("initiation", "termination", "split", "merge")})
