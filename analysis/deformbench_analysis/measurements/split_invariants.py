# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_invariants: a body that has just split beside its twin that may not.

Up to the first split the two runs have the same bits, so that in the row of the first split they differ by the split alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import MissingData
from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace
from .broken_meshes import frame_at

EXPERIMENT = "mueller_gross_2004/split_invariants"


def first_row(trace: Trace) -> int | None:
    """Row of the clock step that is the first with a split."""
    rows = np.flatnonzero(trace.values("step", "split_count") > 0)
    return int(rows[0]) if rows.size else None


def pairs(data: ExperimentData) -> Iterator[tuple[Trace, Trace, int]]:
    """(broken, whole, row of the first split): the same scene, both criteria, all thresholds that broke it."""
    for broken in data.some(keep=lambda c: c.value("method.parameters.fracture") != "none"):
        row = first_row(broken)
        if row is None:
            continue
        same = data.some(name="whole", keep=lambda c: c.value("scene") == broken.value("scene"))
        yield broken, same[0], row


def compared(data: ExperimentData) -> list[tuple[Trace, Trace, int]]:
    found = list(pairs(data))
    if not found:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: nothing was split")
    return found


def _worst_change(data: ExperimentData, channel: str) -> Measured:
    """Largest |a − b| over |b|, norms of vectors, and the run where it is."""
    changes = {}
    for broken, whole, row in compared(data):
        after, before = (np.atleast_1d(t.values("step", channel)[row]) for t in (broken, whole))
        changes[broken.label] = float(np.linalg.norm(after - before) / np.linalg.norm(before))
    worst = max(changes, key=lambda k: changes[k])
    return Measured(changes[worst], worst)


@measurement("split_invariants.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Vertex splits of the first splitting steps that are compared, all runs."""
    return float(sum(b.values("step", "split_count")[row] for b, _, row in compared(data)))


@measurement("split_invariants.kinetic_energy_change", unit="1", experiment=EXPERIMENT)
def kinetic_energy_change(data: ExperimentData) -> Measured:
    """Largest relative change of the kinetic energy by the splits of one step."""
    return _worst_change(data, "kinetic_energy")


@measurement("split_invariants.elastic_energy_change", unit="1", experiment=EXPERIMENT)
def elastic_energy_change(data: ExperimentData) -> Measured:
    """Largest relative change of the elastic energy by the splits of one step."""
    return _worst_change(data, "elastic_energy")


@measurement("split_invariants.linear_momentum_change", unit="1", experiment=EXPERIMENT)
def linear_momentum_change(data: ExperimentData) -> Measured:
    """Largest relative change of the linear momentum by the splits of one step."""
    return _worst_change(data, "linear_momentum")


@measurement("split_invariants.angular_momentum_change", unit="1", experiment=EXPERIMENT)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest relative change of the angular momentum by the splits of one step."""
    return _worst_change(data, "angular_momentum")


@measurement("split_invariants.volume_change", unit="1", experiment=EXPERIMENT)
def volume_change(data: ExperimentData) -> Measured:
    """Largest relative change of the volume by the splits of one step."""
    return _worst_change(data, "volume")


@measurement("split_invariants.stress_difference", unit="Pa", experiment=EXPERIMENT)
def stress_difference(data: ExperimentData) -> float:
    """Largest difference of any stress component of any element in the row of the first split."""
    worst = 0.0
    for broken, whole, row in compared(data):
        step = int(broken.series("step", "split_count").step[row])
        worst = max(worst, float(np.abs(frame_at(broken, step).fields["element_stresses"] - frame_at(whole, step).fields["element_stresses"]).max()))
    return worst


@measurement("split_invariants.merged_force_difference", unit="1", experiment=EXPERIMENT)
def merged_force_difference(data: ExperimentData) -> float:
    """Largest |Σ forces on the parts of a vertex − force on the whole one| over the largest force, row of the first split."""
    worst = 0.0
    for broken, whole, row in compared(data):
        step = int(broken.series("step", "split_count").step[row])
        after, before = frame_at(broken, step), frame_at(whole, step)
        merged = np.zeros_like(before.fields["elastic_forces"])
        np.add.at(merged, after.parents, after.fields["elastic_forces"])
        scale = float(np.linalg.norm(before.fields["elastic_forces"], axis=1).max())
        worst = max(worst, float(np.linalg.norm(merged - before.fields["elastic_forces"], axis=1).max()) / scale)
    return worst
