# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stiff_steps: steps of a frame that the method takes of a stiff and of a soft body."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .stable_step_of_nodes import limit

EXPERIMENT = "pauly_et_al_2005/stiff_steps"
FRAME = 0.04  # s
STIFF = 1e9  # Pa: above it


def of(data: ExperimentData, *, stiff: bool) -> list[Trace]:
    """Stiff or soft bodies; MissingData where one did not complete."""
    return data.every(keep=lambda c: (float(c.value("scene.parameters.young_modulus_pa")) > STIFF) == stiff)


def taken(trace: Trace) -> float:
    """Substeps that the method took in a frame, the least of all frames."""
    series = trace.series("step", "substeps")
    per_frame = FRAME / float(trace.value("scene.parameters.time_step_s"))
    return float(np.min(series.values[series.step > 0]) * per_frame)


@measurement("stiff_steps.stiff", unit="1", experiment=EXPERIMENT)
def stiff(data: ExperimentData) -> Measured:
    """Least number of steps that the method takes in a twenty-fifth of a second, E = 10 GPa, 2500 kg/m³, nodes 6 cm apart, runs that keep their energy."""
    return extremes.least({c: taken(c) for c in of(data, stiff=True)})


@measurement("stiff_steps.soft", unit="1", experiment=EXPERIMENT)
def soft(data: ExperimentData) -> Measured:
    """Largest number of steps that the method takes in a twenty-fifth of a second, E = 0.1 MPa, otherwise the same."""
    return extremes.largest({c: taken(c) for c in of(data, stiff=False)})


@measurement("stiff_steps.least_needed", unit="1", experiment=EXPERIMENT)
def least_needed(data: ExperimentData) -> Measured:
    """Least number of steps of 2/ω_max, eigenvalues by the analysis, in a twenty-fifth of a second, E = 10 GPa: no stable run takes fewer."""
    return extremes.least({c: FRAME / limit(c) for c in of(data, stiff=True)})


@measurement("stiff_steps.step_over_limit", unit="1", experiment=EXPERIMENT)
def step_over_limit(data: ExperimentData) -> Measured:
    """Largest step that the method takes over 2/ω_max by the analysis; all bodies."""
    return extremes.largest({c: FRAME / taken(c) / limit(c) for c in data.every()})


@measurement("stiff_steps.energy_ratio", unit="1", experiment=EXPERIMENT)
def energy_ratio(data: ExperimentData) -> Measured:
    """Largest energy of a frame over that at the start: far above 1 where a step is too large."""

    def ratio(cell: Trace) -> float:
        found = cell.values("step", "elastic_energy") + cell.values("step", "kinetic_energy")
        return float(np.max(found) / found[0])

    return extremes.largest({c: ratio(c) for c in data.every()})
