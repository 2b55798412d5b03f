# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/element_forces: warped forces against what they must equal at imposed poses."""

from __future__ import annotations

import numpy as np

from ..measurement import measurement
from ..mesh import linear_forces, shortest_edge
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_gross_2004/element_forces"
RIGID, RANDOM = "random_rigid", "random_positions"


def cell(data: ExperimentData, name: str, field: str) -> Trace:
    return data.one(name=name, where={"schedule.poses.field": field})


def _largest(forces: np.ndarray) -> float:
    return float(np.linalg.norm(forces, axis=-1).max())


@measurement("element_forces.identity_difference", unit="1", experiment=EXPERIMENT)
def identity_difference(data: ExperimentData) -> float:
    """Largest |f_warped − f_linear| over the largest |f_linear| with R = I, random poses."""
    linear = cell(data, "linear", RANDOM).values("pose", "elastic_forces")
    warped = cell(data, "warped_identity", RANDOM).values("pose", "elastic_forces")
    return _largest(warped - linear) / _largest(linear)


@measurement("element_forces.rigid_force", unit="1", experiment=EXPERIMENT)
def rigid_force(data: ExperimentData) -> float:
    """Largest elastic force over E h² over random rigid motions, warped FEM."""
    trace = cell(data, "warped", RIGID)
    edge = shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(trace.values("pose", "max_elastic_force").max()) / (float(trace.value("scene.parameters.young_modulus_pa")) * edge**2)


@measurement("element_forces.linear_rigid_force", unit="1", experiment=EXPERIMENT)
def linear_rigid_force(data: ExperimentData) -> float:
    """Largest elastic force over E h² over random rigid motions, linear FEM."""
    trace = cell(data, "linear", RIGID)
    edge = shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(trace.values("pose", "max_elastic_force").max()) / (float(trace.value("scene.parameters.young_modulus_pa")) * edge**2)


@measurement("element_forces.global_difference", unit="1", experiment=EXPERIMENT)
def global_difference(data: ExperimentData) -> float:
    """Largest |f(x) − R f_linear(Rᵀx)| over the largest |f|, one rotation R for the body, f_linear by an independent B-matrix, random poses."""
    trace = cell(data, "warped_global", RANDOM)
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio"))
    worst = scale = 0.0
    for positions, forces, rotations in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces"), trace.values("pose", "rotations")):
        rotation = rotations.reshape(-1, 3, 3)[0]
        expected = linear_forces(rest, tets, positions @ rotation, young, poisson) @ rotation.T
        worst, scale = max(worst, _largest(forces - expected)), max(scale, _largest(forces))
    return worst / scale


@measurement("element_forces.linear_difference", unit="1", experiment=EXPERIMENT)
def linear_difference(data: ExperimentData) -> float:
    """Largest |f − f_B| over the largest |f|, linear FEM against an independent B-matrix, random poses."""
    trace = cell(data, "linear", RANDOM)
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson = (float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "poisson_ratio"))
    forces = trace.values("pose", "elastic_forces")
    expected = np.array([linear_forces(rest, tets, x, young, poisson) for x in trace.values("pose", "positions")])
    return _largest(forces - expected) / _largest(forces)


def all_rotations(data: ExperimentData) -> np.ndarray:
    return np.concatenate([cell(data, "warped", field).values("pose", "rotations").reshape(-1, 3, 3) for field in (RIGID, RANDOM)])


@measurement("element_forces.rigid_rotation_spread", unit="1", experiment=EXPERIMENT)
def rigid_rotation_spread(data: ExperimentData) -> float:
    """Largest difference (entry) between any two elements' rotations over random rigid motions with translation."""
    rotations = cell(data, "warped", RIGID).values("pose", "rotations")
    rotations = rotations.reshape(rotations.shape[0], -1, 9)
    return float((rotations.max(axis=1) - rotations.min(axis=1)).max())


@measurement("element_forces.rotation_orthogonality", unit="1", experiment=EXPERIMENT)
def rotation_orthogonality(data: ExperimentData) -> float:
    """Largest entry of |RᵀR − I| over all poses, inverted elements among them."""
    rotations = all_rotations(data)
    return float(np.abs(np.swapaxes(rotations, 1, 2) @ rotations - np.eye(3)).max())


@measurement("element_forces.rotation_determinant_error", unit="1", experiment=EXPERIMENT)
def rotation_determinant_error(data: ExperimentData) -> float:
    """Largest |det R − 1| over all poses, inverted elements among them."""
    return float(np.abs(np.linalg.det(all_rotations(data)) - 1).max())


@measurement("element_forces.energy_gradient_error", unit="1", experiment=EXPERIMENT)
def energy_gradient_error(data: ExperimentData) -> float:
    """Largest |f + ∇Ψ| over the largest |f| by central differences, random poses, polar rotations."""
    return float(cell(data, "warped", RANDOM).values("pose", "energy_gradient_error").max())
