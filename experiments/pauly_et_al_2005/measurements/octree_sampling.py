# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/octree_sampling:
supports, neighbours and moment matrices of nodes in the cells of an octree."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Quantity, Trace, quantity
from . import sampled_nodes as nodes
from .clouds import seeds

M = Measures("pauly_et_al_2005/octree_sampling")
SOLIDS = ("block", "slab", "rod", "ball", "torus")  # of uniform thickness
SAME = 1e-6  # of a cell: far more than rounding, far less than the difference of two distances in a lattice


@dataclass(frozen=True)
class Sample:
    """One member: its nodes, and the edge of the octree's finest cells."""

    points: Array
    supports: Array
    levels: Array
    centres: Array
    edge: float


def finest_edge(points: Array, levels: Array) -> float:
    """Edge of the finest cells: least distance between two of their centres."""
    finest = points[levels == levels.max()]
    return float(cKDTree(finest).query(finest, k=2)[0][:, 1].min())


def samples(cell: Trace, unmoved: Trace) -> list[Sample]:
    """Every member of a run; `unmoved` is the run without repulsion, whose nodes are the cell centres."""
    found = []
    for own, plain in zip(nodes.last_frames(cell), nodes.last_frames(unmoved)):
        if not np.array_equal(own["node_levels"], plain["node_levels"]):
            raise MissingData(f"{cell.label}: other nodes than without repulsion")
        centres, levels = plain["node_rest_positions"], own["node_levels"]
        edge = finest_edge(centres, levels)
        found.append(Sample(own["node_rest_positions"], own["node_supports"], levels, centres, edge))
    return found


def octree_axes(sample: Sample) -> Array:
    """Three unit vectors, rows: from one finest cell to a neighbour, one normal to it, and their cross product."""
    finest = np.flatnonzero(sample.levels == sample.levels.max())
    tree = cKDTree(sample.centres[finest])
    first, second = tree.query_pairs(sample.edge * (1 + SAME), output_type="ndarray").T
    ways = (sample.centres[finest[second]] - sample.centres[finest[first]]) / sample.edge
    across = ways[np.abs(ways @ ways[0]) < SAME]
    if not len(across):
        raise MissingData("finest cells in one row: the octree's axes are not to be seen")
    return np.stack([ways[0], across[0], np.cross(ways[0], across[0])])


def cell_edges(sample: Sample) -> Array:
    """The edge of every node's cell."""
    return np.asarray(sample.edge * 2.0 ** (sample.levels.max() - sample.levels))


def adjacent(sample: Sample, faces: bool) -> Array:
    """Pairs of nodes [2, p], each in both orders, whose cells share a corner,
    or with `faces` part of a face."""
    edges = cell_edges(sample)
    centres = sample.centres @ octree_axes(sample).T
    tree, found = cKDTree(centres), []
    for edge in np.unique(edges):
        own = np.flatnonzero(edges == edge)
        reach = 0.5 * (edge + edges.max()) * (1 + SAME)
        near = cKDTree(centres[own]).sparse_distance_matrix(tree, reach, p=np.inf, output_type="ndarray")
        found.append(np.stack([own[near["i"]], near["j"].astype(int)]))
    i, j = np.concatenate(found, axis=1)
    gap = np.abs(centres[i] - centres[j]) - 0.5 * (edges[i] + edges[j])[:, None]
    keep = (gap < SAME * sample.edge).all(axis=1) & (i != j)
    if faces:
        keep &= (gap < -SAME * sample.edge).sum(axis=1) == 2
    return np.stack([i[keep], j[keep]])


def _is_thick(cell: Trace, edge: float) -> bool:
    """At least two finest cells thick."""
    body = cell.value("scene.parameters.body")
    ratio = {"block": 1.0, "ball": 1.0}.get(body, cell.number("thickness_ratio"))
    return body in SOLIDS and ratio * cell.number("length_m") >= 2 * edge


@dataclass(frozen=True)
class Worst:
    """Worst values over the nodes of one member."""

    is_thick: bool
    neighbours: int
    moment: float
    gradient: float
    singular: float
    four: float
    support_error: float
    outside: float


@lru_cache(maxsize=None)
def _cell_numbers(cell: Trace, unmoved: Trace) -> list[Worst]:
    faces = cell.value("scene.parameters.adjacency") == "faces"
    found = []
    for sample in samples(cell, unmoved):
        reach = cKDTree(sample.points).query(sample.points, k=5)[0][:, 4] * (1 + 1e-9)
        # Repulsion may move nodes of several cells into their common corner.
        reach = np.maximum(reach, SAME**2 * sample.edge)
        near = nodes.pairs(sample.points, np.maximum(sample.supports, reach))
        moment, gradient, count = nodes.conditions(sample.points, sample.supports, near)
        i, j = adjacent(sample, faces)
        farthest = np.zeros(len(sample.points))
        np.maximum.at(farthest, i, np.linalg.norm(sample.points[i] - sample.points[j], axis=1))
        has = farthest > 0
        error = np.abs(sample.supports[has] / (2 * farthest[has]) - 1).max()
        four = nodes.conditions(sample.points, reach, near)[1].max()
        found.append(
            Worst(
                _is_thick(cell, sample.edge),
                int(count.min()),
                float(moment.max()),
                float(gradient.max()),
                float(np.mean(~np.isfinite(gradient))),
                float(four),
                float(error),
                float(
                    (
                        np.abs((sample.points - sample.centres) @ octree_axes(sample).T).max(axis=1)
                        / cell_edges(sample)
                    ).max()
                ),
            )
        )
    return found


def _of(name: str, phrase: str) -> Quantity:
    return quantity(phrase)(lambda c, unmoved: np.array([getattr(w, name) for w in _cell_numbers(c, unmoved)]))


def _of_thick(name: str, phrase: str) -> Quantity:
    def found(cell: Trace, unmoved: Trace) -> dict[str, float]:
        members = enumerate(_cell_numbers(cell, unmoved))
        return {f"{cell.label}, placement {k}": getattr(w, name) for k, w in members if w.is_thick}

    return quantity(f"{phrase}, bodies two cells thick")(found)


@quantity("nodes per volume in the outer tenth of the half width relative to the inner half")
def surface_density(cell: Trace) -> Array:
    half = 0.5 * cell.number("length_m")
    ratios = []
    for arrays in nodes.last_frames(cell):
        depth = np.abs(arrays["node_rest_positions"]).max(axis=1) / half
        inner = (depth < 0.5).sum() / 0.5**3
        ratios.append(float((depth > 0.9).sum() / (1 - 0.9**3) / inner) if inner > 0 else np.inf)
    return np.array(ratios)


@quantity("sum of the masses 4/3 π h³ ρ as printed relative to ρV, blocks of both readings of 'adjacent'")
def printed_mass(cell: Trace) -> Array:
    volume = cell.number("length_m") ** 3
    return np.array([4 / 3 * np.pi * (a["node_supports"] ** 3).sum() / volume for a in nodes.last_frames(cell)])


UNMOVED = EVERY_RUN.where({"scene.parameters.repulsion_iterations": 0})
SAME_BODY = ("body", "thickness_ratio", "octree_levels", "adjacency")
ALL = EVERY_RUN.beside(UNMOVED, *SAME_BODY, says="")
BY_CORNERS, BY_FACES = (
    EVERY_RUN.where(adjacency=n, says=f"adjacent by {n}").beside(UNMOVED, *SAME_BODY, says="")
    for n in ("corners", "faces")
)
BLOCKS = EVERY_RUN.where(body="block", says="")

M.least("placements", quantity("placements of the octree")(lambda c: len(seeds(c))), EVERY_RUN)
M.largest(
    "support_error",
    _of(
        "support_error",
        "relative difference of a support from twice the distance to the farthest node of an adjacent cell",
    ),
    ALL,
)
M.largest(
    "way_in_cell",
    _of("outside", "offset of a node from its cell's centre along an axis relative to the cell's edge"),
    ALL,
)
for _name, _rows in (("corner", BY_CORNERS), ("face", BY_FACES)):
    M.least(f"{_name}_neighbours", _of_thick("neighbours", "nodes in a support, its own among them"), _rows)
    M.largest(f"{_name}_condition", _of_thick("moment", "condition number of a moment matrix M at a node"), _rows)
M.largest("corner_gradient_condition", _of_thick("gradient", "condition number of A of a nodal gradient"), BY_CORNERS)
M.largest("any_condition", _of("gradient", "condition number of the matrix A of a nodal gradient"), BY_CORNERS)
M.largest("singular_share", _of("singular", "share of the nodes of a body whose matrix A is singular"), BY_CORNERS)
M.least(
    "four_nearest_condition",
    _of_thick("four", "largest condition number of A with supports up to the fourth nearest node"),
    BY_CORNERS,
)
M.least("surface_density", surface_density, BLOCKS)
M.least("printed_mass_least", printed_mass, BLOCKS)
M.largest("printed_mass_largest", printed_mass, BLOCKS)
