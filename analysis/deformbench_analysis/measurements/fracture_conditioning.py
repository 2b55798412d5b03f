# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/fracture_conditioning: the step's matrix while a bar breaks (references C.5, C.10)."""

from __future__ import annotations

import numpy as np

from ..errors import MissingData
from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace
from .split_events import split_total

EXPERIMENT = "mueller_gross_2004/fracture_conditioning"


def condition(trace: Trace) -> np.ndarray:
    """Condition number of every row, all eigenvalues converged."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: an eigenvalue did not converge")
    return np.asarray(trace.values("operator", "condition_number"))


def smallest_mass(trace: Trace) -> np.ndarray:
    """Smallest nodal mass of every row, kg: the bound's numerator over the bound."""
    return np.asarray(trace.values("operator", "lambda_max_bound") / trace.values("operator", "condition_bound"))


@measurement("fracture_conditioning.bound_ratio_max", unit="1", experiment=EXPERIMENT)
def bound_ratio_max(data: ExperimentData) -> float:
    """Largest condition number over (m_max + Δt²Λ)/m_min′ with the first mesh's m_max and Λ and the smallest mass after the splits."""
    return max(float((condition(c) * smallest_mass(c) / c.values("operator", "lambda_max_bound")[0]).max()) for c in data.some())


@measurement("fracture_conditioning.growth_max", unit="1", experiment=EXPERIMENT)
def growth_max(data: ExperimentData) -> Measured:
    """Largest condition number over that before the first split, all time steps."""
    growth = {c.label: float(condition(c).max() / condition(c)[0]) for c in data.some()}
    worst = max(growth, key=lambda k: growth[k])
    return Measured(growth[worst], worst)


@measurement("fracture_conditioning.mass_ratio_max", unit="1", experiment=EXPERIMENT)
def mass_ratio_max(data: ExperimentData) -> float:
    """Largest ratio of the smallest nodal mass before to that after: what the bound may grow by."""
    return max(float(smallest_mass(c)[0] / smallest_mass(c).min()) for c in data.some())


@measurement("fracture_conditioning.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Vertex splits, all runs."""
    return float(sum(split_total(c) for c in data.some()))
