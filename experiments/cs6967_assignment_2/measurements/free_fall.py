# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/free_fall: the force on every vertex of a falling block, and its strain."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.corotational import Body
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import deformation_gradients
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/free_fall"
CONTROL = "cg20_plain"


def masses(trace: Trace) -> Array:
    """Lumped anew from rest shape and density, kg."""
    return Body.of(trace).masses(
        float(trace.value("scene.parameters.density_kg_m3")),
        len(trace.scene("rest_positions")),
    )


def force_error(trace: Trace) -> float:
    """Largest |m_i Δv_i/Δt − m_i g| / |m_i g| over vertices and steps."""
    velocities, times = (
        trace.series("step", "velocities"),
        trace.series("step", "velocities").time,
    )
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    accelerations = np.diff(velocities.values, axis=0) / np.diff(times)[:, None, None]
    errors = np.linalg.norm(accelerations - gravity, axis=2) / np.linalg.norm(gravity)
    return float(extremes.finite(errors, trace.label).max())


def strain(trace: Trace) -> float:
    """Largest |F − I|, Frobenius, over elements and rows."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    found = [
        np.linalg.norm(deformation_gradients(rest, tets, x) - np.eye(3), axis=(1, 2)).max()
        for x in trace.values("step", "positions")
    ]
    return float(extremes.finite(found, trace.label).max())


def judged(data: ExperimentData) -> list[Trace]:
    """Every method but the control."""
    return data.every(keep=lambda c: c.method_name != CONTROL)


@measurement("free_fall.force_error", unit="1", experiment=EXPERIMENT)
def largest_force_error(data: ExperimentData) -> Measured:
    """Largest |m Δv/Δt − m g| / |m g| of a vertex in a step of a free fall, every method with converged solves."""
    return extremes.largest({c: force_error(c) for c in judged(data)})


@measurement("free_fall.strain", unit="1", experiment=EXPERIMENT)
def largest_strain(data: ExperimentData) -> Measured:
    """Largest |F − I| of an element in a free fall of one second, every method with converged solves."""
    return extremes.largest({c: strain(c) for c in judged(data)})


@measurement("free_fall.cg20_force_error", unit="1", experiment=EXPERIMENT)
def control_force_error(data: ExperimentData) -> Measured:
    """The largest force error of free_fall with 20 iterations of conjugate gradients, without a preconditioner, from the last velocity."""
    return extremes.largest({c: force_error(c) for c in data.every(name=CONTROL)})


@measurement("free_fall.mass_ratio", unit="1", experiment=EXPERIMENT)
def least_mass_ratio(data: ExperimentData) -> Measured:
    """Largest over smallest mass of a vertex, least of all bodies."""
    return extremes.least({c: float(masses(c).max() / masses(c).min()) for c in data.every()})


@measurement("free_fall.methods", unit="1", experiment=EXPERIMENT)
def methods(data: ExperimentData) -> float:
    """Number of different methods judged."""
    return float(len({c.method_id for c in judged(data)}))
