# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/implicit_euler_damping: the dilation mode of a regular tetrahedron step by step,
against the closed forms `regular_tetrahedron_modes` and `implicit_euler_oscillator`."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("cross/implicit_euler_damping")


def dilation_frequency(trace: Trace) -> float:
    """ω of the pure dilation, rad/s: ω² = 9 V K / Σ m r²."""
    young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    bulk = young / (3 * (1 - 2 * poisson))
    radius = rest - np.average(rest, axis=0, weights=masses)
    volume = abs(np.linalg.det(rest[1:] - rest[0])) / 6
    return float(np.sqrt(9 * volume * bulk / (masses @ (radius**2).sum(axis=1))))


def amplitude(trace: Trace) -> Array:
    """Dilation at every step relative to the initial one: the displacement projected on the rest radii,
    independent of translations."""
    rest = trace.scene("rest_positions")
    shape = rest - rest.mean(axis=0)
    moved = trace.values("frame", "positions") - rest
    projected = np.einsum("tni,ni->t", moved, shape)
    return np.asarray(projected / projected[0])


def recursion(trace: Trace, steps: int) -> Array:
    """Implicit Euler on ẍ = −αẋ − (βẋ + x)ω² from x = 1, v = 0: the exact discrete solution."""
    dt, omega = trace.number("time_step_s"), dilation_frequency(trace)
    alpha = float(trace.value("method.parameters.mass_damping_1_s", 0.0))
    beta = float(trace.value("method.parameters.stiffness_damping_s", 0.0))
    x, v, out = 1.0, 0.0, [1.0]
    for _ in range(steps):
        v = (v - dt * omega**2 * x) / (1 + alpha * dt + (beta * dt + dt**2) * omega**2)
        x += dt * v
        out.append(x)
    return np.array(out)


def deviation(trace: Trace) -> float:
    """Largest difference of the dilation from implicit Euler's recursion, relative to its initial value."""
    measured = amplitude(trace)
    return float(np.abs(measured - recursion(trace, len(measured) - 1)).max())


LINEAR = rows(method="linear_fem", says="linear FEM, damped or not")
linear_recursion_error = M.largest("linear_recursion_error", deviation, LINEAR)
warped_recursion_error = M.largest("warped_recursion_error", deviation, rows(method="warped_fem", says="warped FEM"))
