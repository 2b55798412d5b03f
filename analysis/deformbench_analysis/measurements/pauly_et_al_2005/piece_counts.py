# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/piece_counts: what resampling makes of a block in 1 to 216 pieces."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes
from .fragments import conditions, moments, operator, stable_step

EXPERIMENT = "pauly_et_al_2005/piece_counts"


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
    return tuple(len(m[frame]["pairs"]) / stable_step(operator(trace, m[frame])) for m in nodes.frames(trace))


def by_count(data: ExperimentData) -> list[Trace]:
    """The fewest pieces first; MissingData without a whole block."""
    cells = sorted(data.every(), key=piece_count)
    if piece_count(cells[0]) != 1 or len(cells) < 3:
        raise MissingData(f"{EXPERIMENT}: expected a whole block and at least two others")
    return cells


def _finest(data: ExperimentData) -> Trace:
    return by_count(data)[-1]


@measurement("piece_counts.pieces", unit="1", experiment=EXPERIMENT)
def pieces(data: ExperimentData) -> Measured:
    """Least number of pieces that the pairs with a weight make of the block that is cut most, before anything is inserted."""
    return extremes.least({_finest(data): float(min(connected(m[0]) for m in nodes.frames(_finest(data))))})


@measurement("piece_counts.whole_growth", unit="1", experiment=EXPERIMENT)
def whole_growth(data: ExperimentData) -> float:
    """Nodes after all passes over those at the start, block without cracks, largest."""
    cell = by_count(data)[0]
    return max(growths(cell, passes(cell)))


@measurement("piece_counts.growth_at_27", unit="1", experiment=EXPERIMENT)
def growth_at_27(data: ExperimentData) -> float:
    """Nodes after the first pass over those at the start, largest, pieces of 27 nodes."""
    return max(growths(_of_nodes(data, 27), 1))


@measurement("piece_counts.growth_at_8", unit="1", experiment=EXPERIMENT)
def growth_at_8(data: ExperimentData) -> float:
    """Nodes after the first pass over those at the start, least, pieces of 8 nodes."""
    return min(growths(_of_nodes(data, 8), 1))


@measurement("piece_counts.last_growth_at_8", unit="1", experiment=EXPERIMENT)
def last_growth_at_8(data: ExperimentData) -> float:
    """Nodes after all passes over those at the start, least, pieces of 8 nodes."""
    cell = _of_nodes(data, 8)
    return min(growths(cell, passes(cell)))


def _of_nodes(data: ExperimentData, count: int) -> Trace:
    for cell in data.every():
        if next(nodes.frames(cell))[0]["node_supports"].size == count * piece_count(cell):
            return cell
    raise MissingData(f"{EXPERIMENT}: no block in pieces of {count} nodes")


@measurement("piece_counts.least_rise", unit="1", experiment=EXPERIMENT)
def least_rise(data: ExperimentData) -> Measured:
    """Least rise of the growth of the first pass, in parts of the nodes, from one number of pieces to the next; mean of the clouds."""
    cells = by_count(data)
    mean = [float(np.mean(growths(c, 1))) for c in cells]
    return extremes.least({cells[k + 1]: mean[k + 1] - mean[k] for k in range(len(cells) - 1)})


@measurement("piece_counts.work_growth", unit="1", experiment=EXPERIMENT)
def work_growth(data: ExperimentData) -> float:
    """Pairs that a second of motion reads at the stable step, after the first pass over before it, block in most pieces, least."""
    return float(min(np.array(work(_finest(data), 1)) / work(_finest(data), 0)))


@measurement("piece_counts.work_over_whole", unit="1", experiment=EXPERIMENT)
def work_over_whole(data: ExperimentData) -> float:
    """Pairs that a second of motion reads at the stable step, after the first pass, block in most pieces over the whole block, least."""
    return float(min(np.array(work(_finest(data), 1)) / work(by_count(data)[0], 1)))


@measurement("piece_counts.cut_over_whole", unit="1", experiment=EXPERIMENT)
def cut_over_whole(data: ExperimentData) -> float:
    """Pairs that a second of motion reads at the stable step, before anything is inserted, block in most pieces over the whole block, least."""
    return float(min(np.array(work(_finest(data), 0)) / work(by_count(data)[0], 0)))


@measurement("piece_counts.pair_growth", unit="1", experiment=EXPERIMENT)
def pair_growth(data: ExperimentData) -> float:
    """Pairs that a step reads after the first pass over before it, block in most pieces, least."""
    return min(len(m[1]["pairs"]) / len(m[0]["pairs"]) for m in nodes.frames(_finest(data)))


def _worst_condition(trace: Trace, frame: int) -> float:
    return max(float(conditions(moments(m[frame])).max()) for m in nodes.frames(trace))


@measurement("piece_counts.cut_condition", unit="1", experiment=EXPERIMENT)
def cut_condition(data: ExperimentData) -> float:
    """Largest condition number of a matrix A, infinite where a direction has no neighbours, block in most pieces, before the first pass."""
    return _worst_condition(_finest(data), 0)


@measurement("piece_counts.resampled_condition", unit="1", experiment=EXPERIMENT)
def resampled_condition(data: ExperimentData) -> float:
    """Largest condition number of a matrix A, infinite where a direction has no neighbours, block in most pieces, after the first pass."""
    return _worst_condition(_finest(data), 1)
