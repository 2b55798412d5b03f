# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/twisted_bar: fronts, and closed ones around the bar's axis made by merging
alone."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, Trace, quantity, rows
from .clouds import by_member
from .crack_fronts import INITIATION, MERGE, SPLIT, CROSSING, frames, fronts, last_frame, seeds

M = Measures("pauly_et_al_2005/twisted_bar")
SOURCES = 4  # initiations that the circle of the paper's figure came from


@dataclass(frozen=True)
class Origin:
    """Initial fronts that a front descends from, and whether by merging alone; a crossing counts as the merging that
    it ends with (section 4 of the paper)."""

    sources: frozenset[int]
    by_merging: bool


def origins(events: Array, up_to: int) -> dict[int, Origin]:
    """Origins of all fronts that existed up to a step, by replaying events [e, 7]."""
    found: dict[int, Origin] = {}
    for step, kind, first, second, *after in events[:, :6].tolist():
        if step > up_to:
            break
        before = [found[k] for k in (first, second) if k in found]
        sources = frozenset().union(*(b.sources for b in before))
        pure = all(b.by_merging for b in before) and kind != SPLIT
        for front in after:
            if front >= 0:
                found[front] = Origin(frozenset([front]), True) if kind == INITIATION else Origin(sources, pure)
    return found


def encloses_axis(nodes: Array) -> bool:
    """Whether a closed front winds once around the x axis."""
    angle = np.arctan2(nodes[:, 2], nodes[:, 1])
    turns = np.diff(np.append(angle, angle[0]))
    turns = (turns + np.pi) % (2 * np.pi) - np.pi
    return bool(abs(round(float(turns.sum()) / (2 * np.pi))) == 1)


def circle_sources(trace: Trace, member: int | None) -> int:
    """Most initiations merged without splits into one closed front around the axis; 0 without one."""
    events = last_frame(trace, member)["crack_events"]
    most = 0
    for step, _, arrays in frames(trace, member):
        closed = [f for f in fronts(arrays) if f.closed and encloses_axis(f.nodes)]
        if not closed:
            continue
        known = origins(events, step)
        for front in closed:
            origin = known.get(front.id)
            if origin is not None and origin.by_merging:
                most = max(most, len(origin.sources))
    return most


def twisted(trace: Trace) -> bool:
    """Twisted bars."""
    return trace.number("twist_rad") != 0


def untwisted(trace: Trace) -> bool:
    """Bars that are only pulled."""
    return not twisted(trace)


def front_total(trace: Trace, member: int | None) -> float:
    """Number of all fronts that events have created."""
    events = last_frame(trace, member)["crack_events"]
    return float(len({int(k) for k in events[:, 4:6].ravel() if k >= 0}))


@by_member("most fronts in one stored state")
def fronts_at_once(trace: Trace, member: int | None) -> float:
    return max(len(fronts(a)) for _, _, a in frames(trace, member))


@by_member("merges of fronts, crossings included")
def merge_count(trace: Trace, member: int | None) -> float:
    return float(np.isin(last_frame(trace, member)["crack_events"][:, 1], (MERGE, CROSSING)).sum())


@by_member("share of clouds where merging alone makes a closed front of ≥ 4 initiations around the axis")
def has_circle(trace: Trace, member: int | None) -> float:
    return circle_sources(trace, member) >= SOURCES


@by_member("initiations that merging alone has joined into one front, closed or not")
def joined_sources(trace: Trace, member: int | None) -> float:
    events = last_frame(trace, member)["crack_events"]
    known = origins(events, int(events[-1, 0]) if len(events) else 0)
    return max((len(o.sources) for o in known.values() if o.by_merging), default=0)


TWISTED = EVERY_RUN.where(twisted)
FREE = rows("free", says="twisted bars that crack anywhere").where(twisted, says="")
RINGED = rows("ringed", says="twisted bars with cracks from a ring").where(twisted, says="")

M.total("bars", quantity("clouds")(lambda c: len(seeds(c))), TWISTED)
front_count = M.least("fronts", by_member("fronts ever created")(front_total), FREE)
most_at_once = M.least("most_at_once", fronts_at_once, FREE)
merges = M.least("merges", merge_count, FREE)
M.least("ring_merges", merge_count, RINGED)
circles = M.mean("circles", has_circle, TWISTED)


@M("circles_spread")
def circles_spread(data: ExperimentData) -> float:
    """Standard error of the share with a front around the axis, one cloud per kind added."""
    found = [v for trace in TWISTED.runs(data) for v in has_circle(trace).values()]
    share = (sum(found) + 1) / (len(found) + 2)
    return float(np.sqrt(share * (1 - share) / len(found)))


M.mean("untwisted_circles", has_circle, EVERY_RUN.where(untwisted))
M.largest("most_sources", joined_sources, TWISTED)
