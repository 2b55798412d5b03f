# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_self_spin: a free body without loads that turns itself while it flows.

The plastic force of [MG04] eq. 15 is turned with R. Where the plastic strain does not share its axes with the
stretch, the sum of an element's forces is zero and the sum of their torques is not."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Trace, extremes, quantity, rows

M = Measures("mueller_gross_2004/plastic_self_spin")
ELASTIC = "elastic"


def angular_momentum(trace: Trace) -> list[tuple[Array, Array]]:
    """(time, |L|) of every member."""
    return [(m.time, np.linalg.norm(m.values, axis=1)) for m in trace.series("step", "angular_momentum").members()]


def scale(trace: Trace, energy: float) -> float:
    """√(2 E I): angular momentum, kg m²/s, of a spin with all of the energy; I = Σ m r² bounds the
    moments of inertia."""
    masses, arm = trace.scene("masses"), trace.scene("rest_positions")
    arm = arm - masses @ arm / masses.sum()
    return math.sqrt(2 * energy * float(masses @ (arm**2).sum(axis=1)))


def spin_gained(trace: Trace) -> float:
    """Largest change of |L| since the start / √(2 E₀ Σ m r²), the bound by the initial energy E₀."""
    found: list[float] = []
    for (_, momentum), energy in zip(angular_momentum(trace), trace.series("step", "total_energy").members()):
        found.append(float(np.abs(momentum - momentum[0]).max()) / scale(trace, float(energy.values[0])))
    return float(extremes.finite(found, trace.label).max())


def energy_rise(trace: Trace) -> list[float]:
    """Largest rise of the total energy above its running minimum / initial energy."""
    energies = [e.values for e in trace.series("step", "total_energy").members()]
    return [float((e - np.minimum.accumulate(e)).max() / e[0]) for e in energies]


def relative(trace: Trace, channel: str, arm: float) -> list[Array]:
    """|sum| / (the member's largest force in any row × arm), per member and row.

    Not divided by the row's own force, which is rounding at equilibrium."""
    return [
        np.linalg.norm(total.values, axis=1) / (float(largest.values.max()) * arm)
        for total, largest in zip(
            trace.series("step", channel).members(), trace.series("step", "max_elastic_force").members()
        )
    ]


def torques(trace: Trace) -> list[float]:
    """Largest torque of the internal forces / (largest force of the run × side)."""
    return [float(s.max()) for s in relative(trace, "elastic_torque_sum", trace.number("side_m"))]


STIFF = rows(ELASTIC, says="elastic bodies, all seeds")
FLOWING = rows(says="bodies that flow, all runs and seeds").where(lambda c: c.method_name != ELASTIC, says="")

elastic_spin_gained = M.largest("elastic_spin_gained", spin_gained, STIFF)
plastic_spin_gained = M.largest("plastic_spin_gained", spin_gained, FLOWING)
M.largest("elastic_torque", torques, STIFF)
M.largest("plastic_torque", torques, FLOWING)
M.largest(
    "plastic_force_sum",
    quantity("|sum of internal forces| / the run's largest force")(
        lambda c: [s.max() for s in relative(c, "elastic_force_sum", 1.0)]
    ),
    FLOWING,
)
plastic_energy_rise = M.largest("plastic_energy_rise", energy_rise, FLOWING)
M.largest(
    "plastic_energy_over_start",
    quantity("total energy / that of the start")(
        lambda c: [(e.values / e.values[0]).max() for e in c.series("step", "total_energy").members()]
    ),
    FLOWING,
)


@M("plastic_torque_least")
def plastic_torque_least(data: ExperimentData) -> Measured:
    """Largest torque of the internal forces in a run / (its largest force × side): minimum over runs and seeds in
    which bodies flow."""
    cells = FLOWING.runs(data)
    least = extremes.least({c: float(np.min(torques(c))) for c in cells})
    return Measured(least.value, f"least of {len(cells)} runs: {least.note}")
