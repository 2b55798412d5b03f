# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/repulsion: how even nodes lie with repulsion,
against the centres of their cells."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import sampled_nodes as nodes
from .octree_sampling import Sample, adjacent, samples

EXPERIMENT = "pauly_et_al_2005/repulsion"


class Evenness(NamedTuple):
    """Measures of unevenness of one member, each with repulsion relative to without."""

    spread: float  # of log(d_i/d_j), d the distance to the nearest node, over pairs of adjacent nodes
    transitions: float  # the same over pairs in cells of different levels
    inside: float  # the same over pairs in cells of one level; infinite where the spread was 0 before
    variation: float  # of d over the edge of the cell


def nearest(points: Array) -> Array:
    """Distance of every node to the nearest other one."""
    return np.asarray(cKDTree(points).query(points, k=2)[0][:, 1])


def _quotient(after: float, before: float) -> float:
    return after / before if before > 1e-9 else (np.inf if after > 1e-9 else 1.0)


def evenness(sample: Sample) -> Evenness:
    """What repulsion has made of one member."""
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


def _law(cell: Trace) -> tuple[float, ...]:
    return tuple(float(cell.value(f"scene.parameters.repulsion_{n}")) for n in ("strength", "reach", "iterations"))


@lru_cache(maxsize=None)
def _members(cell: Trace, unmoved: Trace) -> list[Evenness]:
    return [evenness(s) for s in samples(cell, unmoved)]


def by_law(data: ExperimentData) -> dict[tuple[float, ...], dict[Trace, list[Evenness]]]:
    """Strength, reach and iterations → cell → members; the cells without repulsion are what the others are compared
    with."""
    still = {
        c.value("scene.parameters.body"): c for c in data.every(where={"scene.parameters.repulsion_strength": 0.0})
    }
    found: dict[tuple[float, ...], dict[Trace, list[Evenness]]] = {}
    for cell in data.every():
        if _law(cell)[0] > 0:
            found.setdefault(_law(cell), {})[cell] = _members(cell, still[cell.value("scene.parameters.body")])
    if not found:
        raise MissingData("no repulsion")
    return found


def _best(data: ExperimentData, name: str) -> Measured:
    """The least over laws of the largest over bodies and placements."""
    found = {
        f"strength {law[0]:g}, reach {law[1]:g}, {law[2]:g} iterations": max(
            getattr(e, name) for members in cells.values() for e in members
        )
        for law, cells in by_law(data).items()
    }
    return extremes.least(found)


def _worst(data: ExperimentData, name: str) -> Measured:
    found = {
        c: max(getattr(e, name) for e in members) for cells in by_law(data).values() for c, members in cells.items()
    }
    return extremes.largest(found)


@measurement("repulsion.placements", unit="1", experiment=EXPERIMENT)
def placements(data: ExperimentData) -> Measured:
    """Least number of ways in which the octree stands to a body."""
    return extremes.least({c: float(len(nodes.members(c))) for c in data.every()})


@measurement("repulsion.spread_ratio", unit="1", experiment=EXPERIMENT)
def spread_ratio(data: ExperimentData) -> Measured:
    """Spread of log(d_i/d_j) over pairs of nodes in adjacent cells, d the distance to the nearest node, with repulsion over without:
    largest of bodies and placements, least of the laws."""
    return _best(data, "spread")


@measurement("repulsion.transition_ratio", unit="1", experiment=EXPERIMENT)
def transition_ratio(data: ExperimentData) -> Measured:
    """Spread of log(d_i/d_j) over pairs of nodes in cells of different levels, with repulsion over without: largest of bodies and placements, least of the laws."""
    return _best(data, "transitions")


@measurement("repulsion.variation_ratio", unit="1", experiment=EXPERIMENT)
def variation_ratio(data: ExperimentData) -> Measured:
    """Coefficient of variation of d over the edge of the cell, with repulsion over without: largest of bodies and placements, least of
    the laws."""
    return _best(data, "variation")


@measurement("repulsion.inside_ratio", unit="1", experiment=EXPERIMENT)
def inside_ratio(data: ExperimentData) -> Measured:
    """The spread over pairs in cells of one level, with repulsion over without: largest of bodies and placements, least of the laws."""
    return _best(data, "inside")


@measurement("repulsion.worst_spread_ratio", unit="1", experiment=EXPERIMENT)
def worst_spread_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of the spreads over all pairs, with repulsion over without, of all laws, bodies and placements."""
    return _worst(data, "spread")
