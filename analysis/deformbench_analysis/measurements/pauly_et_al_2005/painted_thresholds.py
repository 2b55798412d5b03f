# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/painted_thresholds: the load at which each painted line opens, from positions alone."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...moving_least_squares import weight
from ...results import ExperimentData
from ...trace import Trace
from .clouds import nodes_of, seeds
from .crack_fronts import Frame, distance_to_segments

EXPERIMENT = "pauly_et_al_2005/painted_thresholds"


def thresholds(trace: Trace) -> Array:
    """Of every painted line, Pa."""
    return np.asarray(trace.value("method.parameters.crack_painted"), dtype=float).reshape(-1, 7)[:, 6]


def largest_tension(trace: Trace, arrays: Frame, places: Array) -> Array:
    """Largest principal stress at places [p, 3], Pa: stresses of nodes from their positions, averaged with the nodes' weights, without cracks."""
    own = nodes_of(trace, arrays)
    stresses = own.stresses(own.strains(arrays["positions"]))
    distances = np.linalg.norm(places[:, None] - own.rest[None], axis=2)
    weights = weight(distances / own.supports)
    averaged = np.einsum("pn,nij->pij", weights, stresses) / weights.sum(axis=1)[:, None, None]
    return np.asarray(np.linalg.eigvalsh(averaged)[:, 2])


@lru_cache(maxsize=None)
def openings(trace: Trace, member: int | None) -> Array:
    """Of every painted line: own largest principal stress where it opens first over its threshold, in the state before that step; NaN where it does
    not open."""
    numbers = np.asarray(trace.value("method.parameters.crack_painted"), dtype=float).reshape(-1, 7)
    last = None
    found = np.full(len(numbers), np.nan)
    states: list[Frame] = [arrays for _, _, arrays in trace.frames(member)]
    steps = [step for step, _, _ in trace.frames(member)]
    if len(states) < 2 or any(b - a != 1 for a, b in zip(steps, steps[1:])):
        raise MissingData(f"{trace.label}: painted lines are judged from frames of every step")
    last = states[-1]
    places, when = last["crack_starts"][:, :3], last["crack_start_ids"][:, 0]
    for line, row in enumerate(numbers):
        if len(places) == 0:
            break
        on_line = distance_to_segments(places, row[None, :3], row[None, 3:6]) < 1e-9
        if not on_line.any():
            continue
        first = int(np.flatnonzero(on_line)[np.argmin(when[on_line])])
        # Cracks open once a step has been taken, at the state that is stored after it.
        state = next(k for k, arrays in enumerate(states) if len(arrays["crack_starts"]) > first)
        found[line] = largest_tension(trace, states[state], places[first][None])[0] / row[6]
    return found


def _all(data: ExperimentData) -> dict[str, Array]:
    return {f"{c.label}, member {m}": openings(c, m) for c in data.every() for m in seeds(c)}


@measurement("painted_thresholds.unopened", unit="1", experiment=EXPERIMENT)
def unopened(data: ExperimentData) -> float:
    """Painted lines that never open, of all clouds."""
    return float(sum(int(np.isnan(o).sum()) for o in _all(data).values()))


@measurement("painted_thresholds.least_load", unit="1", experiment=EXPERIMENT)
def least_load(data: ExperimentData) -> Measured:
    """Own largest principal stress over the line's threshold where a line opens first, least of all lines and clouds."""
    return extremes.least({k: float(np.min(o)) for k, o in _all(data).items()})


@measurement("painted_thresholds.largest_load", unit="1", experiment=EXPERIMENT)
def largest_load(data: ExperimentData) -> Measured:
    """Own largest principal stress over the line's threshold where a line opens first, largest of all lines and clouds."""
    return extremes.largest({k: float(np.max(o)) for k, o in _all(data).items()})
