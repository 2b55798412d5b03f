# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/work_precision: how far from the nonlinear solution a method is,
and what a simulated second costs."""

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measures, MissingData, Rows, Trace, rows
from .common_times import at_multiples, cost

M = Measures("cross/work_precision")
COMMON_STEP = 0.05  # s
PRECISION = 0.01  # of the bar's length: at which costs are compared


def row(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its method,
    with the scheme of Newton's and the sweeps of vertex block descent."""
    if trace.method_name == "descent":
        return f"descent_{trace.value('method.parameters.iterations')}"
    return str(trace.value("method.parameters.scheme")) if trace.method_name == "newton" else trace.method_name


def error(trace: Trace, reference: Trace) -> float:
    """Tip distance from nonlinear elements by small explicit steps, relative to the length,
    maximum over time."""
    path, expected = (at_multiples(t, "tip_displacement", COMMON_STEP) for t in (trace, reference))
    if len(path) != len(expected):
        raise MissingData(f"{trace.experiment}: {trace.label} does not end when the reference does")
    distance = float(np.linalg.norm(path - expected, axis=1).max())
    return distance / trace.number("length_m")


def errors(data: ExperimentData) -> dict[Trace, float]:
    """Error of every cell but the reference."""
    reference = data.one(name="reference")
    return {cell: error(cell, reference) for cell in data.some(keep=lambda c: c.method_name != "reference")}


def cost_at_precision(data: ExperimentData, name: str) -> float:
    """Time of a simulated second, s, of the cheapest cell of a curve that has its tip within 1 % of the length."""
    costs = [cost(c) for c, e in errors(data).items() if row(c) == name and e <= PRECISION]
    if not costs:
        raise MissingData(f"{data.id}: no cell of {name} is within {PRECISION:g} of the length at tier {data.tier}")
    return min(costs)


def _beside_reference(name: str, words: str) -> Rows:
    return rows(name, says=words).beside(rows("reference"), says="")


meshless_least_error = M.least(
    "meshless_least_error", error, _beside_reference("meshless", "meshless nodes, all substeps")
)


def _over(name: str, row: str, other: str, words: str) -> None:
    @M(name, timing=True, of=words)
    def _ratio(data: ExperimentData) -> float:
        """Cost of a simulated second relative to another method's, each at its cheapest step with tip error ≤ 1 %."""
        return cost_at_precision(data, row) / cost_at_precision(data, other)


for _name, _row, _other, _words in (
    ("newton_over_warped", "implicit_euler", "warped", "implicit Euler over stiffness warping"),
    ("explicit_over_warped", "explicit", "warped", "explicit steps over stiffness warping"),
    ("invertible_over_newton", "invertible", "implicit_euler", "invertible elements over implicit Euler"),
    ("invertible_over_midpoint", "invertible", "implicit_midpoint", "invertible elements over the midpoint rule"),
    ("invertible_over_warped", "invertible", "warped", "invertible elements over stiffness warping"),
):
    _over(_name, _row, _other, _words)
