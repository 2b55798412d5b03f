# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/warped_forces: forces of single warped elements against what they must
equal."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.corotational import Body, polar, rotation_angles
from deformbench_analysis.mesh import isotropic_stress
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Quantity, Trace, extremes, quantity, rows
from . import elements as el

M = Measures("cs6967_assignment_2/warped_forces")
POLAR = rows("warped", "corotational_law", says="polar rotations")
QR = rows("warped_qr", says="rotations by a QR factorisation")
WHOLE = (
    0.05  # det F below which an element counts as inverted: there the energy is nonsmooth and finite differences fail
)
Judge = Callable[[Trace, Array, Array], Array]  # trace, positions, corner forces → value per element


def gradients(trace: Trace, positions: Array) -> Array:
    """F from positions, [m,3,3]."""
    return el.gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), positions).astype(float)


def whole(trace: Trace, positions: Array) -> Array:
    """Which elements are not inverted."""
    return np.asarray(np.linalg.det(gradients(trace, positions)) > WHOLE)


def distance(trace: Trace) -> float:
    """Largest coordinate / element size, at least 1: scales the rounding of positions."""
    return max(1.0, float(np.abs(trace.values("pose", "positions")).max()) / trace.number("size_m"))


def judged(phrase: str, judge: Judge) -> Quantity:
    """Maximum over all poses and non-inverted elements."""

    def largest(trace: Trace) -> float:
        tets, worst = trace.scene("tetrahedra"), 0.0
        for x, f in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces")):
            values = judge(trace, x, el.of_elements(f, tets))[whole(trace, x)]
            worst = max(worst, float(extremes.finite(values, trace.label).max()))
        return worst

    return quantity(phrase)(largest)


def from_stress(trace: Trace, positions: Array, rotations: Array) -> Array:
    """−P ⅓ΣA n at every corner, P = R (λ tr(ε) I + 2με), ε = sym(RᵀF) − I, outward normals, N, [m,4,3]."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
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
    """Rotation that best maps the rest corners to the current ones in least squares, without F, [m,3,3]."""
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


def _of_stress(trace: Trace, positions: Array, forces: Array) -> Array:
    expected = from_stress(trace, positions, _polar(trace, positions))
    return el.differences(forces, expected) / distance(trace)


def _of_stiffness(trace: Trace, positions: Array, forces: Array) -> Array:
    expected = from_stiffness(trace, positions, _polar(trace, positions))
    return el.differences(forces, expected) / distance(trace)


def _torque(trace: Trace, positions: Array, forces: Array) -> Array:
    return el.torques(forces, el.corners(positions, trace.scene("tetrahedra")))


@quantity("share of a pose's elements with det F > 0.05")
def whole_share(trace: Trace) -> Array:
    """Those that are judged."""
    return np.array([float(np.mean(whole(trace, x))) for x in trace.values("pose", "positions")])


@quantity("largest angle of a polar rotation", unit="rad")
def largest_rotation(trace: Trace) -> float:
    """Maximum over all poses."""
    return float(np.max([rotation_angles(_polar(trace, x)).max() for x in trace.values("pose", "positions")]))


M.largest(
    "energy_difference",  # W = V (μ Σ(σ−1)² + λ/2 (Σ(σ−1))²) of the singular values of F, ∂W/∂x by differences
    judged("|f + ∂W/∂x| at a corner / largest force, corotational W by the analysis", _of_energy),
    POLAR,
)
M.largest(
    "stress_difference",  # P of sym(RᵀF) − I, A n the outward rest area normals at the corner
    judged("|f + P ⅓ΣA n| at a corner / (largest force × max(1, |x|/h))", _of_stress),
    POLAR,
)
M.largest(
    "stiffness_difference",  # K_e = V BᵀEB
    judged("|f + R K_e (Rᵀx − x0)| at a corner / (largest force × max(1, |x|/h))", _of_stiffness),
    POLAR,
)
M.largest(
    "torque",
    judged(
        "|Σ(x − c) × f| of an element / (Σ|x − c||f| max(1, |x|/h))", lambda c, x, f: _torque(c, x, f) / distance(c)
    ),
    POLAR,
)
M.largest("qr_torque", judged("|Σ(x − c) × f| / Σ|x − c||f|", _torque), QR)
M.largest(
    "best_fit_difference",
    judged(
        "|f − f_fit| at a corner / largest force, the rotation of f_fit by least squares of the corners",
        lambda c, x, f: el.differences(from_stiffness(c, x, best_fit(c, x)), f),
    ),
    POLAR,
)
M.largest(
    "best_fit_torque",
    judged(
        "|Σ(x − c) × f_fit| / Σ|x − c||f_fit|, the rotation by least squares of the corners",
        lambda c, x, f: _torque(c, x, from_stiffness(c, x, best_fit(c, x))),
    ),
    POLAR,
)
M.least("whole_share", whole_share, EVERY_RUN)
M.least("largest_rotation", largest_rotation, EVERY_RUN)
