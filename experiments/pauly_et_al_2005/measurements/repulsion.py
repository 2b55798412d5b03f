# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/repulsion: evenness of nodes with repulsion,
against the cell centres."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, Trace, extremes
from deformbench_analysis.vocabulary import quantity
from .clouds import seeds
from .octree_sampling import Sample, adjacent, samples

M = Measures("pauly_et_al_2005/repulsion")
STRENGTH = "scene.parameters.repulsion_strength"


class Evenness(NamedTuple):
    """Measures of unevenness of one member, each with repulsion relative to without."""

    spread: float  # of log(d_i/d_j), d the distance to the nearest node, over pairs of adjacent nodes
    transitions: float  # the same over pairs in cells of different levels
    inside: float  # the same over pairs in cells of one level; infinite where the spread was 0 before
    variation: float  # of d / edge of the cell


def nearest(points: Array) -> Array:
    """Distance of every node to the nearest other one."""
    return np.asarray(cKDTree(points).query(points, k=2)[0][:, 1])


def _quotient(after: float, before: float) -> float:
    return after / before if before > 1e-9 else (np.inf if after > 1e-9 else 1.0)


def evenness(sample: Sample) -> Evenness:
    """Evenness of one member."""
    i, j = adjacent(sample, False)
    before, after = nearest(sample.centres), nearest(sample.points)
    cell = 0.5**sample.levels
    differ = sample.levels[i] != sample.levels[j]

    def spread(d: Array, keep: Array) -> float:
        if d.min() <= 0:
            return np.inf  # two nodes at one place
        return float(np.log(d[i[keep]] / d[j[keep]]).std()) if keep.any() else 0.0

    def variation(d: Array) -> float:
        return float((d / cell).std() / (d / cell).mean())

    def ratio(keep: Array) -> float:
        return _quotient(spread(after, keep), spread(before, keep))

    return Evenness(
        ratio(np.ones_like(differ)), ratio(differ), ratio(~differ), _quotient(variation(after), variation(before))
    )


def law(trace: Trace) -> str:
    """Strength, reach and iterations of the repulsion."""
    strength, reach, count = (
        trace.value(f"scene.parameters.repulsion_{n}") for n in ("strength", "reach", "iterations")
    )
    return f"strength {strength:g}, reach {reach:g}, {count:g} iterations"


@lru_cache(maxsize=None)
def members(cell: Trace, unmoved: Trace) -> list[Evenness]:
    """Evenness of every member."""
    return [evenness(s) for s in samples(cell, unmoved)]


@quantity("spread of log(d_i/d_j) of neighbours relative to no repulsion")
def _spread_ratio(cell: Trace, unmoved: Trace) -> Array:
    return np.array([e.spread for e in members(cell, unmoved)])


def moves(trace: Trace) -> bool:
    """With repulsion."""
    return float(trace.value(STRENGTH)) > 0


MOVED = EVERY_RUN.where(moves, says="").beside(EVERY_RUN.where({STRENGTH: 0.0}), "body", says="")

M.least("placements", quantity("number of placements of the octree")(lambda c: len(seeds(c))))
M.largest("worst_spread_ratio", _spread_ratio, MOVED)


def _best(data: ExperimentData, name: str) -> Measured:
    """Minimum over laws of the maximum over bodies and placements."""
    found: dict[str, float] = {}
    for (cell, unmoved), _ in MOVED.units(data):
        worst = max(getattr(e, name) for e in members(cell, unmoved))
        found[law(cell)] = max(worst, found.get(law(cell), worst))
    return extremes.least(found)


@M("spread_ratio")
def spread_ratio(data: ExperimentData) -> Measured:
    """Spread of log(d_i/d_j) of adjacent nodes, d the nearest node's distance, relative to no repulsion: largest of
    bodies and placements, least of laws."""
    return _best(data, "spread")


@M("transition_ratio")
def transition_ratio(data: ExperimentData) -> Measured:
    """Spread of log(d_i/d_j) of adjacent nodes of different levels relative to no repulsion: largest of bodies and
    placements, least of laws."""
    return _best(data, "transitions")


@M("variation_ratio")
def variation_ratio(data: ExperimentData) -> Measured:
    """Coefficient of variation of nearest distance / cell edge relative to no repulsion: largest of bodies and
    placements, least of laws."""
    return _best(data, "variation")


@M("inside_ratio")
def inside_ratio(data: ExperimentData) -> Measured:
    """Spread of log(d_i/d_j) of nodes of one level relative to no repulsion: largest of bodies and placements,
    least of laws."""
    return _best(data, "inside")
