# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/half_step_order: half steps of velocity against the closed form of a mass on a
spring."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Rows, Trace, extremes, order, parameter
from deformbench_analysis.vocabulary import quantity, rows
from .springs import springs_of

M = Measures("cs533d_cloth_lecture/half_step_order")
_step = parameter("time_step_s", float, "Δt.")


def stretch(trace: Trace) -> tuple[Array, Array]:
    """Time and elongation of the spring, m."""
    springs, series = springs_of(trace), trace.series("step", "positions")
    values = extremes.finite(series.values, trace.label)
    return series.time, springs.strains(values)[:, 0] * springs.lengths[0]


def closed_form(trace: Trace, time: Array) -> Array:
    """Elongation of the spring of a mass released unstretched, at rest, in gravity."""
    omega = float(np.sqrt(springs_of(trace).stiffnesses[0] / trace.scene("masses")[1]))
    zeta = trace.setting("stretch_damping_s") * omega / 2
    turn = omega * np.sqrt(1 - zeta**2)
    weight = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2")))
    swing = np.exp(-zeta * omega * time) * (np.cos(turn * time) + zeta * omega / turn * np.sin(turn * time))
    return np.asarray(weight / omega**2 * (1 - swing))


def error(trace: Trace) -> float:
    """|u − u_exact| at the end / static elongation."""
    time, found = stretch(trace)
    omega2 = float(springs_of(trace).stiffnesses[0] / trace.scene("masses")[1])
    static = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2"))) / omega2
    return float(abs(found[-1] - closed_form(trace, time)[-1]) / static)


def _orders(name: str, says: str) -> Rows:
    return (
        rows(name, says=says)
        .neighbours(_step, least=3, says="neighbouring steps")
        .noted(lambda fine, coarse: f"{name}, {_step(fine):g} to {_step(coarse):g} s")
    )


ORDER = order(error, _step, says="order in Δt of the error at the end")
M.largest("undamped", ORDER.off(2.0), _orders("undamped", "undamped runs"))
M.largest("damped", ORDER.off(2.0), _orders("damped", "damped runs, first half explicit"))
M.largest("both_implicit", ORDER.off(1.0), _orders("both_implicit", "damped runs, both halves implicit"))


@quantity("largest distance from the equilibrium relative to the initial one")
def _amplitude(trace: Trace) -> float:
    """1 in closed form at any step below the limit, where steps are A cos nθ."""
    found = stretch(trace)[1]
    omega2 = float(springs_of(trace).stiffnesses[0] / trace.scene("masses")[1])
    static = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2"))) / omega2
    return float(np.abs(found / static - 1).max())


def _is_below(trace: Trace) -> bool:
    return trace.number("time_step_s") < 2


LIMIT = rows("limit", says="2000 steps")
M.only("amplitude_below_limit", _amplitude, LIMIT.where(_is_below, says="Δt = 1.99/ω"))


@M("diverges_above_limit")
def diverges_above_limit(data: ExperimentData) -> float:
    """Runs with a step of 2.01/ω that diverge."""
    return float(sum(c.status == "diverged" for c in data.select(name="limit", status=None)))
