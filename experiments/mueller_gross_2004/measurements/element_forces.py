# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/element_forces: warped forces against what they must equal at imposed poses."""

import numpy as np

from deformbench_analysis.corotational import polar, rotation_angles
from deformbench_analysis.mesh import deformation_gradients, linear_forces, shortest_edge
from deformbench_analysis.vocabulary import Array, Measures, Rows, Trace, quantity, rows

M = Measures("mueller_gross_2004/element_forces")
RIGID, RANDOM = "random_rigid", "random_positions"


def is_moved(trace: Trace) -> bool:
    """Whether the rest shape lies away from the origin."""
    return bool(np.any(np.array(trace.value("scene.parameters.rest_offset_m", [0, 0, 0]), dtype=float)))


def _largest(forces: Array) -> float:
    return float(np.linalg.norm(forces, axis=-1).max())


def rigid_force(trace: Trace) -> float:
    """Largest elastic force / (E h²), h the shortest edge."""
    edge = shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(trace.values("pose", "max_elastic_force").max()) / (trace.number("young_modulus_pa") * edge**2)


def _difference(trace: Trace, rotations: Array) -> float:
    """Largest |f − R f_linear(Rᵀx)| / largest |f|, one rotation per pose, [pose,3,3]."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
    forces = trace.values("pose", "elastic_forces")
    expected = [
        linear_forces(rest, tets, x @ r, young, poisson) @ r.T
        for x, r in zip(trace.values("pose", "positions"), rotations)
    ]
    return _largest(forces - np.array(expected)) / _largest(forces)


def global_difference(trace: Trace) -> float:
    """Largest |f(x) − R f_linear(Rᵀx)| / largest |f|, one rotation R for the whole body."""
    of_pose = [np.unique(r.reshape(-1, 9), axis=0) for r in trace.values("pose", "rotations")]
    if any(len(found) > 1 for found in of_pose):
        raise trace.missing("a pose with more than one rotation")
    return _difference(trace, np.array(of_pose).reshape(-1, 3, 3))


def linear_difference(trace: Trace) -> float:
    """Largest |f − f_B| / largest |f|, f_B from strain matrices B by the analysis."""
    return _difference(trace, np.array([np.eye(3)] * len(trace.values("pose", "positions"))))


def gradients_of(trace: Trace) -> Array:
    """F of every element, [pose, element, 3, 3]."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    return np.array([deformation_gradients(rest, tets, x) for x in trace.values("pose", "positions")])


def rotations(trace: Trace) -> Array:
    """Recorded rotation of every element, [pose, element, 3, 3]."""
    return np.asarray(trace.values("pose", "rotations").reshape(len(trace.values("pose", "rotations")), -1, 3, 3))


def fixed(gradients: Array) -> Array:
    """Conditioning of an element's rotation: (σ2 ± σ3)/σ1 of F, the sign that of det F."""
    values = np.linalg.svd(gradients, compute_uv=False)
    return np.asarray((values[..., 1] + np.sign(np.linalg.det(gradients)) * values[..., 2]) / values[..., 0])


@quantity("|R − R_svd| times (σ2 ± σ3)/σ1, R_svd from the singular values σ of F by the analysis")
def rotation_errors(trace: Trace) -> Array:
    """Largest entry per element and pose. Rounding of F rotates R by about its size / this factor ([MG04]
    eq. 9–12: F by edges, R by singular values, both here)."""
    gradients = gradients_of(trace)
    recorded = rotations(trace)
    return np.asarray(np.abs(recorded - polar(gradients)).max(axis=(-2, -1)) * fixed(gradients))


@quantity("difference of the rotations times (σ2 ± σ3)/σ1, σ the singular values of F")
def translation_difference(near: Trace, far: Trace) -> Array:
    """Largest entry per element and pose."""
    return np.asarray(np.abs(rotations(near) - rotations(far)).max(axis=(-2, -1)) * fixed(gradients_of(near)))


def rest_distance(near: Trace, far: Trace) -> float:
    """Distance between the two rest shapes / shortest edge."""
    rest = near.scene("rest_positions")
    return float(np.linalg.norm(far.scene("rest_positions") - rest, axis=1).min()) / shortest_edge(
        rest, near.scene("tetrahedra")
    )


@quantity(unit="rad")
def rotation_angle(trace: Trace) -> Array:
    """Rotation angle of an element."""
    return rotation_angles(trace.values("pose", "rotations").reshape(-1, 3, 3))


def rotation_spread(trace: Trace) -> Array:
    """Entry of the difference between any two elements' rotations."""
    found = trace.values("pose", "rotations")
    found = found.reshape(found.shape[0], -1, 9)
    return np.asarray(found.max(axis=1) - found.min(axis=1))


def orthogonality(trace: Trace) -> Array:
    """Entry of |RᵀR − I|."""
    found = rotations(trace)
    return np.asarray(np.abs(np.swapaxes(found, -1, -2) @ found - np.eye(3)))


def polar_determinant_errors(trace: Trace) -> tuple[Array, Array]:
    """|det Q − 1| of the orthogonal polar factor Q of F, and det F, of all elements."""
    gradients = gradients_of(trace)
    u, _, vt = np.linalg.svd(gradients)
    return np.asarray(np.abs(np.linalg.det(u @ vt) - 1)), np.asarray(np.linalg.det(gradients))


def upright_determinant_errors(trace: Trace) -> Array:
    """|det Q − 1|, Q the orthogonal polar factor, of elements that are not inverted."""
    errors, determinants = polar_determinant_errors(trace)
    return np.asarray(errors[determinants > 0])


def of_poses(name: str, field: str, says: str) -> Rows:
    """A row's random rigid or deformed poses, rest shape at the origin."""
    at_origin = rows(name, says=says).where(lambda c: not is_moved(c), says="")
    return at_origin.where({"schedule.poses.field": field}, says="")


RANDOM_WARPED = of_poses("warped", RANDOM, "random poses")
RIGID_WARPED = of_poses("warped", RIGID, "random rigid motions of warped FEM")
AT_ORIGIN = rows("warped", says="rigid motions and random poses, inverted elements included").where(
    lambda c: not is_moved(c), says=""
)
NEAR_AND_FAR = RANDOM_WARPED.beside(
    rows("warped", says="the rest shape 37 m off").where(is_moved, {"schedule.poses.field": RANDOM}, says="")
)

M.only("rigid_force", rigid_force, RIGID_WARPED)
M.only("linear_rigid_force", rigid_force, of_poses("linear", RIGID, "random rigid motions of linear FEM"))
M.only("global_difference", global_difference, of_poses("warped_global", RANDOM, "random poses"))
M.only("linear_difference", linear_difference, of_poses("linear", RANDOM, "random poses of linear FEM"))
M.largest(
    "rotation_error",
    rotation_errors,
    rows("warped", says="all poses, rest shape at the origin and far from it").noted(lambda _: ""),
)
M.only("rest_translation_difference", translation_difference, NEAR_AND_FAR)
M.only("rest_distance", rest_distance, NEAR_AND_FAR)
M.only("largest_rotation", rotation_angle, RANDOM_WARPED)
M.only("rigid_rotation_spread", rotation_spread, RIGID_WARPED)
M.largest("rotation_orthogonality", orthogonality, AT_ORIGIN.noted(lambda _: ""))
M.largest(
    "rotation_determinant_error",
    quantity("|det R − 1|")(lambda c: np.abs(np.linalg.det(rotations(c)) - 1)),
    AT_ORIGIN.noted(lambda _: ""),
)
M.only(
    "polar_determinant_error",
    quantity("|det Q − 1|, Q the orthogonal polar factor of F")(lambda c: polar_determinant_errors(c)[0]),
    RANDOM_WARPED,
)
M.only("upright_determinant_error", upright_determinant_errors, RANDOM_WARPED)
M.only(
    "energy_gradient_error",
    quantity("|f + ∇Ψ| / largest |f|, ∇Ψ by central differences, polar rotations")(
        lambda c: c.values("pose", "energy_gradient_error")
    ),
    RANDOM_WARPED,
)
