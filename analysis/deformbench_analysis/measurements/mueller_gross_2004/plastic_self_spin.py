# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_self_spin: a free body without loads that turns itself while it flows.

The plastic force of [MG04] eq. 15 is turned with R. Where the plastic strain does not share its axes with the stretch, the sum of an
element's forces is zero and the sum of their torques is not.
"""

from __future__ import annotations

import math

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/plastic_self_spin"
ELASTIC = "elastic"


def angular_momentum(trace: Trace) -> list[tuple[Array, Array]]:
    """(time, |L|) of every member."""
    return [(m.time, np.linalg.norm(m.values, axis=1)) for m in trace.series("step", "angular_momentum").members()]


def scale(trace: Trace, energy: float) -> float:
    """√(2 E I): angular momentum of a spin that takes all of the energy; I the largest moment that Σ m r² allows, kg m²/s."""
    masses, arm = trace.scene("masses"), trace.scene("rest_positions")
    arm = arm - masses @ arm / masses.sum()
    return math.sqrt(2 * energy * float(masses @ (arm**2).sum(axis=1)))


def spin_gained(trace: Trace) -> float:
    """Largest | |L(t)| − |L(0)| | over the largest spin that the energy of the start allows, all members."""
    found: list[float] = []
    for (_, momentum), energy in zip(angular_momentum(trace), trace.series("step", "total_energy").members()):
        found.append(float(np.abs(momentum - momentum[0]).max()) / scale(trace, float(energy.values[0])))
    return float(extremes.finite(found, trace.label).max())


def energy_rise(trace: Trace) -> float:
    """Largest rise of the total energy above its running minimum over that of the start, all members."""
    energies = [e.values for e in trace.series("step", "total_energy").members()]
    return float(np.max([float((e - np.minimum.accumulate(e)).max() / e[0]) for e in energies]))


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
    return float(np.max(torques(trace)))


def _worst(cells: list[Trace], value) -> Measured:  # type: ignore[no-untyped-def]
    return extremes.largest({c: value(c) for c in cells})


def _least(cells: list[Trace], value) -> Measured:  # type: ignore[no-untyped-def]
    least = extremes.least({c: value(c) for c in cells})
    return Measured(least.value, f"least of {len(cells)} runs: {least.note}")


def _cells(data: ExperimentData, body: str) -> list[Trace]:
    """Those of the `elastic` body, or the `plastic` ones: bodies that flow."""
    return data.some(keep=lambda c: (c.method_name == ELASTIC) == (body == "elastic"))


def most_spin_gained(data: ExperimentData, body: str) -> Measured:
    """The largest spin gained of all runs of a body, with the run it is of."""
    return _worst(_cells(data, body), spin_gained)


for body, described in (("elastic", "an elastic body"), ("plastic", "bodies that flow, any creep, rule and time step")):

    @measurement(f"plastic_self_spin.{body}_spin_gained", unit="1", experiment=EXPERIMENT, of=described)
    def body_spin_gained(data: ExperimentData, body: str = body) -> Measured:
        """Largest change of |L| since the start over √(2 E₀ Σ m r²), the largest angular momentum that the energy E₀
        at the start allows, all runs and seeds."""
        return most_spin_gained(data, body)

    @measurement(f"plastic_self_spin.{body}_torque", unit="1", experiment=EXPERIMENT, of=described)
    def body_torque(data: ExperimentData, body: str = body) -> Measured:
        """Largest torque of the internal forces over the run's largest force times the side, all runs and seeds."""
        return _worst(_cells(data, body), torque)


@measurement("plastic_self_spin.plastic_torque_least", unit="1", experiment=EXPERIMENT)
def plastic_torque_least(data: ExperimentData) -> Measured:
    """Largest torque of the internal forces in a run over its largest force times the side; smallest over the runs and
    seeds in which bodies flow."""
    return _least(_cells(data, "plastic"), lambda c: np.min(torques(c)))


@measurement("plastic_self_spin.plastic_force_sum", unit="1", experiment=EXPERIMENT)
def plastic_force_sum(data: ExperimentData) -> Measured:
    """Largest sum of the internal forces over the run's largest force, bodies that flow."""
    return _worst(
        _cells(data, "plastic"), lambda c: np.max([float(s.max()) for s in relative(c, "elastic_force_sum", 1.0)])
    )


@measurement("plastic_self_spin.plastic_energy_rise", unit="1", experiment=EXPERIMENT)
def plastic_energy_rise(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over that of the start, bodies that flow."""
    return _worst(_cells(data, "plastic"), energy_rise)


@measurement("plastic_self_spin.plastic_energy_over_start", unit="1", experiment=EXPERIMENT)
def plastic_energy_over_start(data: ExperimentData) -> Measured:
    """Largest total energy over that of the start, bodies that flow."""
    return _worst(
        _cells(data, "plastic"),
        lambda c: np.max([float((e.values / e.values[0]).max()) for e in c.series("step", "total_energy").members()]),
    )
