# SPDX-License-Identifier: BSD-3-Clause
"""Constraints C with energy ½ C·C for springs, triangles, hinges and tetrahedra, reimplemented:
C is zero at rest.

Corners are [m,n,3]; values are [m,k] with k numbers per element,
in the precision of the corners."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.arrays import Array
from . import hinges

Constraint = Callable[[Array], Array]  # corners → C


def energy_of(constraint: Constraint) -> Callable[[Array], Array]:
    """W = ½ C·C of every element."""
    return lambda x: np.asarray((constraint(x) ** 2).sum(axis=1) / 2)


EDGES = ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3))  # of the two triangles of a hinge


def springs(rest: Array, stiffness: float) -> Constraint:
    """√k (length − length at rest) of the five edges of a pair of triangles."""

    def lengths(x: Array) -> Array:
        return np.stack([hinges.length(x[:, b] - x[:, a]) for a, b in EDGES], axis=1)

    at_rest = lengths(rest)
    return lambda x: np.asarray(np.sqrt(hinges.WIDE(stiffness)) * (lengths(x) - at_rest))


def _metric(x: Array) -> Array:
    """Dot products of edges from the first corner, [m,k,k]."""
    edges = x[:, 1:] - x[:, :1]
    return np.asarray(np.einsum("mai,mbi->mab", edges, edges))


def _inverse(a: Array) -> Array:
    """Inverses of matrices [m,2,2] or [m,3,3] by cofactors; numpy's inverse is limited to doubles."""
    if a.shape[1] == 2:
        determinant = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]
        rows = [[a[:, 1, 1], -a[:, 0, 1]], [-a[:, 1, 0], a[:, 0, 0]]]
        return np.asarray(np.moveaxis(np.array(rows), -1, 0) / determinant[:, None, None])
    columns = [hinges.cross(a[:, (k + 1) % 3], a[:, (k + 2) % 3]) for k in range(3)]
    found = np.stack(columns, axis=2)
    return np.asarray(found / hinges.dot(a[:, 0], columns[0])[:, None, None])


def _edges_at_rest(rest: Array) -> Array:
    """Edges from the first corner as rows; 3D or, for triangles, 2D."""
    edges = rest[:, 1:] - rest[:, :1]
    if edges.shape[1] == 3:
        return np.asarray(edges)
    along = edges[:, 0] / hinges.length(edges[:, 0])[:, None]
    foot = hinges.dot(edges[:, 1], along)
    height = hinges.length(edges[:, 1] - foot[:, None] * along)
    zero = np.zeros_like(foot)
    return np.stack([np.stack([hinges.length(edges[:, 0]), zero], 1), np.stack([foot, height], 1)], axis=1)


def simplices(rest: Array, modulus: float, poisson: float) -> Constraint:
    """Constraints of St. Venant–Kirchhoff triangles or tetrahedra: √V (√(2μ) E, √λ tr E), all entries of E.

    E = ½ (D⁻¹ g D⁻ᵀ − 1), g the dot products of the current edges, D the edges at rest. W/V = μ E:E + ½ λ (tr E)²;
    for triangles, in plane stress, the modulus is Young's × thickness, and λ that × ν/(1 − ν²)."""
    edges = _edges_at_rest(rest)
    inverse, size = _inverse(edges), edges.shape[1]
    nu = hinges.WIDE(poisson)
    mu = hinges.WIDE(modulus) / (2 * (1 + nu))
    if size == 2:
        content = edges[:, 0, 0] * edges[:, 1, 1] / 2
        second = hinges.WIDE(modulus) * nu / (1 - nu**2)
    else:
        content = np.abs(hinges.dot(hinges.cross(edges[:, 0], edges[:, 1]), edges[:, 2])) / 6
        second = hinges.WIDE(modulus) * nu / ((1 + nu) * (1 - 2 * nu))

    def value(x: Array) -> Array:
        strain = (np.einsum("mia,mab,mjb->mij", inverse, _metric(x), inverse) - np.eye(size)) / 2
        parts = [
            np.sqrt(2 * mu) * strain.reshape(len(strain), -1),
            np.sqrt(second) * np.einsum("mii->m", strain)[:, None],
        ]
        return np.asarray(np.sqrt(content)[:, None] * np.concatenate(parts, axis=1))

    return value


def pair_of_triangles(rest: Array, stiffness: float, poisson: float) -> Constraint:
    """Both triangles of a hinge."""
    first, second = [0, 2, 1], [0, 1, 3]
    c = simplices(rest[:, first], stiffness, poisson), simplices(rest[:, second], stiffness, poisson)
    return lambda x: np.concatenate([c[0](x[:, first]), c[1](x[:, second])], axis=1)


def bends(rest: Array, stiffness: float, by_angle: bool) -> Constraint:
    """4 √(B k) sin((θ − θ₀)/4), or √(B k) (θ − θ₀), with k = |e|²/(A1 + A2) of the rest shape, θ − θ₀ in [−π, π]."""
    at_rest, root = hinges.angles(rest), np.sqrt(hinges.WIDE(stiffness) * hinges.weights(rest))

    def value(x: Array) -> Array:
        bend = hinges.bends(x, at_rest)
        return np.asarray((root * (bend if by_angle else 4 * np.sin(bend / 4)))[:, None])

    return value
