# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_rates: effect of removing strain rates on a cloth's energy."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, quantity
from .spring_nets import edges_of, lengths, spring_forces

M = Measures("cs533d_cloth_lecture/strain_rates")


@lru_cache(maxsize=16)
def energies(trace: Trace) -> tuple[Array, Array]:
    """Kinetic energy after the forces of each step, and at its end, J: only the limit changes it."""
    x, v = (extremes.finite(trace.values("step", n), trace.label) for n in ("positions", "velocities"))
    masses, edges = trace.scene("masses"), edges_of(trace.scene("triangles"))
    rest = lengths(trace.scene("rest_positions"), edges)
    gravity, dt = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float), trace.number("time_step_s")
    stiffness, held = trace.setting("stretch_stiffness_n_per_m"), trace.scene("prescribed_vertices")
    before = []
    for at, velocity in zip(x[:-1], v[:-1]):
        pushed = velocity + dt * (spring_forces(at, edges, rest, stiffness) / masses[:, None] + gravity)
        pushed[held] = 0
        before.append(masses @ (pushed**2).sum(axis=1) / 2)
    return np.array(before), (v[1:] ** 2).sum(axis=2) @ masses / 2


@quantity("gain of kinetic energy by the limit in a step / largest kinetic energy of the run")
def _energy_gain(trace: Trace) -> Array:
    before, after = energies(trace)
    return np.asarray((after - before) / before.max())


@quantity("share of the kinetic energy that the limit takes in one step")
def _energy_taken(trace: Trace) -> Array:
    before, after = energies(trace)
    return np.asarray(1 - after / before)


M.largest("energy_gain", _energy_gain)
M.least("energy_taken", _energy_taken.largest())
