# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/rest_on_plane: the weight that a resting block's stresses transmit to the
plane.

Stresses are corotational, from stored positions;
at a strain of 2e-4 all laws here agree to 1e-3."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, quantity, rows

M = Measures("cs6967_assignment_2/rest_on_plane")
GRAVITY = 9.81  # m/s², along −y
OMEGA_LIMIT = 0.0025  # Δt²E/(ρh²) up to which contact after the solve errs by less than 1 %
EXPLICIT = ("explicit_fem", "invertible_fem")


@dataclass(frozen=True)
class Rest:
    """What the last frame shows."""

    support: float  # / the body's weight
    speed: float  # m/s


def rest(trace: Trace, near: float = 1e-6) -> Rest:
    """Vertices within `near` × body height of the lowest one touch the plane."""
    *_, (_, _, frame) = trace.frames(last=True)
    body, x = Body.of(trace), frame["positions"]
    weights = GRAVITY * body.masses(trace.number("density_kg_m3"), len(x))
    net = body.forces(x)
    net[:, 1] -= weights
    touches = x[:, 1] <= x[:, 1].min() + near * np.ptp(x[:, 1])
    return Rest(
        float(-net[touches, 1].sum() / weights.sum()),
        float(np.linalg.norm(frame["velocities"], axis=1).max()),
    )


def step_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the side of a cell."""
    side, cells, young, density, dt = (
        trace.number(n) for n in ("side_m", "cells_across", "young_modulus_pa", "density_kg_m3", "time_step_s")
    )
    return dt**2 * young / (density * (side / cells) ** 2)


def is_in_regime(trace: Trace) -> bool:
    """Explicit methods, or steps so small that contact after the implicit solve
    hardly matters."""
    return trace.method_id in EXPLICIT or step_number(trace) <= OMEGA_LIMIT


def excess_coefficient(trace: Trace) -> float:
    """Coefficient k in support = ρVg (1 + k Δt²E/(ρh²)/(1 + γΔt)), h the side of a cell, γ the mass damping."""
    damping = trace.setting("mass_damping_1_s")
    slowed = 1 + damping * trace.number("time_step_s")
    return (rest(trace).support - 1) * slowed / step_number(trace)


# The support is the final force on the plane by stresses and weights of the touching vertices.
SUPPORT = quantity("support / weight, from stresses and weights of the touching vertices at the end")(
    lambda c: rest(c).support
)
IN_REGIME = rows(says="explicit methods, and implicit ones with Δt²E/(ρh²) ≤ 0.0025").where(is_in_regime, says="")
IMPLICIT = rows(says="methods whose contact acts after an implicit solve").where(
    lambda c: c.method_id not in EXPLICIT, says=""
)

M.largest(
    "support_error_in_regime",
    SUPPORT.off(1.0, "|support/(ρVg) − 1|, by stresses and weights of the touching vertices"),
    IN_REGIME,
)
M.least("excess_coefficient_least", excess_coefficient, IMPLICIT)
M.largest("excess_coefficient_largest", excess_coefficient, IMPLICIT)
M.largest("largest_support", SUPPORT, rows(says="every method and time step"))
M.largest("speed", quantity("speed of a vertex at the end", unit="m/s")(lambda c: rest(c).speed), IN_REGIME)


@M("methods_in_regime")
def methods_in_regime(data: ExperimentData) -> float:
    """Number of different methods judged in the regime."""
    return float(len({c.method_id for c in IN_REGIME.runs(data)}))
