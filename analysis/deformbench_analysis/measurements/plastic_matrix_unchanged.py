# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_matrix_unchanged: flow adds to the right-hand side only ([MG04] eq. 16)."""

from __future__ import annotations

from ..measurement import measurement
from ..results import ExperimentData
from .load_hold_release import operator_spectrum_difference

EXPERIMENT = "mueller_gross_2004/plastic_matrix_unchanged"


@measurement("plastic_matrix_unchanged.condition_difference", unit="1", experiment=EXPERIMENT)
def condition_difference(data: ExperimentData) -> float:
    """Largest relative difference of condition number and extreme eigenvalues with and without flow, all rows."""
    return operator_spectrum_difference(data.one(name="elastic"), data.one(name="plastic"))


@measurement("plastic_matrix_unchanged.plastic_strain", unit="1", experiment=EXPERIMENT)
def plastic_strain(data: ExperimentData) -> float:
    """Largest plastic strain of the run with flow at its end."""
    return float(data.one(name="plastic").values("step", "plastic_strain_max")[-1])
