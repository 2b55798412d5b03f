# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/stiffness_spectrum: rank and symmetry of K of a free mesh."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...measurement import measurement
from ...results import ExperimentData

EXPERIMENT = "mueller_gross_2004/stiffness_spectrum"


def zero_modes_at_rest(data: ExperimentData) -> Array:
    """Number of zero eigenvalues of the stiffness matrix at rest, one per mesh."""
    found = []
    for cell in data.some():
        at_rest = cell.values("operator", "pose_parameter") == 0
        found.append(cell.values("operator", "stiffness_zero_modes")[at_rest])
    return np.concatenate(found)


@measurement("stiffness_spectrum.zero_modes_at_rest_min", unit="1", experiment=EXPERIMENT)
def zero_modes_at_rest_min(data: ExperimentData) -> float:
    """Smallest number of eigenvalues of K below 1e-10 of the largest, rest pose, all meshes."""
    return float(zero_modes_at_rest(data).min())


@measurement("stiffness_spectrum.zero_modes_at_rest_max", unit="1", experiment=EXPERIMENT)
def zero_modes_at_rest_max(data: ExperimentData) -> float:
    """Largest number of eigenvalues of K below 1e-10 of the largest, rest pose, all meshes."""
    return float(zero_modes_at_rest(data).max())


@measurement("stiffness_spectrum.asymmetry_max", unit="1", experiment=EXPERIMENT)
def asymmetry_max(data: ExperimentData) -> float:
    """Largest |K − Kᵀ| over the largest |K|, all poses and meshes."""
    return float(np.max([float(c.values("operator", "stiffness_asymmetry").max()) for c in data.some()]))
