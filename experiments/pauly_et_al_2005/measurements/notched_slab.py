# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/notched_slab and notch_branches: roughness of a notch's crack,
and number of cracks beside it."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Rows, Trace, quantity, rows
from .crack_fronts import Frame, distance_to_triangles, frames, last_frame, seeds, swept

M = Measures("pauly_et_al_2005/notched_slab")
BRANCHES = Measures("pauly_et_al_2005/notch_branches")
FACTOR = "method.parameters.crack_raised_factor"
RESAMPLES = 10_000


def notches(trace: Trace) -> Array:
    """Ends of the initial fronts, and the vector to the cut's mouth, m, [k, 3, 3]."""
    return np.asarray(trace.value("method.parameters.crack_notches"), dtype=float).reshape(-1, 3, 3)


def heights(trace: Trace, arrays: Frame) -> Array:
    """Signed heights of the first notch's swept crack above the notch's plane, m,
    ahead of the notch only."""
    start, end, behind = notches(trace)[0]
    normal = np.cross(end - start, behind)
    normal /= np.linalg.norm(normal)
    corners = np.unique(swept(arrays, [0]).reshape(-1, 3), axis=0)
    ahead = (corners - start) @ (-behind / np.linalg.norm(behind))
    new = corners[ahead > 1e-9]
    if len(new) == 0:
        raise MissingData(f"{trace.label}: the crack of the notch has not grown")
    return np.asarray((new - start) @ normal)


def roughness(trace: Trace) -> Array:
    """RMS height of every member's crack relative to the largest support."""
    found = []
    for member in seeds(trace):
        arrays = last_frame(trace, member)
        found.append(np.sqrt(np.mean(heights(trace, arrays) ** 2)) / arrays["node_supports"].max())
    return np.array(found)


@lru_cache(maxsize=None)
def branches(trace: Trace) -> tuple[int, ...]:
    """Number of cracks per member that started within two supports of the notch crack, as it was at their start."""
    found = []
    for member in seeds(trace):
        count = known = 0
        for _, _, arrays in frames(trace, member):
            places = arrays["crack_starts"][known:, :3]
            known = len(arrays["crack_starts"])
            if len(places):
                near = distance_to_triangles(places, swept(arrays, [0]))
                count += int(np.sum(near <= 2 * arrays["node_supports"].max()))
        found.append(count)
    return tuple(found)


@quantity("number of clouds")
def _clouds(averaged: Trace, nearest: Trace) -> float:
    return float(len(roughness(averaged)))


@quantity("ratio of mean RMS heights of cracks above their notch's plane")
def _ratio(averaged: Trace, nearest: Trace) -> float:
    return float(roughness(averaged).mean() / roughness(nearest).mean())


@quantity("upper bound of the 95 % bootstrap interval of the ratio of mean RMS heights, pairs of clouds redrawn")
def _upper_ratio(averaged: Trace, nearest: Trace) -> float:
    """10,000 resamples."""
    ours, theirs = roughness(averaged), roughness(nearest)
    drawn = np.random.default_rng(1).integers(0, len(ours), size=(RESAMPLES, len(ours)))
    return float(np.quantile(ours[drawn].mean(axis=1) / theirs[drawn].mean(axis=1), 0.975))


@quantity("length of a crack from its notch, in supports")
def _length(trace: Trace) -> Array:
    """One number per notch and member."""
    found = []
    for member in seeds(trace):
        arrays = last_frame(trace, member)
        for crack, (start, _, behind) in enumerate(notches(trace)):
            ahead = (swept(arrays, [crack]).reshape(-1, 3) - start) @ (-behind / np.linalg.norm(behind))
            found.append(ahead.max() / arrays["node_supports"].max())
    return np.array(found)


@quantity("cracks that start within two supports of the notch's crack")
def _branches(trace: Trace) -> Array:
    return np.array(branches(trace))


@quantity("cracks within two supports of the notch's crack less those without a raise")
def _added(trace: Trace, without: Trace) -> Array:
    if len(branches(trace)) != len(branches(without)):
        raise MissingData(f"{trace.label}: other clouds than without a raise")
    return np.array(branches(trace)) - branches(without)


@quantity("clouds with fewer cracks within two supports of the notch's crack than without a raise")
def _fewer(trace: Trace, without: Trace) -> float:
    return float((_added(trace, without) < 0).sum())


@quantity("cracks beside the notch's in all clouds relative to no raise")
def _share(trace: Trace, without: Trace) -> float:
    return sum(branches(trace)) / sum(branches(without))


def _heights(trace: Trace) -> Array:
    """Largest distance of every member's crack from the plane of the notch, in supports."""
    found = [last_frame(trace, member) for member in seeds(trace)]
    return np.array([np.abs(heights(trace, arrays)).max() / arrays["node_supports"].max() for arrays in found])


@quantity("increase by a raise of the notch crack's largest distance from its plane, in supports; 0 if negative")
def _path_difference(trace: Trace, without: Trace) -> Array:
    return np.maximum(_heights(trace) - _heights(without), 0.0)


def is_raised(trace: Trace) -> bool:
    """Raised thresholds."""
    return float(trace.value(FACTOR)) > 1.0


def is_raised_much(trace: Trace) -> bool:
    """Factors ≥ 1.5."""
    return float(trace.value(FACTOR)) >= 1.5


def reaches_a_support(trace: Trace) -> bool:
    """Radii of at least 0.9 supports."""
    support = last_frame(trace, seeds(trace)[0])["node_supports"].max()
    return trace.setting("crack_raised_radius_m") >= 0.9 * float(support)


BOTH = rows("averaged", says="averaged stresses").beside(rows("nearest_node"), says="against those of the nearest node")
WITHOUT = rows("starts", says="runs without a raise").where({FACTOR: 1.0}, says="")
RAISED = rows("starts", says="raised thresholds, factors and radii").where(is_raised, says="")
WIDE = rows("starts", says="raised thresholds").where(is_raised_much).having(reaches_a_support)


def _beside_without(runs: Rows) -> Rows:
    return runs.beside(WITHOUT, says="")


M.only("clouds", _clouds, BOTH)
roughness_ratio = M.only("roughness_ratio", _ratio, BOTH)
M.only("roughness_ratio_upper", _upper_ratio, BOTH)
M.least("least_length", _length)
BRANCHES.mean("without", _branches, WITHOUT)
BRANCHES.least("fewer", _fewer, _beside_without(RAISED))
BRANCHES.least("fewer_wide", _fewer, _beside_without(WIDE))
BRANCHES.largest("most_added", _added, _beside_without(RAISED))
BRANCHES.largest("share", _share, _beside_without(RAISED))
BRANCHES.least("both_grow", _length, rows("two_notches", says="two notches in one block"))
BRANCHES.largest("path_difference", _path_difference, _beside_without(RAISED))
