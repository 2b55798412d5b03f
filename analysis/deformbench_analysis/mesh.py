# SPDX-License-Identifier: BSD-3-Clause
"""What the analysis computes from meshes itself, from the traces' arrays alone: deformation gradients, volumes, and
linear elastic forces by the textbook B-matrix, which share no line with the methods that they judge."""

import numpy as np

from .arrays import Array
from .trace import Trace

EDGES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))  # of a tetrahedron, by its corners
NO_END = 1e9  # median edges, in place of the drift of a run that is not finite


def edge_matrices(points: Array, tetrahedra: Array) -> Array:
    """[...,m,3,3], columns x1−x0, x2−x0, x3−x0 of every element at points [...,n,3]. m."""
    corners = points[..., tetrahedra, :]
    return np.swapaxes(corners[..., 1:, :] - corners[..., :1, :], -2, -1)


def deformation_gradients(rest: Array, tetrahedra: Array, positions: Array) -> Array:
    """F of every element, [...,m,3,3], at positions [...,n,3]."""
    return np.asarray(edge_matrices(positions, tetrahedra) @ np.linalg.inv(edge_matrices(rest, tetrahedra)))


def volumes(points: Array, tetrahedra: Array) -> Array:
    """Signed volumes, m³, [m]."""
    return np.asarray(np.linalg.det(edge_matrices(points, tetrahedra)) / 6.0)


def lame(young_modulus: float, poisson_ratio: float) -> tuple[float, float]:
    """λ, μ in the unit of the modulus."""
    return (
        young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)),
        young_modulus / (2 * (1 + poisson_ratio)),
    )


def isotropic_stress(strain: Array, young_modulus: float, poisson_ratio: float) -> Array:
    """λ tr(ε) I + 2 μ ε for strain tensors [...,3,3]."""
    first, second = lame(young_modulus, poisson_ratio)
    trace = np.trace(strain, axis1=-2, axis2=-1)[..., None, None]
    return np.asarray(first * trace * np.eye(3) + 2 * second * strain)


def linear_forces(
    rest: Array, tetrahedra: Array, positions: Array, young_modulus: float, poisson_ratio: float
) -> Array:
    """Forces on the vertices of linear elasticity, N, [n,3]: −V σ ∇N of every element,
    ε = sym(F) − I. [MG04] eq. 1–4."""
    gradient = deformation_gradients(rest, tetrahedra, positions)
    stress = isotropic_stress(0.5 * (gradient + np.swapaxes(gradient, 1, 2)) - np.eye(3), young_modulus, poisson_ratio)
    inverse = np.linalg.inv(edge_matrices(rest, tetrahedra))  # rows: gradients of N1, N2, N3
    shape = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    element = -np.einsum("m,mij,maj->mai", volumes(rest, tetrahedra), stress, shape)
    forces = np.zeros_like(rest)
    np.add.at(forces, tetrahedra.ravel(), element.reshape(-1, 3))
    return forces


def edges(tetrahedra: Array) -> Array:
    """Both ends of every edge, each edge once."""
    pairs = np.concatenate([tetrahedra[:, pair] for pair in EDGES])
    return np.asarray(np.unique(np.sort(pairs, axis=1), axis=0).T)


def shortest_edge(rest: Array, tetrahedra: Array) -> float:
    """m."""
    a, b = edges(tetrahedra)
    return float(np.linalg.norm(rest[a] - rest[b], axis=1).min())


def median_edge(rest: Array, tetrahedra: Array) -> float:
    """Median length of all edges, the upper of two, m."""
    a, b = edges(tetrahedra)
    return float(np.sort(np.linalg.norm(rest[a] - rest[b], axis=1))[len(a) // 2])


def drift(trace: Trace) -> float:
    """Largest distance of a vertex from rest in median edges."""
    if trace.status != "completed":
        return NO_END
    h = median_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(min(NO_END, trace.values("step", "max_displacement").max() / h))
