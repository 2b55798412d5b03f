# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/stiffness_spectrum: rank and symmetry of K of a free mesh."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows

M = Measures("mueller_gross_2004/stiffness_spectrum")


def zero_modes_at_rest(trace: Trace) -> Array:
    """Number of eigenvalues of K below 1e-10 of the largest, rest pose."""
    at_rest = trace.values("operator", "pose_parameter") == 0
    return np.asarray(trace.values("operator", "stiffness_zero_modes")[at_rest])


MESHES = rows(says="all meshes").noted(lambda _: "")
M.least("zero_modes_at_rest_min", zero_modes_at_rest, MESHES)
M.largest("zero_modes_at_rest_max", zero_modes_at_rest, MESHES)
M.largest(
    "asymmetry_max",
    quantity("|K − Kᵀ| / largest |K|, all poses")(lambda c: c.values("operator", "stiffness_asymmetry")),
    MESHES,
)
