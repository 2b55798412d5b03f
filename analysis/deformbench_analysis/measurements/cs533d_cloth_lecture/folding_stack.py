# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/folding_stack: sweeps of impulses that folded layers need, and what is left without them."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/folding_stack"
CAP = "method.parameters.collision_sweeps"
THOUSAND, MANY = 1000, 20000
LOAD, LAYERS, ORDER = "scene.parameters.load_ratio", "scene.parameters.layers", "method.parameters.collision_order"
SWEEPS, ROUNDS, STOPPED, UNRESOLVED = 1, 4, 8, 9  # places in collision_counts


def count(trace: Trace, place: int) -> int:
    """One of the method's own counts of the step."""
    *_, (_, _, last) = trace.frames(names=["collision_counts"])
    return int(last["collision_counts"][place])


def crossings(trace: Trace, frame: int = -1) -> int:
    """Pairs of triangles that intersect, by exact signs."""
    return crossing_count(trace.values("frame", "positions")[frame], trace.scene("triangles"))


def capped(data: ExperimentData, cap: int) -> list[Trace]:
    """The runs with impulses alone, and at most so many sweeps."""
    return data.every(name="sweeps", where={CAP: cap})


@measurement("folding_stack.most_sweeps", unit="1", experiment=EXPERIMENT)
def most_sweeps(data: ExperimentData) -> Measured:
    """Most sweeps of impulses after which the judge sees no crossing at the end of the step, of all layers, loads and both orders."""
    found = {c: float(count(c, SWEEPS)) for c in capped(data, MANY) if crossings(c) == 0}
    return extremes.largest(found)


@measurement("folding_stack.most_sweeps_without_load", unit="1", experiment=EXPERIMENT)
def most_sweeps_without_load(data: ExperimentData) -> Measured:
    """Most sweeps of impulses after which the judge sees no crossing at the end of the step, of layers that fall without a load, and both
    orders."""
    return extremes.largest({c: float(count(c, SWEEPS)) for c in capped(data, MANY) if c.value(LOAD) == 0})


@measurement("folding_stack.crossings_after_thousand", unit="1", experiment=EXPERIMENT)
def crossings_after_thousand(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end of the step, by exact signs, after 1000 sweeps, of all layers, loads and orders."""
    return extremes.largest({c: float(crossings(c)) for c in capped(data, THOUSAND)})


@measurement("folding_stack.crossings_at_start", unit="1", experiment=EXPERIMENT)
def crossings_at_start(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect before the step."""
    return extremes.largest({c: float(crossings(c, 0)) for c in data.every()})


@measurement("folding_stack.unsaid_crossings", unit="1", experiment=EXPERIMENT)
def unsaid_crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end of a step of which the method says that nothing is unresolved."""
    return extremes.largest({c: float(crossings(c)) if count(c, UNRESOLVED) == 0 else 0.0 for c in data.every()})


@measurement("folding_stack.crossings_with_zones", unit="1", experiment=EXPERIMENT)
def crossings_with_zones(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end of the step with rigid impact zones and no sweep."""
    return extremes.largest({c: float(crossings(c)) for c in data.every(name="zones")})


@measurement("folding_stack.rounds_of_zones", unit="1", experiment=EXPERIMENT)
def rounds_of_zones(data: ExperimentData) -> Measured:
    """Most rounds of merging with rigid impact zones and no sweep."""
    return extremes.largest({c: float(count(c, ROUNDS)) for c in data.every(name="zones")})


@measurement("folding_stack.stopped_by_zones", unit="1", experiment=EXPERIMENT)
def stopped_by_zones(data: ExperimentData) -> Measured:
    """Most vertices that the fail-safe has stopped with rigid impact zones and no sweep."""
    return extremes.largest({c: float(count(c, STOPPED)) for c in data.every(name="zones")})


def growth(data: ExperimentData, load: float, order: str) -> float:
    """Slope of ln(sweeps) over ln(layers)."""
    cells = [c for c in capped(data, MANY) if c.value(LOAD) == load and c.value(ORDER) == order]
    layers = np.array([float(c.value(LAYERS)) for c in cells])
    if len(set(layers)) < 2:
        raise MissingData("fewer than two numbers of layers")
    return float(np.polyfit(np.log(layers), np.log([max(count(c, SWEEPS), 1) for c in cells]), 1)[0])


@measurement("folding_stack.growth_with_layers", unit="1", experiment=EXPERIMENT)
def growth_with_layers(data: ExperimentData) -> Measured:
    """Exponent of the number of sweeps in the number of layers under the heaviest plate, by a straight line through their
    logarithms; the smaller one of both orders."""
    heaviest = max(float(c.value(LOAD)) for c in capped(data, MANY))
    return extremes.least({order: growth(data, heaviest, order) for order in ("forward", "backward")})
