# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_start: does a body whose positions are multiplied by up to two shrink
back?"""

import numpy as np

from deformbench_analysis.recovery import End, FreeBody, ends, stretched_energy
from deformbench_analysis.vocabulary import Measures, Trace, rows

M = Measures("cs6967_assignment_2/scaled_start")
PERIODS = 20  # of the lowest frequency
STRAIN = 1e-3  # root mean square of l/l0 − 1
MOTION = 1e-6  # kinetic energy / elastic energy of the start


def factor_of(trace: Trace) -> float:
    """s0."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def damping(trace: Trace, body: FreeBody) -> float:
    """Mass damping rate / lowest angular frequency."""
    return trace.setting("mass_damping_1_s") / body.lowest_frequency


def is_back(end: End, energy: float) -> bool:
    """No inverted element, edges at rest length, no motion."""
    return end.determinant > 0 and end.rms_strain < STRAIN and end.kinetic_energy < MOTION * energy


def share(trace: Trace) -> float:
    """Share of seeds that are back at rest after twenty periods, no element inverted."""
    body = FreeBody.of(trace)
    energy = stretched_energy(body, factor_of(trace))
    return float(np.mean([is_back(end, energy) for end in ends(trace, body, PERIODS * body.period)]))


STANDARD = ("explicit", "implicit")  # St. Venant–Kirchhoff
EXPLICIT = ("explicit", "invertible")
DAMPED = 0.5  # of the lowest frequency
LONG = 0.1  # Δt ω_1 from which implicit Euler alone damps enough in twenty periods
SMALL = 1.1  # factor
COUNTED = "a seed that is broken off is not back"


def turn(trace: Trace, body: FreeBody) -> float:
    """Δt ω_1."""
    return trace.number("time_step_s") * body.lowest_frequency


def is_in_regime(trace: Trace) -> bool:
    """Standard elements from at most SMALL, all others from any factor; with damping, or long implicit steps,
    which damp too."""
    if trace.method_name in STANDARD and factor_of(trace) > SMALL * (1 + 1e-9):
        return False
    body = FreeBody.of(trace)
    return damping(trace, body) >= DAMPED or (trace.method_name not in EXPLICIT and turn(trace, body) >= LONG)


def mirrored_share(trace: Trace) -> float:
    """Share of seeds that are at rest with an inverted element."""
    body = FreeBody.of(trace)
    still = MOTION * stretched_energy(body, factor_of(trace))
    late = ends(trace, body, PERIODS * body.period)
    return float(np.mean([end.determinant < 0 and end.kinetic_energy < still for end in late]))


# Standard elements from factors up to 1.1, linear, warped and invertible ones from any; damped by at least half the
# lowest frequency ω_1, or implicit steps with Δt ω_1 ≥ 0.1.
IN_REGIME = rows(says="damped runs or long implicit steps, standard elements ≤ 1.1 times").however_ended(COUNTED)

M.least("share_least", share, rows(says="every method, factor and damping").however_ended(COUNTED))
M.least("share_in_regime", share, IN_REGIME.having(is_in_regime, says=""))
M.count(
    "explicit_in_regime",
    rows(*EXPLICIT, says="explicit runs in the regime").however_ended(COUNTED).having(is_in_regime, says=""),
)
M.largest("mirrored_share", mirrored_share, rows(*STANDARD, says="standard elements").however_ended(COUNTED))
M.largest(
    "mirrored_share_implicit",
    mirrored_share,
    rows("implicit", says="implicit steps of standard elements").however_ended(COUNTED),
)
