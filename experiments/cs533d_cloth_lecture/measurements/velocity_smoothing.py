# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/velocity_smoothing: implicit velocity updates after a collision.

The end of a chain of masses m linked by dampers c has been stopped; the others move at V. With s = Δt c/2m the update
solves (1 + s L) v = v^{n+1/2}, whose solution decays by λ = (1 + 2s − √(1 + 4s))/2s per mass. Elastic links k instead
reduce the rate of the compressed link by the fraction q = Δt² k/m."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import Measures, Quantity, Rows, Trace, extremes, quantity, rows
from .springs import springs_of

M = Measures("cs533d_cloth_lecture/velocity_smoothing")


def strength(trace: Trace) -> float:
    """s."""
    damping = trace.setting("stretch_damping_s") * float(springs_of(trace).stiffnesses[0])
    return trace.number("time_step_s") * damping / (2 * float(trace.scene("masses")[1]))


def decay(trace: Trace) -> float:
    """λ."""
    s = strength(trace)
    return float((1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s))


def approach(trace: Trace) -> float:
    """Speed of the stopped mass towards the wall after the step / V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(v[-1, 0] / v[0, 0])


def link_rate(trace: Trace) -> float:
    """Largest |rate of length| of a link after the step / V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    return float(np.abs(np.diff(v[-1])).max() / abs(v[0, 0]))


def elasticity(trace: Trace) -> float:
    """q."""
    stiffness = float(springs_of(trace).stiffnesses[0])
    return trace.number("time_step_s") ** 2 * stiffness / float(trace.scene("masses")[1])


def next_depth(trace: Trace, is_implicit: bool) -> float:
    """Depth / (VΔt) of the mass at the wall, x = 0, after one more step without collisions. `is_implicit`: damping in
    the first half of that step."""
    x, v = (extremes.finite(trace.values("step", n), trace.label)[:, :, 0] for n in ("positions", "velocities"))
    masses, dt = trace.scene("masses"), trace.number("time_step_s")
    damping = trace.setting("stretch_damping_s") * springs_of(trace).stiffnesses
    matrix = np.zeros((len(masses), len(masses)))
    for i, c in enumerate(damping):
        matrix[i : i + 2, i : i + 2] += c * np.array([[1.0, -1.0], [-1.0, 1.0]])
    if is_implicit:
        middle = np.linalg.solve(np.diag(masses) + dt / 2 * matrix, masses * v[-1])
    else:
        middle = v[-1] - dt / 2 * (matrix @ v[-1]) / masses
    return float(-(x[-1, 0] + dt * middle[0]) / (dt * abs(v[0, 0])))


def energy_lost(trace: Trace) -> float:
    """Kinetic energy removed by the step / that of one mass at V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    masses = trace.scene("masses")
    return float((masses @ (v[0] ** 2 - v[-1] ** 2)) / (masses[0] * v[0, 0] ** 2))


@quantity("|residual approach − λV| / V")
def _approach_error(trace: Trace) -> float:
    return abs(approach(trace) - decay(trace))


@quantity("|largest link rate − (1 − λ)²V| / V")
def _rate_error(trace: Trace) -> float:
    return abs(link_rate(trace) - (1 - decay(trace)) ** 2)


@quantity("|largest link rate − (1 − λ)V| / V")
def _constrained_rate_error(trace: Trace) -> float:
    return abs(link_rate(trace) - (1 - decay(trace)))


@quantity("|largest link rate − (1 − q)V| / V, q = Δt²k/m")
def _elastic_rate_error(trace: Trace) -> float:
    return abs(link_rate(trace) - (1 - elasticity(trace)))


@quantity("|depth one explicit step later / (VΔt) − x|, x = 2λ plain, λ/(1 − λ) constrained")
def _depth_error(trace: Trace) -> float:
    decayed = decay(trace)
    return abs(
        next_depth(trace, False) - (2 * decayed if trace.method_name == "half_step" else decayed / (1 - decayed))
    )


@quantity("extra kinetic energy removed by the constrained update, relative to that of one mass at V")
def _extra_energy_lost(plain: Trace, constrained: Trace) -> float:
    return energy_lost(constrained) - energy_lost(plain)


def _depth_ratio(is_implicit: bool) -> Quantity:
    return Quantity(
        lambda plain, constrained: next_depth(constrained, is_implicit) / next_depth(plain, is_implicit),
        f"depth one step later, first half {'implicit' if is_implicit else 'explicit'}, constrained / plain",
    )


def taken(trace: Trace) -> float:
    """Momentum lost by the particles that did not collide / that of one mass at V."""
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    masses = trace.scene("masses")
    return float(masses[1:] @ (1 - v[-1, 1:] / v[0, 1:]) / masses[0])


@quantity("|momentum lost by uncollided particles / (mV) − x|, x = λ plain, λ/(1 − λ) constrained")
def _taken_error(trace: Trace) -> float:
    decayed = decay(trace)
    return abs(taken(trace) - (decayed if trace.method_name == "half_step" else decayed / (1 - decayed)))


def _constrained_over_plain(of: Callable[[Trace], float], what: str) -> Quantity:
    return Quantity(lambda plain, constrained: of(constrained) / of(plain), f"{what}, constrained / plain")


def _is_strong(trace: Trace) -> bool:
    """With s ≥ 1."""
    return strength(trace) > 1.0 - 1e-3


def _is_below_two(trace: Trace) -> bool:
    """With s < 2."""
    return strength(trace) <= 1.999


def _beside_constrained(plain: Rows) -> Rows:
    constrained = rows("half_step_constrained")
    return plain.beside(constrained, "stretch_damping_s", says="").noted(lambda a, _: f"s = {strength(a):.3g}")


PLAIN = rows("half_step", says="plain updates")
ELASTIC = rows("elastic", says="elastic links without damping")
LINK_RATE = quantity("largest link rate / V")(link_rate)
STRENGTH, ELASTICITY = quantity("strength s = Δt c/2m")(strength), quantity("elasticity q = Δt²k/m")(elasticity)

M.largest("approach_error", _approach_error, PLAIN)
M.largest("rate_error", _rate_error, PLAIN)
M.largest("constrained_rate_error", _constrained_rate_error, rows("half_step_constrained", says="constrained updates"))
M.only("rate_without_update", LINK_RATE, rows("symplectic", says="no update"))
M.largest("rate_of_strong_damping", LINK_RATE, PLAIN.having(_is_strong))
M.largest("rate_of_all", LINK_RATE, rows("half_step", "elastic", says="plain updates, damped or elastic links"))
M.largest("elastic_rate_error", _elastic_rate_error, ELASTIC)
M.largest("largest_elasticity", ELASTICITY, ELASTIC)
M.least("least_strength", STRENGTH, PLAIN)
M.largest("largest_strength", STRENGTH, PLAIN)
M.only("rate_without_force", LINK_RATE, rows("forceless", says="links without damping, negligible stiffness"))
BOTH = rows("half_step", "half_step_constrained", says="both updates")
M.largest("rate_ratio", _constrained_over_plain(link_rate, "largest link rate"), _beside_constrained(PLAIN))
M.least("taken_ratio", _constrained_over_plain(taken, "uncollided masses' momentum loss"), _beside_constrained(PLAIN))
M.largest("taken_error", _taken_error, BOTH)
M.largest("depth_ratio", _depth_ratio(False), _beside_constrained(PLAIN))
M.largest("depth_ratio_below_two", _depth_ratio(False), _beside_constrained(PLAIN.having(_is_below_two)))
M.largest("depth_ratio_implicit", _depth_ratio(True), _beside_constrained(PLAIN))
M.largest("depth_error", _depth_error, BOTH)
M.least(
    "extra_energy_lost",
    _extra_energy_lost,
    PLAIN.beside(rows("half_step_constrained"), "stretch_damping_s", says="equal damping"),
)
