# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/merging_zones: rigid zones that form in several places of a staircase of sheets and merge."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .impact_zones import crossings, kept_energy, members, method_counts, momentum_changes

EXPERIMENT = "cs533d_cloth_lecture/merging_zones"
ROUNDS, ZONES, LARGEST, STOPPED, UNRESOLVED = 4, 5, 7, 8, 9  # places in collision_counts


def heights_between(trace: Trace, frame: int) -> Array:
    """Of every member [m] and every two neighbouring sheets [layers - 1], how much higher the upper one is in the middle of what they
    have in common seen from above: the difference of the planes that fit them best."""
    x = members(trace, frame)[0]
    layers = int(trace.value("scene.parameters.layers"))
    sheets = x.reshape(len(x), layers, -1, 3)
    floor = np.concatenate([np.ones((*sheets.shape[:3], 1)), sheets[..., [0, 2]]], axis=3)
    planes = np.linalg.pinv(floor) @ sheets[..., 1:2]
    low, high = sheets.min(axis=2), sheets.max(axis=2)
    middle = 0.5 * (np.maximum(low[:, :-1], low[:, 1:]) + np.minimum(high[:, :-1], high[:, 1:]))
    at = np.stack([np.ones(middle.shape[:2]), middle[..., 0], middle[..., 2]], axis=2)
    return np.asarray(np.einsum("mlk,mlk->ml", at, (planes[:, 1:] - planes[:, :-1])[..., 0]))


def passed(trace: Trace) -> Array:
    """Of every member, neighbouring sheets of which the upper one is not the upper one after the step."""
    return np.asarray((heights_between(trace, -1) <= 0.0).sum(axis=1))


def _rigid(data: ExperimentData) -> list[Trace]:
    return data.every(name="rigid")


@measurement("merging_zones.merging_share", unit="1", experiment=EXPERIMENT)
def merging_share(data: ExperimentData) -> Measured:
    """Share of seeds with two zones at least after the step, and two rounds of merging at least."""
    found = {c: (method_counts(c, ZONES) >= 2) & (method_counts(c, ROUNDS) >= 2) for c in _rigid(data)}
    return extremes.least({c: float(np.mean(merges)) for c, merges in found.items()})


@measurement("merging_zones.zones", unit="1", experiment=EXPERIMENT)
def zones(data: ExperimentData) -> Measured:
    """Fewest zones that are left after the step of a seed."""
    return extremes.least({c: float(method_counts(c, ZONES).min()) for c in _rigid(data)})


@measurement("merging_zones.rounds", unit="1", experiment=EXPERIMENT)
def rounds(data: ExperimentData) -> Measured:
    """Most rounds of merging."""
    return extremes.largest({c: float(method_counts(c, ROUNDS).max()) for c in _rigid(data)})


@measurement("merging_zones.stopped_vertices", unit="1", experiment=EXPERIMENT)
def stopped_vertices(data: ExperimentData) -> Measured:
    """Most vertices that the fail-safe has stopped."""
    return extremes.largest({c: float(method_counts(c, STOPPED).max()) for c in _rigid(data)})


@measurement("merging_zones.passed_without", unit="1", experiment=EXPERIMENT)
def passed_without(data: ExperimentData) -> Measured:
    """Fewest neighbouring sheets of a seed that go through each other without any test."""
    return extremes.least({c: float(passed(c).min()) for c in data.every(name="none")})


@measurement("merging_zones.faults", unit="1", experiment=EXPERIMENT)
def faults(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect after the step, by exact signs, and neighbouring sheets that went through each other, with
    rigid zones, over all seeds."""
    return extremes.largest({c: float((crossings(c) + passed(c)).max()) for c in _rigid(data)})


@measurement("merging_zones.crossings_at_start", unit="1", experiment=EXPERIMENT)
def crossings_at_start(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect before the step."""
    return extremes.largest({c: float(crossings(c, 0).max()) for c in data.every()})


@measurement("merging_zones.momenta_change", unit="1", experiment=EXPERIMENT)
def momenta_change(data: ExperimentData) -> Measured:
    """Largest of |ΔP| over Σm|v| and |ΔL| over Σm|x − x̄||v|, over all seeds."""
    return extremes.largest({c: float(np.max(momentum_changes(c))) for c in _rigid(data)})


@measurement("merging_zones.energy_kept", unit="1", experiment=EXPERIMENT)
def energy_kept(data: ExperimentData) -> Measured:
    """Largest share of the kinetic energy about the mean velocity that is left after the step."""
    return extremes.largest({c: float(kept_energy(c).max()) for c in _rigid(data)})
