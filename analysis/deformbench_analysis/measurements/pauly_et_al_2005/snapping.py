# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/snapping: how far apart the sheets of two cracks are that never meet."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import crossings, last_frame, seeds, swept

EXPERIMENT = "pauly_et_al_2005/snapping"
LINES = 400
SAME = 1e-3  # of d: closer hits are triangles of one sheet that overlap


def snapping_distance(trace: Trace) -> float:
    """d, m: the average radius of surfels."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def starts_apart(trace: Trace) -> float:
    """Distance of the planes that the two cracks start in, over d."""
    pennies = trace.value("method.parameters.crack_pennies")
    return abs(float(pennies[10]) - float(pennies[2])) / snapping_distance(trace)


def gaps(trace: Trace) -> Array:
    """Distances over d of sheets next to each other along lines across both cracks."""
    x, y = trace.value("method.parameters.crack_pennies")[:2]
    random = np.random.default_rng(1)
    angle, away = random.uniform(0, 2 * np.pi, LINES), 0.6 * np.sqrt(random.random(LINES))
    points = np.stack([x + away * np.cos(angle), y + away * np.sin(angle), np.full(LINES, -0.8)], axis=1)
    found: list[float] = []
    for member in seeds(trace):
        share, _ = crossings(points, points + np.array([0.0, 0.0, 1.6]), swept(last_frame(trace, member)))
        for row in share:
            hits = np.sort(row[~np.isnan(row)]) * 1.6 / snapping_distance(trace)
            found += [float(gap) for gap in np.diff(hits) if gap > SAME]
    return np.asarray(found)


@measurement("snapping.least_gap", unit="1", experiment=EXPERIMENT)
def least_gap(data: ExperimentData) -> Measured:
    """Least distance of two sheets, across the material between them, over the snapping distance; runs with snapping, in all of which the cracks do
    not meet."""
    found = {}
    for c in data.every(name="snapping"):
        some = gaps(c)
        if not len(some):
            raise MissingData(f"{c.label}: no line meets two sheets")
        found[c] = float(some.min())
    return extremes.least(found)


@measurement("snapping.least_gap_without", unit="1", experiment=EXPERIMENT)
def least_gap_without(data: ExperimentData) -> Measured:
    """Least distance of two sheets, across the material between them, over the snapping distance; runs without snapping."""
    return extremes.least({c: float(gaps(c).min()) for c in data.every(name="no_snapping")})


@measurement("snapping.least_start", unit="1", experiment=EXPERIMENT)
def least_start(data: ExperimentData) -> Measured:
    """Least distance over the snapping distance of planes that cracks start in."""
    return extremes.least({c: starts_apart(c) for c in data.every(name="snapping")})
