# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/event_duality: what events do to fronts and their ends,
counted in the stored geometry step by step."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import extremes, parameter, quantity
from .crack_fronts import CROSSING, END_RUN, FORCED, INITIATION, MERGE, NO_END, ON_BODY, SPLIT, TERMINATION, Frame
from .crack_fronts import frames, fronts, meets, outside_distance, seeds, surfel_radius, swept

M = Measures("pauly_et_al_2005/event_duality")
FACETS = 0.2  # of a surfel's radius: the facets of the balls lie up to a seventh within their closed form
POINTS = 300  # of every member's last state
has_notch = parameter("method.parameters.crack_notches", bool, "With a surface crack.")


def shape_of(arrays: Frame) -> dict[int, bool]:
    """Fronts of a state, and whether each is open."""
    return {front.id: not front.closed for front in fronts(arrays)}


def is_sound(trace: Trace, arrays: Frame) -> bool:
    """Whether fronts are what they are said to be: the last node of a closed one is next to the first, and the ends
    of an open one that lie on the body are on its surface."""
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
    """Which fronts there are after events, and which are open, by the duality alone: a split makes two ends, a merge
    takes two. Whether a front that starts is open is taken from the state `after`."""
    now = dict(before)
    for _, kind, a, b, c, d, cause in events.tolist():
        if kind == TERMINATION:
            now.pop(a, None)
        elif kind == SPLIT:
            # A closed front opens, or an open one becomes two;
            # pieces of one step share the name of what they came from.
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
    """Which fronts there are after a step, and which are open; their ends, how near those of different fronts are,
    their cracks, and the step's events."""

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
    """Kinds of the events of a state's step that change fronts."""
    return [k for k in state.events[:, 1].tolist() if k not in (END_RUN, FORCED)]


def gains(trace: Trace, kind: int) -> list[int]:
    """Changes of the number of ends in steps that have one event of this kind and, but for end runs, no other."""
    return [after.ends - before.ends for before, after in steps(trace) if kinds(after) == [kind]]


def gain_errors(trace: Trace, kind: int, expected: int) -> Array:
    """|change of the number of ends − expected change|, per step with one event, which is of this kind."""
    return np.asarray(np.abs(np.array(gains(trace, kind)) - expected))


def unexplained(trace: Trace) -> int:
    """Steps after which fronts, or which are open, are not what the state before and the events give."""
    return sum(replayed(a.shape, b.events, b.shape) != b.shape for a, b in steps(trace))


def forced(trace: Trace) -> int:
    """Events without a legal state, nodes left where they were."""
    return sum(int((b.events[:, 1] == FORCED).sum()) for _, b in steps(trace))


M.total("unexplained", unexplained, EVERY_RUN)
M.total("forced", forced, EVERY_RUN)
for _name, _kind, _expected in (("split", SPLIT, 2), ("merge", MERGE, -2)):
    M.largest(
        f"{_name}_error",
        quantity(f"distance of the change of the number of ends from {_expected:+d}, steps with one {_name} alone")(
            lambda c, kind=_kind, expected=_expected: gain_errors(c, kind, expected)
        ),
        EVERY_RUN,
    )
    M.total(
        f"lone_{_name}s",
        quantity(f"steps with one {_name} and no other event")(lambda c, kind=_kind: len(gains(c, kind))),
        EVERY_RUN,
    )


@M("unmerged")
def unmerged(data: ExperimentData) -> float:
    """Share of the states with snapping in which ends of two fronts on one surface lie nearer to each other than the snapping distance, one radius
    of a surfel."""
    cells = [c for c in data.every() if c.value("method.parameters.crack_snapping")]
    near = [state.apart < surfel_radius(c) for c in cells for member in members(c) for state in member]
    return float(np.mean(near))


def starts_or_terminations(trace: Trace, kind: int) -> Iterator[tuple[State, State, set[int]]]:
    """States about steps that have initiations alone, or terminations alone, and the fronts that the events name."""
    column = 4 if kind == INITIATION else 2
    for before, after in steps(trace):
        if set(kinds(after)) == {kind}:
            rows = after.events[after.events[:, 1] == kind]
            yield before, after, set(rows[:, column].tolist())


def adds(few: State, many: State, named: set[int]) -> bool:
    """Whether the fronts and ends of one state are those of another and the fronts named,
    each with two ends where it is open, and no others."""
    rest = {front: is_open for front, is_open in many.shape.items() if front not in named}
    added = [is_open for front, is_open in many.shape.items() if front in named]
    return rest == few.shape and len(added) == len(named) and many.ends - few.ends == 2 * sum(added)


def wrong_starts(trace: Trace) -> int:
    """Steps with initiations alone after which the fronts and ends are not those before and the new ones."""
    return sum(not adds(before, after, named) for before, after, named in starts_or_terminations(trace, INITIATION))


def wrong_terminations(trace: Trace) -> int:
    """Steps with terminations alone after which the fronts and ends are not those before without the terminated
    ones."""
    return sum(not adds(after, before, named) for before, after, named in starts_or_terminations(trace, TERMINATION))


M.total("wrong_starts", wrong_starts, EVERY_RUN)
M.total("wrong_terminations", wrong_terminations, EVERY_RUN)


def least_of_both(data: ExperimentData, kind: int) -> Measured:
    """How many closed fronts, and how many open ones, have started or ended in steps with this kind alone:
    the smaller number."""
    counts = Counter({"closed": 0, "open": 0})
    for cell in data.every():
        for before, after, named in starts_or_terminations(cell, kind):
            shape = after.shape if kind == INITIATION else before.shape
            counts.update("open" if shape[front] else "closed" for front in named if front in shape)
    return extremes.least({name: float(count) for name, count in counts.items()})


@M("lone_starts")
def lone_starts(data: ExperimentData) -> Measured:
    """How many closed fronts, and how many open ones, started in steps with initiations alone: the smaller number."""
    return least_of_both(data, INITIATION)


@M("lone_terminations")
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


M.total(
    "other_types",
    quantity("steps with one split or merge of none of the four kinds, or with an unsound state after it")(
        lambda c: types_of(c)["other"]
    ),
    EVERY_RUN,
)


@M("rarest_type")
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
    """One round crack in a hollow ball."""
    return trace.value("scene.parameters.shape") == "shell" and penny_count(trace) == 1


def begin_otherwise(trace: Trace, *wanted: tuple[int, int]) -> int:
    """Members whose states do not begin as wanted."""
    return sum(phases(member)[: len(wanted)] != [*wanted] for member in members(trace))


def has_one_crack(trace: Trace) -> bool:
    """Not a body in which cracks start at samples, nor one with two."""
    return penny_count(trace) == 1 or has_notch(trace)


def is_cube(trace: Trace) -> bool:
    """A round crack in a cube."""
    return str(trace.value("scene.parameters.shape")) == "cube" and has_one_crack(trace)


def not_four(trace: Trace) -> int:
    """Members that are never four open fronts."""
    return sum((0, 4) not in phases(member) for member in members(trace))


def other_sheets(trace: Trace) -> int:
    """States in which a front belongs to another crack than the first."""
    return sum(any(on - {0} for on in state.cracks.values()) for member in members(trace) for state in member)


M.total(
    "not_returned",
    quantity("members that are not one closed front, then an open one, then one closed again")(
        lambda c: begin_otherwise(c, (1, 0), (0, 1), (1, 0))
    ),
    EVERY_RUN.where(has_cavity_and_penny),
)
M.total(
    "not_two_and_one",
    quantity("members that are not first one open front, then two, then one again")(
        lambda c: begin_otherwise(c, (0, 1), (0, 2), (0, 1))
    ),
    EVERY_RUN.where(has_notch),
)
M.total("not_four", not_four, EVERY_RUN.where(is_cube))
M.total("other_sheets", other_sheets, EVERY_RUN.where(has_one_crack, says="bodies with one crack"))


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


def lost_sheets(trace: Trace) -> int:
    """Steps with one merge of two cracks after which the merged front's nodes are not of both."""
    return sum(before != after for before, after in joined(trace))


M.total(
    "merged_cracks",
    quantity("steps with one merge, of fronts of two cracks, and no other event")(lambda c: len(list(joined(c)))),
    EVERY_RUN,
)
M.total("lost_sheets", lost_sheets, EVERY_RUN)


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
    way = trace.setting("crack_speed_m_s_pa") * max(
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
    disc = trace.number("inner_radius_m") if has_cavity_and_penny(trace) else 0.0
    far = way_around(start, points[:, :2], disc)
    return points[(far > radius) & (far < radius + way)], arrays


def missed(trace: Trace) -> float:
    """Share of random points that a front must have passed at which a segment meets no swept area."""
    worst = 0.0
    for index, member in enumerate(seeds(trace)):
        points, arrays = reached(trace, member, np.random.default_rng(index))
        if len(points) == 0:
            raise MissingData(f"{trace.label}: a front that has passed no point")
        across = np.array([0.02, 0.013, 1.5 * surfel_radius(trace)])
        worst = max(worst, 1 - float(meets(points - across, points + across, swept(arrays)).mean()))
    return worst


M.largest("missed", missed, EVERY_RUN.where(has_one_crack, says="bodies with one crack"))
