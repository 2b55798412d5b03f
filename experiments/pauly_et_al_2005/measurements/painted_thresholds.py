# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/painted_thresholds: the load at which each painted line opens,
from positions alone."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.moving_least_squares import weight
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace
from .clouds import by_member, nodes_of
from .crack_fronts import Frame, distance_to_segments

M = Measures("pauly_et_al_2005/painted_thresholds")


def largest_tension(trace: Trace, arrays: Frame, places: Array) -> Array:
    """Largest principal stress at places [p, 3], Pa: stresses of nodes from their positions,
    averaged with the nodes' weights, without cracks."""
    own = nodes_of(trace, arrays)
    stresses = own.stresses(own.strains(arrays["positions"]))
    distances = np.linalg.norm(places[:, None] - own.rest[None], axis=2)
    weights = weight(distances / own.supports)
    averaged = np.einsum("pn,nij->pij", weights, stresses) / weights.sum(axis=1)[:, None, None]
    return np.asarray(np.linalg.eigvalsh(averaged)[:, 2])


@lru_cache(maxsize=None)
def openings(trace: Trace, member: int | None) -> Array:
    """Largest principal stress by the analysis relative to the threshold, per painted line.

    At its first crack start, in the first frame with it; NaN if it does not open."""
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


LOAD = "analysis' largest principal stress relative to the threshold where a line opens first"


@by_member("painted lines that never open")
def unopened(trace: Trace, member: int | None) -> float:
    return int(np.isnan(openings(trace, member)).sum())


M.total("unopened", unopened, EVERY_RUN)
M.least("least_load", by_member(LOAD)(lambda t, m: float(np.min(openings(t, m)))), EVERY_RUN)
M.largest("largest_load", by_member(LOAD)(lambda t, m: float(np.max(openings(t, m)))), EVERY_RUN)
