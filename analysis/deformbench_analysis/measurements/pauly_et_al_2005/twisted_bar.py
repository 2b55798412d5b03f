# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/twisted_bar: fronts, and closed ones that merging alone has made about the bar's axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import INITIATION, MERGE, SPLIT, CROSSING, frames, fronts, last_frame, seeds

EXPERIMENT = "pauly_et_al_2005/twisted_bar"
SOURCES = 4  # initiations that the circle of the paper's figure came from


@dataclass(frozen=True)
class Origin:
    """Of a front: the fronts of initiations it goes back to, and whether nothing but merging was between."""

    sources: frozenset[int]
    by_merging: bool


def origins(events: Array, up_to: int) -> dict[int, Origin]:
    """Of all fronts that were until a step, by replaying events [e, 7]."""
    found: dict[int, Origin] = {}
    for step, kind, first, second, *after in events[:, :6].tolist():
        if step > up_to:
            break
        before = [found[k] for k in (first, second) if k in found]
        sources = frozenset().union(*(b.sources for b in before))
        pure = all(b.by_merging for b in before) and kind not in (SPLIT, CROSSING)
        for front in after:
            if front >= 0:
                found[front] = Origin(frozenset([front]), True) if kind == INITIATION else Origin(sources, pure)
    return found


def encloses_axis(nodes: Array) -> bool:
    """Whether a closed front winds once about the axis x, seen along it."""
    angle = np.arctan2(nodes[:, 2], nodes[:, 1])
    turns = np.diff(np.append(angle, angle[0]))
    turns = (turns + np.pi) % (2 * np.pi) - np.pi
    return bool(abs(round(float(turns.sum()) / (2 * np.pi))) == 1)


def circle_sources(trace: Trace, member: int | None) -> int:
    """Most initiations that merging alone has made one closed front about the axis of; 0 without such a front."""
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
    """Whether its ends are turned."""
    return float(trace.value("scene.parameters.twist_rad")) != 0


def _members(data: ExperimentData, is_twisted: bool, name: str | None = None) -> dict[str, tuple[Trace, int | None]]:
    found = {
        f"{c.label}, member {m}": (c, m)
        for c in data.every()
        if twisted(c) == is_twisted and name in (None, c.method_name)
        for m in seeds(c)
    }
    if not found:
        raise MissingData(f"{EXPERIMENT}: no such run")
    return found


def front_total(trace: Trace, member: int | None) -> float:
    """Fronts that ever were: those that events lead to."""
    events = last_frame(trace, member)["crack_events"]
    return float(len({int(k) for k in events[:, 4:6].ravel() if k >= 0}))


@measurement("twisted_bar.bars", unit="1", experiment=EXPERIMENT)
def bars(data: ExperimentData) -> float:
    """Number of twisted bars, all clouds."""
    return float(len(_members(data, True)))


@measurement("twisted_bar.fronts", unit="1", experiment=EXPERIMENT)
def front_count(data: ExperimentData) -> Measured:
    """Fronts that ever were in a twisted bar that cracks anywhere, least of all clouds."""
    return extremes.least({k: front_total(c, m) for k, (c, m) in _members(data, True, "free").items()})


@measurement("twisted_bar.most_at_once", unit="1", experiment=EXPERIMENT)
def most_at_once(data: ExperimentData) -> Measured:
    """Most fronts in one stored state of it, least of all clouds."""
    found = {
        k: float(max(len(fronts(a)) for _, _, a in frames(c, m))) for k, (c, m) in _members(data, True, "free").items()
    }
    return extremes.least(found)


@measurement("twisted_bar.merges", unit="1", experiment=EXPERIMENT)
def merges(data: ExperimentData) -> Measured:
    """Merging of fronts in it, crossings counted, least of all clouds."""
    found = {}
    for key, (trace, member) in _members(data, True, "free").items():
        kinds = last_frame(trace, member)["crack_events"][:, 1]
        found[key] = float(np.isin(kinds, (MERGE, CROSSING)).sum())
    return extremes.least(found)


@measurement("twisted_bar.ring_merges", unit="1", experiment=EXPERIMENT)
def ring_merges(data: ExperimentData) -> Measured:
    """Mergings of fronts, crossings counted, of the twisted bar where cracks start on a ring about the middle, least of all clouds."""
    found = {}
    for key, (trace, member) in _members(data, True, "ringed").items():
        kinds = last_frame(trace, member)["crack_events"][:, 1]
        found[key] = float(np.isin(kinds, (MERGE, CROSSING)).sum())
    return extremes.least(found)


@measurement("twisted_bar.circles", unit="1", experiment=EXPERIMENT)
def circles(data: ExperimentData) -> float:
    """Twisted bars, of all, in which merging alone has made one closed front about the axis of at least four initiations."""
    found = [circle_sources(c, m) >= SOURCES for c, m in _members(data, True).values()]
    return float(np.mean(found))


@measurement("twisted_bar.untwisted_circles", unit="1", experiment=EXPERIMENT)
def untwisted_circles(data: ExperimentData) -> float:
    """Bars that are pulled alone, of all, in which merging alone has made one closed front about the axis of at least four initiations."""
    found = [circle_sources(c, m) >= SOURCES for c, m in _members(data, False).values()]
    return float(np.mean(found))


@measurement("twisted_bar.most_sources", unit="1", experiment=EXPERIMENT)
def most_sources(data: ExperimentData) -> Measured:
    """Most initiations that merging alone has joined to one front, closed or not, at the end of a twisted bar."""
    found = {}
    for key, (trace, member) in _members(data, True).items():
        events = last_frame(trace, member)["crack_events"]
        known = origins(events, int(events[-1, 0]) if len(events) else 0)
        found[key] = float(max((len(o.sources) for o in known.values() if o.by_merging), default=0))
    return extremes.largest(found)
