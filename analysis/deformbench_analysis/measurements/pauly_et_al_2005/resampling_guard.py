# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling_guard: how many nodes there are in the end, with a smallest support and without."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes

EXPERIMENT = "pauly_et_al_2005/resampling_guard"
LEAST_SUM = 10


def ratio(cell: Trace) -> float:
    """The smallest support allowed over the smallest at the start."""
    return float(cell.value("method.parameters.min_support_ratio"))


@measurement("resampling_guard.growth", unit="1", experiment=EXPERIMENT)
def growth(data: ExperimentData) -> Measured:
    """Largest number of nodes that descend from one node of the start, over (h/h_min)³ of its support; after a hundred passes."""
    found = {}
    for cell in data.every(name="guarded"):
        worst = 0.0
        for member in nodes.frames(cell):
            start = member[0]["node_supports"]
            count = np.bincount(member[-1]["parents"], minlength=len(start))
            worst = max(worst, float((count / (start / (ratio(cell) * start.min())) ** 3).max()))
        found[cell] = worst
    return extremes.largest(found)


@measurement("resampling_guard.smallest_support", unit="1", experiment=EXPERIMENT)
def smallest_support(data: ExperimentData) -> Measured:
    """Least support in the end over the smallest allowed."""
    return extremes.least(
        {
            c: min(
                float(m[-1]["node_supports"].min() / (ratio(c) * m[0]["node_supports"].min())) for m in nodes.frames(c)
            )
            for c in data.every(name="guarded")
        }
    )


@measurement("resampling_guard.late_nodes", unit="1", experiment=EXPERIMENT)
def late_nodes(data: ExperimentData) -> Measured:
    """Largest number of nodes that the last fifty of a hundred passes add: 0 at a fixed point."""
    found = {}
    for cell in data.every(name="guarded"):
        found[cell] = float(max(len(m[-1]["parents"]) - len(m[-2]["parents"]) for m in nodes.frames(cell)))
    return extremes.largest(found)


@measurement("resampling_guard.guarded_growth", unit="1", experiment=EXPERIMENT)
def guarded_growth(data: ExperimentData) -> Measured:
    """Largest number of nodes in the end over that of the start, with a smallest support."""
    cells = data.every(name="guarded")
    return extremes.largest(
        {c: max(len(m[-1]["parents"]) / len(m[0]["parents"]) for m in nodes.frames(c)) for c in cells}
    )


def _unguarded(data: ExperimentData, least: float, most: float) -> Measured:
    cells = [c for c in data.every(name="unguarded") if least < float(c.value("scene.parameters.support_ratio")) < most]
    return extremes.least(
        {c: min(len(m[-1]["parents"]) / len(m[0]["parents"]) for m in nodes.frames(c)) for c in cells}
    )


@measurement("resampling_guard.unguarded_growth", unit="1", experiment=EXPERIMENT)
def unguarded_growth(data: ExperimentData) -> Measured:
    """Least number of nodes after four passes relative to the start, without a smallest support, supports of 1.6
    spacings."""
    return _unguarded(data, 0, 1.9)


@measurement("resampling_guard.unguarded_growth_by_faces", unit="1", experiment=EXPERIMENT)
def unguarded_growth_by_faces(data: ExperimentData) -> Measured:
    """Least number of nodes after five passes relative to the start, without a smallest support, supports of 2
    spacings."""
    return _unguarded(data, 1.9, 2.1)


@measurement("resampling_guard.unguarded_growth_by_corners", unit="1", experiment=EXPERIMENT)
def unguarded_growth_by_corners(data: ExperimentData) -> Measured:
    """Least number of nodes after seven passes relative to the start, without a smallest support, supports of 2√3
    spacings."""
    return _unguarded(data, 3.4, 3.5)


@measurement("resampling_guard.left_undersampled", unit="1", experiment=EXPERIMENT)
def left_undersampled(data: ExperimentData) -> Measured:
    """Largest share of the nodes in the end whose Ω is below 10 still, as the smallest support stops their splitting."""
    cells = data.every(name="guarded")
    return extremes.largest(
        {c: max(float((m[-1]["node_omega"] < LEAST_SUM).mean()) for m in nodes.frames(c)) for c in cells}
    )
