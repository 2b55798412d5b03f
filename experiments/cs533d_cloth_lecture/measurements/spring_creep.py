# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_creep: the stress of a spring that is held at one length while it
creeps."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, order, quantity, rows
from .springs import driven_path

M = Measures("cs533d_cloth_lecture/spring_creep")


def share(trace: Trace) -> float:
    """Creep in a step, cΔt."""
    return trace.setting("creep_rate_1_s") * trace.number("time_step_s")


def is_fine(trace: Trace) -> bool:
    """cΔt ≤ 0.1.

    The run ends at ct = 1."""
    return share(trace) < 0.11


def decay(trace: Trace) -> tuple[Array, Array]:
    """ct and stress / modulus per step after the spring has been set to its length."""
    strain, stress = driven_path(trace)
    steps = np.arange(1, len(strain))
    return share(trace) * steps, stress[1:]


def decay_error(trace: Trace) -> float:
    """Largest |σ/(E ε) − e^{−ct}|, ε the strain that the spring is held at."""
    time, stress = decay(trace)
    return float(np.abs(stress / trace.value("scene.parameters.programme_values")[0] - np.exp(-time)).max())


def fineness(trace: Trace) -> float:
    """1/(cΔt)."""
    return 1 / share(trace)


def keeps_sign(trace: Trace) -> bool:
    """A stress that keeps its sign."""
    return bool(decay(trace)[1].min() >= 0)


def diverges(trace: Trace) -> bool:
    """A stress that grows from step to step."""
    return bool((np.diff(np.abs(decay(trace)[1])) > 0).all())


CREEP = rows("creep", says="held springs that creep")
FINE = rows("creep", says="cΔt of 0.001 to 0.1").where(is_fine, says="")
ORDERS = FINE.neighbours(share, says="neighbouring steps")
ERROR = quantity("|σ/σ₀ − e^{−ct}| up to ct = 1")(decay_error)
ORDER = order(ERROR, share, says="order in Δt of the largest error of the stress against σ₀ e^{−ct} up to ct = 1")

M.least("order_low", ORDER, ORDERS)
M.largest("order_high", ORDER, ORDERS)
M.only("finest_error", ERROR.largest(), FINE.at_largest(fineness, says="the shortest step"))
M.least("least_share", share, CREEP)
M.largest("largest_fine_share", share, FINE)
M.largest("largest_share_without_overshoot", share, CREEP.having(keeps_sign))
M.least("smallest_share_that_diverges", share, CREEP.having(diverges))
