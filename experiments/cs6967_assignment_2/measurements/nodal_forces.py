# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/nodal_forces: forces of single nonlinear elements against what they must equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import elements as el

EXPERIMENT = "cs6967_assignment_2/nodal_forces"
TURNED, ENLARGED = "random_turns", "dilate"
Judge = Callable[[Trace, Array, Array], Array]  # of a trace, positions and forces at corners: a number of every element


def poses(trace: Trace) -> Iterator[tuple[Array, Array]]:
    """Positions and forces at the corners of every element, [m,4,3], pose by pose."""
    tets = trace.scene("tetrahedra")
    for positions, forces in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces")):
        yield positions, el.of_elements(forces, tets)


def _worst(data: ExperimentData, judge: Judge, field: str, pick: Callable[[Array], float]) -> dict[Trace, float]:
    cells = data.every(where={"schedule.poses.field": field})
    return {c: pick(np.array([judge(c, x, f) for x, f in poses(c)])) for c in cells}


def largest(data: ExperimentData, judge: Judge, field: str = TURNED) -> Measured:
    """Over all elements, poses and methods."""
    return extremes.largest(_worst(data, judge, field, lambda a: float(np.max(a))))


def least(data: ExperimentData, judge: Judge, field: str = TURNED) -> Measured:
    """Over all elements, poses and methods."""
    return extremes.least(_worst(data, judge, field, lambda a: float(np.min(a))))


def from_surface(trace: Trace, positions: Array) -> Array:
    """−P ⅓ΣA n of every corner with normals that point out of the element, N, [m,4,3]: the text's formula with the other sign."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    stress = el.piola(el.gradients(rest, tets, positions), *el.material(trace))
    return np.asarray(-np.einsum("mij,maj->mai", stress, el.sums_of_areas(rest, tets)).astype(float))


def _of_energy(trace: Trace, positions: Array, forces: Array) -> Array:
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    energy = el.kirchhoff_energy(rest, tets, *el.material(trace))
    return el.differences(forces, el.exact_slopes(energy, el.corners(positions, tets).astype(float)))


def _of_surface(trace: Trace, positions: Array, forces: Array) -> Array:
    return el.differences(forces, from_surface(trace, positions))


def _now(trace: Trace, positions: Array) -> Array:
    return el.corners(positions, trace.scene("tetrahedra"))


@measurement("nodal_forces.energy_difference", unit="1", experiment=EXPERIMENT)
def energy_difference(data: ExperimentData) -> Measured:
    """Largest |f + ∂W/∂x| at a corner over the element's largest force, W = V (λ/2 tr²E + μ E:E) with E = ½(FᵀF − I) by the
    analysis from positions, its slopes by complex steps; all elements, poses and methods."""
    return largest(data, _of_energy)


@measurement("nodal_forces.surface_difference", unit="1", experiment=EXPERIMENT)
def surface_difference(data: ExperimentData) -> Measured:
    """Largest |f + P ⅓ΣA n| at a corner over the element's largest force, A n the rest area normals of its three faces, out of
    the element, P by the analysis from positions; all elements, poses and methods."""
    return largest(data, _of_surface)


@measurement("nodal_forces.printed_sign_difference", unit="1", experiment=EXPERIMENT)
def printed_sign_difference(data: ExperimentData) -> Measured:
    """Least |f − P ⅓ΣA n| at a corner over the element's largest force: the formula as printed with outward normals; twice the
    force where the sign is wrong and nothing else."""
    return least(data, lambda c, x, f: el.differences(f, -from_surface(c, x)))


@measurement("nodal_forces.net_force", unit="1", experiment=EXPERIMENT)
def net_force(data: ExperimentData) -> Measured:
    """Largest |Σf| of an element's four forces over Σ|f|."""
    return largest(data, lambda c, x, f: el.net_forces(f))


@measurement("nodal_forces.torque", unit="1", experiment=EXPERIMENT)
def torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − c) × f| of an element over Σ|x − c||f|, c its middle."""
    return largest(data, lambda c, x, f: el.torques(f, _now(c, x)))


@measurement("nodal_forces.enlarged_outward", unit="1", experiment=EXPERIMENT)
def enlarged_outward(data: ExperimentData) -> Measured:
    """Largest Σf·(x − c) of an element enlarged by 1 % over Σ|f||x − c|: below zero where every element pulls itself together."""
    return largest(data, lambda c, x, f: el.outward_shares(f, _now(c, x)), ENLARGED)


@measurement("nodal_forces.strain", unit="1", experiment=EXPERIMENT)
def strain(data: ExperimentData) -> Measured:
    """Median over the elements of the largest singular value of ½(FᵀF − I), least of all poses."""

    def of(trace: Trace, positions: Array, forces: Array) -> Array:
        found = el.gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), positions).astype(float)
        green = 0.5 * (np.swapaxes(found, 1, 2) @ found - np.eye(3))
        return np.array([np.median(np.linalg.norm(green, ord=2, axis=(1, 2)))])

    return least(data, of)


@measurement("nodal_forces.elements", unit="1", experiment=EXPERIMENT)
def elements(data: ExperimentData) -> Measured:
    """Least number of elements of a run."""
    return extremes.least({c: float(c.tetrahedra or 0) for c in data.every()})
