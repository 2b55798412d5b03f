# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/work_precision: how far from the nonlinear solution a method is, and what a simulated second costs."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .common_times import at_multiples, cost

EXPERIMENT = "cross/work_precision"
COMMON_STEP = 0.05  # s
PRECISION = 0.01  # of the bar's length: at which costs are compared


def row(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its method, with the scheme of Newton's and the sweeps of vertex block descent."""
    if trace.method_name == "descent":
        return f"descent_{trace.value('method.parameters.iterations')}"
    return str(trace.value("method.parameters.scheme")) if trace.method_name == "newton" else trace.method_name


def path_of_tip(trace: Trace) -> Array:
    """Displacement of the tip at every multiple of the largest step of the experiment, m."""
    return at_multiples(trace, "tip_displacement", COMMON_STEP)


def errors(data: ExperimentData) -> dict[Trace, float]:
    """Largest distance of the tip from the reference's over the length, at multiples of 0.05 s, of every cell but it."""
    expected = path_of_tip(data.one(name="reference"))
    return {cell: error(cell, expected) for cell in data.some(keep=lambda c: c.method_name != "reference")}


def error(cell: Trace, expected: Array) -> float:
    """The same of one cell, whose tip is compared with the expected path."""
    path = path_of_tip(cell)
    if len(path) != len(expected):
        raise MissingData(f"{EXPERIMENT}: {cell.label} does not end when the reference does")
    distance = float(np.linalg.norm(path - expected, axis=1).max())
    return distance / float(cell.value("scene.parameters.length_m"))


def least_error(data: ExperimentData, name: str) -> Measured:
    """Smallest error of a curve, and the cell that has it."""
    return extremes.least({c.label: e for c, e in errors(data).items() if row(c) == name})


def cost_at_precision(data: ExperimentData, name: str) -> float:
    """Time of a simulated second, s, of the cheapest cell of a curve that has its tip within 1 % of the length."""
    costs = [cost(c) for c, e in errors(data).items() if row(c) == name and e <= PRECISION]
    if not costs:
        raise MissingData(f"{EXPERIMENT}: no cell of {name} is within {PRECISION:g} of the length at tier {data.tier}")
    return min(costs)


@measurement("work_precision.meshless_least_error", unit="1", experiment=EXPERIMENT)
def meshless_least_error(data: ExperimentData) -> Measured:
    """Largest distance over the length of the tip of a swinging bar of meshless nodes from that of the nonlinear elements with the same
    vertices, smallest over all substeps: what the stiffness of the nodes is off by, not the steps."""
    return least_error(data, "meshless")


@measurement("work_precision.newton_over_warped", unit="1", experiment=EXPERIMENT, timing=True)
def newton_over_warped(data: ExperimentData) -> float:
    """Time of a simulated second with implicit Euler and converged Newton iterations over that with stiffness warping, each at
    its cheapest step with the tip within 1 % of the length."""
    return cost_at_precision(data, "implicit_euler") / cost_at_precision(data, "warped")


@measurement("work_precision.explicit_over_warped", unit="1", experiment=EXPERIMENT, timing=True)
def explicit_over_warped(data: ExperimentData) -> float:
    """Time of a simulated second with explicit steps over that with stiffness warping, each at its cheapest step within 1 % of
    the length."""
    return cost_at_precision(data, "explicit") / cost_at_precision(data, "warped")


def _invertible_over(data: ExperimentData, name: str) -> float:
    return cost_at_precision(data, "invertible") / cost_at_precision(data, name)


@measurement("work_precision.invertible_over_newton", unit="1", experiment=EXPERIMENT, timing=True)
def invertible_over_newton(data: ExperimentData) -> float:
    """Time of a simulated second with explicit invertible elements over that with implicit Euler and converged Newton iterations, each
    at its cheapest step with the tip within 1 % of the length."""
    return _invertible_over(data, "implicit_euler")


@measurement("work_precision.invertible_over_midpoint", unit="1", experiment=EXPERIMENT, timing=True)
def invertible_over_midpoint(data: ExperimentData) -> float:
    """Time of a simulated second with explicit invertible elements over that with the implicit midpoint rule and converged Newton
    iterations, each at its cheapest step with the tip within 1 % of the length."""
    return _invertible_over(data, "implicit_midpoint")


@measurement("work_precision.invertible_over_warped", unit="1", experiment=EXPERIMENT, timing=True)
def invertible_over_warped(data: ExperimentData) -> float:
    """Time of a simulated second with explicit invertible elements over that with stiffness warping, each at its cheapest step with the
    tip within 1 % of the length."""
    return _invertible_over(data, "warped")
