# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_self_spin: a free body without loads that turns itself while it flows.

The plastic force of eq. 15 is turned with R. Where the plastic strain does not share its axes with the stretch, the sum of an
element's forces is zero and the sum of their torques is not.
"""

from __future__ import annotations

import math

import numpy as np

from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/plastic_self_spin"
ELASTIC = "elastic"
LEAST_ENERGY = 1e-12  # of the start: below it an energy is rounding of the positions


def angular_momentum(trace: Trace) -> list[tuple[Array, Array]]:
    """(time, |L|) of every member."""
    return [(m.time, np.linalg.norm(m.values, axis=1)) for m in trace.series("step", "angular_momentum").members()]


def scale(trace: Trace, energy: float) -> float:
    """√(2 E I): angular momentum of a spin that takes all of the energy; I the largest moment that Σ m r² allows, kg m²/s."""
    masses, arm = trace.scene("masses"), trace.scene("rest_positions")
    arm = arm - masses @ arm / masses.sum()
    return math.sqrt(2 * energy * float(masses @ (arm**2).sum(axis=1)))


def spin_gained(trace: Trace) -> float:
    """Largest | |L(t)| − |L(0)| | over the spin that the start's energy could pay, all members."""
    worst = 0.0
    for (_, momentum), energy in zip(angular_momentum(trace), trace.series("step", "total_energy").members()):
        worst = max(worst, float(np.abs(momentum - momentum[0]).max()) / scale(trace, float(energy.values[0])))
    return worst


def energy_rise(trace: Trace) -> float:
    """Largest rise of the total energy above its running minimum over that of the start, all members."""
    energies = [e.values for e in trace.series("step", "total_energy").members()]
    return max(float((e - np.minimum.accumulate(e)).max() / e[0]) for e in energies)


def over_minimum(trace: Trace, channel: str = "total_energy") -> float:
    """Largest energy over its running minimum, all members."""
    worst = 0.0
    for member, energy in zip(trace.series("step", channel).members(), trace.series("step", "total_energy").members()):
        values = member.values if channel == "total_energy" else member.values[1:]  # at rest there is no kinetic energy
        least = np.maximum(np.minimum.accumulate(values), LEAST_ENERGY * float(energy.values[0]))
        worst = max(worst, float((values / least).max()))
    return worst


def relative(trace: Trace, channel: str, arm: float) -> list[Array]:
    """|sum| over (the member's largest force of any row × arm) of every row, of every member.

    Not over the row's own force: that of a body in equilibrium is nothing but rounding.
    """
    return [
        np.linalg.norm(total.values, axis=1) / (float(largest.values.max()) * arm)
        for total, largest in zip(
            trace.series("step", channel).members(), trace.series("step", "max_elastic_force").members()
        )
    ]


def torques(trace: Trace) -> list[float]:
    """Of every member the largest torque of the internal forces about the centre of mass over the run's largest force times side."""
    return [
        float(s.max()) for s in relative(trace, "elastic_torque_sum", float(trace.value("scene.parameters.side_m")))
    ]


def torque(trace: Trace) -> float:
    """That of the worst member."""
    return max(torques(trace))


def _worst(cells: list[Trace], value) -> Measured:  # type: ignore[no-untyped-def]
    worst = max(cells, key=value)
    return Measured(value(worst), worst.label)


def _least(cells: list[Trace], value) -> Measured:  # type: ignore[no-untyped-def]
    least = min(cells, key=value)
    return Measured(value(least), f"least of {len(cells)} runs: {least.label}")


def _plastic(data: ExperimentData) -> list[Trace]:
    return data.some(keep=lambda c: c.method_name != ELASTIC)


@measurement("plastic_self_spin.elastic_spin_gained", unit="1", experiment=EXPERIMENT)
def elastic_spin_gained(data: ExperimentData) -> Measured:
    """Largest change of |L| from the start on over √(2 E₀ Σ m r²), the largest spin that the energy could pay: elastic body, all seeds."""
    return _worst(data.some(name=ELASTIC), spin_gained)


@measurement("plastic_self_spin.plastic_spin_gained", unit="1", experiment=EXPERIMENT)
def plastic_spin_gained(data: ExperimentData) -> Measured:
    """The same of bodies that flow, largest over creep, rule and time step."""
    return _worst(_plastic(data), spin_gained)


@measurement("plastic_self_spin.elastic_torque", unit="1", experiment=EXPERIMENT)
def elastic_torque(data: ExperimentData) -> Measured:
    """Largest torque of the internal forces over the run's largest force times side, elastic body."""
    return _worst(data.some(name=ELASTIC), torque)


@measurement("plastic_self_spin.plastic_torque", unit="1", experiment=EXPERIMENT)
def plastic_torque(data: ExperimentData) -> Measured:
    """The same of bodies that flow."""
    return _worst(_plastic(data), torque)


@measurement("plastic_self_spin.plastic_torque_least", unit="1", experiment=EXPERIMENT)
def plastic_torque_least(data: ExperimentData) -> Measured:
    """The same, of the run and seed in which its largest is least."""
    return _least(_plastic(data), lambda c: min(torques(c)))


@measurement("plastic_self_spin.plastic_force_sum", unit="1", experiment=EXPERIMENT)
def plastic_force_sum(data: ExperimentData) -> Measured:
    """Largest sum of the internal forces over the run's largest force, bodies that flow."""
    return _worst(_plastic(data), lambda c: max(float(s.max()) for s in relative(c, "elastic_force_sum", 1.0)))


@measurement("plastic_self_spin.plastic_energy_rise", unit="1", experiment=EXPERIMENT)
def plastic_energy_rise(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over that of the start, bodies that flow."""
    return _worst(_plastic(data), energy_rise)


@measurement("plastic_self_spin.plastic_energy_over_start", unit="1", experiment=EXPERIMENT)
def plastic_energy_over_start(data: ExperimentData) -> Measured:
    """Largest total energy over that of the start, bodies that flow."""
    return _worst(
        _plastic(data),
        lambda c: max(float((e.values / e.values[0]).max()) for e in c.series("step", "total_energy").members()),
    )


@measurement("plastic_self_spin.elastic_energy_over_minimum", unit="1", experiment=EXPERIMENT)
def elastic_energy_over_minimum(data: ExperimentData) -> Measured:
    """Largest total energy over its running minimum, elastic body."""
    return _worst(data.some(name=ELASTIC), over_minimum)


@measurement("plastic_self_spin.plastic_energy_over_minimum", unit="1", experiment=EXPERIMENT)
def plastic_energy_over_minimum(data: ExperimentData) -> Measured:
    """Largest total energy over its running minimum, bodies that flow."""
    return _worst(_plastic(data), over_minimum)


@measurement("plastic_self_spin.kinetic_growth", unit="1", experiment=EXPERIMENT)
def kinetic_growth(data: ExperimentData) -> Measured:
    """Largest kinetic energy over its running minimum after the start, bodies that flow."""
    return _worst(_plastic(data), lambda c: over_minimum(c, "kinetic_energy"))
