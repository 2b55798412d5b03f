# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_start_steps: an enlarged body without damping, and how short an implicit step may be."""

from __future__ import annotations

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.recovery import FreeBody
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .scaled_start import LONG, is_in_regime, share, turn

EXPERIMENT = "cs6967_assignment_2/scaled_start_steps"


def is_shorter(trace: Trace) -> bool:
    """Δt ω_1 below what the regime asks for."""
    return turn(trace, FreeBody.of(trace)) < LONG


@measurement("scaled_start_steps.share_in_regime", unit="1", experiment=EXPERIMENT)
def share_in_regime(data: ExperimentData) -> Measured:
    """Least share of seeds that are back at rest after twenty periods of the lowest frequency ω_1, without an inverted element, of
    undamped bodies with implicit steps of Δt ω_1 ≥ 0.1: linear and warped elements from twice the size, standard ones from 1.1.
    """
    return extremes.least({c: share(c) for c in data.some(status=None, keep=is_in_regime)})


@measurement("scaled_start_steps.least_turn", unit="1", experiment=EXPERIMENT)
def least_turn(data: ExperimentData) -> Measured:
    """Least Δt ω_1 of the runs with Δt ω_1 ≥ 0.1, ω_1 the lowest angular frequency of the free body."""
    return extremes.least({c: turn(c, FreeBody.of(c)) for c in data.some(status=None, keep=is_in_regime)})


@measurement("scaled_start_steps.methods", unit="1", experiment=EXPERIMENT)
def methods(data: ExperimentData) -> float:
    """Number of different methods with Δt ω_1 ≥ 0.1."""
    return float(len({c.method_id for c in data.some(status=None, keep=is_in_regime)}))


@measurement("scaled_start_steps.share_of_shorter", unit="1", experiment=EXPERIMENT)
def share_of_shorter(data: ExperimentData) -> Measured:
    """Least share of seeds that are back at rest after twenty periods of the lowest frequency ω_1, without an inverted element, of
    undamped bodies with implicit steps of Δt ω_1 < 0.1."""
    return extremes.least({c: share(c) for c in data.some(status=None, keep=is_shorter)})
