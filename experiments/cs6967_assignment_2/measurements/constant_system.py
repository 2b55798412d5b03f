# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/constant_system: stiffness warping with the matrix of the first step beside
that of every step."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/constant_system"
LOAD = ("scene.parameters.young_modulus_pa", "scene.parameters.gravity_m_s2")
SMALL = 10.0  # degrees, planned before any run


def faces(trace: Trace) -> tuple[Array, Array]:
    """Mean positions of the end face and of the layer of vertices before it, [row, 3] m."""
    along = trace.scene("rest_positions")[:, 0]
    last, before = np.unique(np.round(along, 9))[[-1, -2]]
    x = trace.values("step", "positions")
    return tuple(np.asarray(x[:, np.abs(along - at) < 1e-6].mean(axis=1)) for at in (last, before))  # type: ignore[return-value]


def angle(trace: Trace) -> float:
    """Largest angle of the bar's end to its direction at rest, degrees."""
    end, before = faces(trace)
    along = end - before
    return float(np.degrees(np.arccos(np.clip(along[:, 0] / np.linalg.norm(along, axis=1), -1, 1))).max())


def energy_excess(trace: Trace) -> float:
    """Largest total energy beyond that at the start, over what gravity supplies at most; infinite of a run that is
    broken off."""
    if trace.status != "completed":
        return np.inf
    total, gravity = trace.values("step", "total_energy"), trace.values("step", "gravitational_energy")
    return float((total - total[0]).max() / (gravity[0] - gravity).max())


def partners(data: ExperimentData) -> dict[Trace, Trace]:
    """Run with the constant matrix → the run with that of every step."""
    return {
        c: data.one(name="every_step", where={path: c.value(path) for path in LOAD})
        for c in data.some(name="constant", status=None)
    }


def tip_difference(trace: Trace, other: Trace) -> float:
    """Largest distance between the ends of the bars over the length; infinite of a run that is broken off."""
    if trace.status != "completed":
        return np.inf
    apart = np.linalg.norm(faces(trace)[0] - faces(other)[0], axis=1)
    return float(apart.max() / np.ptp(trace.scene("rest_positions")[:, 0]))


def small(data: ExperimentData) -> dict[Trace, Trace]:
    """Pairs in which the bar with the matrix of every step bends by less than ten degrees."""
    return {c: other for c, other in partners(data).items() if angle(other) < SMALL}


@measurement("constant_system.energy_excess", unit="1", experiment=EXPERIMENT)
def largest_energy_excess(data: ExperimentData) -> Measured:
    """Largest energy beyond that at the start over what gravity supplies, constant matrix, all bends and stiffnesses."""
    return extremes.largest({c: energy_excess(c) for c in partners(data)})


@measurement("constant_system.energy_excess_of_small_bends", unit="1", experiment=EXPERIMENT)
def energy_excess_of_small_bends(data: ExperimentData) -> Measured:
    """Largest energy beyond that at the start over what gravity supplies, constant matrix, bends below ten degrees."""
    return extremes.largest({c: energy_excess(c) for c in small(data)})


@measurement("constant_system.energy_excess_of_every_step", unit="1", experiment=EXPERIMENT)
def energy_excess_of_every_step(data: ExperimentData) -> Measured:
    """Largest energy beyond that at the start over what gravity supplies, matrix of every step."""
    return extremes.largest({c: energy_excess(c) for c in data.some(name="every_step", status=None)})


@measurement("constant_system.tip_difference", unit="1", experiment=EXPERIMENT)
def largest_tip_difference(data: ExperimentData) -> Measured:
    """Largest distance between the ends of the bars with a constant matrix and with that of every step, over the
    length."""
    return extremes.largest({c: tip_difference(c, other) for c, other in partners(data).items()})


@measurement("constant_system.tip_difference_of_small_bends", unit="1", experiment=EXPERIMENT)
def tip_difference_of_small_bends(data: ExperimentData) -> Measured:
    """Largest distance between the ends of the bars with a constant matrix and with that of every step, over the
    length, bends below ten degrees."""
    return extremes.largest({c: tip_difference(c, other) for c, other in small(data).items()})


@measurement("constant_system.largest_angle", unit="deg", experiment=EXPERIMENT)
def largest_angle(data: ExperimentData) -> Measured:
    """Largest angle of a bar's end to its direction at rest, matrix of every step."""
    return extremes.largest({c: angle(c) for c in data.every(name="every_step")})


@measurement("constant_system.small_bends", unit="1", experiment=EXPERIMENT)
def small_bends(data: ExperimentData) -> float:
    """Number of stiffnesses among the bends below ten degrees."""
    return float(len({c.value(LOAD[0]) for c in small(data)}))
