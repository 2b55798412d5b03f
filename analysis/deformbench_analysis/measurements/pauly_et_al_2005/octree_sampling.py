# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/octree_sampling: supports, neighbours and moment matrices of nodes in the cells of an octree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes

EXPERIMENT = "pauly_et_al_2005/octree_sampling"
SOLIDS = ("block", "slab", "rod", "ball", "torus")  # of a thickness that is the same all over
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
    """The edge of the finest cells: the least distance of two centres of them."""
    finest = points[levels == levels.max()]
    return float(cKDTree(finest).query(finest, k=2)[0][:, 1].min())


def _partner(data: ExperimentData, cell: Trace) -> Trace:
    same = ("body", "thickness_ratio", "octree_levels", "adjacency")
    where = {f"scene.parameters.{n}": cell.value(f"scene.parameters.{n}") for n in same}
    return data.one(where={**where, "scene.parameters.repulsion_iterations": 0})


def samples(cell: Trace, unmoved: Trace) -> list[Sample]:
    """Every member of a cell; `unmoved` is the same without repulsion, whose nodes are the centres of the cells."""
    found = []
    for own, plain in zip(nodes.last_frames(cell), nodes.last_frames(unmoved)):
        if not np.array_equal(own["node_levels"], plain["node_levels"]):
            raise MissingData(f"{cell.label}: other nodes than without repulsion")
        centres, levels = plain["node_rest_positions"], own["node_levels"]
        edge = finest_edge(centres, levels)
        found.append(Sample(own["node_rest_positions"], own["node_supports"], levels, centres, edge))
    return found


def octree_axes(sample: Sample) -> Array:
    """Three unit vectors, rows: the way from one finest cell to the next, one across it, and their cross product."""
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
    """Pairs of nodes [2, p], each in both orders, whose cells have a corner in common, or with `faces` a part of a face."""
    edges = cell_edges(sample)
    centres = sample.centres @ octree_axes(sample).T
    found = []
    for edge in np.unique(edges):
        own = np.flatnonzero(edges == edge)
        reach = 0.5 * (edge + edges.max()) * (1 + SAME)
        near = cKDTree(centres[own]).query_ball_tree(cKDTree(centres), reach, p=np.inf)
        i = np.repeat(own, [len(n) for n in near])
        found.append(np.stack([i, np.concatenate(near).astype(int)]))
    i, j = np.concatenate(found, axis=1)
    gap = np.abs(centres[i] - centres[j]) - 0.5 * (edges[i] + edges[j])[:, None]
    keep = (gap < SAME * sample.edge).all(axis=1) & (i != j)
    if faces:
        keep &= (gap < -SAME * sample.edge).sum(axis=1) == 2
    return np.stack([i[keep], j[keep]])


def _is_thick(cell: Trace, edge: float) -> bool:
    """At least two finest cells thick all over."""
    body = cell.value("scene.parameters.body")
    ratio = {"block": 1.0, "ball": 1.0}.get(body, float(cell.value("scene.parameters.thickness_ratio")))
    return body in SOLIDS and ratio * float(cell.value("scene.parameters.length_m")) >= 2 * edge


@dataclass(frozen=True)
class Worst:
    """Of the nodes of one member."""

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
        moment, gradient, count = nodes.conditions(sample.points, sample.supports)
        reach = cKDTree(sample.points).query(sample.points, k=5)[0][:, 4] * (1 + 1e-9)
        # Repulsion may leave nodes of several cells in the corner that the cells have in common.
        reach = np.maximum(reach, SAME**2 * sample.edge)
        i, j = adjacent(sample, faces)
        farthest = np.zeros(len(sample.points))
        np.maximum.at(farthest, i, np.linalg.norm(sample.points[i] - sample.points[j], axis=1))
        has = farthest > 0
        error = np.abs(sample.supports[has] / (2 * farthest[has]) - 1).max()
        four = nodes.conditions(sample.points, reach)[1].max()
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


def _numbers(data: ExperimentData, **where: object) -> dict[Trace, list[Worst]]:
    cells = data.every(where={f"scene.parameters.{k}": v for k, v in where.items()})
    return {c: _cell_numbers(c, _partner(data, c)) for c in cells}


def _thick(data: ExperimentData, adjacency: str) -> dict[str, Worst]:
    found = {
        f"{cell.label}, placement {k}": worst
        for cell, members in _numbers(data, adjacency=adjacency).items()
        for k, worst in enumerate(members)
        if worst.is_thick
    }
    if not found:
        raise MissingData(f"no body two cells thick with adjacency {adjacency}")
    return found


@measurement("octree_sampling.placements", unit="1", experiment=EXPERIMENT)
def placements(data: ExperimentData) -> Measured:
    """Least number of ways in which the octree stands to a body."""
    return extremes.least({c: float(len(nodes.members(c))) for c in data.every()})


@measurement("octree_sampling.support_error", unit="1", experiment=EXPERIMENT)
def support_error(data: ExperimentData) -> Measured:
    """Largest relative difference of a support from twice the distance to the farthest node of an adjacent cell, cells rebuilt from
    the centres; nodes with an adjacent one."""
    return extremes.largest({c: max(w.support_error for w in members) for c, members in _numbers(data).items()})


@measurement("octree_sampling.way_in_cell", unit="1", experiment=EXPERIMENT)
def way_in_cell(data: ExperimentData) -> Measured:
    """Largest way of a node from the centre of its cell along an axis, over the edge of the cell: within the cell up to a half."""
    return extremes.largest({c: max(w.outside for w in members) for c, members in _numbers(data).items()})


@measurement("octree_sampling.corner_neighbours", unit="1", experiment=EXPERIMENT)
def corner_neighbours(data: ExperimentData) -> Measured:
    """Least number of nodes in a support, its own among them; bodies at least two cells thick, adjacent by corners."""
    return extremes.least({k: float(w.neighbours) for k, w in _thick(data, "corners").items()})


@measurement("octree_sampling.corner_condition", unit="1", experiment=EXPERIMENT)
def corner_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a moment matrix M at a node, lengths in supports, infinite where singular; bodies at least two cells
    thick, adjacent by corners."""
    return extremes.largest({k: w.moment for k, w in _thick(data, "corners").items()})


@measurement("octree_sampling.corner_gradient_condition", unit="1", experiment=EXPERIMENT)
def corner_gradient_condition(data: ExperimentData) -> Measured:
    """Largest condition number of the matrix A of a nodal gradient; bodies at least two cells thick, adjacent by corners."""
    return extremes.largest({k: w.gradient for k, w in _thick(data, "corners").items()})


@measurement("octree_sampling.face_neighbours", unit="1", experiment=EXPERIMENT)
def face_neighbours(data: ExperimentData) -> Measured:
    """Least number of nodes in a support, its own among them; bodies at least two cells thick, adjacent by faces."""
    return extremes.least({k: float(w.neighbours) for k, w in _thick(data, "faces").items()})


@measurement("octree_sampling.face_condition", unit="1", experiment=EXPERIMENT)
def face_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a moment matrix M at a node; bodies at least two cells thick, adjacent by faces."""
    return extremes.largest({k: w.moment for k, w in _thick(data, "faces").items()})


@measurement("octree_sampling.any_condition", unit="1", experiment=EXPERIMENT)
def any_condition(data: ExperimentData) -> Measured:
    """Largest condition number of the matrix A of a nodal gradient, infinite where singular; every body, adjacent by corners."""
    found = _numbers(data, adjacency="corners")
    return extremes.largest({c: max(w.gradient for w in members) for c, members in found.items()})


@measurement("octree_sampling.singular_share", unit="1", experiment=EXPERIMENT)
def singular_share(data: ExperimentData) -> Measured:
    """Largest share of the nodes of a body whose matrix A is singular, adjacent by corners."""
    found = _numbers(data, adjacency="corners")
    return extremes.largest({c: max(w.singular for w in members) for c, members in found.items()})


@measurement("octree_sampling.four_nearest_condition", unit="1", experiment=EXPERIMENT)
def four_nearest_condition(data: ExperimentData) -> Measured:
    """Least of all placements of the largest condition number of A where supports end behind the fourth nearest node; bodies at least
    two cells thick."""
    return extremes.least({k: w.four for k, w in _thick(data, "corners").items()})


@measurement("octree_sampling.surface_density", unit="1", experiment=EXPERIMENT)
def surface_density(data: ExperimentData) -> Measured:
    """Nodes per volume in the outer tenth of the half width over those in the inner half, block, least of all placements."""
    found = {}
    for cell in data.every(where={"scene.parameters.body": "block"}):
        half = 0.5 * float(cell.value("scene.parameters.length_m"))
        ratios = []
        for arrays in nodes.last_frames(cell):
            depth = np.abs(arrays["node_rest_positions"]).max(axis=1) / half
            inner = (depth < 0.5).sum() / 0.5**3
            ratios.append(float((depth > 0.9).sum() / (1 - 0.9**3) / inner) if inner > 0 else np.inf)
        found[cell] = min(ratios)
    return extremes.least(found)


def _printed_masses(data: ExperimentData) -> dict[Trace, list[float]]:
    """Σ 4/3 π h³ over the volume, of every placement; blocks."""
    return {
        cell: [
            float(
                4
                / 3
                * np.pi
                * (arrays["node_supports"] ** 3).sum()
                / float(cell.value("scene.parameters.length_m")) ** 3
            )
            for arrays in nodes.last_frames(cell)
        ]
        for cell in data.every(where={"scene.parameters.body": "block"})
    }


@measurement("octree_sampling.printed_mass_least", unit="1", experiment=EXPERIMENT)
def printed_mass_least(data: ExperimentData) -> Measured:
    """Sum of the masses 4/3 π h³ ρ as printed over ρV, block, least of all placements, both readings of 'adjacent'."""
    return extremes.least({c: min(found) for c, found in _printed_masses(data).items()})


@measurement("octree_sampling.printed_mass_largest", unit="1", experiment=EXPERIMENT)
def printed_mass_largest(data: ExperimentData) -> Measured:
    """Sum of the masses 4/3 π h³ ρ as printed over ρV, block, largest of all placements, both readings of 'adjacent'."""
    return extremes.largest({c: max(found) for c, found in _printed_masses(data).items()})
