# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/ghost_forces and ghost_force_drift: net force and torque of internal forces."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/ghost_forces"
DRIFT = "mueller_gross_2004/ghost_force_drift"
LEAST_FORCE = 1e-6  # of the cell's largest force: at the rest pose forces are rounding and their ratio means nothing


def relative_sums(trace: Trace, channel: str, arm: float = 1.0) -> Array:
    """|sum| / (largest force × arm) of every pose that has forces at all; NaN where forces are not finite."""
    sums = np.linalg.norm(trace.values("pose", channel), axis=1)
    largest = trace.values("pose", "max_elastic_force")
    if not np.isfinite(largest).all():
        return np.array([np.nan])
    loaded = largest > LEAST_FORCE * largest.max()
    return np.asarray(sums[loaded] / (largest[loaded] * arm))


def force_sum(data: ExperimentData, name: str) -> float:
    """Largest relative sum of the elastic forces, all poses of a row."""
    return float(np.max([relative_sums(c, "elastic_force_sum").max() for c in data.every(name=name)]))


def torque_sum(data: ExperimentData, name: str) -> float:
    """Largest relative sum of the elastic torques, all poses of a row."""
    return float(
        np.max(
            [
                relative_sums(c, "elastic_torque_sum", float(c.value("scene.parameters.length_m"))).max()
                for c in data.every(name=name)
            ]
        )
    )


@measurement("ghost_forces.element_force_sum", unit="1", experiment=EXPERIMENT)
def element_force_sum(data: ExperimentData) -> float:
    """Largest |Σf| over the largest |f|, all poses and sizes, warped by element with polar rotations."""
    return force_sum(data, "element")


@measurement("ghost_forces.element_qr_force_sum", unit="1", experiment=EXPERIMENT)
def element_qr_force_sum(data: ExperimentData) -> float:
    """Largest |Σf| over the largest |f|, all poses and sizes, warped by element with Gram–Schmidt rotations."""
    return force_sum(data, "element_qr")


@measurement("ghost_forces.vertex_force_sum", unit="1", experiment=EXPERIMENT)
def vertex_force_sum(data: ExperimentData) -> Measured:
    """Largest |Σf| over the largest |f|, bent and twisted poses, warped by vertex; smallest over the sizes."""
    sums: dict[float, list[float]] = defaultdict(list)
    for cell in data.every(name="vertex", keep=lambda c: c.value("schedule.poses.field") in ("bend", "twist")):
        size = float(cell.value("scene.parameters.length_m"))
        sums[size].append(float(relative_sums(cell, "elastic_force_sum").max()))
    largest = [np.max(of_size) for of_size in sums.values()]
    return Measured(np.min(largest), f"largest over all: {np.max(largest):.3g}")


@measurement("ghost_forces.element_torque_sum", unit="1", experiment=EXPERIMENT)
def element_torque_sum(data: ExperimentData) -> float:
    """Largest |Σ x × f| about the centre over the largest |f| times the length, warped by element with polar
    rotations."""
    return torque_sum(data, "element")


@measurement("ghost_forces.element_qr_torque_sum", unit="1", experiment=EXPERIMENT)
def element_qr_torque_sum(data: ExperimentData) -> float:
    """Largest |Σ x × f| about the centre over the largest |f| times the length, warped by element with Gram–Schmidt
    rotations."""
    return torque_sum(data, "element_qr")


def drift(data: ExperimentData, name: str) -> float:
    """Farthest way of the centre of mass over the bar's length, all runs of a row."""
    ways = []
    for cell in data.every(name=name):
        centre = cell.values("step", "centre_of_mass")
        ways.append(np.linalg.norm(centre - centre[0], axis=1).max() / float(cell.value("scene.parameters.length_m")))
    return float(np.max(ways))


@measurement("ghost_force_drift.element_drift", unit="1", experiment=DRIFT)
def element_drift(data: ExperimentData) -> float:
    """Largest displacement of the centre of mass of a free bar over its length, warped by element."""
    return drift(data, "element")


@measurement("ghost_force_drift.vertex_drift", unit="1", experiment=DRIFT)
def vertex_drift(data: ExperimentData) -> float:
    """Largest displacement of the centre of mass of a free bar over its length, warped by vertex."""
    return drift(data, "vertex")
