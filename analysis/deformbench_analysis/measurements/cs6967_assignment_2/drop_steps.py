# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/drop_steps: those of cs6967_assignment_2/drops on explicit steps of other sizes."""

from __future__ import annotations

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from . import drops

EXPERIMENT = "cs6967_assignment_2/drop_steps"

drops.measure_also(EXPERIMENT, "impact_step_error")
measurement("drop_steps.depth", unit="m", experiment=EXPERIMENT)(drops.depth)


@measurement("drop_steps.sizes", unit="1", experiment=EXPERIMENT)
def sizes(data: ExperimentData) -> float:
    """Number of different step sizes."""
    return float(len({round(drops.step_number(c), 9) for c in data.every()}))


@measurement("drop_steps.smallest_step_number", unit="1", experiment=EXPERIMENT)
def smallest_step_number(data: ExperimentData) -> Measured:
    """Smallest Δt²E/(ρh²), h the side of a cell."""
    return extremes.least({c: drops.step_number(c) for c in data.every()})


@measurement("drop_steps.largest_step_number", unit="1", experiment=EXPERIMENT)
def largest_step_number(data: ExperimentData) -> Measured:
    """Largest Δt²E/(ρh²), h the side of a cell."""
    return extremes.largest({c: drops.step_number(c) for c in data.every()})
