# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/yield_onset_orientation: the shear at which flow begins (erratum B-IVM-4)."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Rows, Trace, quantity, rows

M = Measures("mueller_gross_2004/yield_onset_orientation")


def onset_step(trace: Trace) -> int:
    """The first step that ends with plastic strain."""
    strain = trace.series("step", "plastic_strain_max")
    rows = np.flatnonzero(strain.values > 0)
    if rows.size == 0:
        raise MissingData(f"{trace.label}: nothing flowed")
    return int(strain.step[rows[0]])


def steps_of_ramp(trace: Trace) -> float:
    """Time steps in which the shear grows."""
    return trace.number("ramp_s") / trace.number("time_step_s")


def predicted_step(trace: Trace) -> int:
    """The step whose flow first sees a strain beyond the yield:
    flow looks at the positions before the step's own motion ([MG04] §6)."""
    name = {"engineering": "engineering_onset", "frobenius": "frobenius_onset"}[
        str(trace.value("method.parameters.plastic_norm"))
    ]
    onset = float(trace.reference("yield_onset_shear", name).values)
    reached = onset / trace.number("strain") * steps_of_ramp(trace)
    return math.floor(reached) + 2  # after step ⌊k⌋ + 1 the strain exceeds the yield, and the next one sees it


@quantity("|first step with plastic strain − predicted step|")
def _error(trace: Trace) -> float:
    return abs(onset_step(trace) - predicted_step(trace))


@quantity("largest / smallest shear at which flow begins, minus 1")
def _spread(*cells: Trace) -> float:
    onsets = [onset_step(c) / steps_of_ramp(c) for c in cells]
    return float(np.max(onsets) / np.min(onsets) - 1)


def _of(name: str, says: str) -> Rows:
    return rows(name, says=f"orientations of the element, {says}").by_row()


onset_error_steps = M.largest("onset_error_steps", _error, rows(says="both norms, orientations of the element"))
engineering_spread = M.only(
    "engineering_spread", _spread, _of("engineering", "2-norm of the 6-vector with engineering shear, as printed")
)
frobenius_spread = M.only("frobenius_spread", _spread, _of("frobenius", "Frobenius norm"))
