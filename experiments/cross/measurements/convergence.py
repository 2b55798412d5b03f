# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/convergence: how many iterations a step of finite elements takes, by solver."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.projective_step import ProjectiveStep
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.trace import Trace

EXPERIMENT = "cross/convergence"
LEVEL = 1e-6  # of the objective's drop: where iterations are compared
DESCENT, PROJECTIVE = "descent", "projective"  # methods from outside: vertex block descent, projective dynamics
_REFERENCE = "_reference"


def is_reference(trace: Trace) -> bool:
    """Whether the cell is solved to rounding, so that others are compared with it."""
    return trace.method_name.endswith(_REFERENCE)


def law(trace: Trace) -> str:
    """The material of a Newton cell; empty of linear and warped elements, which have one problem each, and of methods from outside."""
    return str(trace.value("method.parameters.law", ""))


def is_from_outside(trace: Trace) -> bool:
    """Whether the cell is of the example plug-in or the example program, which an installation may lack."""
    return trace.method_name.removesuffix(_REFERENCE) in (DESCENT, PROJECTIVE)


def reference_of(data: ExperimentData, trace: Trace) -> Iterations:
    """The iterations of the cell that solves the same step to rounding. Bullet's neo-Hookean step is that of stable neo-Hookean
    elements. Vertex block descent minimises what Newton's method does with the same law, written and computed apart from it.
    """
    if trace.method_id == "bullet_fem" or trace.method_name == DESCENT:
        return Iterations.of(data.one(name="newton" + _REFERENCE, keep=lambda c: law(c) == "stable_neo_hookean"))
    return Iterations.of(data.one(name=trace.method_name + _REFERENCE, keep=lambda c: law(c) == law(trace)))


def errors(data: ExperimentData, trace: Trace) -> Array:
    """(E − E*)/(E0 − E*) after every iteration of a cell, E* the last objective of its reference. Projective dynamics has an energy of its
    own: E* and E0 are computed and minimised apart from it."""
    if trace.method_name == PROJECTIVE:
        step = ProjectiveStep(trace)
        return Iterations.of(trace).errors(step.objective(step.start)[0], step.minimise())
    reference = reference_of(data, trace)
    return Iterations.of(trace).errors(float(reference.objective[0]), float(reference.objective[-1]))


def iterations_to(data: ExperimentData, trace: Trace, level: float) -> int:
    """Iterations until so much of the objective's drop is left."""
    found = first_below(errors(data, trace), level)
    if found is None:
        raise MissingData(f"{EXPERIMENT}: {trace.label} does not come to {level:g} of the drop")
    return found


def end_iterations(data: ExperimentData, trace: Trace) -> int:
    """Iterations from a hundredth to 1e-10 of the drop."""
    return iterations_to(data, trace, 1e-10) - iterations_to(data, trace, 1e-2)


def _newton(data: ExperimentData, hessian: str) -> list[Trace]:
    return data.every(keep=lambda c: not is_reference(c) and c.value("method.parameters.hessian", "") == hessian)


def _most(data: ExperimentData, cells: list[Trace]) -> Measured:
    return extremes.largest({c.label: float(iterations_to(data, c, LEVEL)) for c in cells})


@measurement("convergence.newton_exact_iterations", unit="1", experiment=EXPERIMENT)
def newton_exact_iterations(data: ExperimentData) -> Measured:
    """Newton iterations with exact Hessians until a millionth of the drop of the step's objective is left, most over all laws."""
    return _most(data, _newton(data, "exact"))


@measurement("convergence.newton_projected_iterations", unit="1", experiment=EXPERIMENT)
def newton_projected_iterations(data: ExperimentData) -> Measured:
    """Newton iterations with Hessians made positive semidefinite until a millionth of the drop of the step's objective is left,
    most over all laws."""
    return _most(data, _newton(data, "projected"))


def _cg(preconditioner: str) -> None:
    @measurement(
        f"convergence.cg_{preconditioner}_iterations",
        unit="1",
        experiment=EXPERIMENT,
        of=f"preconditioner {preconditioner}",
    )
    def _iterations(data: ExperimentData) -> Measured:
        """Iterations of conjugate gradients until a millionth of the drop of the step's quadratic is left, most over linear and
        warped elements."""
        return _most(
            data,
            data.every(
                keep=lambda c: c.method_name in ("linear", "warped")
                and c.value("method.parameters.cg_preconditioner") == preconditioner
            ),
        )


for _name in ("none", "mass", "jacobi"):
    _cg(_name)


@measurement("convergence.newton_exact_end_iterations", unit="1", experiment=EXPERIMENT)
def newton_exact_end_iterations(data: ExperimentData) -> Measured:
    """Newton iterations with exact Hessians from a hundredth to 1e-10 of the drop of the step's objective, where convergence is
    quadratic, most over all laws."""
    return extremes.largest({c.label: float(end_iterations(data, c)) for c in _newton(data, "exact")})


@measurement("convergence.newton_projected_end_iterations", unit="1", experiment=EXPERIMENT)
def newton_projected_end_iterations(data: ExperimentData) -> Measured:
    """Newton iterations with Hessians made positive semidefinite from a hundredth to 1e-10 of the drop of the step's objective,
    fewest over all laws."""
    return extremes.least({c.label: float(end_iterations(data, c)) for c in _newton(data, "projected")})


@measurement("convergence.largest_rise", unit="1", experiment=EXPERIMENT)
def largest_rise(data: ExperimentData) -> Measured:
    """Largest rise of the objective in an iteration over its drop, over all cells of Newton's method, its line search, and conjugate
    gradients: they lower it in exact arithmetic."""
    cells = data.every(keep=lambda c: c.method_id != "bullet_fem" and not is_from_outside(c))
    return extremes.largest({c.label: Iterations.of(c).largest_rise() for c in cells})


@measurement("convergence.bullet_left", unit="1", experiment=EXPERIMENT)
def bullet_left(data: ExperimentData) -> float:
    """Share of the drop of the step's objective that is left after the last iteration that Bullet's own limits allow."""
    return float(errors(data, data.one(name="bullet"))[-1])


@measurement("convergence.bullet_largest_rise", unit="1", experiment=EXPERIMENT)
def bullet_largest_rise(data: ExperimentData) -> float:
    """Largest rise of the objective in an iteration of Bullet, whose Newton steps are whole, over the drop of the step's objective."""
    return float(np.max(np.diff(errors(data, data.one(name="bullet")))))


def _from_outside(name: str, words: str) -> None:
    @measurement(f"convergence.{name}_iterations", unit="1", experiment=EXPERIMENT, of=words)
    def _iterations(data: ExperimentData) -> Measured:
        """Iterations of a method from outside until a hundredth of the drop of the step's objective is left."""
        return extremes.largest({c.label: float(iterations_to(data, c, 1e-2)) for c in data.every(name=name)})

    @measurement(f"convergence.{name}_largest_rise", unit="1", experiment=EXPERIMENT, of=words)
    def _rise(data: ExperimentData) -> Measured:
        """Largest rise of the objective in an iteration of a method from outside over its drop."""
        return extremes.largest({c.label: Iterations.of(c).largest_rise() for c in data.every(name=name)})


_from_outside(DESCENT, "vertex block descent")
_from_outside(PROJECTIVE, "projective dynamics")
