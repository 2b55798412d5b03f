# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/node_mass: what nodal masses and volumes sum to."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .clouds import starts

EXPERIMENT = "pauly_et_al_2005/node_mass"


def body_volume(trace: Trace) -> float:
    """Of the block, m³."""
    return float(trace.value("scene.parameters.length_m")) * float(trace.value("scene.parameters.side_m")) ** 2


def mass_ratio(trace: Trace) -> float:
    """Σm/(ρV)."""
    body = float(trace.value("scene.parameters.density_kg_m3")) * body_volume(trace)
    return float(next(starts(trace))["node_masses"].sum() / body)


def volume_ratio(trace: Trace) -> float:
    """Σv/V."""
    return float(next(starts(trace))["node_volumes"].sum() / body_volume(trace))


@measurement("node_mass.printed_least", unit="1", experiment=EXPERIMENT)
def printed_least(data: ExperimentData) -> Measured:
    """Least Σm/(ρV) of a block with m = 4/3 π h³ ρ as printed; all clouds."""
    return extremes.least({c: mass_ratio(c) for c in data.every(name="as_printed")})


@measurement("node_mass.printed_largest", unit="1", experiment=EXPERIMENT)
def printed_largest(data: ExperimentData) -> Measured:
    """Largest Σm/(ρV) of a block with m = 4/3 π h³ ρ as printed; all clouds."""
    return extremes.largest({c: mass_ratio(c) for c in data.every(name="as_printed")})


@measurement("node_mass.printed_rule_error", unit="1", experiment=EXPERIMENT)
def printed_rule_error(data: ExperimentData) -> Measured:
    """Largest relative difference of a nodal mass from 4/3 π h³ ρ, rows that follow the text."""

    def of(cell: Trace) -> float:
        arrays = next(starts(cell))
        rule = 4 / 3 * np.pi * arrays["node_supports"] ** 3 * float(cell.value("scene.parameters.density_kg_m3"))
        return float(np.abs(arrays["node_masses"] / rule - 1).max())

    return extremes.largest({c: of(c) for c in data.every(name="as_printed")})


@measurement("node_mass.consistent_error", unit="1", experiment=EXPERIMENT)
def consistent_error(data: ExperimentData) -> Measured:
    """Largest |Σm/(ρV) − 1| with shares of the body's mass by h³; all clouds."""
    return extremes.largest({c: abs(mass_ratio(c) - 1) for c in data.every(name="consistent")})


@measurement("node_mass.volume_least", unit="1", experiment=EXPERIMENT)
def volume_least(data: ExperimentData) -> Measured:
    """Least Σv/V, v of the kernel sum; all clouds and rules of mass."""
    return extremes.least({c: volume_ratio(c) for c in data.every()})


@measurement("node_mass.volume_largest", unit="1", experiment=EXPERIMENT)
def volume_largest(data: ExperimentData) -> Measured:
    """Largest Σv/V, v of the kernel sum; all clouds and rules of mass."""
    return extremes.largest({c: volume_ratio(c) for c in data.every()})
