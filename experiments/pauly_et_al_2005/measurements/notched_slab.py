# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/notched_slab and notch_branches: how even the crack of a notch runs,
and how many start beside it."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crack_fronts import Frame, distance_to_triangles, frames, last_frame, seeds, swept

ROUGHNESS = "pauly_et_al_2005/notched_slab"
BRANCHES = "pauly_et_al_2005/notch_branches"
RESAMPLES = 10_000


def notches(trace: Trace) -> Array:
    """Ends of the fronts at the start, and the way to where the cuts come from, m, [k, 3, 3]."""
    return np.asarray(trace.value("method.parameters.crack_notches"), dtype=float).reshape(-1, 3, 3)


def heights(trace: Trace, arrays: Frame) -> Array:
    """Distances of what the crack of the first notch has swept from the plane of the notch, m,
    behind the notch left out."""
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
    """Root mean square height of every member's crack over the largest support."""
    found = []
    for member in seeds(trace):
        arrays = last_frame(trace, member)
        found.append(np.sqrt(np.mean(heights(trace, arrays) ** 2)) / arrays["node_supports"].max())
    return np.array(found)


def _pair(data: ExperimentData) -> tuple[Array, Array]:
    by_name = {t.method_name: roughness(t) for t in data.every()}
    if {"averaged", "nearest_node"} - by_name.keys():
        raise MissingData(f"{ROUGHNESS}: both stresses are needed")
    return by_name["averaged"], by_name["nearest_node"]


@measurement("notched_slab.clouds", unit="1", experiment=ROUGHNESS)
def clouds(data: ExperimentData) -> float:
    """Clouds on which both stresses were run."""
    return float(len(_pair(data)[0]))


@measurement("notched_slab.roughness_ratio", unit="1", experiment=ROUGHNESS)
def roughness_ratio(data: ExperimentData) -> float:
    """Mean distance of cracks from the plane of their notch with averaged stresses over that with the stress of the nearest node."""
    averaged, nearest = _pair(data)
    return float(averaged.mean() / nearest.mean())


@measurement("notched_slab.roughness_ratio_upper", unit="1", experiment=ROUGHNESS)
def roughness_ratio_upper(data: ExperimentData) -> float:
    """Upper end of the 95 per cent interval of the ratio of mean distances of cracks from their planes, averaged stresses over that of the nearest node:
    pairs of clouds drawn ten thousand times with replacement."""
    averaged, nearest = _pair(data)
    drawn = np.random.default_rng(1).integers(0, len(averaged), size=(RESAMPLES, len(averaged)))
    return float(np.quantile(averaged[drawn].mean(axis=1) / nearest[drawn].mean(axis=1), 0.975))


@measurement("notched_slab.least_length", unit="1", experiment=ROUGHNESS)
def least_length(data: ExperimentData) -> float:
    """How far cracks have run from their notch, in supports, least of all clouds and both stresses."""
    least = np.inf
    for trace in data.every():
        start, _, behind = notches(trace)[0]
        for member in seeds(trace):
            arrays = last_frame(trace, member)
            ahead = (swept(arrays, [0]).reshape(-1, 3) - start) @ (-behind / np.linalg.norm(behind))
            least = min(least, float(ahead.max() / arrays["node_supports"].max()))
    return least


def branches(trace: Trace) -> list[int]:
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
    return found


def raised_and_not(data: ExperimentData) -> tuple[list[int], list[tuple[Trace, list[int]]]]:
    """Counts without a raise, and of every cell with one."""
    swept_cells = [t for t in data.every() if t.method_name == "starts"]
    none = [branches(t) for t in swept_cells if float(t.value("method.parameters.crack_raised_factor")) == 1.0]
    raised = [(t, branches(t)) for t in swept_cells if float(t.value("method.parameters.crack_raised_factor")) > 1.0]
    if len(none) != 1 or not raised:
        raise MissingData(f"{BRANCHES}: one cell without a raise and others with one are needed")
    return none[0], raised


@measurement("notch_branches.without", unit="1", experiment=BRANCHES)
def without(data: ExperimentData) -> float:
    """Cracks that start within two supports of the notch's crack where no threshold is raised, mean of all clouds."""
    return float(np.mean(raised_and_not(data)[0]))


@measurement("notch_branches.fewer", unit="1", experiment=BRANCHES)
def fewer(data: ExperimentData) -> float:
    """Clouds on which fewer cracks start within two supports of the notch's crack with raised thresholds than without, least over factors and
    radii."""
    none, raised = raised_and_not(data)
    return float(min(sum(r < n for r, n in zip(counts, none, strict=True)) for _, counts in raised))


@measurement("notch_branches.fewer_wide", unit="1", experiment=BRANCHES)
def fewer_wide(data: ExperimentData) -> float:
    """Clouds on which fewer cracks start within two supports of the notch's crack with raised thresholds than
    without, least over factors of 1.5 and more, where the raise reaches nine tenths of a support or farther."""
    none, raised = raised_and_not(data)
    wide = []
    for trace, counts in raised:
        support = last_frame(trace, seeds(trace)[0])["node_supports"].max()
        reaches = float(trace.value("method.parameters.crack_raised_radius_m")) >= 0.9 * support
        if reaches and float(trace.value("method.parameters.crack_raised_factor")) >= 1.5:
            wide.append(sum(r < n for r, n in zip(counts, none, strict=True)))
    if not wide:
        raise MissingData(f"{BRANCHES}: no raise reaches a support")
    return float(min(wide))


@measurement("notch_branches.most_added", unit="1", experiment=BRANCHES)
def most_added(data: ExperimentData) -> float:
    """Cracks within two supports of the notch's crack with raised thresholds less those without, largest of all clouds, factors and radii."""
    none, raised = raised_and_not(data)
    return float(max(r - n for _, counts in raised for r, n in zip(counts, none, strict=True)))


@measurement("notch_branches.share", unit="1", experiment=BRANCHES)
def share(data: ExperimentData) -> float:
    """Cracks beside the notch's with raised thresholds over those without, all clouds, largest over factors and radii."""
    none, raised = raised_and_not(data)
    return max(sum(counts) / sum(none) for _, counts in raised)


@measurement("notch_branches.both_grow", unit="1", experiment=BRANCHES)
def both_grow(data: ExperimentData) -> float:
    """How far the crack that runs less far of two notches in one block has run from its notch, in supports, least of all clouds."""
    cells = [t for t in data.every() if t.method_name == "two_notches"]
    if not cells:
        raise MissingData(f"{BRANCHES}: no block with two notches")
    least = np.inf
    for trace in cells:
        for member in seeds(trace):
            arrays = last_frame(trace, member)
            for crack, (start, _, behind) in enumerate(notches(trace)):
                ahead = (swept(arrays, [crack]).reshape(-1, 3) - start) @ (-behind / np.linalg.norm(behind))
                least = min(least, float(ahead.max() / arrays["node_supports"].max()))
    return least


@measurement("notch_branches.path_difference", unit="1", experiment=BRANCHES)
def path_difference(data: ExperimentData) -> float:
    """Largest distance of the notch's crack with raised thresholds from the plane of the notch, less that without, in supports; all clouds,
    factors and radii."""
    largest = 0.0
    none: dict[int | None, float] = {}
    cells = [t for t in data.every() if t.method_name == "starts"]
    for trace in sorted(cells, key=lambda t: float(t.value("method.parameters.crack_raised_factor"))):
        for member in seeds(trace):
            arrays = last_frame(trace, member)
            height = float(np.abs(heights(trace, arrays)).max() / arrays["node_supports"].max())
            if member not in none:
                none[member] = height
            largest = max(largest, height - none[member])
    return largest
