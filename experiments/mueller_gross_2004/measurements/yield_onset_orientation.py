# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/yield_onset_orientation: the shear at which flow begins (erratum B-IVM-4)."""

from __future__ import annotations

import math

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/yield_onset_orientation"


def onset_step(trace: Trace) -> int:
    """The first step that ends with plastic strain."""
    strain = trace.series("step", "plastic_strain_max")
    rows = np.flatnonzero(strain.values > 0)
    if rows.size == 0:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: nothing flowed")
    return int(strain.step[rows[0]])


def steps_of_ramp(trace: Trace) -> float:
    """Time steps in which the shear grows."""
    return float(trace.value("scene.parameters.ramp_s")) / float(trace.value("scene.parameters.time_step_s"))


def predicted_step(trace: Trace) -> int:
    """The step whose flow first sees a strain beyond the yield: flow looks at the positions before the step's own motion ([MG04] §6)."""
    name = {"engineering": "engineering_onset", "frobenius": "frobenius_onset"}[
        str(trace.value("method.parameters.plastic_norm"))
    ]
    onset = float(trace.reference("yield_onset_shear", name).values)
    reached = onset / float(trace.value("scene.parameters.strain")) * steps_of_ramp(trace)
    return math.floor(reached) + 2  # after step ⌊k⌋ + 1 the strain exceeds the yield, and the next one sees it


@measurement("yield_onset_orientation.onset_error_steps", unit="1", experiment=EXPERIMENT)
def onset_error_steps(data: ExperimentData) -> Measured:
    """Largest |first step with plastic strain − predicted step|, both norms, all orientations of the element."""
    errors = {c.label: abs(onset_step(c) - predicted_step(c)) for c in data.some()}
    worst = extremes.at_largest(errors)
    return Measured(float(errors[worst]), worst)


def _spread(data: ExperimentData, name: str) -> float:
    onsets = [onset_step(c) / steps_of_ramp(c) for c in data.some(name=name)]
    return float(np.max(onsets) / np.min(onsets) - 1)


@measurement("yield_onset_orientation.engineering_spread", unit="1", experiment=EXPERIMENT)
def engineering_spread(data: ExperimentData) -> float:
    """Largest over smallest shear at which flow begins, minus 1, over orientations of the element: 2-norm of the
    6-vector with engineering shear, as printed."""
    return _spread(data, "engineering")


@measurement("yield_onset_orientation.frobenius_spread", unit="1", experiment=EXPERIMENT)
def frobenius_spread(data: ExperimentData) -> float:
    """Largest over smallest shear at which flow begins, minus 1, over orientations of the element: Frobenius norm."""
    return _spread(data, "frobenius")
