# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/event_duality: effects of events on fronts and their ends,
counted step by step in stored geometry."""

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
FACETS = 0.2  # surfel radii: facets of the balls lie up to a seventh inside the exact surface
POINTS = 300  # of every member's last state
has_notch = parameter("method.parameters.crack_notches", bool, "With a surface crack.")


def shape_of(arrays: Frame) -> dict[int, bool]:
    """Fronts of a state, and whether each is open."""
    return {front.id: not front.closed for front in fronts(arrays)}


def is_sound(trace: Trace, arrays: Frame) -> bool:
    """Whether fronts are consistent: the last node of a closed one is within 2 r of the first, and ends on the
    body's sheet lie on its surface."""
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
    """Fronts after events, and whether each is open, by the duality alone: a split adds two ends, a merge removes
    two. Whether a front that starts is open is taken from the state `after`."""
    now = dict(before)
    for _, kind, a, b, c, d, cause in events.tolist():
        if kind == TERMINATION:
            now.pop(a, None)
        elif kind == SPLIT:
            # A closed front opens, or an open one becomes two; splits of one step name the same parent.
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
    """Least distance between ends of different fronts on the same sheet, m; infinite without such a pair."""
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
    """Fronts after a step, and whether each is open; number of ends, least distance between those of different
    fronts, cracks, and the step's events."""

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
    """Consecutive states of all members."""
    for states in members(trace):
        yield from zip(states, states[1:])


def kinds(state: State) -> list[int]:
    """Kinds of the events of a state's step that change fronts."""
    return [k for k in state.events[:, 1].tolist() if k not in (END_RUN, FORCED)]


def gains(trace: Trace, kind: int) -> list[int]:
    """Changes of the end count in steps with one event of this kind alone, end runs and forced ones aside."""
    return [after.ends - before.ends for before, after in steps(trace) if kinds(after) == [kind]]


def gain_errors(trace: Trace, kind: int, expected: int) -> Array:
    """|change of the number of ends − expected change|, per step with one event, which is of this kind."""
    return np.asarray(np.abs(np.array(gains(trace, kind)) - expected))


def unexplained(trace: Trace) -> int:
    """Steps whose fronts, or open fronts, differ from a replay of the events from the state before."""
    return sum(replayed(a.shape, b.events, b.shape) != b.shape for a, b in steps(trace))


def forced(trace: Trace) -> int:
    """Events without a legal state, nodes left where they were."""
    return sum(int((b.events[:, 1] == FORCED).sum()) for _, b in steps(trace))


M.total("unexplained", unexplained, EVERY_RUN)
M.total("forced", forced, EVERY_RUN)
for _name, _kind, _expected in (("split", SPLIT, 2), ("merge", MERGE, -2)):
    M.largest(
        f"{_name}_error",
        quantity(f"|change of the number of ends − ({_expected:+d})|, steps with one {_name} alone")(
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
    """Share of states with snapping in which ends of two fronts on one surface are closer than the snapping distance,
    one surfel radius."""
    cells = [c for c in data.every() if c.value("method.parameters.crack_snapping")]
    near = [state.apart < surfel_radius(c) for c in cells for member in members(c) for state in member]
    return float(np.mean(near))


def starts_or_terminations(trace: Trace, kind: int) -> Iterator[tuple[State, State, set[int]]]:
    """States before and after steps with events of this kind alone, and the ids of the fronts concerned."""
    column = 4 if kind == INITIATION else 2
    for before, after in steps(trace):
        if set(kinds(after)) == {kind}:
            rows = after.events[after.events[:, 1] == kind]
            yield before, after, set(rows[:, column].tolist())


def adds(few: State, many: State, named: set[int]) -> bool:
    """Whether `many` has exactly the fronts of `few` and those `named`,
    and two more ends per open one of the latter."""
    rest = {front: is_open for front, is_open in many.shape.items() if front not in named}
    added = [is_open for front, is_open in many.shape.items() if front in named]
    return rest == few.shape and len(added) == len(named) and many.ends - few.ends == 2 * sum(added)


def wrong_starts(trace: Trace) -> int:
    """Steps of initiations alone after which fronts and ends are not those before plus the new ones."""
    return sum(not adds(before, after, named) for before, after, named in starts_or_terminations(trace, INITIATION))


def wrong_terminations(trace: Trace) -> int:
    """Steps with terminations alone after which the fronts and ends are not those before without the terminated
    ones."""
    return sum(not adds(after, before, named) for before, after, named in starts_or_terminations(trace, TERMINATION))


M.total("wrong_starts", wrong_starts, EVERY_RUN)
M.total("wrong_terminations", wrong_terminations, EVERY_RUN)


def least_of_both(data: ExperimentData, kind: int) -> Measured:
    """Number of closed or of open fronts that started or ended in steps of this kind alone,
    the smaller one."""
    counts = Counter({"closed": 0, "open": 0})
    for cell in data.every():
        for before, after, named in starts_or_terminations(cell, kind):
            shape = after.shape if kind == INITIATION else before.shape
            counts.update("open" if shape[front] else "closed" for front in named if front in shape)
    return extremes.least({name: float(count) for name, count in counts.items()})


@M("lone_starts")
def lone_starts(data: ExperimentData) -> Measured:
    """Number of closed or of open fronts, the smaller one, that started in steps with initiations alone."""
    return least_of_both(data, INITIATION)


@M("lone_terminations")
def lone_terminations(data: ExperimentData) -> Measured:
    """Number of closed or of open fronts, the smaller one, that ended in steps with terminations alone."""
    return least_of_both(data, TERMINATION)


TYPES = {
    (SPLIT, -1, 1): "a closed front opens",
    (SPLIT, 0, 1): "an open front becomes two",
    (MERGE, 0, -1): "two open fronts become one",
    (MERGE, 1, -1): "an open front closes",
}


def types_of(trace: Trace) -> Counter[str]:
    """Steps with a single split or merge by their effect on closed and open fronts; else "other"."""
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
    """Number of single-event steps of the rarest type of split or merge."""
    counts: Counter[str] = Counter()
    for cell in data.every():
        counts.update(types_of(cell))
    return extremes.least({name: float(counts[name]) for name in TYPES.values()})


def phases(states: list[State]) -> list[tuple[int, int]]:
    """Sequence of numbers of closed and open fronts, without repetition."""
    found: list[tuple[int, int]] = []
    for state in states:
        open_ = sum(state.shape.values())
        phase = (len(state.shape) - open_, open_)
        if not found or found[-1] != phase:
            found.append(phase)
    return found


def penny_count(trace: Trace) -> int:
    """Penny-shaped cracks at the start."""
    return len(trace.value("method.parameters.crack_pennies") or []) // 8


def has_cavity_and_penny(trace: Trace) -> bool:
    """One round crack in a hollow ball."""
    return trace.value("scene.parameters.shape") == "shell" and penny_count(trace) == 1


def begin_otherwise(trace: Trace, *wanted: tuple[int, int]) -> int:
    """Members whose states do not begin as wanted."""
    return sum(phases(member)[: len(wanted)] != [*wanted] for member in members(trace))


def has_one_crack(trace: Trace) -> bool:
    """Bodies with one declared crack."""
    return penny_count(trace) == 1 or has_notch(trace)


def is_cube(trace: Trace) -> bool:
    """A round crack in a cube."""
    return str(trace.value("scene.parameters.shape")) == "cube" and has_one_crack(trace)


def not_four(trace: Trace) -> int:
    """Members that never have 4 open fronts."""
    return sum((0, 4) not in phases(member) for member in members(trace))


def other_sheets(trace: Trace) -> int:
    """States in which a front belongs to another crack than the first."""
    return sum(any(on - {0} for on in state.cracks.values()) for member in members(trace) for state in member)


M.total(
    "not_returned",
    quantity("members whose fronts are not first one closed, then one open, then one closed")(
        lambda c: begin_otherwise(c, (1, 0), (0, 1), (1, 0))
    ),
    EVERY_RUN.where(has_cavity_and_penny),
)
M.total(
    "not_two_and_one",
    quantity("members whose fronts are not one open, then two open, then one open")(
        lambda c: begin_otherwise(c, (0, 1), (0, 2), (0, 1))
    ),
    EVERY_RUN.where(has_notch),
)
M.total("not_four", not_four, EVERY_RUN.where(is_cube))
M.total("other_sheets", other_sheets, EVERY_RUN.where(has_one_crack, says="bodies with one crack"))


def joined(trace: Trace) -> Iterator[tuple[set[int], set[int]]]:
    """Steps with one merge alone, of fronts of different cracks: the cracks of both before, and of the merged
    front."""
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
    """Shortest path lengths in a plane from `start` to points around a disc at 0, m."""
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
    """Points of the crack's plane that the front must have passed at least two surfel radii ago; last frame."""
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
