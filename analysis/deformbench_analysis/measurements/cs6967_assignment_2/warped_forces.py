# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/warped_forces: forces of single warped elements against what they must equal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body, polar, rotation_angles
from ...measurement import Measured, measurement
from ...mesh import isotropic_stress
from ...results import ExperimentData
from ...trace import Trace
from . import elements as el

EXPERIMENT = "cs6967_assignment_2/warped_forces"
POLAR = ("warped", "corotational_law")  # rows whose rotation is the polar factor of F
WHOLE = (
    0.05  # det F below which an element counts as inverted: there the energy has no slope that differences would find
)
Judge = Callable[[Trace, Array, Array], Array]  # of a trace, positions and forces at corners: a number of every element


def gradients(trace: Trace, positions: Array) -> Array:
    """F from positions, [m,3,3]."""
    return el.gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), positions).astype(float)


def whole(trace: Trace, positions: Array) -> Array:
    """Which elements are not inverted."""
    return np.asarray(np.linalg.det(gradients(trace, positions)) > WHOLE)


def distance(trace: Trace) -> float:
    """Largest |x| over the size of the elements, at least 1: rounding of positions is relative to it."""
    return max(
        1.0,
        float(np.abs(trace.values("pose", "positions")).max()) / float(trace.value("scene.parameters.size_m")),
    )


def _largest(data: ExperimentData, judge: Judge, names: tuple[str, ...] = POLAR) -> Measured:
    found = {}
    for name in names:
        for cell in data.every(name=name):
            tets, worst = cell.scene("tetrahedra"), 0.0
            for x, f in zip(cell.values("pose", "positions"), cell.values("pose", "elastic_forces")):
                values = judge(cell, x, el.of_elements(f, tets))[whole(cell, x)]
                worst = max(worst, float(extremes.finite(values, cell.label).max()))
            found[cell] = worst
    return extremes.largest(found)


def from_stress(trace: Trace, positions: Array, rotations: Array) -> Array:
    """−P ⅓ΣA n at every corner, P = R (λ tr(ε) I + 2με), ε = sym(RᵀF) − I, outward normals, N, [m,4,3]."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio"))
    turned = np.swapaxes(rotations, 1, 2) @ gradients(trace, positions)
    stress = isotropic_stress(0.5 * (turned + np.swapaxes(turned, 1, 2)) - np.eye(3), young, poisson)
    areas = el.sums_of_areas(rest, tets).astype(float)
    return np.asarray(-np.einsum("mij,mjk,mak->mai", rotations, stress, areas))


def from_stiffness(trace: Trace, positions: Array, rotations: Array) -> Array:
    """−R K_e (Rᵀx − x0) of every element with 12×12 matrices K_e = V BᵀEB, N, [m,4,3]."""
    body = Body.of(trace)
    pushed = np.einsum("mij,mj->mi", body.stiffness, body.displacements(positions, rotations))
    return np.asarray(-np.einsum("mij,maj->mai", rotations, pushed.reshape(-1, 4, 3)))


def best_fit(trace: Trace, positions: Array) -> Array:
    """The rotation that maps the four corners best on where they are, in least squares and without F, [m,3,3]."""
    tets = trace.scene("tetrahedra")
    rest, now = (el.arms(el.corners(p, tets)) for p in (trace.scene("rest_positions"), positions))
    return polar(np.einsum("mai,maj->mij", now, rest))


def _of_energy(trace: Trace, positions: Array, forces: Array) -> Array:
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    energy = el.corotational_energy(rest, tets, *el.material(trace))
    now = el.corners(positions, tets).astype(float)
    step = 1e-3 * np.linalg.norm(edges_of(rest, tets), ord=-2, axis=(1, 2))
    return el.differences(forces, el.differenced_slopes(energy, now, step))


def edges_of(rest: Array, tets: Array) -> Array:
    """Matrices of rest edges in double, [m,3,3] m."""
    return np.asarray(el.edges(rest, tets).astype(float))


def _polar(trace: Trace, positions: Array) -> Array:
    return polar(gradients(trace, positions))


@measurement("warped_forces.energy_difference", unit="1", experiment=EXPERIMENT)
def energy_difference(data: ExperimentData) -> Measured:
    """Largest |f + ∂W/∂x| at a corner over the element's largest force, W = V (μ Σ(σ−1)² + λ/2 (Σ(σ−1))²) of the singular values
    of F by the analysis, its slopes by central differences; elements that are not inverted, all poses and places, polar R.
    """
    return _largest(data, _of_energy)


@measurement("warped_forces.stress_difference", unit="1", experiment=EXPERIMENT)
def stress_difference(data: ExperimentData) -> Measured:
    """Largest |f + P ⅓ΣA n| at a corner over the element's largest force and over |x|/h where that is above 1: P of sym(RᵀF) − I,
    R by singular values, A n the outward rest area normals at the corner; all poses and places, polar R."""

    def judge(trace: Trace, positions: Array, forces: Array) -> Array:
        expected = from_stress(trace, positions, _polar(trace, positions))
        return el.differences(forces, expected) / distance(trace)

    return _largest(data, judge)


@measurement("warped_forces.stiffness_difference", unit="1", experiment=EXPERIMENT)
def stiffness_difference(data: ExperimentData) -> Measured:
    """Largest |f + R K_e (Rᵀx − x0)| at a corner over the element's largest force and over |x|/h where that is above 1: K_e of 12×12
    matrices V BᵀEB, R by singular values of F; all poses and places, polar R."""

    def judge(trace: Trace, positions: Array, forces: Array) -> Array:
        expected = from_stiffness(trace, positions, _polar(trace, positions))
        return el.differences(forces, expected) / distance(trace)

    return _largest(data, judge)


def _torque(trace: Trace, positions: Array, forces: Array) -> Array:
    return el.torques(forces, el.corners(positions, trace.scene("tetrahedra")))


@measurement("warped_forces.torque", unit="1", experiment=EXPERIMENT)
def torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − c) × f| of an element over Σ|x − c||f|, and over |x|/h where that is above 1; polar R."""
    return _largest(data, lambda c, x, f: _torque(c, x, f) / distance(c))


@measurement("warped_forces.qr_torque", unit="1", experiment=EXPERIMENT)
def qr_torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − c) × f| of an element over Σ|x − c||f| where R is that of a QR factorisation of F."""
    return _largest(data, _torque, ("warped_qr",))


@measurement("warped_forces.best_fit_difference", unit="1", experiment=EXPERIMENT)
def best_fit_difference(data: ExperimentData) -> Measured:
    """Largest |f − f_fit| at a corner over the element's largest force: f_fit = −R K_e (Rᵀx − x0) with the rotation that fits the
    corners best in least squares, which needs no F; not inverted elements, all poses and places."""
    return _largest(data, lambda c, x, f: el.differences(from_stiffness(c, x, best_fit(c, x)), f))


@measurement("warped_forces.best_fit_torque", unit="1", experiment=EXPERIMENT)
def best_fit_torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − c) × f| over Σ|x − c||f| of the forces −R K_e (Rᵀx − x0) with the rotation that fits the corners best in least
    squares, which needs no F; not inverted elements, all poses and places."""
    return _largest(data, lambda c, x, f: _torque(c, x, from_stiffness(c, x, best_fit(c, x))))


@measurement("warped_forces.whole_share", unit="1", experiment=EXPERIMENT)
def whole_share(data: ExperimentData) -> Measured:
    """Least share of the elements with det F > 0.05, those that are judged, of all poses."""
    return extremes.least(
        {c: min(float(np.mean(whole(c, x))) for x in c.values("pose", "positions")) for c in data.every()}
    )


@measurement("warped_forces.largest_rotation", unit="rad", experiment=EXPERIMENT)
def largest_rotation(data: ExperimentData) -> Measured:
    """Largest angle of a polar rotation, least of the runs."""
    return extremes.least(
        {
            c: float(np.max([rotation_angles(_polar(c, x)).max() for x in c.values("pose", "positions")]))
            for c in data.every()
        }
    )
