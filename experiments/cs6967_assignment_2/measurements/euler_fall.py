# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/euler_fall: how far every vertex has fallen after n steps."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, Quantity, Trace, extremes, rows

M = Measures("cs6967_assignment_2/euler_fall")


def fall_error(trace: Trace, sign: int) -> float:
    """Largest |fall − g Δt² n (n + sign)/2| / (g Δt² N (N + 1)/2), N the last step, all vertices and steps."""
    x = trace.values("step", "positions")
    dt = trace.number("time_step_s")
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    n = np.arange(len(x))
    expected = (dt**2 * n * (n + sign) / 2)[:, None, None] * gravity
    errors = np.linalg.norm(x - x[0] - expected, axis=2)
    whole = dt**2 * float(np.linalg.norm(gravity)) * n[-1] * (n[-1] + 1) / 2
    return float(extremes.finite(errors, trace.label).max() / whole)


def _error(sign: int) -> Quantity:
    says = (
        f"|fall of every vertex after n steps − gΔt² n(n {'+' if sign > 0 else '−'} 1)/2|, relative to the whole fall"
    )
    return Quantity(lambda c: fall_error(c, sign), says)


M.largest("symplectic_error", _error(1), rows("symplectic", says="symplectic Euler steps"))
M.largest("forward_error", _error(-1), rows("forward", says="forward Euler steps"))
