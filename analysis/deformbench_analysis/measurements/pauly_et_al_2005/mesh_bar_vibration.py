# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/mesh_bar_vibration: how fast a loaded bar swings along itself."""

from __future__ import annotations

from ...measurement import measurement
from ...results import ExperimentData
from .bar_vibration import frequency

EXPERIMENT = "pauly_et_al_2005/mesh_bar_vibration"


def ratio(data: ExperimentData, name: str) -> float:
    """Frequency over c/4L."""
    cell = data.one(name=name)
    return frequency(cell) / float(cell.reference("wave_speeds", "first_axial_frequency_hz").values)


@measurement("mesh_bar_vibration.printed_ratio", unit="1", experiment=EXPERIMENT)
def printed_ratio(data: ExperimentData) -> float:
    """First frequency along a bar over c/4L, masses 4/3 π h³ ρ as printed."""
    return ratio(data, "as_printed")


@measurement("mesh_bar_vibration.consistent_ratio", unit="1", experiment=EXPERIMENT)
def consistent_ratio(data: ExperimentData) -> float:
    """First frequency along a bar over c/4L, masses that share out the body's by h³."""
    return ratio(data, "consistent")


@measurement("mesh_bar_vibration.explicit_fem_ratio", unit="1", experiment=EXPERIMENT)
def explicit_fem_ratio(data: ExperimentData) -> float:
    """First frequency along a bar over c/4L, explicit nonlinear finite elements on the same mesh."""
    return ratio(data, "explicit_fem")


@measurement("mesh_bar_vibration.warped_fem_ratio", unit="1", experiment=EXPERIMENT)
def warped_fem_ratio(data: ExperimentData) -> float:
    """First frequency along a bar over c/4L, implicit warped finite elements on the same mesh."""
    return ratio(data, "warped_fem")
