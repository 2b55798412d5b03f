# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/event_duality: what events do to fronts and their ends, counted in the stored geometry step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import (
    CROSSING,
    END_RUN,
    FORCED,
    INITIATION,
    MERGE,
    NO_END,
    ON_BODY,
    SPLIT,
    TERMINATION,
    Frame,
    frames,
    fronts,
    meets,
    outside_distance,
    seeds,
    swept,
)

EXPERIMENT = "pauly_et_al_2005/event_duality"
FACETS = 0.2  # of a surfel's radius: the facets of the balls lie up to a seventh within their closed form
POINTS = 300  # of every member's last state


def surfel_radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def shape_of(arrays: Frame) -> dict[int, bool]:
    """Fronts of a state, and whether each is open."""
    return {front.id: not front.closed for front in fronts(arrays)}


def is_sound(trace: Trace, arrays: Frame) -> bool:
    """Whether fronts are what they are said to be: the last node of a closed one is next to the first, and the ends of an open one that lie on the
    body are on its surface."""
    radius = surfel_radius(trace)
    for front in fronts(arrays):
        if front.closed and front.gaps[-1] > 2 * radius:
            return False
        on_body = np.array([place for place, sheet in front.ends if sheet == ON_BODY]).reshape(-1, 3)
        if (np.abs(outside_distance(trace, on_body)) > FACETS * radius).any():
            return False
    return True


def ends_of(arrays: Frame) -> int:
    """Number of nodes at which a front ends."""
    return int((arrays["front_ids"][:, 4] != NO_END).sum()) if len(arrays["front_ids"]) else 0


def replayed(before: dict[int, bool], events: Array, after: dict[int, bool]) -> dict[int, bool]:
    """Which fronts there are after events, and which are open, by the duality alone: a split makes two ends, a merge takes two. Whether a front
    that starts is open is taken from the state `after`."""
    now = dict(before)
    for _, kind, a, b, c, d, cause in events.tolist():
        if kind == TERMINATION:
            now.pop(a, None)
        elif kind == SPLIT:
            # A closed front opens, or an open one becomes two; pieces of one step share the name of what they came from.
            now[c] = now[d] = True
        elif kind == MERGE:
            now.pop(b, None)
            now[c] = cause != 1
        elif kind == CROSSING:
            was = now.get(a, False), now.get(b, False)
            now.pop(b, None)
            now[c] = was[0] or (b >= 0 and was[1])
            if d >= 0:
                now[d] = b >= 0 and was[1]
        elif kind == INITIATION:
            now[c] = after.get(c, False)
        elif kind not in (END_RUN, FORCED):
            raise MissingData(f"an event of the unknown kind {kind}")
    return now


def nearest_ends(arrays: Frame) -> float:
    """Least distance of ends of different fronts that lie on one surface, m; infinite where there are no two."""
    all_ends = [(front.id, place, sheet) for front in fronts(arrays) for place, sheet in front.ends]
    return min(
        (
            float(np.linalg.norm(p - q))
            for k, (a, p, on_a) in enumerate(all_ends)
            for b, q, on_b in all_ends[:k]
            if a != b and on_a == on_b
        ),
        default=np.inf,
    )


@dataclass
class State:
    """Which fronts there are after a step, and which are open; their ends, how near those of different fronts are, their cracks, and the step's
    events."""

    shape: dict[int, bool]
    is_sound: bool
    ends: int
    apart: float
    cracks: dict[int, set[int]]  # by front
    events: Array


@lru_cache(maxsize=None)
def members(trace: Trace) -> tuple[list[State], ...]:
    """All states of every member, in their order; read once."""
    found = []
    for member in seeds(trace):
        states: list[State] = []
        known = 0
        for _, _, arrays in frames(trace, member, ["front_nodes", "crack_events"]):
            events = np.asarray(arrays["crack_events"])
            cracks = {front.id: set(front.cracks.tolist()) for front in fronts(arrays)}
            states.append(
                State(
                    shape_of(arrays),
                    is_sound(trace, arrays),
                    ends_of(arrays),
                    nearest_ends(arrays),
                    cracks,
                    events[known:],
                )
            )
            known = len(events)
        found.append(states)
    return tuple(found)


def steps(trace: Trace) -> Iterator[tuple[State, State]]:
    """States that follow each other, of all members."""
    for states in members(trace):
        yield from zip(states, states[1:])


def kinds(state: State) -> list[int]:
    """Of the events of a state's step, those that change fronts."""
    return [k for k in state.events[:, 1].tolist() if k not in (END_RUN, FORCED)]


def gains(trace: Trace, kind: int) -> list[int]:
    """Changes of the number of ends in steps that have one event of this kind and, but for end runs, no other."""
    return [after.ends - before.ends for before, after in steps(trace) if kinds(after) == [kind]]


def worst_gain(data: ExperimentData, kind: int, expected: int) -> Measured:
    """Largest deviation from the expected change."""
    found = {c: gains(c, kind) for c in data.every()}
    return extremes.largest({c: float(max(abs(g - expected) for g in some)) for c, some in found.items() if some})


@measurement("event_duality.unexplained", unit="1", experiment=EXPERIMENT)
def unexplained(data: ExperimentData) -> float:
    """Number of steps after which the fronts that there are, and which of them are open, are not what the state before and the events give, where a
    split makes two ends and a merge takes two."""
    return float(sum(replayed(a.shape, b.events, b.shape) != b.shape for c in data.every() for a, b in steps(c)))


@measurement("event_duality.forced", unit="1", experiment=EXPERIMENT)
def forced(data: ExperimentData) -> float:
    """Number of events in which the rules found no legal state and nodes were left where they were."""
    return float(sum((b.events[:, 1] == FORCED).sum() for c in data.every() for _, b in steps(c)))


@measurement("event_duality.unmerged", unit="1", experiment=EXPERIMENT)
def unmerged(data: ExperimentData) -> float:
    """Share of the states with snapping in which ends of two fronts on one surface lie nearer to each other than the snapping distance, one radius
    of a surfel."""
    cells = [c for c in data.every() if c.value("method.parameters.crack_snapping")]
    near = [state.apart < surfel_radius(c) for c in cells for member in members(c) for state in member]
    return float(np.mean(near))


@measurement("event_duality.split_error", unit="1", experiment=EXPERIMENT)
def split_error(data: ExperimentData) -> Measured:
    """Largest deviation from two more ends of fronts after a step with one split and no other event."""
    return worst_gain(data, SPLIT, 2)


@measurement("event_duality.merge_error", unit="1", experiment=EXPERIMENT)
def merge_error(data: ExperimentData) -> Measured:
    """Largest deviation from two ends fewer after a step with one merge and no other event."""
    return worst_gain(data, MERGE, -2)


@measurement("event_duality.lone_splits", unit="1", experiment=EXPERIMENT)
def lone_splits(data: ExperimentData) -> float:
    """Number of steps with one split and no other event."""
    return float(sum(len(gains(c, SPLIT)) for c in data.every()))


@measurement("event_duality.lone_merges", unit="1", experiment=EXPERIMENT)
def lone_merges(data: ExperimentData) -> float:
    """Number of steps with one merge and no other event."""
    return float(sum(len(gains(c, MERGE)) for c in data.every()))


def starts_or_terminations(trace: Trace, kind: int) -> Iterator[tuple[State, State, set[int]]]:
    """States about steps that have initiations alone, or terminations alone, and the fronts that the events name."""
    column = 4 if kind == INITIATION else 2
    for before, after in steps(trace):
        if set(kinds(after)) == {kind}:
            rows = after.events[after.events[:, 1] == kind]
            yield before, after, set(rows[:, column].tolist())


def adds(few: State, many: State, named: set[int]) -> bool:
    """Whether the fronts and ends of one state are those of another and the fronts named, each with two ends where it is open, and no others."""
    rest = {front: is_open for front, is_open in many.shape.items() if front not in named}
    added = [is_open for front, is_open in many.shape.items() if front in named]
    return rest == few.shape and len(added) == len(named) and many.ends - few.ends == 2 * sum(added)


@measurement("event_duality.wrong_starts", unit="1", experiment=EXPERIMENT)
def wrong_starts(data: ExperimentData) -> float:
    """Number of steps with initiations alone after which there is not one front more for each, of no ends if it is closed and of two if it is
    open, and all others as they were."""
    every = (pair for c in data.every() for pair in starts_or_terminations(c, INITIATION))
    return float(sum(not adds(before, after, named) for before, after, named in every))


@measurement("event_duality.wrong_terminations", unit="1", experiment=EXPERIMENT)
def wrong_terminations(data: ExperimentData) -> float:
    """Number of steps with terminations alone after which there is not one front less for each, with its ends, and all others as they were."""
    every = (pair for c in data.every() for pair in starts_or_terminations(c, TERMINATION))
    return float(sum(not adds(after, before, named) for before, after, named in every))


def least_of_both(data: ExperimentData, kind: int) -> Measured:
    """How many closed fronts, and how many open ones, have started or ended in steps with this kind alone: the smaller number."""
    counts = Counter({"closed": 0, "open": 0})
    for cell in data.every():
        for before, after, named in starts_or_terminations(cell, kind):
            shape = after.shape if kind == INITIATION else before.shape
            counts.update("open" if shape[front] else "closed" for front in named if front in shape)
    return extremes.least({name: float(count) for name, count in counts.items()})


@measurement("event_duality.lone_starts", unit="1", experiment=EXPERIMENT)
def lone_starts(data: ExperimentData) -> Measured:
    """How many closed fronts, and how many open ones, started in steps with initiations alone: the smaller number."""
    return least_of_both(data, INITIATION)


@measurement("event_duality.lone_terminations", unit="1", experiment=EXPERIMENT)
def lone_terminations(data: ExperimentData) -> Measured:
    """How many closed fronts, and how many open ones, ended in steps with terminations alone: the smaller number."""
    return least_of_both(data, TERMINATION)


TYPES = {
    (SPLIT, -1, 1): "a closed front opens",
    (SPLIT, 0, 1): "an open front becomes two",
    (MERGE, 0, -1): "two open fronts become one",
    (MERGE, 1, -1): "an open front closes",
}


def types_of(trace: Trace) -> Counter[str]:
    """What single splits and merges did to the numbers of closed and of open fronts; all else is "other"."""
    found: Counter[str] = Counter()
    for before, after in steps(trace):
        happened = kinds(after)
        if happened not in ([SPLIT], [MERGE]):
            continue
        opened = sum(after.shape.values()) - sum(before.shape.values())
        closed = len(after.shape) - len(before.shape) - opened
        name = TYPES.get((happened[0], closed, opened), "other") if after.is_sound else "other"
        found[name] += 1
    return found


@measurement("event_duality.other_types", unit="1", experiment=EXPERIMENT)
def other_types(data: ExperimentData) -> float:
    """Number of steps with one split or one merge that is none of the four kinds: a closed front opens, an open one becomes two, two open ones become
    one, an open one closes; or after which a closed front is not closed, or an end not on the body's surface that it is said to lie on.
    """
    return float(sum(types_of(c)["other"] for c in data.every()))


@measurement("event_duality.rarest_type", unit="1", experiment=EXPERIMENT)
def rarest_type(data: ExperimentData) -> Measured:
    """How often the rarest of the four kinds happened in a step of its own."""
    counts: Counter[str] = Counter()
    for cell in data.every():
        counts.update(types_of(cell))
    return extremes.least({name: float(counts[name]) for name in TYPES.values()})


def phases(states: list[State]) -> list[tuple[int, int]]:
    """Numbers of closed and of open fronts in their order, without repetition."""
    found: list[tuple[int, int]] = []
    for state in states:
        open_ = sum(state.shape.values())
        phase = (len(state.shape) - open_, open_)
        if not found or found[-1] != phase:
            found.append(phase)
    return found


def penny_count(trace: Trace) -> int:
    """Round cracks that are there at the start."""
    return len(trace.value("method.parameters.crack_pennies") or []) // 8


def has_cavity_and_penny(trace: Trace) -> bool:
    """A round crack in a hollow ball."""
    return trace.value("scene.parameters.shape") == "shell" and penny_count(trace) == 1


def has_notch(trace: Trace) -> bool:
    """A surface crack."""
    return bool(trace.value("method.parameters.crack_notches"))


def count_without(data: ExperimentData, chosen: Callable[[Trace], bool], wanted: list[tuple[int, int]]) -> float:
    """Members of the cells that are `chosen` whose states do not begin as wanted."""
    cells = [c for c in data.every() if chosen(c)]
    if not cells:
        raise MissingData(f"{EXPERIMENT}: no run of this kind")
    return float(sum(phases(member)[: len(wanted)] != wanted for c in cells for member in members(c)))


@measurement("event_duality.not_returned", unit="1", experiment=EXPERIMENT)
def not_returned(data: ExperimentData) -> float:
    """Number of round cracks that meet the cavity and are not first one closed front, then one with two ends, then one closed front again."""
    return count_without(data, has_cavity_and_penny, [(1, 0), (0, 1), (1, 0)])


@measurement("event_duality.not_two_and_one", unit="1", experiment=EXPERIMENT)
def not_two_and_one(data: ExperimentData) -> float:
    """Number of surface cracks that meet the cavity and are not first one open front, then two, then one again."""
    return count_without(data, has_notch, [(0, 1), (0, 2), (0, 1)])


def has_one_crack(trace: Trace) -> bool:
    """Not a body in which cracks start at samples, nor one with two."""
    return penny_count(trace) == 1 or has_notch(trace)


def is_cube(trace: Trace) -> bool:
    """A round crack in a cube."""
    return str(trace.value("scene.parameters.shape")) == "cube" and has_one_crack(trace)


@measurement("event_duality.not_four", unit="1", experiment=EXPERIMENT)
def not_four(data: ExperimentData) -> float:
    """Number of round cracks in the middle of a cube that are not four open fronts once they have come through its four sides."""
    cells = [c for c in data.every() if is_cube(c)]
    if not cells:
        raise MissingData(f"{EXPERIMENT}: no cube")
    return float(sum((0, 4) not in phases(member) for c in cells for member in members(c)))


@measurement("event_duality.other_sheets", unit="1", experiment=EXPERIMENT)
def other_sheets(data: ExperimentData) -> float:
    """Number of states in which a front of a body with one crack belongs to another, so that it would not add to the same sheets."""
    cells = [c for c in data.every() if has_one_crack(c)]
    return float(
        sum(any(on - {0} for on in state.cracks.values()) for c in cells for member in members(c) for state in member)
    )


def joined(trace: Trace) -> Iterator[tuple[set[int], set[int]]]:
    """Steps with one merge, of fronts of different cracks, and no other event: the cracks of both before, and of the
    merged one."""
    for before, after in steps(trace):
        if kinds(after) != [MERGE]:
            continue
        (_, _, a, b, c, _, _), *_ = after.events[after.events[:, 1] == MERGE].tolist()
        of_a, of_b = before.cracks.get(a, set()), before.cracks.get(b, set())
        if of_a and of_b and of_a != of_b:
            yield of_a | of_b, after.cracks.get(c, set())


@measurement("event_duality.merged_cracks", unit="1", experiment=EXPERIMENT)
def merged_cracks(data: ExperimentData) -> float:
    """Number of steps with one merge, of fronts of two cracks, and no other event."""
    return float(sum(1 for c in data.every() for _ in joined(c)))


@measurement("event_duality.lost_sheets", unit="1", experiment=EXPERIMENT)
def lost_sheets(data: ExperimentData) -> float:
    """Number of them after which the nodes of the merged front are not of both cracks."""
    return float(sum(before != after for c in data.every() for before, after in joined(c)))


def way_around(start: Array, points: Array, radius: float) -> Array:
    """Shortest ways in a plane from a point to others about a disc at the origin, m."""
    straight = np.linalg.norm(points - start, axis=1)
    along = (points - start) / np.maximum(straight, 1e-300)[:, None]
    nearest = np.clip(-(along @ start), 0, straight)
    clear = np.linalg.norm(start + nearest[:, None] * along, axis=1) >= radius
    a, b = float(np.linalg.norm(start)), np.linalg.norm(points, axis=1)
    between = np.arccos(np.clip(points @ start / np.maximum(a * b, 1e-300), -1, 1))
    arc = between - np.arccos(min(1.0, radius / a)) - np.arccos(np.clip(radius / np.maximum(b, 1e-300), 0, 1))
    about = (
        np.sqrt(max(a * a - radius**2, 0.0))
        + np.sqrt(np.maximum(b * b - radius**2, 0))
        + radius * np.maximum(arc, 0)
    )
    return np.where(clear, straight, about)


def reached(trace: Trace, member: int | None, random: np.random.Generator) -> tuple[Array, Frame]:
    """Points of the crack's plane that the front must have passed by the end, two radii of a surfel ago at least."""
    _, _, first = next(frames(trace, member))
    (begin,) = fronts(first)
    _, time, arrays = next(trace.frames(member, last=True))
    way = float(trace.value("method.parameters.crack_speed_m_s_pa")) * max(
        trace.value("method.parameters.crack_stress_pa")
    ) * time - 2 * surfel_radius(trace)
    points = np.concatenate(
        [random.uniform(-1, 1, (POINTS, 2)), np.full((POINTS, 1), begin.nodes[:, 2].mean())], axis=1
    )
    points = points[outside_distance(trace, points) < -surfel_radius(trace)]
    start = begin.nodes[:, :2].mean(axis=0)
    if has_notch(trace):
        ahead = start[0] - points[:, 0]
        shadow = (np.abs(points[:, 1]) < 0.2) & (points[:, 0] < 0)
        return points[(ahead > 0) & (ahead < way) & (np.abs(points[:, 1]) < 0.7) & ~shadow], arrays
    radius = float(np.linalg.norm(begin.nodes[:, :2] - start, axis=1).mean())
    disc = float(trace.value("scene.parameters.inner_radius_m")) if has_cavity_and_penny(trace) else 0.0
    far = way_around(start, points[:, :2], disc)
    return points[(far > radius) & (far < radius + way)], arrays


@measurement("event_duality.missed", unit="1", experiment=EXPERIMENT)
def missed(data: ExperimentData) -> Measured:
    """Largest share of random points, past which a front that is split and merged on its way must have come by the end of a run, at which a
    segment across the crack meets no swept area. Bodies with one crack."""

    def of(trace: Trace) -> float:
        worst = 0.0
        for index, member in enumerate(seeds(trace)):
            points, arrays = reached(trace, member, np.random.default_rng(index))
            if len(points) == 0:
                raise MissingData(f"{trace.label}: a front that has passed no point")
            across = np.array([0.02, 0.013, 1.5 * surfel_radius(trace)])
            worst = max(worst, 1 - float(meets(points - across, points + across, swept(arrays)).mean()))
        return worst

    return extremes.largest({c: of(c) for c in data.every() if has_one_crack(c)})
