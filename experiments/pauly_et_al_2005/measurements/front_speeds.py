# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/front_speeds: steps of a front in a solid's stress field,
against αλ (v × t)."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, quantity
from .crack_fronts import Front, Frame, frames, fronts, seeds
from .notched_slab import notches
from .tensile_starts import node_stresses, sample_stresses

M = Measures("pauly_et_al_2005/front_speeds")
FROM_END = 2  # nodes at either end, which are projected and snapped, are left out


def inner(front: Front) -> slice:
    """Nodes that move by stress alone."""
    return slice(FROM_END, len(front.nodes) - FROM_END)


def rule(trace: Trace, front: Front, after: Frame) -> tuple[Array, Array]:
    """αλ (v × t) of the inner nodes, m/s, with v of either sign, and λ, Pa, by the stress in `after`."""
    chosen = inner(front)
    stress = sample_stresses(after, node_stresses(trace, after), front.nodes[chosen])
    values, vectors = np.linalg.eigh(stress)
    tangents = (np.roll(front.nodes, -1, axis=0) - np.roll(front.nodes, 1, axis=0))[chosen]
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    speed = trace.setting("crack_speed_m_s_pa")
    return speed * values[:, 2, None] * np.cross(vectors[:, :, 2], tangents), values[:, 2]


@lru_cache(maxsize=None)
def moves(trace: Trace) -> tuple[Array, Array]:
    """Displacements of inner nodes with λ above the front threshold, and those by the rule, signed like the former;
    [k, 3] each, m."""
    threshold = trace.setting("crack_front_threshold_pa")
    step = trace.number("time_step_s")
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


def error(trace: Trace) -> Array:
    """Distance of a node's step from Δt αλ (v × t) relative to the latter, λ, v, t by the analysis."""
    made, wanted = moves(trace)
    if not len(made):
        raise MissingData(f"{trace.label}: no node of a front moves")
    return np.asarray(np.linalg.norm(made - wanted, axis=1) / np.linalg.norm(wanted, axis=1))


def inward(trace: Trace) -> int:
    """Steps of nodes backwards, towards the cut."""
    return int((moves(trace)[0] @ notches(trace)[0][2] > 0).sum())


def speed_range(trace: Trace) -> float:
    """Largest Δt αλ |v × t| relative to the least."""
    lengths = np.linalg.norm(moves(trace)[1], axis=1)
    return float(lengths.max() / lengths.min())


M.total("steps", quantity("steps of nodes that are judged")(lambda c: len(moves(c)[0])), EVERY_RUN)
M.largest("error", error, EVERY_RUN)
M.total("inward", inward, EVERY_RUN)
M.least("range", speed_range, EVERY_RUN)
