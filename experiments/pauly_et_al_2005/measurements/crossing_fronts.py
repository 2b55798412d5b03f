# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/crossing_fronts: events and creases of two penny-shaped cracks
that grow into each other."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity, rows
from .crack_fronts import CROSSING, INITIATION, MERGE, SPLIT, Frame, frames, fronts, last_frame, seeds

M = Measures("pauly_et_al_2005/crossing_fronts")


def meets_other(trace: Trace) -> bool:
    """Penny centres at one height."""
    pennies = trace.value("method.parameters.crack_pennies")
    return bool(pennies[2] == pennies[10])


def contacts(arrays: Frame) -> bool:
    """Whether events besides initiations exist."""
    return bool(np.any(arrays["crack_events"][:, 1] != INITIATION))


@lru_cache(maxsize=None)
def at_contact(trace: Trace, member: int | None) -> Frame | None:
    """The first state after the first contact; None without contact."""
    names = ("front_nodes", "crack_events", "crack_surfels", "crack_creases")
    return next((arrays for _, _, arrays in frames(trace, member, names) if contacts(arrays)), None)


def is_exchanged(trace: Trace, member: int | None) -> bool | None:
    """Whether, in the first state after the first contact, the two closed fronts have become one closed front of both
    cracks by a split and a merge or by a crossing; None without contact."""
    arrays = at_contact(trace, member)
    if arrays is None:
        return None
    kinds = set(arrays["crack_events"][:, 1].tolist())
    found = fronts(arrays)
    both = len(found) == 1 and found[0].closed and set(found[0].cracks.tolist()) >= {0, 1}
    return both and (CROSSING in kinds or {SPLIT, MERGE} <= kinds)


def passes_other(trace: Trace) -> bool:
    """Parallel planes at a distance."""
    return not meets_other(trace)


def exchanged(trace: Trace) -> Array:
    """Share of pairs that are one closed front in the first state after they have met."""
    met = [x for x in (is_exchanged(trace, m) for m in seeds(trace)) if x is not None]
    return np.array([sum(met) / len(met)] if met else [])


def still_one(trace: Trace) -> Array:
    """Share of pairs that have met and end the run as one closed front."""
    last = [fronts(arrays) for arrays in (last_frame(trace, m) for m in seeds(trace)) if contacts(arrays)]
    return np.array([sum(len(f) == 1 and f[0].closed for f in last) / len(last)] if last else [])


def events(trace: Trace) -> int:
    """Events but initiations."""
    return sum(int((last_frame(trace, m)["crack_events"][:, 1] != INITIATION).sum()) for m in seeds(trace))


def plane_normal(trace: Trace, crack: int) -> Array:
    """Unit normal of the plane that a crack starts in."""
    n = np.asarray(trace.value("method.parameters.crack_pennies")[8 * crack + 3 : 8 * crack + 6], dtype=float)
    return np.asarray(n / np.linalg.norm(n))


def bent(trace: Trace, member: int | None) -> float:
    """Largest angle in degrees of a surfel with its crack's plane,
    in the first state after the two cracks have become one front."""
    arrays = at_contact(trace, member)
    if arrays is None:
        return 0.0
    surfels, worst = arrays["crack_surfels"], 0.0
    for crack in (0, 1):
        n = surfels[surfels[:, 7] == crack][:, 3:6]
        sine = np.linalg.norm(np.cross(n, plane_normal(trace, crack)), axis=1)
        worst = max(worst, float(np.degrees(np.arcsin(np.clip(sine, 0, 1))).max()))
    return worst


@quantity("angle of a surfel with the plane of its own crack in the first state after two have met", unit="deg")
def bent_most(trace: Trace) -> Array:
    return np.array([bent(trace, m) for m in seeds(trace)])


def without_crease(trace: Trace) -> int:
    """Pairs of one closed front that lack one crack's surfels or the crease of both."""
    count = 0
    for m in seeds(trace):
        arrays = at_contact(trace, m)
        if arrays is None or not is_exchanged(trace, m):
            continue
        cracks = set(arrays["crack_surfels"][:, 7].tolist())
        count += cracks != {0.0, 1.0} or [0, 1] not in arrays["crack_creases"].tolist()
    return count


SNAPPING, WITHOUT = (rows(name).where(meets_other, says="") for name in ("snapping", "no_snapping"))

M.least("exchanged", exchanged, SNAPPING)
M.least("exchanged_without", exchanged, WITHOUT)
M.least("still_one", still_one, SNAPPING)
M.total("passing_events", events, EVERY_RUN.where(passes_other))
M.largest("bent", bent_most, SNAPPING)
M.total("without_crease", without_crease, SNAPPING)
