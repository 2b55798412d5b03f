# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit_gain: how much longer the steps are that strain limits allow than
those of plain springs of equal strain, without initial noise."""

from deformbench_analysis.vocabulary import Measures, Trace, parameter, quantity, rows
from .strain_limit_stability import FORMS, gain_over, steps_of_plain, worst_strain

M = Measures("cs533d_cloth_lecture/strain_limit_gain")
ENOUGH = {"positions": 0.25, "velocities": 0.075}  # sweeps / N²
vertices_across = parameter("vertices_across", int, "N.")


def has_enough(trace: Trace) -> bool:
    """At least N²/4 sweeps for limits on positions alone, 0.075 N² for velocities too."""
    share = trace.setting("strain_limit_sweeps") / trace.number("vertices_across") ** 2
    return share >= ENOUGH[trace.method_name] * (1 - 1e-9)


@quantity("Δt / (0.9 Δt_c) of plain springs with the same worst strain")
def gains(*runs: Trace) -> dict[Trace, float]:
    """One number per run with limits; `runs` have equally many vertices."""
    plain = steps_of_plain([c for c in runs if c.method_name == "plain"])
    return {c: gain_over(plain, c) for c in runs if c.method_name in FORMS}


@quantity("Δt / (0.9 Δt_c) of plain springs with the same worst strain, enough sweeps")
def _gains_in_regime(*runs: Trace) -> dict[Trace, float]:
    return {c: gain for c, gain in gains(*runs).items() if has_enough(c)}


ALL = rows(*FORMS, "plain", says="all forms, sweep counts and meshes").grouped(vertices_across, says="")
LIMITED = rows(*FORMS, says="both forms").where(has_enough)

M.least("gain", gains, ALL)
M.least("gain_in_regime", _gains_in_regime, ALL)
M.largest("worst_strain_in_regime", quantity("largest strain of an edge")(worst_strain), LIMITED)
