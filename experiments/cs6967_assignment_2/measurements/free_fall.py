# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/free_fall: the force on every vertex of a falling block, and its strain."""

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.mesh import deformation_gradients
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, extremes, rows

M = Measures("cs6967_assignment_2/free_fall")
CONTROL = "cg20_plain"


def masses(trace: Trace) -> Array:
    """Lumped anew from rest shape and density, kg."""
    return Body.of(trace).masses(trace.number("density_kg_m3"), len(trace.scene("rest_positions")))


def force_error(trace: Trace) -> float:
    """|m Δv/Δt − m g| / |m g| of a vertex in a step of a free fall."""
    velocities, times = (trace.series("step", "velocities"), trace.series("step", "velocities").time)
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    accelerations = np.diff(velocities.values, axis=0) / np.diff(times)[:, None, None]
    errors = np.linalg.norm(accelerations - gravity, axis=2) / np.linalg.norm(gravity)
    return float(extremes.finite(errors, trace.label).max())


def strain(trace: Trace) -> float:
    """|F − I| of an element in a free fall of one second."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    found = [
        np.linalg.norm(deformation_gradients(rest, tets, x) - np.eye(3), axis=(1, 2)).max()
        for x in trace.values("step", "positions")
    ]
    return float(extremes.finite(found, trace.label).max())


def mass_ratio(trace: Trace) -> float:
    """Largest / smallest mass of a vertex."""
    return float(masses(trace).max() / masses(trace).min())


CONTROLS = rows(CONTROL, says="runs of 20 unpreconditioned CG iterations, started from the last velocity")
CONVERGED = rows(says="methods with converged solves").where(lambda c: c.method_name != CONTROL, says="")

M.largest("force_error", force_error, CONVERGED)
M.largest("strain", strain, CONVERGED)
M.largest("cg20_force_error", force_error, CONTROLS)
M.least("mass_ratio", mass_ratio)


@M("methods")
def methods(data: ExperimentData) -> float:
    """Number of different methods judged."""
    return float(len({c.method_id for c in CONVERGED.runs(data)}))
