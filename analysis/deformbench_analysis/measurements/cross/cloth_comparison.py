# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_comparison: how far a swinging cloth is from small explicit steps of its springs, and what a simulated second costs."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .common_times import at_multiples

EXPERIMENT = "cross/cloth_comparison"
COMMON_STEP = 0.02  # s


def row(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its method, with the iterations of a step where it has them."""
    if trace.method_name in ("xpbd", "pbd"):
        return f"{trace.method_name}_{trace.value('method.parameters.iterations')}"
    return trace.method_name


def paths(trace: Trace) -> Array:
    """Positions of all vertices at every multiple of the largest step of the experiment, [time, vertex, 3], m."""
    return at_multiples(trace, "positions", COMMON_STEP)


def errors(data: ExperimentData) -> dict[Trace, float]:
    """Root mean square distance of the vertices from the reference's over the side, largest over multiples of 0.02 s, of every cell but it."""
    expected = paths(data.one(name="reference"))
    found = {}
    for cell in data.some(keep=lambda c: c.method_name != "reference"):
        own = paths(cell)
        if own.shape != expected.shape:
            raise MissingData(f"{EXPERIMENT}: {cell.label} does not end when the reference does")
        distance = np.sqrt(((own - expected) ** 2).sum(axis=2).mean(axis=1)).max()
        found[cell] = float(distance) / float(cell.value("scene.parameters.side_m"))
    return found


def least_error(data: ExperimentData, method: str) -> Measured:
    """Smallest error of a method, and the cell that has it."""
    return extremes.least({c.label: e for c, e in errors(data).items() if c.method_name == method})


@measurement("cloth_comparison.force_cloth_error", unit="1", experiment=EXPERIMENT)
def force_cloth_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth that explicit steps of springs move from where small ones move them,
    largest over half a second and over all step sizes."""
    return extremes.largest({c.label: e for c, e in errors(data).items() if c.method_name == "force_cloth"})


@measurement("cloth_comparison.xpbd_least_error", unit="1", experiment=EXPERIMENT)
def xpbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of compliant constraints from those of a cloth of the same springs under
    small explicit steps, largest over half a second, smallest over all steps and iterations."""
    return least_error(data, "xpbd")


@measurement("cloth_comparison.pbd_least_error", unit="1", experiment=EXPERIMENT)
def pbd_least_error(data: ExperimentData) -> Measured:
    """Root mean square distance over the side of the vertices of a cloth of position based dynamics, which knows no stiffness of springs, from those
    of a cloth of springs under small explicit steps, largest over half a second, smallest over all steps and iterations.
    """
    return least_error(data, "pbd")
