# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_comparison: how far a swinging cloth is from small explicit steps of its springs, and what a simulated second costs."""

from __future__ import annotations

from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from .swinging_cloths import errors, largest_error, least_error

EXPERIMENT = "cross/cloth_comparison"


@measurement("cloth_comparison.force_cloth_error", unit="1", experiment=EXPERIMENT)
def force_cloth_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth that explicit steps of springs move from where small ones move them,
    largest over half a second and over all step sizes."""
    return largest_error(errors(data), "force_cloth")


@measurement("cloth_comparison.xpbd_least_error", unit="1", experiment=EXPERIMENT)
def xpbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of compliant constraints from those of a cloth of the same springs under
    small explicit steps, largest over half a second, smallest over all steps and iterations."""
    return least_error(errors(data), "xpbd")


@measurement("cloth_comparison.pbd_least_error", unit="1", experiment=EXPERIMENT)
def pbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of position based dynamics, which knows no stiffness of springs, from those
    of a cloth of springs under small explicit steps, largest over half a second, smallest over all steps and iterations.
    """
    return least_error(errors(data), "pbd")
