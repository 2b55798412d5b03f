# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/thin_gaps and thin_folds: what rigid impact zones resolve, and what the
fail-safe stops, over the gap of the layers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crossings import crossing_count
from .impact_zones import crossings, momentum_changes

EXPERIMENT = "cs533d_cloth_lecture/thin_gaps"
FOLDS = "cs533d_cloth_lecture/thin_folds"
LEAST_GAP = 1e-4  # of a cell's side: 0.1 mm on cells of a metre, thinner than cloth is
STOPPED = 8  # place in collision_counts


def gap(trace: Trace) -> float:
    """Gap between layers over the side of a cell, of the scene at rest, whose cells lie along x and layers along y."""
    side, height = (float(np.diff(np.unique(trace.scene("rest_positions")[:, axis])).max()) for axis in (0, 1))
    return height / side


def is_wide(trace: Trace) -> bool:
    """A gap as wide as cloth is thick, to rounding."""
    return gap(trace) >= LEAST_GAP * (1 - 1e-9)


def _worst(data: ExperimentData, size: Callable[[Trace], float], wide: bool = False) -> Measured:
    return extremes.largest({c: size(c) for c in data.every() if is_wide(c) or not wide})


def stopped(trace: Trace) -> float:
    """Largest share of the vertices that the fail-safe has stopped, over seeds."""
    members = trace.values("frame", "positions").shape[0] if trace.series("frame", "positions").is_ensemble else 1
    found = [list(trace.frames(member, names=["collision_counts"]))[-1][2] for member in range(members)]
    return float(max(f["collision_counts"][STOPPED] for f in found)) / len(trace.scene("masses"))


@measurement("thin_gaps.stopped_share", unit="1", experiment=EXPERIMENT)
def stopped_share(data: ExperimentData) -> Measured:
    """Largest share of the vertices that the fail-safe has stopped, all gaps."""
    return _worst(data, stopped)


@measurement("thin_gaps.stopped_share_of_wide_gaps", unit="1", experiment=EXPERIMENT)
def stopped_share_of_wide_gaps(data: ExperimentData) -> Measured:
    """Largest share of the vertices that the fail-safe has stopped, gaps of at least 1e-4 of a cell's side."""
    return _worst(data, stopped, wide=True)


@measurement("thin_gaps.crossings", unit="1", experiment=EXPERIMENT)
def most_crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect after the step, by exact signs, all gaps."""
    return _worst(data, lambda c: float(crossings(c).max()))


@measurement("thin_gaps.momenta_change_of_wide_gaps", unit="1", experiment=EXPERIMENT)
def momenta_change_of_wide_gaps(data: ExperimentData) -> Measured:
    """Largest |ΔP| over Σm|v| and |ΔL| over Σm|x − x̄||v|, gaps of at least 1e-4 of a cell's side."""
    return _worst(data, lambda c: float(np.max(momentum_changes(c))), wide=True)


@measurement("thin_gaps.momenta_change", unit="1", experiment=EXPERIMENT)
def momenta_change(data: ExperimentData) -> Measured:
    """Largest |ΔP| over Σm|v| and |ΔL| over Σm|x − x̄||v|, all gaps."""
    return _worst(data, lambda c: float(np.max(momentum_changes(c))))


@measurement("thin_gaps.least_gap", unit="1", experiment=EXPERIMENT)
def least_gap(data: ExperimentData) -> Measured:
    """Least gap over the side of a cell."""
    return extremes.least({c: gap(c) for c in data.every()})


@measurement("thin_gaps.least_wide_gap", unit="1", experiment=EXPERIMENT)
def least_wide_gap(data: ExperimentData) -> Measured:
    """Least gap over the side of a cell of those of at least 1e-4."""
    return extremes.least({c: gap(c) for c in data.every() if is_wide(c)})


@measurement("thin_folds.stopped_share", unit="1", experiment=FOLDS)
def stopped_share_of_folds(data: ExperimentData) -> Measured:
    """Largest share of the vertices of a folded strip that the fail-safe has stopped, all gaps."""
    return _worst(data, stopped)


@measurement("thin_folds.stopped_share_of_wide_gaps", unit="1", experiment=FOLDS)
def stopped_share_of_wide_folds(data: ExperimentData) -> Measured:
    """Largest share of the vertices of a folded strip that the fail-safe has stopped, gaps of at least 1e-4 of a
    cell's side."""
    return _worst(data, stopped, wide=True)


@measurement("thin_folds.crossings", unit="1", experiment=FOLDS)
def crossings_of_folds(data: ExperimentData) -> Measured:
    """Most pairs of triangles of a folded strip that intersect after the step, by exact signs, all gaps."""
    return _worst(data, lambda c: float(crossing_count(c.values("frame", "positions")[-1], c.scene("triangles"))))


@measurement("thin_folds.speed_kept_where_stopped", unit="1", experiment=FOLDS)
def speed_kept_where_stopped(data: ExperimentData) -> Measured:
    """Largest |P| after the step over that before of strips that the fail-safe has stopped whole."""
    found = {}
    for cell in data.every():
        if stopped(cell) == 1.0:
            momenta = np.linalg.norm(cell.scene("masses") @ cell.values("frame", "velocities"), axis=1)
            found[cell] = float(momenta[-1] / momenta[0])
    return extremes.largest(found)
