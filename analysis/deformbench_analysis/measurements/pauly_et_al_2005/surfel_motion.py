# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_motion: displacements that carry surfels, on lines past the front of an open crack."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...mesh_frames import members_of
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "pauly_et_al_2005/surfel_motion"
TRANSPARENCY, VISIBILITY = "transparency", "visibility"
WIDTH = 1e-9  # supports: how far apart the two ends of a place at which a displacement jumps may be
AT_FRONT = 1e-5  # supports: a gap so near to the front is one at the front
Frame = dict[str, Array]


def ends(trace: Trace) -> list[Frame]:
    """The last frame of every member."""
    return [list(trace.frames(member=m, last=True))[-1][2] for m in members_of(trace)]


def starts(trace: Trace) -> list[Frame]:
    """The first frame of every member: an affine stretch."""
    return [next(iter(trace.frames(member=m)))[2] for m in members_of(trace)]


def crosses(triangles: Array, a: Array, b: Array) -> Array:
    """[k] whether segments a to b [k, 3] go through one of the triangles [m, 3, 3], borders left out."""
    hit = np.zeros(len(a), dtype=bool)
    for p, q, r in triangles:
        normal = np.cross(q - p, r - p)
        above, below = (a - p) @ normal, (b - p) @ normal
        share = above / np.where(above == below, 1.0, above - below)
        x = a + share[:, None] * (b - a)
        inside = [np.cross(t - s, x - s) @ normal > 0 for s, t in ((p, q), (q, r), (r, p))]
        hit |= (above * below < 0) & np.logical_and.reduce(inside)
    return hit


def jumps(trace: Trace, frame: Frame) -> Array:
    """[k] |difference| of the displacement over WIDTH supports, m, on every line; the lines must not cross the crack."""
    rows = frame["motion_scans"]
    if not len(rows):
        raise MissingData(f"{trace.label}: no line past a front")
    a, b, support, left, right = rows[:, 0:3], rows[:, 3:6], rows[:, 6], rows[:, 7], rows[:, 8]
    if (crosses(frame["crack_triangles"], a, b)).any():
        raise MissingData(f"{trace.label}: a line crosses the crack")
    if ((right - left) * np.linalg.norm(b - a, axis=1) > (1 + 1e-6) * WIDTH * support).any():
        raise MissingData(f"{trace.label}: a place wider than {WIDTH:g} supports")
    return np.asarray(np.linalg.norm(rows[:, 12:15] - rows[:, 9:12], axis=1))


def gaps(trace: Trace, frame: Frame, low: float, high: float) -> Array:
    """[k] distance of both faces, m, at places whose depth behind the front is between low and high supports."""
    rows = frame["front_gaps"]
    depth = rows[:, 3] / rows[:, 4]
    chosen = (low <= depth) & (depth <= high)
    if not chosen.any():
        raise MissingData(f"{trace.label}: no place {low:g} to {high:g} supports behind the front")
    return np.asarray(np.linalg.norm(rows[chosen, 8:11] - rows[chosen, 5:8], axis=1))


def is_kinked(trace: Trace) -> bool:
    """Whether the crack has a ridge."""
    return str(trace.value("scene.parameters.crack")) == "kink"


def opening(trace: Trace, frame: Frame) -> float:
    """Median distance of both faces one support behind the front, m, half a support where the crack is kinked: a whole
    one is past its ridge, where no crack is. MissingData where they have not parted."""
    depth = 0.5 if is_kinked(trace) else 1.0
    distance = float(np.median(extremes.finite(gaps(trace, frame, depth - 0.01, depth + 0.01), trace.label)))
    if distance == 0:
        raise MissingData(f"{trace.label}: the crack is closed {depth:g} supports behind its front")
    return distance


def relative_jumps(trace: Trace) -> list[float]:
    """Of every member the largest jump at the end over the opening."""
    return [float(extremes.finite(jumps(trace, f), trace.label).max()) / opening(trace, f) for f in ends(trace)]


def flat(data: ExperimentData, name: str | None = None) -> list[Trace]:
    """Runs whose crack lies in a plane."""
    return [c for c in (data.every(name=name) if name else data.every()) if not is_kinked(c)]


def _largest(data: ExperimentData, of: Callable[[Trace], float], name: str | None = None) -> Measured:
    return extremes.largest({c: of(c) for c in flat(data, name)})


@measurement("surfel_motion.transparency_jump", unit="1", experiment=EXPERIMENT)
def transparency_jump(data: ExperimentData) -> Measured:
    """Largest difference of the carried displacement across 1e-9 h on lines past the front, over the opening of the
    crack one h behind it, transparency, every member; flat cracks."""
    return _largest(data, lambda c: max(relative_jumps(c)), TRANSPARENCY)


@measurement("surfel_motion.kink_jump", unit="1", experiment=EXPERIMENT)
def kink_jump(data: ExperimentData) -> Measured:
    """Largest jump of the carried displacement across 1e-9 h past the front, relative to the opening h/2 behind it;
    transparency, kinks of 45 and 90 degrees."""
    return extremes.largest({c: max(relative_jumps(c)) for c in data.every(name=TRANSPARENCY) if is_kinked(c)})


@measurement("surfel_motion.median_kink_jump", unit="1", experiment=EXPERIMENT)
def median_kink_jump(data: ExperimentData) -> Measured:
    """Median over members of the largest jump of the carried displacement, relative to the opening h/2 behind the
    front; transparency, worst kink of 45 and 90 degrees."""
    cells = [c for c in data.every(name=TRANSPARENCY) if is_kinked(c)]
    return extremes.largest({c: float(np.median(relative_jumps(c))) for c in cells})


@measurement("surfel_motion.visibility_jump", unit="1", experiment=EXPERIMENT)
def visibility_jump(data: ExperimentData) -> Measured:
    """Median over members of the largest difference of the carried displacement across 1e-9 h on lines past the front, over the
    opening one h behind it, visibility; the least of the cracks."""
    return extremes.least({c: float(np.median(relative_jumps(c))) for c in flat(data, VISIBILITY)})


@measurement("surfel_motion.affine_jump", unit="1", experiment=EXPERIMENT)
def affine_jump(data: ExperimentData) -> Measured:
    """Largest difference of the carried displacement across 1e-9 h on lines past the front while the crack is closed under an affine
    stretch, over the difference of displacements that the stretch gives over one h; both weights, every member."""

    def of(trace: Trace) -> float:
        stretch = float(trace.value("scene.parameters.initial_stretch")) - 1
        return max(float((jumps(trace, f) / (stretch * f["motion_scans"][:, 6])).max()) for f in starts(trace))

    return _largest(data, of)


@measurement("surfel_motion.opening", unit="1", experiment=EXPERIMENT)
def least_opening(data: ExperimentData) -> Measured:
    """Least over members of the median distance of both faces of the crack one h behind the front, over h, transparency."""
    return extremes.least(
        {c: min(opening(c, f) / float(f["front_gaps"][0, 4]) for f in ends(c)) for c in flat(data, TRANSPARENCY)}
    )


@measurement("surfel_motion.gap_at_front", unit="1", experiment=EXPERIMENT)
def gap_at_front(data: ExperimentData) -> Measured:
    """Largest distance of both faces of the crack 1e-6 h behind the front over that one h behind it, transparency, every member."""
    return _largest(data, lambda c: max(_gap_at_front(c, f) for f in ends(c)), TRANSPARENCY)


@measurement("surfel_motion.gap_at_front_visibility", unit="1", experiment=EXPERIMENT)
def gap_at_front_visibility(data: ExperimentData) -> Measured:
    """Least over members of the largest distance of both faces of the crack 1e-6 h behind the front over that one h behind it,
    visibility: the control."""
    return extremes.least({c: min(_gap_at_front(c, f) for f in ends(c)) for c in flat(data, VISIBILITY)})


def _gap_at_front(trace: Trace, frame: Frame) -> float:
    return float(extremes.finite(gaps(trace, frame, 0.0, AT_FRONT), trace.label).max()) / opening(trace, frame)


@measurement("surfel_motion.clouds", unit="1", experiment=EXPERIMENT)
def clouds(data: ExperimentData) -> float:
    """Least number of members whose lines were scanned, over cracks and weights."""
    return float(min(sum(len(f["motion_scans"]) > 0 for f in ends(c)) for c in data.every()))
