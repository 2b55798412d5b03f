# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/element_forces: warped forces against what they must equal at imposed poses."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...corotational import polar, rotation_angles
from ...errors import MissingData
from ...measurement import measurement
from ...mesh import deformation_gradients, linear_forces, shortest_edge
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/element_forces"
RIGID, RANDOM = "random_rigid", "random_positions"


def is_moved(trace: Trace) -> bool:
    """Whether the rest shape lies away from the origin."""
    return bool(np.any(np.array(trace.value("scene.parameters.rest_offset_m", [0, 0, 0]), dtype=float)))


def cell(data: ExperimentData, name: str, field: str, moved: bool = False) -> Trace:
    """The run of one row and pose field, moved far from the origin or not."""
    return data.one(name=name, where={"schedule.poses.field": field}, keep=lambda c: is_moved(c) == moved)


def _largest(forces: Array) -> float:
    return float(np.linalg.norm(forces, axis=-1).max())


def _rigid_force(trace: Trace) -> float:
    edge = shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(trace.values("pose", "max_elastic_force").max()) / (
        float(trace.value("scene.parameters.young_modulus_pa")) * edge**2
    )


@measurement("element_forces.rigid_force", unit="1", experiment=EXPERIMENT)
def rigid_force(data: ExperimentData) -> float:
    """Largest elastic force over E h², h the shortest edge, over random rigid motions, warped FEM."""
    return _rigid_force(cell(data, "warped", RIGID))


@measurement("element_forces.linear_rigid_force", unit="1", experiment=EXPERIMENT)
def linear_rigid_force(data: ExperimentData) -> float:
    """Largest elastic force over E h², h the shortest edge, over random rigid motions, linear FEM."""
    return _rigid_force(cell(data, "linear", RIGID))


def _difference(trace: Trace, rotations: Array) -> float:
    """Largest |f − R f_linear(Rᵀx)| over the largest |f|, one rotation per pose, [pose,3,3]."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio"))
    forces = trace.values("pose", "elastic_forces")
    expected = [
        linear_forces(rest, tets, x @ r, young, poisson) @ r.T
        for x, r in zip(trace.values("pose", "positions"), rotations)
    ]
    return _largest(forces - np.array(expected)) / _largest(forces)


@measurement("element_forces.global_difference", unit="1", experiment=EXPERIMENT)
def global_difference(data: ExperimentData) -> float:
    """Largest |f(x) − R f_linear(Rᵀx)| over the largest |f|, one rotation R for the whole body, f_linear from strain
    matrices B computed by the analysis, random poses."""
    trace = cell(data, "warped_global", RANDOM)
    of_pose = [np.unique(r.reshape(-1, 9), axis=0) for r in trace.values("pose", "rotations")]
    if any(len(found) > 1 for found in of_pose):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: a pose with more than one rotation")
    return _difference(trace, np.array(of_pose).reshape(-1, 3, 3))


@measurement("element_forces.linear_difference", unit="1", experiment=EXPERIMENT)
def linear_difference(data: ExperimentData) -> float:
    """Largest |f − f_B| over the largest |f|, linear FEM, f_B from strain matrices B computed by the analysis, random
    poses."""
    trace = cell(data, "linear", RANDOM)
    return _difference(trace, np.array([np.eye(3)] * len(trace.values("pose", "positions"))))


def rotation_errors(trace: Trace) -> Array:
    """|R − R_svd| of every element and pose, largest entry, times how well the pose fixes it: (σ2 ± σ3)/σ1 of F, the sign that of det F.
    Rounding of F turns R by about its size over that ([MG04] eq. 9–12: F by edges, R by singular values, both here)."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    gradients = np.array([deformation_gradients(rest, tets, x) for x in trace.values("pose", "positions")])
    recorded = trace.values("pose", "rotations").reshape(gradients.shape)
    values = np.linalg.svd(gradients, compute_uv=False)
    fixed = (values[..., 1] + np.sign(np.linalg.det(gradients)) * values[..., 2]) / values[..., 0]
    return np.asarray(np.abs(recorded - polar(gradients)).max(axis=(-2, -1)) * fixed)


@measurement("element_forces.rotation_error", unit="1", experiment=EXPERIMENT)
def rotation_error(data: ExperimentData) -> float:
    """Largest |R − R_svd| times (σ2 ± σ3)/σ1, R_svd from the singular value decomposition of F with singular values σ,
    computed by the analysis; all elements, rigid motions and random poses, including inverted elements, rest shape at
    the origin and far from it."""
    return float(
        np.max(
            [
                float(rotation_errors(cell(data, "warped", field, moved)).max())
                for field, moved in ((RIGID, False), (RANDOM, False), (RANDOM, True))
            ]
        )
    )


@measurement("element_forces.rest_translation_difference", unit="1", experiment=EXPERIMENT)
def rest_translation_difference(data: ExperimentData) -> float:
    """Largest entry of the difference between the rotations of the same random poses with the rest shape at the origin
    and 37 m from it, times (σ2 ± σ3)/σ1, σ the singular values of F."""
    near, far = (cell(data, "warped", RANDOM, moved) for moved in (False, True))
    first, second = (
        t.values("pose", "rotations").reshape(len(t.values("pose", "positions")), -1, 3, 3) for t in (near, far)
    )
    gradients = np.array(
        [
            deformation_gradients(near.scene("rest_positions"), near.scene("tetrahedra"), x)
            for x in near.values("pose", "positions")
        ]
    )
    values = np.linalg.svd(gradients, compute_uv=False)
    fixed = (values[..., 1] + np.sign(np.linalg.det(gradients)) * values[..., 2]) / values[..., 0]
    return float((np.abs(first - second).max(axis=(-2, -1)) * fixed).max())


@measurement("element_forces.rest_distance", unit="1", experiment=EXPERIMENT)
def rest_distance(data: ExperimentData) -> float:
    """Distance between the two places at which the same rest shape lies, over its shortest edge."""
    near, far = (cell(data, "warped", RANDOM, moved) for moved in (False, True))
    rest = near.scene("rest_positions")
    return float(np.linalg.norm(far.scene("rest_positions") - rest, axis=1).min()) / shortest_edge(
        rest, near.scene("tetrahedra")
    )


@measurement("element_forces.largest_rotation", unit="rad", experiment=EXPERIMENT)
def largest_rotation(data: ExperimentData) -> float:
    """Largest rotation angle of an element over the random poses, rest shape at the origin."""
    return float(rotation_angles(cell(data, "warped", RANDOM).values("pose", "rotations").reshape(-1, 3, 3)).max())


def all_rotations(data: ExperimentData) -> Array:
    """Rotations of all elements in rigid and in random poses, [m,3,3]."""
    return np.concatenate(
        [cell(data, "warped", field).values("pose", "rotations").reshape(-1, 3, 3) for field in (RIGID, RANDOM)]
    )


@measurement("element_forces.rigid_rotation_spread", unit="1", experiment=EXPERIMENT)
def rigid_rotation_spread(data: ExperimentData) -> float:
    """Largest entry of the difference between any two elements' rotations, over random rigid motions with
    translation."""
    rotations = cell(data, "warped", RIGID).values("pose", "rotations")
    rotations = rotations.reshape(rotations.shape[0], -1, 9)
    return float((rotations.max(axis=1) - rotations.min(axis=1)).max())


@measurement("element_forces.rotation_orthogonality", unit="1", experiment=EXPERIMENT)
def rotation_orthogonality(data: ExperimentData) -> float:
    """Largest entry of |RᵀR − I| over all poses, including inverted elements."""
    rotations = all_rotations(data)
    return float(np.abs(np.swapaxes(rotations, 1, 2) @ rotations - np.eye(3)).max())


@measurement("element_forces.rotation_determinant_error", unit="1", experiment=EXPERIMENT)
def rotation_determinant_error(data: ExperimentData) -> float:
    """Largest |det R − 1| over all poses, including inverted elements."""
    return float(np.abs(np.linalg.det(all_rotations(data)) - 1).max())


def polar_determinant_errors(data: ExperimentData) -> tuple[Array, Array]:
    """|det Q − 1| of the orthogonal polar factor Q of F, and det F, of all elements in random poses."""
    trace = cell(data, "warped", RANDOM)
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    gradients = np.concatenate([deformation_gradients(rest, tets, x) for x in trace.values("pose", "positions")])
    u, _, vt = np.linalg.svd(gradients)
    return np.asarray(np.abs(np.linalg.det(u @ vt) - 1)), np.asarray(np.linalg.det(gradients))


@measurement("element_forces.polar_determinant_error", unit="1", experiment=EXPERIMENT)
def polar_determinant_error(data: ExperimentData) -> float:
    """Largest |det Q − 1|, Q the orthogonal polar factor, over all elements in random poses."""
    return float(polar_determinant_errors(data)[0].max())


@measurement("element_forces.upright_determinant_error", unit="1", experiment=EXPERIMENT)
def upright_determinant_error(data: ExperimentData) -> float:
    """Largest |det Q − 1|, Q the orthogonal polar factor, over elements in random poses that are not inverted."""
    errors, determinants = polar_determinant_errors(data)
    return float(errors[determinants > 0].max())


@measurement("element_forces.energy_gradient_error", unit="1", experiment=EXPERIMENT)
def energy_gradient_error(data: ExperimentData) -> float:
    """Largest |f + ∇Ψ| over the largest |f| by central differences, random poses, polar rotations."""
    return float(cell(data, "warped", RANDOM).values("pose", "energy_gradient_error").max())
