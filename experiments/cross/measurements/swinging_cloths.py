# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the comparisons of cloth: curves of methods, and a cloth's distance over time from small explicit
steps of its springs."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, MissingData, Trace, rows
from .common_times import at_multiples

COMMON_STEP = 0.02  # s, the largest step of the experiments
REFERENCE = rows("reference", says="small explicit steps")
EXPLICIT, COMPLIANT, POSITION_BASED = (
    rows(name, says=words).beside(REFERENCE, says="")
    for name, words in (
        ("force_cloth", "explicit steps, all sizes"),
        ("xpbd", "compliant constraints, all steps"),
        ("pbd", "position based dynamics, all steps"),
    )
)


def row(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its method, with the iterations of a step where it has them."""
    if trace.method_name in ("xpbd", "pbd"):
        return f"{trace.method_name}_{trace.value('method.parameters.iterations')}"
    return trace.method_name


def compared(data: ExperimentData) -> list[Trace]:
    """Every cell but the reference."""
    return data.some(keep=lambda c: c.method_name != "reference")


def distances(trace: Trace, reference: Trace) -> tuple[Array, Array]:
    """Multiples of 0.02 s, and rms distance of the vertices from the reference's at each, relative to
    the side."""
    own, expected = (at_multiples(t, "positions", COMMON_STEP) for t in (trace, reference))
    if own.shape != expected.shape:
        raise MissingData(f"{trace.experiment}: {trace.label} does not end when the reference does")
    apart = np.sqrt(((own - expected) ** 2).sum(axis=2).mean(axis=1))
    return COMMON_STEP * np.arange(1, len(apart) + 1), apart / trace.number("side_m")


def error(trace: Trace, reference: Trace) -> float:
    """Rms distance of vertices from small explicit steps of springs relative to the side,
    maximum over time."""
    return float(distances(trace, reference)[1].max())


def errors(data: ExperimentData) -> dict[Trace, float]:
    """Error of every cell but the reference."""
    reference = data.one(name="reference")
    return {cell: error(cell, reference) for cell in compared(data)}
