# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/folding_stack: sweeps of impulses that folded layers need, and what is left
without them."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/folding_stack"
CAP = "method.parameters.collision_sweeps"
THOUSAND, MANY = 1000, 20000
LOAD, LAYERS, ORDER = "scene.parameters.load_ratio", "scene.parameters.layers", "method.parameters.collision_order"
GAP = "scene.parameters.gap_share"
LONGEST_ROW = 20  # layers; more take too long to count
SLOW = 100  # sweeps: where impulses are slow
SWEEPS, ROUNDS, STOPPED, UNRESOLVED = 1, 4, 8, 9  # places in collision_counts


def count(trace: Trace, place: int) -> int:
    """One of the method's own counts of the step."""
    *_, (_, _, last) = trace.frames(names=["collision_counts"])
    return int(last["collision_counts"][place])


def sweep_contacts(trace: Trace) -> Array:
    """Contacts that each sweep of the step has found."""
    *_, (_, _, last) = trace.frames(names=["sweep_contacts"])
    return np.asarray(last["sweep_contacts"])


def row_sweeps(layers: int, gap: float, load: float) -> int:
    """Sweeps of inelastic impulses, neighbour by neighbour from below, that a row of `layers` equal masses needs
    between a floor and a plate of `load` times their mass until none passes its neighbour: `gap` between all,
    over the motion of the plate in the step."""
    heights = [gap * k for k in range(layers + 2)]
    mobility = [0.0] + [1.0] * layers + [1.0 / (load * layers)]
    motion = [0.0] * (layers + 1) + [-1.0]
    sweeps = 0
    while True:
        found = False
        for below in range(layers + 1):
            approach = motion[below] - motion[below + 1]
            if approach > 0.0 and approach >= heights[below + 1] - heights[below]:
                found = True
                impulse = approach / (mobility[below] + mobility[below + 1])
                motion[below] -= mobility[below] * impulse
                motion[below + 1] += mobility[below + 1] * impulse
        if not found:
            return sweeps
        sweeps += 1


def all_pairs(trace: Trace) -> int:
    """Points with triangles and edges with edges of the whole scene, those with common vertices left out: no pass
    over the pairs can test more."""
    triangles = trace.scene("triangles")
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    points = len(trace.scene("rest_positions"))
    uses = np.bincount(edges.ravel(), minlength=points)
    return int(
        points * len(triangles) - triangles.size + len(edges) * (len(edges) - 1) // 2 - (uses * (uses - 1) // 2).sum()
    )


def crossings(trace: Trace, frame: int = -1) -> int:
    """Pairs of triangles that intersect, by exact signs."""
    return crossing_count(trace.values("frame", "positions")[frame], trace.scene("triangles"))


def capped(data: ExperimentData, cap: int) -> list[Trace]:
    """The runs with impulses alone, and at most so many sweeps."""
    return data.every(name="sweeps", where={CAP: cap})


@measurement("folding_stack.most_sweeps", unit="1", experiment=EXPERIMENT)
def most_sweeps(data: ExperimentData) -> Measured:
    """Most sweeps of impulses after which the judge sees no crossing at the end of the step, of all layers, loads and
    both orders."""
    found = {c: float(count(c, SWEEPS)) for c in capped(data, MANY) if crossings(c) == 0}
    return extremes.largest(found)


@measurement("folding_stack.most_sweeps_of_cloth", unit="1", experiment=EXPERIMENT)
def most_sweeps_of_cloth(data: ExperimentData) -> Measured:
    """Most sweeps of impulses until no triangles intersect, layers that fall alone or under a plate of at most their
    mass, both orders."""
    cells = [c for c in capped(data, MANY) if float(c.value(LOAD)) <= 1 and crossings(c) == 0]
    return extremes.largest({c: float(count(c, SWEEPS)) for c in cells})


@measurement("folding_stack.most_sweeps_in_either_order", unit="1", experiment=EXPERIMENT)
def most_sweeps_in_either_order(data: ExperimentData) -> Measured:
    """Sweeps of impulses until no triangles intersect: smaller count of both orders, maximum over layers under the
    heaviest plate."""
    heaviest = max(float(c.value(LOAD)) for c in capped(data, MANY))
    found: dict[str, list[float]] = {}
    for cell in capped(data, MANY):
        if float(cell.value(LOAD)) == heaviest and crossings(cell) == 0:
            found.setdefault(f"{cell.value(LAYERS)} layers", []).append(float(count(cell, SWEEPS)))
    return extremes.largest({stack: min(counts) for stack, counts in found.items() if len(counts) == 2})


@measurement("folding_stack.crossings_after_thousand", unit="1", experiment=EXPERIMENT)
def crossings_after_thousand(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end of the step, by exact signs, after 1000 sweeps, of all layers,
    loads and orders."""
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
    """Exponent of the number of sweeps in the number of layers under the heaviest plate, by a straight line through
    their logarithms; the smaller one of both orders."""
    heaviest = max(float(c.value(LOAD)) for c in capped(data, MANY))
    return extremes.least({order: growth(data, heaviest, order) for order in ("forward", "backward")})


@measurement("folding_stack.contacts_ratio", unit="1", experiment=EXPERIMENT)
def contacts_ratio(data: ExperimentData) -> Measured:
    """Contacts that the second sweep finds over those of the first, under a plate, largest of all layers, loads and
    orders: above one, what the first has fixed has caused others."""
    found = {}
    for cell in capped(data, MANY):
        contacts = sweep_contacts(cell)
        if float(cell.value(LOAD)) > 0 and len(contacts) > 1:
            found[cell] = float(contacts[1] / contacts[0])
    return extremes.largest(found)


@measurement("folding_stack.sweeps_over_row", unit="1", experiment=EXPERIMENT)
def sweeps_over_row(data: ExperimentData) -> Measured:
    """Sweeps that nothing crosses after over those of a one-dimensional row of as many masses under the same plate, in
    which a mass meets its neighbours alone; largest of all plates heavier than the layers, of both orders and up to 20 layers.
    """
    found = {}
    for cell in capped(data, MANY):
        layers, load = int(cell.value(LAYERS)), float(cell.value(LOAD))
        if load > 1 and layers <= LONGEST_ROW:
            found[cell] = count(cell, SWEEPS) / row_sweeps(layers, float(cell.value(GAP)), load)
    return extremes.largest(found)


def beside_zones(data: ExperimentData, slow: int) -> dict[Trace, list[Trace]]:
    """Runs with sweeps, in both orders, by the run with rigid zones of the same stack.

    Only stacks that need more than `slow` sweeps.
    """
    found = {}
    for cell in data.every(name="zones"):
        stack = {path: cell.value(path) for path in (LAYERS, LOAD)}
        beside = data.every(name="sweeps", where={**stack, CAP: MANY})
        if min(count(c, SWEEPS) for c in beside) > slow:
            found[cell] = beside
    return found


@measurement("folding_stack.pass_ratio", unit="1", experiment=EXPERIMENT)
def pass_ratio(data: ExperimentData) -> Measured:
    """Passes over the pairs that rigid zones take until nothing is left, over those of sweeps in the better order:
    rounds and sweeps, each with a last one that finds nothing; largest of all stacks that need more than 100
    sweeps."""
    found = {}
    for cell, beside in beside_zones(data, SLOW).items():
        found[cell] = (count(cell, ROUNDS) + 1) / (min(count(c, SWEEPS) for c in beside) + 1)
    return extremes.largest(found)


@measurement("folding_stack.work_ratio", unit="1", experiment=EXPERIMENT)
def work_ratio(data: ExperimentData) -> Measured:
    """Pairs that rigid zones can have tested at most, all pairs of the scene in every pass, over those that sweeps
    have tested at least, the contacts that they have found, in the better order; largest of all stacks that
    need more than 1000 sweeps."""
    found = {}
    for cell, beside in beside_zones(data, THOUSAND).items():
        tested = min(int(sweep_contacts(c).sum()) for c in beside)
        found[cell] = (count(cell, ROUNDS) + 1) * all_pairs(cell) / tested
    return extremes.largest(found)
