# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/crossing_fronts: what becomes of two round cracks that grow into each other, and where their sheets meet."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import CROSSING, INITIATION, MERGE, SPLIT, Frame, frames, fronts, last_frame, seeds

EXPERIMENT = "pauly_et_al_2005/crossing_fronts"


def surfel_radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def meets_other(trace: Trace) -> bool:
    """Whether the planes of the two cracks are not parallel at a distance."""
    pennies = trace.value("method.parameters.crack_pennies")
    return bool(pennies[2] == pennies[10])


def contacts(arrays: Frame) -> bool:
    """Whether anything but the start has happened."""
    return bool(np.any(arrays["crack_events"][:, 1] != INITIATION))


def is_exchanged(trace: Trace, member: int | None) -> bool | None:
    """Whether, in the first state after the first contact, the two closed fronts have become one closed front of both cracks by a split and a merge
    or by a crossing; None without contact."""
    for _, _, arrays in frames(trace, member):
        if not contacts(arrays):
            continue
        kinds = set(arrays["crack_events"][:, 1].tolist())
        found = fronts(arrays)
        both = len(found) == 1 and found[0].closed and set(found[0].cracks.tolist()) >= {0, 1}
        return both and (CROSSING in kinds or {SPLIT, MERGE} <= kinds)
    return None


def exchanged_share(data: ExperimentData, name: str) -> Measured:
    """Of the pairs that have met, least of all angles."""
    found = {}
    for c in data.every(name=name):
        if not meets_other(c):
            continue
        met = [x for x in (is_exchanged(c, m) for m in seeds(c)) if x is not None]
        if met:
            found[c] = sum(met) / len(met)
    return extremes.least(found)


@measurement("crossing_fronts.exchanged", unit="1", experiment=EXPERIMENT)
def exchanged(data: ExperimentData) -> Measured:
    """Least share, over the angles, of pairs of cracks that are one closed front in the first state after they have met, with snapping."""
    return exchanged_share(data, "snapping")


@measurement("crossing_fronts.exchanged_without", unit="1", experiment=EXPERIMENT)
def exchanged_without(data: ExperimentData) -> Measured:
    """Least share, over the angles, of pairs of cracks that are one closed front in the first state after they have met, without snapping,
    where one crack may come to the other's sheet before their fronts cross."""
    return exchanged_share(data, "no_snapping")


@measurement("crossing_fronts.still_one", unit="1", experiment=EXPERIMENT)
def still_one(data: ExperimentData) -> Measured:
    """Least share, over the angles, of pairs with snapping that have met and end the run as one closed front."""
    found = {}
    for c in data.every(name="snapping"):
        last = [fronts(last_frame(c, m)) for m in seeds(c) if contacts(last_frame(c, m))]
        if meets_other(c) and last:
            found[c] = sum(len(f) == 1 and f[0].closed for f in last) / len(last)
    return extremes.least(found)


@measurement("crossing_fronts.passing_events", unit="1", experiment=EXPERIMENT)
def passing_events(data: ExperimentData) -> float:
    """Number of events but initiations of cracks in parallel planes more than two snapping distances apart."""
    return float(
        sum(
            int((last_frame(c, m)["crack_events"][:, 1] != INITIATION).sum())
            for c in data.every()
            if not meets_other(c)
            for m in seeds(c)
        )
    )


def plane_normal(trace: Trace, crack: int) -> Array:
    """Of the plane that a crack starts in."""
    n = np.asarray(trace.value("method.parameters.crack_pennies")[8 * crack + 3 : 8 * crack + 6], dtype=float)
    return np.asarray(n / np.linalg.norm(n))


def bent(trace: Trace, member: int | None) -> float:
    """Largest angle in degrees of a surfel with its crack's plane, in the first state after the two cracks have become one front."""
    for _, _, arrays in frames(trace, member):
        if not contacts(arrays):
            continue
        surfels = arrays["crack_surfels"]
        worst = 0.0
        for crack in (0, 1):
            n = surfels[surfels[:, 7] == crack][:, 3:6]
            sine = np.linalg.norm(np.cross(n, plane_normal(trace, crack)), axis=1)
            worst = max(worst, float(np.degrees(np.arcsin(np.clip(sine, 0, 1))).max()))
        return worst
    return 0.0


@measurement("crossing_fronts.bent", unit="deg", experiment=EXPERIMENT)
def bent_most(data: ExperimentData) -> Measured:
    """Largest angle between a surfel and the plane of its own crack in the first state after two cracks have met, with snapping."""
    found = {c: max(bent(c, m) for m in seeds(c)) for c in data.every(name="snapping") if meets_other(c)}
    return extremes.largest(found)


@measurement("crossing_fronts.without_crease", unit="1", experiment=EXPERIMENT)
def without_crease(data: ExperimentData) -> float:
    """Number of pairs that have become one closed front and whose sheets are not two of their own, listed as a crease, with snapping."""
    count = 0
    for c in data.every(name="snapping"):
        for m in seeds(c):
            if not meets_other(c) or not is_exchanged(c, m):
                continue
            arrays = next(a for _, _, a in frames(c, m) if contacts(a))
            cracks = set(arrays["crack_surfels"][:, 7].tolist())
            count += cracks != {0.0, 1.0} or [0, 1] not in arrays["crack_creases"].tolist()
    return float(count)
