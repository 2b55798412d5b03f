# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_cost: cost of surfels on the same nodes, against as many nodes."""

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, MissingData, Trace, quantity, rows
from .surfel_detail import BARE, has_surfels, last, node_motion, radius, surfel_count

M = Measures("pauly_et_al_2005/surfel_cost")
# Bounds on the ratio of nodes to surfels within which a block counts as having equally many of both.
AS_MANY = (0.75, 1.0)


def node_count(trace: Trace) -> int:
    """Nodes of the block."""
    return len(last(trace)["node_supports"])


def step_ms(trace: Trace) -> float:
    """Time of a whole step with its surfels: the fastest of all repeats, as every step does the same work and other
    load can only add time."""
    return trace.require_timing().minimum_ms


def by_size(data: ExperimentData, name: str) -> list[Trace]:
    """Cells of a row that have surfels, the fewest first."""
    cells = sorted(data.every(name=name, keep=has_surfels), key=surfel_count)
    if len(cells) < 2:
        raise MissingData(f"{M.experiment}: {name}: {len(cells)} sizes of surfels")
    return cells


def as_many_nodes(data: ExperimentData, surfels: Trace, name: str) -> Trace:
    """The block of row `name` that has about as many nodes as the other has surfels, and not more."""
    count = surfel_count(surfels)
    fits = [c for c in data.every(name=name) if AS_MANY[0] * count <= node_count(c) <= AS_MANY[1] * count]
    if not fits:
        raise MissingData(f"{M.experiment}: {name}: no block of about {count} nodes")
    return max(fits, key=node_count)


def cost_ratios(data: ExperimentData, name: str, nodes: str) -> list[tuple[int, float]]:
    """Number of surfels, and time per simulated second with them relative to a block with as many
    nodes."""
    found = []
    for cell in by_size(data, name):
        other = as_many_nodes(data, cell, nodes)
        seconds = [c.number("time_step_s") for c in (cell, other)]
        found.append((surfel_count(cell), step_ms(cell) / seconds[0] / (step_ms(other) / seconds[1])))
    return found


def _noted(ratios: list[tuple[int, float]], which: int) -> Measured:
    return Measured(ratios[which][1], ", ".join(f"{n:,} surfels: {ratio:.3g}" for n, ratio in ratios))


@quantity("largest displacement of a node, first to last frame", unit="m")
def _node_way(trace: Trace) -> float:
    frames = [arrays["positions"] for _, _, arrays in trace.frames()]
    return float(np.linalg.norm(frames[-1] - frames[0], axis=1).max())


@quantity("surfels per node")
def _surfels_per_node(trace: Trace) -> float:
    return surfel_count(trace) / node_count(trace)


@quantity("least-squares log-log slope of step time against number of surfels")
def _exponent(*blocks: Trace) -> float:
    if len({surfel_count(c) for c in blocks}) < 2:
        raise MissingData(f"{blocks[0].label}: one size of surface, expected at least two")
    logs = np.log([[surfel_count(c), step_ms(c)] for c in blocks])
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


RUNS = rows("cracked", "whole", "framewise", says="cracked and whole, carried in substeps or once a frame")
CRACKED = rows("cracked", says="cracked block").where(has_surfels, says="")
SIZES = rows("cracked", "whole", says="cracked and whole block").where(has_surfels, says="")

M.largest("node_motion", node_motion, RUNS.where(has_surfels, says="").beside(BARE, "method.name", says=""))
M.least("node_way", _node_way, RUNS)
M.only("surfels_per_node", _surfels_per_node, CRACKED.at_largest(surfel_count, says="finest surface"))
M.largest("exponent", _exponent, SIZES.by_row(), timing=True)


@M("surfel_growth")
def surfel_growth(data: ExperimentData) -> Measured:
    """Surfels of the finest surface relative to the coarsest, cracked block."""
    cells = by_size(data, "cracked")
    return Measured(surfel_count(cells[-1]) / surfel_count(cells[0]), ", ".join(f"{surfel_count(c):,}" for c in cells))


@M("cost_over_nodes", timing=True)
def cost_over_nodes(data: ExperimentData) -> Measured:
    """Time per simulated second with the finest surface, carried in every step, relative to a block with as
    many nodes instead of surfels."""
    return _noted(cost_ratios(data, "cracked", "nodes"), -1)


@M("coarsest_cost_over_nodes", timing=True)
def coarsest_cost_over_nodes(data: ExperimentData) -> Measured:
    """Time per simulated second with the coarsest surface, carried in every step, relative to a block with as
    many nodes instead of surfels."""
    return _noted(cost_ratios(data, "cracked", "nodes"), 0)


@M("framewise_cost_over_nodes", timing=True)
def framewise_cost_over_nodes(data: ExperimentData) -> Measured:
    """Time per simulated second with the finest surface, carried once in 1/25 s, relative to a block with as
    many nodes instead of surfels."""
    return _noted(cost_ratios(data, "framewise", "nodes_framewise"), -1)


@M("carrying_share", timing=True)
def carrying_share(data: ExperimentData) -> Measured:
    """Share of the finest surface in the time of a step carrying it: 1 − time without surfels / time with them."""
    bare = data.one(name="cracked", keep=lambda c: radius(c) == 0)
    shares = [(surfel_count(c), 1 - step_ms(bare) / step_ms(c)) for c in by_size(data, "cracked")]
    return _noted(shares, -1)
