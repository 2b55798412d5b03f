# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/front_speeds: steps of a front in the stress of a solid, against αλ (v × t) by the
analysis."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import Front, Frame, frames, fronts, seeds
from .notched_slab import notches
from .tensile_starts import node_stresses, sample_stresses

EXPERIMENT = "pauly_et_al_2005/front_speeds"
FROM_END = 2  # nodes at either end, which are projected and snapped, are left out


def inner(front: Front) -> slice:
    """Nodes that move by stress alone."""
    return slice(FROM_END, len(front.nodes) - FROM_END)


def rule(trace: Trace, front: Front, after: Frame) -> tuple[Array, Array]:
    """αλ (v × t) of the inner nodes, m/s, v on either side, and λ, Pa, in the stress of the state that follows."""
    chosen = inner(front)
    stress = sample_stresses(after, node_stresses(trace, after), front.nodes[chosen])
    values, vectors = np.linalg.eigh(stress)
    tangents = (np.roll(front.nodes, -1, axis=0) - np.roll(front.nodes, 1, axis=0))[chosen]
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    speed = float(trace.value("method.parameters.crack_speed_m_s_pa"))
    return speed * values[:, 2, None] * np.cross(vectors[:, :, 2], tangents), values[:, 2]


@lru_cache(maxsize=None)
def moves(trace: Trace) -> tuple[Array, Array]:
    """Steps of inner nodes above the threshold of fronts, and what the rule gives for them, on the side of the step;
    [k, 3] each, m."""
    threshold = float(trace.value("method.parameters.crack_front_threshold_pa"))
    step = float(trace.value("scene.parameters.time_step_s"))
    made, wanted = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for member in seeds(trace):
        before: list[Front] = []
        for _, _, arrays in frames(trace, member):
            there = dict(zip(arrays["front_ids"][:, 1].tolist(), arrays["front_nodes"]))
            for front in before:
                if front.closed or len(front.nodes) <= 2 * FROM_END:
                    continue
                rates, tension = rule(trace, front, arrays)
                chosen = inner(front)
                for number, x, rate, value in zip(front.ids[chosen], front.nodes[chosen], rates, tension):
                    if number in there and value > 1.001 * threshold:
                        way = there[number] - x
                        made.append(way[None])
                        wanted.append((step * rate * (1 if way @ rate >= 0 else -1))[None])
            before = fronts(arrays)
    return np.concatenate(made), np.concatenate(wanted)


@measurement("front_speeds.steps", unit="1", experiment=EXPERIMENT)
def steps(data: ExperimentData) -> float:
    """Number of steps of nodes that are judged."""
    return float(sum(len(moves(c)[0]) for c in data.every()))


@measurement("front_speeds.error", unit="1", experiment=EXPERIMENT)
def error(data: ExperimentData) -> Measured:
    """Largest distance between the step of a front's node and Δt αλ (v × t), relative to the latter; λ, v and t by
    the analysis."""
    found = {}
    for cell in data.every():
        made, wanted = moves(cell)
        if not len(made):
            raise MissingData(f"{cell.label}: no node of a front moves")
        found[cell] = float((np.linalg.norm(made - wanted, axis=1) / np.linalg.norm(wanted, axis=1)).max())
    return extremes.largest(found)


@measurement("front_speeds.inward", unit="1", experiment=EXPERIMENT)
def inward(data: ExperimentData) -> float:
    """Number of steps of nodes towards where the notch comes from."""
    return float(sum(int((moves(c)[0] @ notches(c)[0][2] > 0).sum()) for c in data.every()))


@measurement("front_speeds.range", unit="1", experiment=EXPERIMENT)
def speed_range(data: ExperimentData) -> Measured:
    """Largest step of a node relative to the least, least of all runs: how uneven the stress along the front is."""
    found = {}
    for cell in data.every():
        lengths = np.linalg.norm(moves(cell)[1], axis=1)
        found[cell] = float(lengths.max() / lengths.min())
    return extremes.least(found)
