# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_cost: ever more surfels on the same nodes, and as many nodes instead."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .surfel_detail import last, radius, surfel_count

EXPERIMENT = "pauly_et_al_2005/surfel_cost"
CARRIED = ("cracked", "whole", "framewise")
# Bounds on the ratio of nodes to surfels within which a block counts as having equally many of both.
AS_MANY = (0.75, 1.0)


def node_count(trace: Trace) -> int:
    """Nodes of the block."""
    return len(last(trace)["node_supports"])


def step_ms(trace: Trace) -> float:
    """Time of a whole step, surfels carried: the fastest of all repeats, as every step does the same work, and what
    else runs on the machine can only add time."""
    return trace.require_timing().minimum_ms


def by_size(data: ExperimentData, name: str) -> list[Trace]:
    """Cells of a row that have surfels, the fewest first."""
    cells = sorted((c for c in data.every(name=name) if radius(c) > 0), key=surfel_count)
    if len(cells) < 2:
        raise MissingData(f"{EXPERIMENT}: {name}: {len(cells)} sizes of surfels")
    return cells


def as_many_nodes(data: ExperimentData, surfels: Trace, name: str) -> Trace:
    """The block of row `name` that has about as many nodes as the other has surfels, and not more."""
    count = surfel_count(surfels)
    fits = [c for c in data.every(name=name) if AS_MANY[0] * count <= node_count(c) <= AS_MANY[1] * count]
    if not fits:
        raise MissingData(f"{EXPERIMENT}: {name}: no block of about {count} nodes")
    return max(fits, key=node_count)


def cost_ratios(data: ExperimentData, name: str, nodes: str) -> list[tuple[int, float]]:
    """Number of surfels, and time of a step with them over that of a block with as many nodes,
    per simulated second."""
    found = []
    for cell in by_size(data, name):
        other = as_many_nodes(data, cell, nodes)
        seconds = [float(c.value("scene.parameters.time_step_s")) for c in (cell, other)]
        found.append((surfel_count(cell), step_ms(cell) / seconds[0] / (step_ms(other) / seconds[1])))
    return found


def _noted(ratios: list[tuple[int, float]], which: int) -> Measured:
    return Measured(ratios[which][1], ", ".join(f"{n:,} surfels: {ratio:.3g}" for n, ratio in ratios))


@measurement("surfel_cost.node_motion", unit="m", experiment=EXPERIMENT)
def node_motion(data: ExperimentData) -> Measured:
    """Largest difference of a node's position at the end from that of the run without surfels; every number of surfels, cracked and
    whole, carried in every substep and once a frame."""
    found = {}
    for name in CARRIED:
        bare = [c for c in data.every(name=name) if radius(c) == 0]
        if len(bare) != 1:
            raise MissingData(f"{EXPERIMENT}: {name}: {len(bare)} runs without surfels, expected 1")
        reference = last(bare[0])["positions"]
        for cell in data.every(name=name):
            if radius(cell) > 0:
                found[cell] = float(np.abs(last(cell)["positions"] - reference).max())
    return extremes.largest(found)


@measurement("surfel_cost.node_way", unit="m", experiment=EXPERIMENT)
def node_way(data: ExperimentData) -> Measured:
    """Largest way of a node from the first frame to the last, least of all runs: that of a body that stands still says nothing."""
    found = {}
    for name in CARRIED:
        for cell in data.every(name=name):
            frames = [arrays["positions"] for _, _, arrays in cell.frames()]
            found[cell] = float(np.linalg.norm(frames[-1] - frames[0], axis=1).max())
    return extremes.least(found)


@measurement("surfel_cost.surfel_growth", unit="1", experiment=EXPERIMENT)
def surfel_growth(data: ExperimentData) -> Measured:
    """Surfels of the finest surface over those of the coarsest, cracked block."""
    cells = by_size(data, "cracked")
    return Measured(surfel_count(cells[-1]) / surfel_count(cells[0]), ", ".join(f"{surfel_count(c):,}" for c in cells))


@measurement("surfel_cost.surfels_per_node", unit="1", experiment=EXPERIMENT)
def surfels_per_node(data: ExperimentData) -> float:
    """Surfels over nodes of the finest surface, cracked block."""
    cell = by_size(data, "cracked")[-1]
    return surfel_count(cell) / node_count(cell)


@measurement("surfel_cost.exponent", unit="1", experiment=EXPERIMENT, timing=True)
def exponent(data: ExperimentData) -> Measured:
    """Largest slope of the logarithm of the time of a whole step over that of the number of surfels, least squares over the sizes;
    cracked and whole block."""
    found = {}
    for name in ("cracked", "whole"):
        cells = by_size(data, name)
        logs = np.log([[surfel_count(c), step_ms(c)] for c in cells])
        found[name] = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    return extremes.largest(found)


@measurement("surfel_cost.cost_over_nodes", unit="1", experiment=EXPERIMENT, timing=True)
def cost_over_nodes(data: ExperimentData) -> Measured:
    """Time for a simulated second of the block with the finest surface, carried in every step, over that of a block with as many nodes
    as that has surfels, and without surfels."""
    return _noted(cost_ratios(data, "cracked", "nodes"), -1)


@measurement("surfel_cost.coarsest_cost_over_nodes", unit="1", experiment=EXPERIMENT, timing=True)
def coarsest_cost_over_nodes(data: ExperimentData) -> Measured:
    """Time for a simulated second of the block with the coarsest surface, carried in every step, over that of a block with as many nodes as that
    has surfels, and without surfels."""
    return _noted(cost_ratios(data, "cracked", "nodes"), 0)


@measurement("surfel_cost.framewise_cost_over_nodes", unit="1", experiment=EXPERIMENT, timing=True)
def framewise_cost_over_nodes(data: ExperimentData) -> Measured:
    """Time for a simulated second of the block with the finest surface, carried once in 1/25 s, over that of a block with as many nodes as
    that has surfels, and without surfels."""
    return _noted(cost_ratios(data, "framewise", "nodes_framewise"), -1)


@measurement("surfel_cost.carrying_share", unit="1", experiment=EXPERIMENT, timing=True)
def carrying_share(data: ExperimentData) -> Measured:
    """What the finest surface takes of a step in which it is carried: one less the time without surfels over that with them."""
    bare = data.one(name="cracked", keep=lambda c: radius(c) == 0)
    shares = [(surfel_count(c), 1 - step_ms(bare) / step_ms(c)) for c in by_size(data, "cracked")]
    return _noted(shares, -1)
