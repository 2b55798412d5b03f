# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/two_way_reaction and balloon_volume: reactions on bodies, and the unit of a volume."""

from __future__ import annotations

import numpy as np

from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace

REACTION = "mueller_et_al_2007/two_way_reaction"
BALLOON = "mueller_et_al_2007/balloon_volume"


def linear(trace: Trace) -> float:
    """Largest change of the momentum of all together over the sum of the particles' own at the start."""
    momentum = trace.values("step", "linear_momentum")
    scale = np.sqrt(2 * float(trace.values("step", "kinetic_energy")[0]) * float(trace.scene("masses").sum()))
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max() / scale)


def angular(trace: Trace) -> float:
    momentum = trace.values("step", "angular_momentum")
    scale = np.sqrt(2 * float(trace.values("step", "kinetic_energy")[0]) * float(trace.scene("masses").sum())) * float(trace.value("scene.parameters.radius_m"))
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max() / scale)


for row in ("corrected", "printed"):

    @measurement(f"two_way_reaction.{row}_linear_change", unit="1", experiment=REACTION)
    def linear_change(data: ExperimentData, row: str = row) -> Measured:
        """Largest change of the linear momentum of particles and body over the particles' momentum at the start."""
        found = {c.label: linear(c) for c in data.some(name=row)}
        worst = max(found, key=lambda k: found[k])
        return Measured(found[worst], worst)

    @measurement(f"two_way_reaction.{row}_angular_change", unit="1", experiment=REACTION)
    def angular_change(data: ExperimentData, row: str = row) -> Measured:
        """Largest change of the angular momentum of particles and body over the particles' momentum at the start times the body's size."""
        found = {c.label: angular(c) for c in data.some(name=row)}
        worst = max(found, key=lambda k: found[k])
        return Measured(found[worst], worst)


@measurement("two_way_reaction.contacts", unit="1", experiment=REACTION)
def contacts(data: ExperimentData) -> float:
    """Smallest number over the runs of steps with a contact."""
    return float(min(int((c.values("step", "body_contacts") > 0).sum()) for c in data.some()))


def volume_ratio(trace: Trace) -> float:
    """Volume at the end over that at rest and the pressure that was asked for."""
    volume = trace.values("step", "closed_volume")
    return float(volume[-1] / volume[0] / float(trace.value("method.parameters.pressure")))


@measurement("balloon_volume.same_sum_ratio", unit="1", experiment=BALLOON)
def same_sum_ratio(data: ExperimentData) -> Measured:
    """Volume over k_pressure times the rest volume where the rest volume is measured by the same sum; the farthest from 1."""
    found = {c.label: volume_ratio(c) for c in data.some(name="same_sum")}
    worst = max(found, key=lambda k: abs(np.log(found[k])))
    return Measured(found[worst], worst)


@measurement("balloon_volume.true_volume_ratio", unit="1", experiment=BALLOON)
def true_volume_ratio(data: ExperimentData) -> Measured:
    """The same where the rest volume is the true one, the farthest from 1: eq. 13 then aims at a sixth."""
    found = {c.label: volume_ratio(c) for c in data.some(name="true_volume")}
    worst = max(found, key=lambda k: abs(np.log(found[k])))
    return Measured(found[worst], worst)
