# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/piece_counts: what resampling makes of a block in 1 to 216 pieces."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.moving_least_squares import stiffness_products
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import sampled_nodes as nodes
from .fragments import conditions, moments, operator, stable_step
from .resampling import density_at

EXPERIMENT = "pauly_et_al_2005/piece_counts"
LEAST_SUM = 10  # Ω_min
SHOWN = 2.2  # support over spacing of the figure
# DEVIATION [PKAGDG05] §4: clouds that are no octree have supports of 2.2 spacings where a declaration gives no
# others; twice the farthest sample of adjacent cells is 2 to 2√3 spacings, by what is called adjacent. Supports over
# spacing of twice the farthest sample of adjacent cells, cells of one size: neighbours by a face, an edge, a corner.
FACES, EDGES, CORNERS = 2.0, 2 * 2**0.5, 2 * 3**0.5


def piece_count(trace: Trace) -> int:
    """Pieces that the planes make of the block."""
    return int(trace.value("scene.parameters.pieces_across")) ** 3


def connected(arrays: dict[str, Array]) -> int:
    """Pieces that pairs with a weight hold together."""
    kept, count = arrays["pairs"][arrays["pair_weights"] > 0], len(arrays["node_rest_positions"])
    graph = coo_matrix((np.ones(len(kept)), kept.T), shape=(count, count))
    return int(connected_components(graph, directed=False)[0])


def growths(trace: Trace, passes: int) -> list[float]:
    """Nodes after so many passes over those at the start, of every member."""
    return [len(m[passes]["node_supports"]) / len(m[0]["node_supports"]) for m in nodes.frames(trace)]


def passes(trace: Trace) -> int:
    """Number of passes that every member has made."""
    return min(len(m) for m in nodes.frames(trace)) - 1


@lru_cache(maxsize=None)
def work(trace: Trace, frame: int) -> tuple[float, ...]:
    """Pairs that a second of motion reads at the stable step, 1/s, of every member in this frame."""
    return tuple(
        len(m[frame]["pairs"]) / stable_step(operator(trace, m[frame], stiffness_products)) for m in nodes.frames(trace)
    )


def ratio(trace: Trace) -> float:
    """Support over node spacing."""
    return float(trace.value("scene.parameters.support_ratio"))


def by_count(data: ExperimentData, support_ratio: float = SHOWN) -> list[Trace]:
    """The fewest pieces first, of one size of supports; MissingData without a whole block."""
    cells = sorted((c for c in data.every() if abs(ratio(c) - support_ratio) < 1e-9), key=piece_count)
    if not cells or piece_count(cells[0]) != 1 or len(cells) < 3:
        raise MissingData(f"{EXPERIMENT}: expected a whole block and at least two others")
    return cells


def groups(data: ExperimentData) -> list[list[Trace]]:
    """by_count of every size of supports that the text's rule may mean."""
    return [by_count(data, r) for r in sorted({ratio(c) for c in data.every()}) if r > FACES - 1e-9]


def finest(data: ExperimentData) -> list[Trace]:
    """The block in most pieces, for every such size of supports."""
    return [cells[-1] for cells in groups(data)]


def of_nodes(data: ExperimentData, count: int) -> list[Trace]:
    """The block in pieces of so many nodes, for every such size of supports."""
    found = [
        cell
        for cells in groups(data)
        for cell in cells
        if next(nodes.frames(cell))[0]["node_supports"].size == count * piece_count(cell)
    ]
    if not found:
        raise MissingData(f"{EXPERIMENT}: no block in pieces of {count} nodes")
    return found


def undersampled(trace: Trace, first: int, last: int) -> list[float]:
    """Share of nodes with Ω below 10, of every member in these frames. In full cuts Ω counts the nodes of the own
    piece in the support."""
    found = []
    for member in nodes.frames(trace):
        for arrays in member[first : last + 1]:
            kept = arrays["pairs"][arrays["pair_weights"] > 0]
            omega = 1 + np.bincount(kept[:, 0], minlength=len(arrays["node_supports"]))
            found.append(float((omega < LEAST_SUM).mean()))
    return found


@measurement("piece_counts.pieces", unit="1", experiment=EXPERIMENT)
def pieces(data: ExperimentData) -> Measured:
    """Least number of pieces that the pairs with a weight make of the block that is cut most, before anything is inserted."""
    return extremes.least({c: float(min(connected(m[0]) for m in nodes.frames(c))) for c in finest(data)})


@measurement("piece_counts.undersampled_at_8", unit="1", experiment=EXPERIMENT)
def undersampled_at_8(data: ExperimentData) -> Measured:
    """Least share of nodes with Ω below 10 in pieces of 8 nodes, before the first pass."""
    return extremes.least({c: min(undersampled(c, 0, 0)) for c in of_nodes(data, 8)})


def _left(data: ExperimentData, support_ratio: float) -> Measured:
    cells = [c for c in of_nodes(data, 8) if abs(ratio(c) - support_ratio) < 1e-9]
    return extremes.largest({c: max(undersampled(c, passes(c), passes(c))) for c in cells})


@measurement("piece_counts.left_by_faces", unit="1", experiment=EXPERIMENT)
def left_by_faces(data: ExperimentData) -> Measured:
    """Largest share of nodes with Ω below 10 after all passes, pieces of 8 nodes, supports of 2 spacings."""
    return _left(data, FACES)


@measurement("piece_counts.left_at_2_2", unit="1", experiment=EXPERIMENT)
def left_at_2_2(data: ExperimentData) -> Measured:
    """Largest share of nodes with Ω below 10 after all passes, pieces of 8 nodes, supports of 2.2 spacings."""
    return _left(data, SHOWN)


@measurement("piece_counts.left_by_edges", unit="1", experiment=EXPERIMENT)
def left_by_edges(data: ExperimentData) -> Measured:
    """Largest share of nodes with Ω below 10 after all passes, pieces of 8 nodes, supports of 2√2 spacings."""
    return _left(data, EDGES)


@measurement("piece_counts.left_by_corners", unit="1", experiment=EXPERIMENT)
def left_by_corners(data: ExperimentData) -> Measured:
    """Largest share of nodes with Ω below 10 after all passes, pieces of 8 nodes, supports of 2√3 spacings."""
    return _left(data, CORNERS)


@measurement("piece_counts.whole_growth", unit="1", experiment=EXPERIMENT)
def whole_growth(data: ExperimentData) -> Measured:
    """Nodes after all passes relative to the start, block without cracks, largest."""
    return extremes.largest({cells[0]: max(growths(cells[0], passes(cells[0]))) for cells in groups(data)})


@measurement("piece_counts.growth_at_27", unit="1", experiment=EXPERIMENT)
def growth_at_27(data: ExperimentData) -> Measured:
    """Nodes after the first pass relative to the start, largest, pieces of 27 nodes."""
    return extremes.largest({c: max(growths(c, 1)) for c in of_nodes(data, 27)})


@measurement("piece_counts.growth_at_8", unit="1", experiment=EXPERIMENT)
def growth_at_8(data: ExperimentData) -> Measured:
    """Nodes after the first pass relative to the start, least, pieces of 8 nodes."""
    return extremes.least({c: min(growths(c, 1)) for c in of_nodes(data, 8)})


@measurement("piece_counts.last_growth_at_8", unit="1", experiment=EXPERIMENT)
def last_growth_at_8(data: ExperimentData) -> Measured:
    """Nodes after all passes relative to the start, largest, pieces of 8 nodes."""
    return extremes.largest({c: max(growths(c, passes(c))) for c in of_nodes(data, 8)})


@measurement("piece_counts.least_rise", unit="1", experiment=EXPERIMENT)
def least_rise(data: ExperimentData) -> Measured:
    """Least rise of the growth of the first pass, in parts of the nodes, from one number of pieces to the next; mean of the clouds."""
    found: dict[Trace, float] = {}
    for cells in groups(data):
        mean = [float(np.mean(growths(c, 1))) for c in cells]
        found |= {cells[k + 1]: mean[k + 1] - mean[k] for k in range(len(cells) - 1)}
    return extremes.least(found)


@measurement("piece_counts.work_growth", unit="1", experiment=EXPERIMENT)
def work_growth(data: ExperimentData) -> Measured:
    """Pairs read per second of motion at the stable step, after the first pass relative to before, block in most
    pieces, least."""
    return extremes.least({c: float(min(np.array(work(c, 1)) / work(c, 0))) for c in finest(data)})


def _over_whole(data: ExperimentData, frame: int) -> Measured:
    return extremes.least({g[-1]: float(min(np.array(work(g[-1], frame)) / work(g[0], frame))) for g in groups(data)})


@measurement("piece_counts.cut_over_whole", unit="1", experiment=EXPERIMENT)
def cut_over_whole(data: ExperimentData) -> Measured:
    """Pairs read per second of motion before any insertion of nodes, block in most pieces relative to the whole one,
    least."""
    return _over_whole(data, 0)


@measurement("piece_counts.weighted_pair_growth", unit="1", experiment=EXPERIMENT)
def weighted_pair_growth(data: ExperimentData) -> Measured:
    """Pairs with a weight after the first pass relative to before, block in most pieces, least."""
    found = {}
    for cell in finest(data):
        kept = [[int((a["pair_weights"] > 0).sum()) for a in m[:2]] for m in nodes.frames(cell)]
        found[cell] = min(after / before for before, after in kept)
    return extremes.least(found)


def _worst_condition(trace: Trace, frame: int) -> float:
    return max(float(conditions(moments(m[frame])).max()) for m in nodes.frames(trace))


@measurement("piece_counts.cut_condition", unit="1", experiment=EXPERIMENT)
def cut_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a matrix A, infinite where a direction has no neighbours, block in most pieces, before the first pass."""
    return extremes.largest({c: _worst_condition(c, 0) for c in finest(data)})


def _resampled_condition(data: ExperimentData, least: float) -> Measured:
    cells = [c for c in finest(data) if ratio(c) > least - 1e-9]
    return extremes.largest({c: max(_worst_condition(c, k) for k in range(1, passes(c) + 1)) for c in cells})


@measurement("piece_counts.resampled_condition", unit="1", experiment=EXPERIMENT)
def resampled_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a matrix A after any pass, infinite where a direction has no neighbours, block in
    most pieces."""
    return _resampled_condition(data, FACES)


@measurement("piece_counts.wide_resampled_condition", unit="1", experiment=EXPERIMENT)
def wide_resampled_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a matrix A after any pass, supports of 2√2 spacings and more, block in most pieces."""
    return _resampled_condition(data, EDGES)


def inner_points(trace: Trace) -> Array:
    """Lattice points deeper than a support below the block's faces, where no kernel reaches out of the block."""
    length, side = (float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
    support = next(nodes.frames(trace))[0]["node_supports"].max()
    axes = [np.linspace(-0.5 + support / s, 0.5 - support / s, 9) * s for s in (length, side, side)]
    lattice = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(lattice + [0.5 * length, 0, 0])


@measurement("piece_counts.density_change", unit="1", experiment=EXPERIMENT)
def density_change(data: ExperimentData) -> Measured:
    """Largest relative change of the mean of Σ m w(|x − x_j|, h_j) by all passes, points deeper than a support,
    pieces of 8 nodes."""
    found = {}
    for cell in of_nodes(data, 8):
        points = inner_points(cell)
        means = [[density_at(points, a).mean() for a in (m[0], m[-1])] for m in nodes.frames(cell)]
        found[cell] = max(abs(float(after / before) - 1) for before, after in means)
    return extremes.largest(found)
