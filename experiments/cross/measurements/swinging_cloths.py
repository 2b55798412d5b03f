# SPDX-License-Identifier: BSD-3-Clause
"""What the comparisons of cloth share: curves of methods, and how far a cloth's path is from that of small explicit steps of its springs."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .common_times import at_multiples

COMMON_STEP = 0.02  # s


def row(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its method, with the iterations of a step where it has them."""
    if trace.method_name in ("xpbd", "pbd"):
        return f"{trace.method_name}_{trace.value('method.parameters.iterations')}"
    return trace.method_name


def compared(data: ExperimentData) -> list[Trace]:
    """Every cell but the reference."""
    return data.some(keep=lambda c: c.method_name != "reference")


def paths(trace: Trace) -> Array:
    """Positions of all vertices at every multiple of the largest step of the experiment, [time, vertex, 3], m."""
    return at_multiples(trace, "positions", COMMON_STEP)


def errors(data: ExperimentData) -> dict[Trace, float]:
    """Root mean square distance of the vertices from the reference's over the side, largest over multiples of 0.02 s, of every cell but it."""
    expected = paths(data.one(name="reference"))
    found = {}
    for cell in compared(data):
        own = paths(cell)
        if own.shape != expected.shape:
            raise MissingData(f"{data.id}: {cell.label} does not end when the reference does")
        distance = np.sqrt(((own - expected) ** 2).sum(axis=2).mean(axis=1)).max()
        found[cell] = float(distance) / float(cell.value("scene.parameters.side_m"))
    return found


def least_error(found: dict[Trace, float], method: str) -> Measured:
    """Smallest error of a method, and the cell that has it."""
    return extremes.least({c.label: e for c, e in found.items() if c.method_name == method})


def largest_error(found: dict[Trace, float], method: str) -> Measured:
    """Largest error of a method, and the cell that has it."""
    return extremes.largest({c.label: e for c, e in found.items() if c.method_name == method})
