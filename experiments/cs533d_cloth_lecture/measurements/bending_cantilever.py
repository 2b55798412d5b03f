# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/bending_cantilever: moment / curvature along a hanging strip."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("cs533d_cloth_lecture/bending_cantilever")
FREE = 8 / 9  # EI/(D b) of a free strip, equilateral triangles
FROM, TO = 0.2, 0.5  # evaluated part of the length: away from the clamp, before moments get small


def line_of(trace: Trace) -> tuple[Array, Array]:
    """Rest x along the strip, and midpoints of its two borders there, at the end."""
    rest, x = trace.scene("rest_positions"), list(trace.frames(last=True))[-1][2]["positions"]
    border = np.abs(rest[:, 1]).max() - np.abs(rest[:, 1]) < 1e-9 * np.ptp(rest[:, 1])
    places = np.unique(np.round(rest[border, 0], 9))
    middle = [x[border & (np.abs(rest[:, 0] - s) < 1e-8)].mean(axis=0) for s in places]
    return places, np.array(middle)


def rigidities(trace: Trace) -> tuple[Array, Array]:
    """Fractions of the length, and M/(κ D b) there: M the moment of the weight beyond, κ from segment angles."""
    rest, mass = trace.scene("rest_positions"), trace.scene("masses")
    x = list(trace.frames(last=True))[-1][2]["positions"]
    places, line = line_of(trace)
    segment = np.diff(line, axis=0)
    turn = np.diff(np.unwrap(np.arctan2(segment[:, 2], segment[:, 0])))
    size = np.linalg.norm(segment, axis=1)
    curvature = -turn / ((size[1:] + size[:-1]) / 2)
    gravity = trace.number("gravity_m_s2")
    moment = []
    for place, middle in zip(places[1:-1], line[1:-1]):
        beyond = rest[:, 0] > place + 1e-8
        moment.append(float((mass[beyond] * gravity * (x[beyond, 0] - middle[0])).sum()))
    scale = trace.setting("bend_stiffness_j") * np.ptp(rest[:, 1])
    return (places[1:-1] - places[0]) / np.ptp(places), np.asarray(np.array(moment) / curvature / scale)


def _looked_at(trace: Trace) -> Array:
    share, found = rigidities(trace)
    return np.asarray(found[(share >= FROM) & (share <= TO)])


def free_error(trace: Trace) -> Array:
    """|M/(8/9 κ D b) − 1| between a fifth and half of the length, M the moment of the weight beyond."""
    return np.asarray(np.abs(_looked_at(trace) / FREE - 1))


def straight_error(trace: Trace) -> Array:
    """|M/(κ D b) − 1| between a fifth and half of the length, the error of assuming D b."""
    return np.asarray(np.abs(_looked_at(trace) - 1))


def drop(trace: Trace) -> float:
    """Depth of the tip below the clamp / strip length."""
    places, line = line_of(trace)
    return float((line[0, 2] - line[-1, 2]) / np.ptp(places))


WEIGHTS = rows(says="all weights")

M.largest("free_error", free_error, WEIGHTS)
M.least("straight_error", straight_error, WEIGHTS)
M.largest("drop", drop, WEIGHTS)
