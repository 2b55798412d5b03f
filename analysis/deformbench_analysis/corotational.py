# SPDX-License-Identifier: BSD-3-Clause
"""Warped stiffness as the paper writes it ([MG04] eqs 1–8, 15, 16), in numpy from the traces' arrays alone: 6×12
matrices B_e, K_e = V BᵀEB, rotations by singular values, plastic forces R P ε_p. It shares no line with the methods
that it judges."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, diags

from .arrays import Array
from .mesh import edge_matrices, lame, volumes
from .trace import Trace

ENGINEERING = np.array([1.0, 1, 1, 2, 2, 2])  # of a shear: twice the tensor's component


def polar(gradients: Array) -> Array:
    """Rotations of the polar decomposition by singular values, [m,3,3]; proper for inverted elements too."""
    u, _, vt = np.linalg.svd(gradients)
    u[..., :, 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return np.asarray(u @ vt)


def elasticity_matrix(young_modulus: float, poisson_ratio: float) -> Array:
    """E of [MG04] eq. 3, 6×6, order xx yy zz xy yz zx with engineering shear. Pa"""
    first, second = lame(young_modulus, poisson_ratio)
    matrix = np.diag([2 * second] * 3 + [second] * 3)
    matrix[:3, :3] += first
    return matrix


def strain_matrices(rest: Array, tetrahedra: Array) -> Array:
    """B_e of every element, [m,6,12], 1/m: strain of the displacements of its corners."""
    inverse = np.linalg.inv(edge_matrices(rest, tetrahedra))  # rows: gradients of N1, N2, N3
    shape = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    b = np.zeros((len(tetrahedra), 6, 12))
    for corner in range(4):
        x, y, z = shape[:, corner].T
        for row, column, value in (
            (0, 0, x),
            (1, 1, y),
            (2, 2, z),
            (3, 0, y),
            (3, 1, x),
            (4, 1, z),
            (4, 2, y),
            (5, 0, z),
            (5, 2, x),
        ):
            b[:, row, 3 * corner + column] = value
    return b


@dataclass(frozen=True)
class Body:
    """Elements at rest. `tetrahedra` index `rest`; a body that breaks names new vertices in `connected`,
    same elements."""

    rest: Array  # [n,3] m
    tetrahedra: Array  # [m,4]
    strain: Array  # B_e
    elasticity: Array  # E
    volume: Array  # V_e, m³

    @staticmethod
    def of(trace: Trace) -> "Body":
        """The body of a trace, with the material of its scene."""
        rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
        young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
        return Body.made(rest, tets, young, poisson)

    @staticmethod
    def made(rest: Array, tetrahedra: Array, young_modulus: float, poisson_ratio: float) -> "Body":
        """A body of one isotropic material, Pa."""
        return Body(
            rest,
            tetrahedra,
            strain_matrices(rest, tetrahedra),
            elasticity_matrix(young_modulus, poisson_ratio),
            volumes(rest, tetrahedra),
        )

    @cached_property
    def stiffness(self) -> Array:
        """K_e = V BᵀEB, [m,12,12], N/m."""
        return np.asarray(
            np.einsum("m,mai,ab,mbj->mij", self.volume, self.strain, self.elasticity, self.strain, optimize=True)
        )

    @cached_property
    def _inverse_edges(self) -> Array:
        return np.linalg.inv(edge_matrices(self.rest, self.tetrahedra))

    def rotations(self, positions: Array, connected: Array | None = None) -> Array:
        """R_e at `positions` (of the vertices that `connected` names)."""
        return polar(
            edge_matrices(positions, self.tetrahedra if connected is None else connected) @ self._inverse_edges
        )

    def displacements(self, positions: Array, rotations: Array, connected: Array | None = None) -> Array:
        """Rᵀx − x0 of every element's corners, both from the element's middle,
        so that no far origin costs digits; [...,m,12] m."""

        def centred(points: Array) -> Array:
            return np.asarray(points - points.mean(axis=-2, keepdims=True))

        now = centred(positions[..., self.tetrahedra if connected is None else connected, :])
        turned_back: Array = np.matmul(now, rotations)
        return np.asarray((turned_back - centred(self.rest[self.tetrahedra])).reshape(*turned_back.shape[:-2], 12))

    def forces(
        self,
        positions: Array,
        rotations: Array | None = None,
        connected: Array | None = None,
        plastic: Array | None = None,
    ) -> Array:
        """Force ON every vertex at positions [...,n,3], N: −Σ R (K_e (Rᵀx − x0) − P_e ε_p), P_e = V BᵀE; `plastic` [m,6],
        tensor components. `rotations` of identity matrices make it linear elasticity."""
        turn = self.rotations(positions, connected) if rotations is None else rotations
        local = np.einsum("mij,...mj->...mi", self.stiffness, self.displacements(positions, turn, connected))
        if plastic is not None:
            local -= np.einsum(
                "m,mai,ab,mb->mi", self.volume, self.strain, self.elasticity, plastic * ENGINEERING, optimize=True
            )
        world = np.einsum("...mij,...maj->...mai", turn, local.reshape(*local.shape[:-1], 4, 3))
        numbers = np.arange(positions.size).reshape(positions.shape)  # of coordinates, for a sum over elements
        at = numbers[..., self.tetrahedra if connected is None else connected, :]
        return np.asarray(-np.bincount(at.ravel(), world.ravel(), positions.size).reshape(positions.shape))

    def stiffness_matrix(self, rotations: Array, vertices: int, connected: Array | None = None) -> csr_matrix:
        """K' = Σ R K_e Rᵀ of the whole mesh, 3n×3n, N/m."""
        corners = self.tetrahedra if connected is None else connected
        blocks = self.stiffness.reshape(-1, 4, 3, 4, 3)
        turned = np.einsum("mij,majbk,mlk->maibl", rotations, blocks, rotations, optimize=True)
        index = (3 * corners[:, :, None] + np.arange(3)).reshape(-1, 12)
        rows, columns = np.broadcast_arrays(index[:, :, None], index[:, None, :])
        return csr_matrix((turned.reshape(-1), (rows.ravel(), columns.ravel())), shape=(3 * vertices, 3 * vertices))

    def masses(self, density: float, vertices: int, connected: Array | None = None) -> Array:
        """Lumped, a quarter of each element's to each corner, kg."""
        result = np.zeros(vertices)
        np.add.at(
            result,
            (self.tetrahedra if connected is None else connected).ravel(),
            np.repeat(density * self.volume / 4, 4),
        )
        return result


@dataclass(frozen=True)
class State:
    """State of one row: positions, m; velocities, m/s; corners of the elements as connected now."""

    positions: Array
    velocities: Array
    connected: Array


def step_matrix(
    body: Body, state: State, density: float, time_step: float, rotations: Array | None = None
) -> csr_matrix:
    """M + Δt² K'(x), C = 0, kg."""
    n = len(state.positions)
    turn = body.rotations(state.positions, state.connected) if rotations is None else rotations
    return diags(np.repeat(body.masses(density, n, state.connected), 3)) + time_step**2 * body.stiffness_matrix(
        turn, n, state.connected
    )


def step_residuals(
    body: Body,
    before: State,
    velocities: Array,
    loads: Array,
    free: Array,
    density: float,
    time_step: float,
    rotations: Array | None = None,
    plastic: Array | None = None,
) -> tuple[float, float]:
    """What one step leaves of its own equation, (M + Δt²K'(x)) v⁺ = M v + Δt (f(x) + f_ext), and of the nonlinear
    one, M (v⁺ − v) = Δt (f(x + Δt v⁺) + f_ext) with the rotations of its end: both |residual| over Δt |K' Δt v⁺| + |M
    v⁺|, free vertices only, C = 0. `velocities` are v⁺ of the vertices of `before`; of prescribed vertices they count
    as given."""
    x, n = before.positions, len(before.positions)
    masses = body.masses(density, n, before.connected)[:, None]
    turn = body.rotations(x, before.connected) if rotations is None else rotations
    pushed = time_step**2 * (body.stiffness_matrix(turn, n, before.connected) @ velocities.ravel()).reshape(-1, 3)
    start = masses * before.velocities + time_step * loads
    linear = masses * velocities + pushed - start - time_step * body.forces(x, turn, before.connected, plastic)
    end = body.forces(x + time_step * velocities, rotations, before.connected, plastic)
    nonlinear = masses * velocities - start - time_step * end
    scale = float(np.linalg.norm((masses * velocities)[free]) + np.linalg.norm(pushed[free]))
    return float(np.linalg.norm(linear[free])) / scale, float(np.linalg.norm(nonlinear[free])) / scale


def rotation_angles(rotations: Array) -> Array:
    """rad, exact for small ones too: 2 asin(|R − I|_F / √8)."""
    return np.asarray(2 * np.arcsin(np.clip(np.linalg.norm(rotations - np.eye(3), axis=(-2, -1)) / np.sqrt(8), 0, 1)))
