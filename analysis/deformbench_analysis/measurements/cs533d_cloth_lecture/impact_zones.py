# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/impact_zones: piles of sheets with rigid zones, affine zones and converged impulses."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/impact_zones"
NOISE = "scene.parameters.speed_noise"


def members(trace: Trace, frame: int) -> tuple[Array, Array]:
    """Positions and velocities of all members in one frame."""
    return trace.values("frame", "positions")[:, frame], trace.values("frame", "velocities")[:, frame]


def crossings(trace: Trace, frame: int = -1) -> Array:
    """Of every member, pairs of triangles that intersect, by exact signs."""
    triangles = trace.scene("triangles")
    return np.array([crossing_count(x, triangles) for x in members(trace, frame)[0]])


def momentum_changes(trace: Trace) -> tuple[Array, Array]:
    """Of every member |ΔP| over Σm|v| and |ΔL| over Σm|x − x̄||v|, L about the middle at the start, v before the step."""
    masses = trace.scene("masses")
    x, before = members(trace, 0)
    change = members(trace, -1)[1] - before
    arms = x - x.mean(axis=1, keepdims=True)
    speeds = np.linalg.norm(before, axis=2)
    p = np.linalg.norm(np.einsum("n,mni->mi", masses, change), axis=1) / (speeds @ masses)
    turning = np.einsum("n,mni->mi", masses, np.cross(arms, change))
    return p, np.linalg.norm(turning, axis=1) / ((np.linalg.norm(arms, axis=2) * speeds) @ masses)


def kept_energy(trace: Trace) -> Array:
    """Of every member, kinetic energy after the step over that before, both in the frame of the mean velocity."""
    masses = trace.scene("masses")

    def energy(frame: int) -> Array:
        v = members(trace, frame)[1]
        mean = np.einsum("n,mni->mi", masses, v) / masses.sum()
        return np.asarray(np.einsum("n,mni->m", masses, (v - mean[:, None]) ** 2))

    return np.asarray(energy(-1) / energy(0))


def _cells(data: ExperimentData, name: str) -> list[Trace]:
    return data.every(name=name)


def method_counts(trace: Trace, place: int) -> Array:
    """Of every member, one of the method's own counts of the step."""
    found = []
    for member in range(trace.values("frame", "positions").shape[0]):
        *_, (_, _, last) = trace.frames(member, names=["collision_counts"])
        found.append(int(last["collision_counts"][place]))
    return np.array(found)


@measurement("impact_zones.crossings_at_start", unit="1", experiment=EXPERIMENT)
def crossings_at_start(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect before the step."""
    return extremes.largest({c: float(crossings(c, 0).max()) for c in data.every()})


@measurement("impact_zones.crossings_with_rigid", unit="1", experiment=EXPERIMENT)
def crossings_with_rigid(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect after the step with rigid zones, by exact signs, over all seeds."""
    return extremes.largest({c: float(crossings(c).max()) for c in _cells(data, "rigid")})


def passed_layers(trace: Trace) -> Array:
    """Of every member, neighbouring sheets whose order by height the step has reversed: those that went through each other."""
    x = members(trace, -1)[0]
    layers = int(trace.value("scene.parameters.layers"))
    heights = x[:, :, 1].reshape(len(x), layers, -1).mean(axis=2)
    return np.asarray((np.diff(heights, axis=1) <= 0.0).sum(axis=1))


@measurement("impact_zones.passed_with_rigid", unit="1", experiment=EXPERIMENT)
def passed_with_rigid(data: ExperimentData) -> Measured:
    """Most neighbouring sheets that went through each other with rigid zones, over all seeds."""
    return extremes.largest({c: float(passed_layers(c).max()) for c in _cells(data, "rigid")})


@measurement("impact_zones.faulty_share_with_affine", unit="1", experiment=EXPERIMENT)
def faulty_share_with_affine(data: ExperimentData) -> Measured:
    """Share of seeds in which sheets cross or went through each other with affine zones, least of all noises."""
    faults = {c: float(np.mean((crossings(c) > 0) | (passed_layers(c) > 0))) for c in _cells(data, "affine")}
    return extremes.least(faults)


@measurement("impact_zones.momentum_change_rigid", unit="1", experiment=EXPERIMENT)
def momentum_change_rigid(data: ExperimentData) -> Measured:
    """Largest |ΔP| over Σm|v| with rigid zones, over all seeds."""
    return extremes.largest({c: float(momentum_changes(c)[0].max()) for c in _cells(data, "rigid")})


@measurement("impact_zones.angular_momentum_change_rigid", unit="1", experiment=EXPERIMENT)
def angular_momentum_change_rigid(data: ExperimentData) -> Measured:
    """Largest |ΔL| over Σm|x − x̄||v| with rigid zones, at the positions at the start, over all seeds."""
    return extremes.largest({c: float(momentum_changes(c)[1].max()) for c in _cells(data, "rigid")})


@measurement("impact_zones.momenta_change_affine", unit="1", experiment=EXPERIMENT)
def momenta_change_affine(data: ExperimentData) -> Measured:
    """Largest of both changes of momenta with affine zones, over all seeds."""
    return extremes.largest({c: float(np.max(momentum_changes(c))) for c in _cells(data, "affine")})


@measurement("impact_zones.stopped_vertices", unit="1", experiment=EXPERIMENT)
def stopped_vertices(data: ExperimentData) -> Measured:
    """Most vertices that the fail-safe has stopped with rigid zones."""
    return extremes.largest({c: float(method_counts(c, 8).max()) for c in _cells(data, "rigid")})


@measurement("impact_zones.energy_ratio", unit="1", experiment=EXPERIMENT)
def energy_ratio(data: ExperimentData) -> Measured:
    """Largest kinetic energy that rigid zones keep over that which converged impulses keep, of the same seed; below one where zones
    lose more."""
    found = {}
    for cell in _cells(data, "rigid"):
        beside = data.one(name="impulses", where={NOISE: cell.value(NOISE)})
        found[cell] = float(np.max(kept_energy(cell) / kept_energy(beside)))
    return extremes.largest(found)


@measurement("impact_zones.energy_kept_by_rigid", unit="1", experiment=EXPERIMENT)
def energy_kept_by_rigid(data: ExperimentData) -> Measured:
    """Largest share of the kinetic energy about the mean velocity that is left after a step with rigid zones."""
    return extremes.largest({c: float(kept_energy(c).max()) for c in _cells(data, "rigid")})


@measurement("impact_zones.energy_kept_by_affine", unit="1", experiment=EXPERIMENT)
def energy_kept_by_affine(data: ExperimentData) -> Measured:
    """Least share of the kinetic energy about the mean velocity that is left after a step with affine zones."""
    return extremes.least({c: float(kept_energy(c).min()) for c in _cells(data, "affine")})


@measurement("impact_zones.pass_ratio", unit="1", experiment=EXPERIMENT)
def pass_ratio(data: ExperimentData) -> Measured:
    """Passes over the pairs that rigid zones take until nothing is left, over those that sweeps of impulses take, of the same seed: rounds
    and sweeps, each with a last one that finds nothing; largest of all seeds."""
    found = {}
    for cell in _cells(data, "rigid"):
        beside = data.one(name="impulses", where={NOISE: cell.value(NOISE)})
        found[cell] = float(np.max((method_counts(cell, 4) + 1.0) / (method_counts(beside, 1) + 1.0)))
    return extremes.largest(found)
