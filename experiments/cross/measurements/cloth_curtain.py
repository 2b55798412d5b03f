# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_curtain: how far a cloth that swings down onto a slope is from small explicit steps of its springs."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .swinging_cloths import COMMON_STEP, compared, errors, largest_error, least_error, paths

EXPERIMENT = "cross/cloth_curtain"


def distances(trace: Trace, reference: Trace) -> tuple[Array, Array]:
    """Multiples of 0.02 s, and root mean square distance of the vertices from the reference's over the side at each."""
    apart = np.sqrt(((paths(trace) - paths(reference)) ** 2).sum(axis=2).mean(axis=1))
    return COMMON_STEP * np.arange(1, len(apart) + 1), apart / float(trace.value("scene.parameters.side_m"))


def end_errors(data: ExperimentData) -> dict[Trace, float]:
    """The same at the end alone, where the cloth hangs along the slope, of every cell but the reference."""
    reference = data.one(name="reference")
    return {c: float(distances(c, reference)[1][-1]) for c in compared(data)}


def sag(trace: Trace) -> float:
    """How far the middle of the upper side is below the held corners at the end, along the slope, over the side."""
    n = int(trace.value("scene.parameters.vertices_across"))
    upper = trace.values("step", "positions")[-1, :n]
    slope = np.radians(float(trace.value("scene.parameters.slope_deg")))
    down = np.array([0.0, -np.sin(slope), -np.cos(slope)])
    middle = (upper[(n - 1) // 2] + upper[n // 2]) / 2
    return float((middle - upper[0]) @ down) / float(trace.value("scene.parameters.side_m"))


def depth(trace: Trace) -> float:
    """Deepest vertex behind the plane in any step, over the side."""
    depths = extremes.finite(trace.values("step", "penetration_depth"), trace.label)
    return float(depths.max()) / float(trace.value("scene.parameters.side_m"))


@measurement("cloth_curtain.force_cloth_error", unit="1", experiment=EXPERIMENT)
def force_cloth_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth that explicit steps of springs move onto a slope from where small ones
    move them, largest over a second and over all step sizes."""
    return largest_error(errors(data), "force_cloth")


@measurement("cloth_curtain.xpbd_least_error", unit="1", experiment=EXPERIMENT)
def xpbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of compliant constraints from those of small explicit steps of its springs,
    largest over a second, smallest over all steps and iterations."""
    return least_error(errors(data), "xpbd")


@measurement("cloth_curtain.pbd_least_error", unit="1", experiment=EXPERIMENT)
def pbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of position based dynamics from those of small explicit steps of springs,
    largest over a second, smallest over all steps and iterations."""
    return least_error(errors(data), "pbd")


@measurement("cloth_curtain.xpbd_least_end_error", unit="1", experiment=EXPERIMENT)
def xpbd_least_end_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of compliant constraints from those of small explicit steps of its springs,
    at the end, when it hangs along the slope, smallest over all steps and iterations."""
    return least_error(end_errors(data), "xpbd")


@measurement("cloth_curtain.pbd_least_end_error", unit="1", experiment=EXPERIMENT)
def pbd_least_end_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of position based dynamics from those of small explicit steps of springs,
    at the end, when it hangs along the slope, smallest over all steps and iterations."""
    return least_error(end_errors(data), "pbd")


@measurement("cloth_curtain.depth", unit="1", experiment=EXPERIMENT)
def deepest(data: ExperimentData) -> Measured:
    """Deepest vertex behind the slope over the side, of all methods, steps and times."""
    return extremes.largest({c.label: depth(c) for c in data.some()})
