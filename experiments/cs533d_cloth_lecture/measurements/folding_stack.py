# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/folding_stack: impulse sweeps that folded layers need, and the intersections
that remain."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows
from .crossings import crossing_count

M = Measures("cs533d_cloth_lecture/folding_stack")
THOUSAND, MANY = 1000, 20000
LOAD, LAYERS, ORDER = "scene.parameters.load_ratio", "scene.parameters.layers", "method.parameters.collision_order"
GAP = "scene.parameters.gap_share"
ORDERS = ("forward", "backward")
LONGEST_ROW = 20  # layers; more take too long to count
SLOW = 100  # sweeps; more count as slow
SWEEPS, ROUNDS, STOPPED, UNRESOLVED = 1, 4, 8, 9  # index in collision_counts


def count(trace: Trace, place: int) -> int:
    """One of the method's counts for the step."""
    *_, (_, _, last) = trace.frames(names=["collision_counts"])
    return int(last["collision_counts"][place])


def sweep_contacts(trace: Trace) -> Array:
    """Contacts that each sweep of the step has found."""
    *_, (_, _, last) = trace.frames(names=["sweep_contacts"])
    return np.asarray(last["sweep_contacts"])


def row_sweeps(layers: int, gap: float, load: float) -> int:
    """Sweeps of inelastic impulses, neighbour by neighbour from below, that a row of `layers` equal masses needs
    between a floor and a plate of `load` × their total mass until none passes its neighbour; `gap` between
    neighbours, relative to the plate's motion."""
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
    """Number of point–triangle and edge–edge pairs without common vertices in the whole scene: an upper bound
    for a pass."""
    triangles = trace.scene("triangles")
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    points = len(trace.scene("rest_positions"))
    uses = np.bincount(edges.ravel(), minlength=points)
    return int(
        points * len(triangles) - triangles.size + len(edges) * (len(edges) - 1) // 2 - (uses * (uses - 1) // 2).sum()
    )


@lru_cache(maxsize=None)
def crossings(trace: Trace, frame: int = -1) -> int:
    """Intersecting triangle pairs, by exact predicates."""
    return crossing_count(trace.values("frame", "positions")[frame], trace.scene("triangles"))


def layers(trace: Trace) -> int:
    """Number of layers."""
    return int(trace.value(LAYERS))


def load(trace: Trace) -> float:
    """Mass of the plate / mass of the layers."""
    return float(trace.value(LOAD))


def order(trace: Trace) -> str:
    """Order of the sweeps."""
    return str(trace.value(ORDER))


def counted(place: int, phrase: str) -> Quantity:
    """A count of the step."""
    return Quantity(lambda trace: float(count(trace, place)), phrase)


SWEEPS_NEEDED = counted(SWEEPS, "sweeps of impulses until no triangles intersect")
CROSSINGS = quantity("intersecting triangle pairs at the end of the step, by exact predicates")(crossings)


@quantity("sweeps of impulses until no triangles intersect, better order")
def _in_either_order(*runs: Trace) -> dict[str, float]:
    fewer = min(float(count(c, SWEEPS)) for c in runs)
    return {f"{layers(runs[0])} layers": fewer} if len(runs) == len(ORDERS) else {}


@quantity("pairs of triangles that intersect before the step")
def _crossings_at_start(trace: Trace) -> float:
    return float(crossings(trace, 0))


@quantity("intersecting triangle pairs after a step that the method reports as resolved")
def _unsaid_crossings(trace: Trace) -> float:
    return float(crossings(trace)) if count(trace, UNRESOLVED) == 0 else 0.0


@quantity("slope of ln(sweeps) against ln(layers), fitted to all runs")
def _growth(*runs: Trace) -> float:
    if len({layers(c) for c in runs}) < 2:
        raise MissingData("fewer than two numbers of layers")
    sweeps = np.log([max(count(c, SWEEPS), 1) for c in runs])
    return float(np.polyfit(np.log([float(layers(c)) for c in runs]), sweeps, 1)[0])


@quantity("contacts found by the second sweep relative to the first")
def _contacts_ratio(trace: Trace) -> Array:
    """Above 1 if resolving the first contacts caused others; empty if one sweep sufficed."""
    contacts = sweep_contacts(trace)
    return np.asarray(contacts[1:2] / contacts[0]) if len(contacts) > 1 else np.zeros(0)


@quantity("sweeps relative to a row of as many masses under the same plate")
def _sweeps_over_row(trace: Trace) -> float:
    """In the row, a mass meets only its neighbours."""
    return count(trace, SWEEPS) / row_sweeps(layers(trace), float(trace.value(GAP)), load(trace))


def is_resolved(trace: Trace) -> bool:
    """Nothing crosses at the end of the step."""
    return crossings(trace) == 0


def is_cloth(trace: Trace) -> bool:
    """Plates of at most the layers' mass."""
    return load(trace) <= 1


def is_pressed(trace: Trace) -> bool:
    """Under a plate."""
    return load(trace) > 0


def is_pressed_row(trace: Trace) -> bool:
    """≤ 20 layers, load above 1."""
    return load(trace) > 1 and layers(trace) <= LONGEST_ROW


ALL = rows("sweeps", says="all layers, loads and orders")
CAPPED, SHORT = (ALL.where(collision_sweeps=cap, says="") for cap in (MANY, THOUSAND))
RESOLVED = CAPPED.having(is_resolved, says="")
HEAVIEST = CAPPED.at_largest(load, says="heaviest plate")
ZONES = rows("zones", says="rigid impact zones, no sweep")

M.largest("most_sweeps", SWEEPS_NEEDED, RESOLVED)
M.largest("most_sweeps_of_cloth", SWEEPS_NEEDED, RESOLVED.where(is_cloth))
M.largest(
    "most_sweeps_in_either_order", _in_either_order, HEAVIEST.having(is_resolved, says="").grouped(layers, says="")
)
M.largest("crossings_after_thousand", CROSSINGS, SHORT.where(says="1000 sweeps"))
M.largest("crossings_at_start", _crossings_at_start)
M.largest("unsaid_crossings", _unsaid_crossings)
M.largest("crossings_with_zones", CROSSINGS, ZONES)
M.largest("rounds_of_zones", counted(ROUNDS, "rounds of merging"), ZONES)
M.largest("stopped_by_zones", counted(STOPPED, "vertices that the fail-safe has stopped"), ZONES)
M.least("growth_with_layers", _growth, HEAVIEST.grouped(order, says="both orders", each=ORDERS))
M.largest("contacts_ratio", _contacts_ratio, CAPPED.where(is_pressed))
M.largest("sweeps_over_row", _sweeps_over_row, CAPPED.where(is_pressed_row))


def beside_zones(data: ExperimentData, slow: int) -> dict[Trace, list[Trace]]:
    """Runs with sweeps in both orders, keyed by the rigid-zone run of the same stack.

    Only stacks that need more than `slow` sweeps."""
    found = {}
    for cell in ZONES.runs(data):
        beside = CAPPED.where({path: cell.value(path) for path in (LAYERS, LOAD)}).runs(data)
        if min(count(c, SWEEPS) for c in beside) > slow:
            found[cell] = beside
    return found


@M("pass_ratio")
def pass_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of rigid-zone passes to sweeps in the better order, final empty passes included, over stacks
    that need more than 100 sweeps."""
    found = {}
    for cell, beside in beside_zones(data, SLOW).items():
        found[cell] = (count(cell, ROUNDS) + 1) / (min(count(c, SWEEPS) for c in beside) + 1)
    return extremes.largest(found)


@M("work_ratio")
def work_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of zone passes × all pairs to contacts found by sweeps in the better order, over stacks that need
    more than 1000 sweeps.

    An upper bound: zones test at most all pairs per pass, sweeps at least the contacts that they find."""
    found = {}
    for cell, beside in beside_zones(data, THOUSAND).items():
        tested = min(int(sweep_contacts(c).sum()) for c in beside)
        found[cell] = (count(cell, ROUNDS) + 1) * all_pairs(cell) / tested
    return extremes.largest(found)
