# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_motion: displacements that carry surfels,
on lines past the front of an open crack."""

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, MissingData, Trace, extremes
from deformbench_analysis.vocabulary import quantity, rows

M = Measures("pauly_et_al_2005/surfel_motion")
WIDTH = 1e-9  # supports: largest width of an interval in which the displacement jumps
AT_FRONT = 1e-5  # supports: gaps this near to the front are at it
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
    """[k] |difference| of the displacement over WIDTH supports, m, on every line;
    the lines must not cross the crack."""
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
    """Kinks of 45 and 90 degrees."""
    return str(trace.value("scene.parameters.crack")) == "kink"


def opening(trace: Trace, frame: Frame) -> float:
    """Median opening one support behind the front, m; half a support where the crack is kinked, as one support is
    past its ridge, where no crack is. MissingData if it is closed."""
    depth = 0.5 if is_kinked(trace) else 1.0
    distance = float(np.median(extremes.finite(gaps(trace, frame, depth - 0.01, depth + 0.01), trace.label)))
    if distance == 0:
        raise MissingData(f"{trace.label}: the crack is closed {depth:g} supports behind its front")
    return distance


@quantity("jump of the carried displacement across 1e-9 h past the front relative to the opening behind it")
def relative_jump(trace: Trace) -> Array:
    # The largest jump at the end, per member.
    return np.array(
        [float(extremes.finite(jumps(trace, f), trace.label).max()) / opening(trace, f) for f in ends(trace)]
    )


@quantity("jump of the carried displacement relative to (stretch − 1) h, crack closed at the start")
def affine_jump(trace: Trace) -> Array:
    stretch = trace.number("initial_stretch") - 1
    return np.array([(jumps(trace, f) / (stretch * f["motion_scans"][:, 6])).max() for f in starts(trace)])


@quantity("median opening of the crack one h behind the front relative to h")
def relative_opening(trace: Trace) -> Array:
    return np.array([opening(trace, f) / float(f["front_gaps"][0, 4]) for f in ends(trace)])


@quantity("opening of the crack 1e-6 h behind the front relative to one h behind it")
def gap_at_front(trace: Trace) -> Array:
    found = []
    for frame in ends(trace):
        at_front = extremes.finite(gaps(trace, frame, 0.0, AT_FRONT), trace.label)
        found.append(float(at_front.max()) / opening(trace, frame))
    return np.array(found)


def is_flat(trace: Trace) -> bool:
    """Flat cracks."""
    return not is_kinked(trace)


FLAT, KINKED = (rows("transparency").where(shape) for shape in (is_flat, is_kinked))
SEEN = rows("visibility").where(is_flat)

M.largest("transparency_jump", relative_jump, FLAT)
M.largest("kink_jump", relative_jump, KINKED)
M.largest("median_kink_jump", relative_jump.median(), KINKED)
M.least("visibility_jump", relative_jump.median(), SEEN)
M.largest("affine_jump", affine_jump, EVERY_RUN.where(is_flat))
M.least("opening", relative_opening, FLAT)
M.largest("gap_at_front", gap_at_front, FLAT)
M.least("gap_at_front_visibility", gap_at_front, SEEN)


@M("clouds")
def clouds(data: ExperimentData) -> float:
    """Smallest number of members with scanned lines, all cracks and weights."""
    return float(min(sum(len(f["motion_scans"]) > 0 for f in ends(c)) for c in data.every()))
