# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/deformation_gradients and …/bent_gradients: F of every element as the method forms it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import elements as el

EXPERIMENT, BENT = "cs6967_assignment_2/deformation_gradients", "cs6967_assignment_2/bent_gradients"
EPSILON = float(np.finfo(float).eps)
Judge = Callable[[Array, Array, Array], Array]  # F of every element from rest positions, tetrahedra, positions


def errors(trace: Trace, judge: Judge) -> Iterator[Array]:
    """‖F − F_judge‖/(ε κ ‖F_judge‖) of every element, Frobenius norms, κ the condition number of the rest edges; by pose."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    condition = el.conditions(rest, tets)
    for positions, found in zip(trace.values("pose", "positions"), trace.values("pose", "deformation_gradients")):
        exact = judge(rest, tets, positions)
        difference = np.linalg.norm((found.reshape(-1, 3, 3) - exact).astype(float), axis=(1, 2))
        yield difference / (EPSILON * condition * np.linalg.norm(exact.astype(float), axis=(1, 2)))


def _largest(data: ExperimentData, judge: Judge) -> Measured:
    return extremes.largest({c: float(np.max(list(errors(c, judge)))) for c in data.every()})


@measurement("deformation_gradients.error", unit="1", experiment=EXPERIMENT)
def error(data: ExperimentData) -> Measured:
    """Largest ‖F − F_exact‖/(ε κ ‖F_exact‖), F_exact = X β by Cramer's rule in extended precision from the recorded positions, κ
    the condition number of the matrix of rest edges, ε that of double precision; all elements, poses and methods."""
    return _largest(data, el.gradients)


@measurement("deformation_gradients.transposed_error", unit="1", experiment=EXPERIMENT)
def transposed_error(data: ExperimentData) -> Measured:
    """Least over the runs of the largest ‖F − X βᵀ‖/(ε κ ‖X βᵀ‖): what the bound makes of the inverse transposed."""

    def transposed(rest: Array, tets: Array, positions: Array) -> Array:
        return el.product(el.edges(positions, tets), np.swapaxes(el.inverses(el.edges(rest, tets)), 1, 2))

    return extremes.least({c: float(np.max(list(errors(c, transposed)))) for c in data.every()})


@measurement("deformation_gradients.largest_condition", unit="1", experiment=EXPERIMENT)
def largest_condition(data: ExperimentData) -> Measured:
    """Largest condition number of a matrix of rest edges, least of the runs."""
    return extremes.least(
        {c: float(el.conditions(c.scene("rest_positions"), c.scene("tetrahedra")).max()) for c in data.every()}
    )


@measurement("deformation_gradients.elements", unit="1", experiment=EXPERIMENT)
def elements(data: ExperimentData) -> Measured:
    """Least number of elements of a run."""
    return extremes.least({c: float(c.tetrahedra or 0) for c in data.every()})


@measurement("bent_gradients.error", unit="1", experiment=BENT)
def bent_error(data: ExperimentData) -> Measured:
    """Largest ‖F − F_surface‖/(ε κ ‖F_surface‖), F_surface = (1/V) ∮ x ⊗ n dA over the element's rest faces in extended
    precision, which inverts no matrix; a block bent and twisted by up to 180°, all methods."""
    return _largest(data, el.surface_gradients)


@measurement("bent_gradients.spread", unit="1", experiment=BENT)
def spread(data: ExperimentData) -> Measured:
    """Largest entry of the difference between two elements' F in the last pose, least of the runs: no one F serves all."""
    found = {}
    for cell in data.every():
        last = cell.values("pose", "deformation_gradients")[-1].reshape(-1, 9)
        found[cell] = float((last.max(axis=0) - last.min(axis=0)).max())
    return extremes.least(found)
