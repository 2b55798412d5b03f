# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit: the largest strain of a swinging cloth whose springs are limited
in sweeps."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import Measures, Trace, extremes, parameter, quantity, rows
from .spring_nets import stable_step

M = Measures("cs533d_cloth_lecture/strain_limit")
SHORT = 0.071  # Δt N √(g/L)
ENOUGH = 0.25  # sweeps / N²
stiffness = parameter("method.parameters.stretch_stiffness_n_per_m", float, "N/m.")


def ratio(trace: Trace) -> float:
    """Δt/Δt_c."""
    return trace.number("time_step_s") / stable_step(trace)


def sweeps_per_vertex(trace: Trace) -> float:
    """Sweeps / N²."""
    return trace.setting("strain_limit_sweeps") / trace.number("vertices_across") ** 2


def strain(trace: Trace) -> float:
    """Largest strain of an edge at any time."""
    return float(extremes.finite(trace.values("step", "edge_strain_max"), trace.label).max())


def excess(trace: Trace) -> float:
    """Largest strain of an edge relative to the limit."""
    return strain(trace) / trace.setting("strain_limit")


def fall(trace: Trace) -> float:
    """Δt N √(g/L): N times the speed that gravity adds in a step, relative to √(gL)."""
    gravity = float(np.linalg.norm(np.asarray(trace.value("scene.parameters.gravity_m_s2"))))
    return (
        trace.number("time_step_s") * trace.number("vertices_across") * float(np.sqrt(gravity / trace.number("side_m")))
    )


def is_short(trace: Trace) -> bool:
    """Δt N √(g/L) ≤ 0.071."""
    return fall(trace) <= SHORT


def has_enough(trace: Trace) -> bool:
    """At least N²/4 sweeps."""
    return sweeps_per_vertex(trace) >= ENOUGH * (1 - 1e-9)


def is_long(trace: Trace) -> bool:
    """Steps of 0.9 Δt_c."""
    return ratio(trace) > 0.8


POSITIONS = rows("positions", says="limits on positions alone")
STIFFNESSES = rows("positions", "stiffnesses", says="limits on positions alone, all stiffnesses")
IN_REGIME = STIFFNESSES.where(has_enough, is_short)

M.largest("excess", excess, POSITIONS)
M.largest("excess_in_regime", excess, IN_REGIME)
M.least("excess_of_long_steps", excess, POSITIONS.where(has_enough).having(is_long))
M.least("excess_of_one_sweep", excess, POSITIONS.where(strain_limit_sweeps=1, says="one sweep"))
M.largest(
    "excess_by_velocities_in_regime",
    excess,
    rows("velocities", says="limits on velocities too").where(has_enough, is_short),
)
M.least("unlimited_strain", strain, rows("unlimited", says="springs without limit"))
M.count("cells_in_regime", IN_REGIME)


def _spreads(equal: Callable[[Trace], float]) -> Callable[..., dict[str, float]]:
    """Spread between cloths with equal numbers of vertices and of sweeps."""

    def found(*cells: Trace) -> dict[str, float]:
        return {
            f"{stiffness(a):g} and {stiffness(b):g} N/m, Δt = {a.number('time_step_s'):.3g} s": max(
                excess(a) / excess(b), excess(b) / excess(a)
            )
            for a in cells
            for b in cells
            if b.method_name == "stiffnesses" and stiffness(a) != stiffness(b) and abs(equal(a) / equal(b) - 1) < 0.01
        }

    return found


def _cloth(trace: Trace) -> tuple[float, float]:
    """Sweeps / N², and N."""
    return sweeps_per_vertex(trace), trace.number("vertices_across")


for _name, _words, _equal in (
    ("steps", "Δt", lambda c: c.number("time_step_s")),
    ("ratios", "Δt/Δt_c of its own springs", ratio),
):
    M.largest(
        f"spread_at_equal_{_name}",
        quantity(f"ratio of largest strains at equal {_words}, different stiffnesses")(_spreads(_equal)),
        STIFFNESSES.grouped(_cloth, says="equal cloths"),
    )
