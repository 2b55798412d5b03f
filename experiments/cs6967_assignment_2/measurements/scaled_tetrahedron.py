# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_tetrahedron: the double well of a regular tetrahedron under equal
scaling.

Scaled by s it has the energy V 3/8 (2μ + 3λ) (s² − 1)² and the kinetic energy I ṡ²/2 with I = Σ m |x0 − c|², so that
s̈ = −½ ω² s (s² − 1) − γ ṡ, ω² = 3 (2μ + 3λ) V/I. Undamped it turns where the energy is that of the start: at √(2 −
s0²) while s0 is below √2, and from there on at −s0, its mirror image."""

import math

import numpy as np
from scipy.integrate import solve_ivp

from deformbench_analysis.mesh import deformation_gradients, lame, volumes
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, parameter, quantity, rows
from .scaled_start import factor_of

M = Measures("cs6967_assignment_2/scaled_tetrahedron")
rate = parameter("method.parameters.mass_damping_1_s", float, "γ, 1/s.")


def scales(trace: Trace) -> tuple[Array, Array]:
    """(time, s), s the signed cube root of det F, per row."""
    positions = trace.series("frame", "positions")
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra")
    determinants = [float(np.linalg.det(deformation_gradients(rest, tetrahedra, x))[0]) for x in positions.values]
    return positions.time, np.cbrt(np.array(determinants))


def frequency(trace: Trace) -> float:
    """ω of small vibrations about the rest size, 1/s."""
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    centre = masses @ rest / masses.sum()
    inertia = float(masses @ ((rest - centre) ** 2).sum(axis=1))
    first, second = lame(trace.number("young_modulus_pa"), trace.number("poisson_ratio"))
    volume = float(volumes(rest, trace.scene("tetrahedra"))[0])
    return math.sqrt(3 * (2 * second + 3 * first) * volume / inertia)


def turning_point(factor: float) -> float:
    """Lowest s of the undamped swing from `factor` > 1."""
    return math.sqrt(2 - factor**2) if factor ** 2 < 2 else -factor


def end_of(factor: float, omega: float, gamma: float, time: float) -> float:
    """s at `time`, by the differential equation."""
    found = solve_ivp(
        lambda _, y: [y[1], -0.5 * omega**2 * y[0] * (y[0] ** 2 - 1) - gamma * y[1]],
        (0.0, time),
        [factor, 0.0],
        method="DOP853",
        rtol=1e-11,
        atol=1e-11,
    )
    return float(found.y[0, -1])


def first_turn(trace: Trace) -> float:
    """s at its first minimum. Later swings may deviate from pure scaling:
    under compression other modes grow from rounding."""
    values = scales(trace)[1]
    rising = np.flatnonzero(np.diff(values) > 0)
    if not rising.size:
        raise MissingData(f"{trace.label}: the run ends before the first turn")
    return float(values[rising[0]])


def turn_error(trace: Trace) -> float:
    """|s at the first turn − turning point of the double well| / s0."""
    return abs(first_turn(trace) - turning_point(factor_of(trace))) / factor_of(trace)


def end_error(trace: Trace) -> float:
    """|final scale − that by the double well's differential equation|."""
    times, values = scales(trace)
    return abs(float(values[-1]) - end_of(factor_of(trace), frequency(trace), rate(trace), float(times[-1])))


def mirrors(trace: Trace) -> bool:
    """Turned inside out."""
    return first_turn(trace) < 0


def ends_mirrored(trace: Trace) -> bool:
    """Final scale within a thousandth of −1."""
    return abs(float(scales(trace)[1][-1]) + 1) < 1e-3


UNDAMPED = rows(says="undamped runs").where(lambda c: rate(c) == 0.0, says="")
DAMPED = rows(says="damped runs").where(lambda c: rate(c) > 0, says="")

M.largest("turning_error", turn_error, UNDAMPED)
M.least("starts_that_mirror", quantity("start factor")(factor_of), UNDAMPED.having(mirrors))
M.count("mirrored_ends", DAMPED.having(ends_mirrored))
M.largest("end_error", end_error, DAMPED)
