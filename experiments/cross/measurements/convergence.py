# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/convergence: iterations per step of finite elements, by solver."""

import numpy as np

from deformbench_analysis.projective_step import ProjectiveStep
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Rows, Trace
from deformbench_analysis.vocabulary import extremes, rows

M = Measures("cross/convergence")
LAW = "method.parameters.law"
LEVEL = 1e-6  # of the objective's drop: where iterations are compared
DESCENT, PROJECTIVE = "descent", "projective"  # methods from outside: vertex block descent, projective dynamics
_REFERENCE = "_reference"


def is_reference(trace: Trace) -> bool:
    """Whether the cell is solved to rounding, so that others are compared with it."""
    return trace.method_name.endswith(_REFERENCE)


def law(trace: Trace) -> str:
    """The law of a Newton cell; empty for linear and warped elements, which have one problem each,
    and methods from outside."""
    return str(trace.value(LAW, ""))


def is_from_outside(trace: Trace) -> bool:
    """Whether the cell is of the example plug-in or the example program, which an installation may lack."""
    return trace.method_name.removesuffix(_REFERENCE) in (DESCENT, PROJECTIVE)


def same_step(trace: Trace) -> dict[str, str | None]:
    """Declared values of the cell that solves the same step to rounding. Bullet's neo-Hookean step is that of stable
    neo-Hookean elements. Vertex block descent minimises the same objective as Newton's method with that law, in
    independent code."""
    if trace.method_id == "bullet_fem" or trace.method_name == DESCENT:
        return {"method.name": "newton" + _REFERENCE, LAW: "stable_neo_hookean"}
    return {"method.name": trace.method_name + _REFERENCE, LAW: trace.value(LAW)}


REFERENCES = rows(says="steps solved to rounding").where(is_reference, says="")


def errors(trace: Trace, reference: Trace) -> Array:
    """(E − E*)/(E0 − E*) after every iteration of a cell, E* the last objective of its reference."""
    objective = Iterations.of(reference).objective
    return Iterations.of(trace).errors(float(objective[0]), float(objective[-1]))


def errors_in(data: ExperimentData, trace: Trace) -> Array:
    """The same, with the reference selected. Projective dynamics has its own energy:
    E0 and E* are those of an independent program."""
    if trace.method_name == PROJECTIVE:
        step = ProjectiveStep(trace)
        return Iterations.of(trace).errors(step.objective(step.start)[0], step.minimise())
    return errors(trace, REFERENCES.where(same_step(trace)).one(data)[0])


def _first_below(found: Array, level: float, trace: Trace) -> int:
    reached = first_below(found, level)
    if reached is None:
        raise MissingData(f"{trace.experiment}: {trace.label} does not come to {level:g} of the drop")
    return reached


def iterations(trace: Trace, reference: Trace) -> int:
    """Iterations until a millionth of the drop of the step's objective is left."""
    return _first_below(errors(trace, reference), LEVEL, trace)


def end_iterations(trace: Trace, reference: Trace) -> int:
    """Iterations from a hundredth to 1e-10 of the drop of the step's objective."""
    found = errors(trace, reference)
    return _first_below(found, 1e-10, trace) - _first_below(found, 1e-2, trace)


def left(trace: Trace, reference: Trace) -> float:
    """Share of the drop of the step's objective that is left after the last iteration."""
    return float(errors(trace, reference)[-1])


def rise(trace: Trace, reference: Trace) -> float:
    """Largest rise of the step's objective in an iteration, relative to its total drop."""
    return float(np.max(np.diff(errors(trace, reference))))


def own_rise(trace: Trace) -> float:
    """Largest objective rise per iteration, relative to its drop."""
    return Iterations.of(trace).largest_rise()


def _is_solver(trace: Trace) -> bool:
    return not is_reference(trace)


def _has_elements(trace: Trace) -> bool:
    return trace.method_name in ("linear", "warped")


def _lowers_the_objective(trace: Trace) -> bool:
    return trace.method_id != "bullet_fem" and not is_from_outside(trace)


def _newton(hessian: str, words: str) -> Rows:
    runs = rows(says=f"Newton's method with {words}, all laws").where(_is_solver, hessian=hessian, says="")
    return runs.beside(REFERENCES, same_step, says="")


EXACT, PROJECTED = _newton("exact", "exact Hessians"), _newton("projected", "Hessians projected to semidefinite")
BULLET = rows("bullet", says="Bullet's own limits").beside(REFERENCES, same_step, says="")
M.largest("newton_exact_iterations", iterations, EXACT)
M.largest("newton_projected_iterations", iterations, PROJECTED)
M.largest("newton_exact_end_iterations", end_iterations, EXACT)
M.least("newton_projected_end_iterations", end_iterations, PROJECTED)
for _name, _words in (("none", "no"), ("mass", "mass"), ("jacobi", "Jacobi")):
    _rows = rows(says=f"conjugate gradients, {_words} preconditioner").where(
        _has_elements, cg_preconditioner=_name, says=""
    )
    M.largest(f"cg_{_name}_iterations", iterations, _rows.beside(REFERENCES, same_step, says=""))
M.largest(
    "largest_rise", own_rise, rows(says="Newton's method and conjugate gradients").where(_lowers_the_objective, says="")
)
M.only("bullet_left", left, BULLET)
M.only("bullet_largest_rise", rise, BULLET)


def _from_outside(name: str, words: str) -> None:
    """An installation without the method refuses its runs, as declared,
    so that no `Rows` may require them."""

    @M(f"{name}_iterations", of=words)
    def _iterations(data: ExperimentData) -> Measured:
        """Iterations of a method from outside until a hundredth of the drop of the step's objective is left."""
        return extremes.largest({c: _first_below(errors_in(data, c), 1e-2, c) for c in data.every(name=name)})

    @M(f"{name}_largest_rise", of=words)
    def _rise(data: ExperimentData) -> Measured:
        """Largest objective rise per iteration of a method from outside, relative to its drop."""
        return extremes.largest({c: own_rise(c) for c in data.every(name=name)})


_from_outside(DESCENT, "vertex block descent")
_from_outside(PROJECTIVE, "projective dynamics")
