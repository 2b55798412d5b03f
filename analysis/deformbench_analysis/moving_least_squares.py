# SPDX-License-Identifier: BSD-3-Clause
"""Moving least squares on nodes, by the analysis itself: pairs, weights, gradients, volumes, energy and stiffness
from rest positions and supports alone. [PKAGDG05] §2, [MKNPGA04] §3"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags, kron
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from scipy.spatial import cKDTree

from .arrays import Array
from .mesh import lame

RANK = 1e-6  # of the largest eigenvalue of a moment matrix: below it a direction has no neighbours


def weight(ratio: Array) -> Array:
    """ω(r) = 1 − 6r² + 8r³ − 3r⁴ = (1 − r)³ (1 + 3r) up to r = 1, else 0;
    r the distance over the support. [PKAGDG05] §2"""
    r = np.asarray(ratio, dtype=float)
    return np.where(r < 1, (1 - r) ** 3 * (1 + 3 * r), 0.0)


def density_kernel(ratio: Array, support: Array) -> Array:
    """w(r, h) = 315/(64π h⁹) (h² − r²)³ within h, else 0, 1/m³. [MKNPGA04] §3.2"""
    inside = np.clip(1 - np.asarray(ratio) ** 2, 0.0, None)
    return np.asarray(315 / (64 * np.pi * support**3) * inside**3)


@dataclass(frozen=True)
class Nodes:
    """Nodes at rest with their supports, m, and Lamé's constants, Pa."""

    rest: Array
    supports: Array
    first_lame: float = 0.0
    shear_modulus: float = 0.0

    @classmethod
    def of_material(cls, rest: Array, supports: Array, young: float, poisson: float) -> "Nodes":
        """With Young's modulus, Pa, and Poisson's ratio."""
        return cls(rest, supports, *lame(young, poisson))

    def with_weights(self, pairs: Array, weights: Array) -> "Nodes":
        """The same nodes with weights of another rule, as beside a crack; pairs in any order.
        ValueError where they are not all."""
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        if not np.array_equal(pairs[order], self.pairs):
            raise ValueError("pairs differ from those of the supports")
        other = Nodes(self.rest, self.supports, self.first_lame, self.shear_modulus)
        other.__dict__.update(pairs=self.pairs, weights=np.asarray(weights)[order])
        return other

    @property
    def count(self) -> int:
        """Number of nodes."""
        return len(self.rest)

    @cached_property
    def pairs(self) -> Array:
        """i, j with j within the support of i, and not i itself, by i and then by j."""
        found = cKDTree(self.rest).query_ball_point(self.rest, self.supports, return_sorted=True)
        i = np.repeat(np.arange(self.count), [len(f) for f in found])
        j = np.concatenate([np.asarray(f, dtype=int) for f in found])
        near = (i != j) & (np.linalg.norm(self.rest[j] - self.rest[i], axis=1) < self.supports[i])
        return np.stack([i[near], j[near]], axis=1)

    @cached_property
    def edges(self) -> Array:
        """x_j − x_i of every pair, m."""
        return np.asarray(self.rest[self.pairs[:, 1]] - self.rest[self.pairs[:, 0]])

    @cached_property
    def ratios(self) -> Array:
        """|x_j − x_i|/h_i of every pair."""
        return np.asarray(np.linalg.norm(self.edges, axis=1) / self.supports[self.pairs[:, 0]])

    @cached_property
    def weights(self) -> Array:
        """ω of every pair."""
        return weight(self.ratios)

    def summed(self, of_pairs: Array) -> Array:
        """The sum over each node's own pairs."""
        flat = of_pairs.reshape(len(of_pairs), -1)
        by_node = csr_matrix(
            (np.ones(len(flat)), (self.pairs[:, 0], np.arange(len(flat)))), shape=(self.count, len(flat))
        )
        return np.asarray(by_node @ flat).reshape(self.count, *of_pairs.shape[1:])

    @cached_property
    def moments(self) -> Array:
        """A_i = Σ ω e eᵀ, m², [n,3,3]."""
        return self.summed(self.weights[:, None, None] * self.edges[:, :, None] * self.edges[:, None, :])

    @cached_property
    def inverses(self) -> Array:
        """A_i⁺, 1/m²."""
        return np.asarray(np.linalg.pinv(self.moments, rcond=RANK, hermitian=True))

    @cached_property
    def projections(self) -> Array:
        """A_i A_i⁺: the directions in which a node has neighbours."""
        return np.asarray(self.moments @ self.inverses)

    @cached_property
    def ranks(self) -> Array:
        """Rank of A_i per node."""
        values = np.linalg.eigvalsh(self.moments)
        return np.asarray((values > RANK * values[:, 2:]).sum(axis=1))

    @cached_property
    def conditions(self) -> Array:
        """Condition number of A_i, infinite where a direction has no neighbours."""
        values = np.linalg.eigvalsh(self.moments)
        return np.asarray(np.where(self.ranks == 3, values[:, 2] / np.maximum(values[:, 0], 1e-300), np.inf))

    @cached_property
    def gradient_weights(self) -> Array:
        """d_ij = A_i⁺ e ω of every pair, 1/m. [PKAGDG05] eq. 2"""
        own = self.inverses[self.pairs[:, 0]]
        return np.asarray(np.einsum("pij,pj->pi", own, self.weights[:, None] * self.edges))

    def slopes(self, field: Array) -> Array:
        """Σ_j (u_j − u_i) d_ijᵀ of every node, [n,3,3]: the row is the component, the column the direction."""
        jumps = field[self.pairs[:, 1]] - field[self.pairs[:, 0]]
        return self.summed(jumps[:, :, None] * self.gradient_weights[:, None, :])

    def deformation_gradients(self, positions: Array) -> Array:
        """F = P + Σ (u_j − u_i) d_ijᵀ."""
        return np.asarray(self.projections + self.slopes(positions - self.rest))

    def strains(self, positions: Array) -> Array:
        """½ (FᵀF − P). [PKAGDG05] §2"""
        f = self.deformation_gradients(positions)
        return np.asarray((np.swapaxes(f, 1, 2) @ f - self.projections) / 2)

    def stresses(self, strains: Array) -> Array:
        """λ tr ε I + 2 μ ε, Pa."""
        trace = np.trace(strains, axis1=1, axis2=2)
        return np.asarray(self.first_lame * trace[:, None, None] * np.eye(3) + 2 * self.shear_modulus * strains)

    @cached_property
    def volumes(self) -> Array:
        """v_i = m_i / Σ_j m_j w, m³, with masses in proportion to h³,
        the node's own share counted. [MKNPGA04] §3.2"""
        sizes = self.supports**3
        own = sizes * density_kernel(np.zeros(self.count), self.supports)
        others = sizes[self.pairs[:, 1]] * density_kernel(self.ratios, self.supports[self.pairs[:, 0]])
        return np.asarray(sizes / (own + self.summed(others)))

    def energy(self, positions: Array) -> complex:
        """Σ v ε:σ/2, J; of complex positions too, for slopes without differences."""
        strains = self.strains(positions)
        return complex(np.sum(self.volumes * np.sum(strains * self.stresses(strains), axis=(1, 2))) / 2)

    def energy_slope(self, positions: Array, direction: Array) -> float:
        """Slope of the energy along a direction, N, by a complex step."""
        step = 1e-20
        return float(np.imag(self.energy(positions + 1j * step * direction)) / step)

    def forces(self, positions: Array) -> Array:
        """−∂(energy)/∂x, N. [MKNPGA04] §3"""
        f, stress = self.deformation_gradients(positions), self.stresses(self.strains(positions))
        pulls = np.einsum(
            "pij,pj->pi", (self.volumes[:, None, None] * f @ stress)[self.pairs[:, 0]], self.gradient_weights
        )
        result = self.summed(pulls)
        np.subtract.at(result, self.pairs[:, 1], pulls)
        return np.asarray(result)

    @cached_property
    def stiffness(self) -> csr_matrix:
        """K about rest, 3n × 3n, N/m."""
        return stiffness(
            self.pairs, self.gradient_weights, self.volumes, self.projections, self.first_lame, self.shear_modulus
        )

    def over_masses(self, masses: Array) -> csr_matrix | LinearOperator:
        """M^-½ K M^-½ about rest, 1/s²."""
        return over_masses(self.stiffness, masses)


def stiffness(
    pairs: Array, gradients: Array, volumes: Array, projections: Array, first_lame: float, shear_modulus: float
) -> csr_matrix:
    """K about rest, 3n × 3n, N/m, of nodes whose gradient is Σ_j (u_j − u_i) d_ijᵀ."""
    count, at = len(volumes), pairs[:, 0]
    rows, columns, values = [], [], []
    # ε_ab = ½ (P_ac g_cb + P_bc g_ca), g_cb = Σ (u_jc − u_ic) d_b
    projected = projections[at]
    for k, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        for c in range(3):
            value = (projected[:, a, c] * gradients[:, b] + projected[:, b, c] * gradients[:, a]) / 2
            for node, sign in ((pairs[:, 1], 1.0), (at, -1.0)):
                rows.append(6 * at + k)
                columns.append(3 * node + c)
                values.append(sign * value)
    strain = coo_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(6 * count, 3 * count)
    ).tocsr()
    # ε:σ = λ tr² + 2μ (Σ ε_aa² + 2 Σ ε_ab²)
    law = np.zeros((6, 6))
    law[:3, :3] = first_lame
    law += np.diag([2.0, 2, 2, 4, 4, 4]) * shear_modulus
    return csr_matrix(strain.T @ kron(diags(volumes), law) @ strain)


def stiffness_products(
    pairs: Array, gradients: Array, volumes: Array, projections: Array, first_lame: float, shear_modulus: float
) -> LinearOperator:
    """The same K by stresses of displacements, in a fraction of the time where it is applied some fifty times."""
    count = len(volumes)
    own = np.stack([np.bincount(pairs[:, 0], gradients[:, b], count) for b in range(3)], axis=1)
    differences = [csr_matrix((gradients[:, b], pairs.T), shape=(count, count)) - diags(own[:, b]) for b in range(3)]

    def applied(displacements: Array) -> Array:
        u = displacements.reshape(count, 3)
        gradient = projections @ np.stack([g @ u for g in differences], axis=2)
        strain = (gradient + gradient.transpose(0, 2, 1)) / 2
        pressure = first_lame * np.trace(strain, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        stress = projections.transpose(0, 2, 1) @ (volumes[:, None, None] * (pressure + 2 * shear_modulus * strain))
        return np.asarray(sum(g.T @ stress[:, :, b] for b, g in enumerate(differences))).ravel()

    return LinearOperator((3 * count, 3 * count), matvec=applied, dtype=float)


def over_masses(matrix: csr_matrix | LinearOperator, masses: Array) -> csr_matrix | LinearOperator:
    """M^-½ K M^-½, 1/s²."""
    root = diags(np.repeat(masses, 3) ** -0.5)
    if isinstance(matrix, LinearOperator):
        return aslinearoperator(root) @ matrix @ aslinearoperator(root)
    return csr_matrix(root @ matrix @ root)
