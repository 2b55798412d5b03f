# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/deformation_gradients and …/bent_gradients:
F of every element as the method forms it."""

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, quantity, rows
from . import elements as el

M, BENT = Measures("cs6967_assignment_2/deformation_gradients"), Measures("cs6967_assignment_2/bent_gradients")
EPSILON = float(np.finfo(float).eps)
Judge = Callable[[Array, Array, Array], Array]  # F of every element from rest positions, tetrahedra, positions


def errors(trace: Trace, judge: Judge) -> Iterator[Array]:
    """‖F − F_judge‖/(ε κ ‖F_judge‖) of every element, Frobenius norms, κ the condition number of the rest edges;
    by pose."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    condition = el.conditions(rest, tets)
    for positions, found in zip(trace.values("pose", "positions"), trace.values("pose", "deformation_gradients")):
        exact = judge(rest, tets, positions)
        difference = np.linalg.norm((found.reshape(-1, 3, 3) - exact).astype(float), axis=(1, 2))
        yield difference / (EPSILON * condition * np.linalg.norm(exact.astype(float), axis=(1, 2)))


def _transposed(rest: Array, tets: Array, positions: Array) -> Array:
    return el.product(el.edges(positions, tets), np.swapaxes(el.inverses(el.edges(rest, tets)), 1, 2))


def _errors(phrase: str, judge: Judge) -> Quantity:
    return Quantity(lambda c: np.array(list(errors(c, judge))), phrase)


@quantity("largest condition number of a matrix of rest edges")
def _condition(trace: Trace) -> float:
    return float(el.conditions(trace.scene("rest_positions"), trace.scene("tetrahedra")).max())


@quantity("largest entry of the difference between two elements' F in the last pose")
def _spread(trace: Trace) -> float:
    last = trace.values("pose", "deformation_gradients")[-1].reshape(-1, 9)
    return float((last.max(axis=0) - last.min(axis=0)).max())


# κ is the condition number of the matrix of rest edges, ε that of double precision.
M.largest(
    "error",
    _errors("‖F − F_exact‖/(ε κ ‖F_exact‖), F_exact by Cramer's rule in extended precision", el.gradients),
    rows(says="all elements, poses and methods"),
)
M.least(  # control: F from the transposed inverse
    "transposed_error", _errors("‖F − X βᵀ‖/(ε κ ‖X βᵀ‖)", _transposed).largest("largest ‖F − X βᵀ‖/(ε κ ‖X βᵀ‖)")
)
M.least("largest_condition", _condition)
M.least("elements", quantity("number of elements")(lambda c: float(c.tetrahedra or 0)))
BENT.largest(  # F_surface = (1/V) ∮ x ⊗ n dA, which inverts no matrix
    "error",
    _errors(
        "‖F − F_surface‖/(ε κ ‖F_surface‖), F_surface integrated over the element's rest faces", el.surface_gradients
    ),
    rows(says="methods, a block bent and twisted by up to 180°"),
)
BENT.least("spread", _spread)  # F is not uniform
