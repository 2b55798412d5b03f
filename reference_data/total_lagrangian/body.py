# SPDX-License-Identifier: BSD-3-Clause
"""Linear tetrahedra in the total Lagrangian form: forces, stiffness, lumped mass,
and Newton's method for static states."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import spsolve

from .laws import Array, Law

Indices = npt.NDArray[np.int64]


class Body:
    """A mesh of linear tetrahedra and a law; positions are [n,3]."""

    def __init__(self, rest: Array, tetrahedra: Indices, law: Law) -> None:
        self.rest, self.tetrahedra, self.law = rest, tetrahedra, law
        corners = rest[tetrahedra]
        edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        self.volumes = np.linalg.det(edges) / 6
        if not np.all(self.volumes > 0):
            raise ValueError("an element has no positive volume at rest")
        # slopes[e,a] = gradient of corner a's function over the rest shape; they sum to nothing.
        others = np.linalg.inv(edges)
        self.slopes = np.concatenate([-others.sum(axis=1, keepdims=True), others], axis=1)
        freedoms = 3 * tetrahedra[:, :, None] + np.arange(3)
        self._freedoms = freedoms.reshape(len(tetrahedra), 12)

    def gradients(self, positions: Array) -> Array:
        """F of every element, [m,3,3]."""
        return np.asarray(np.einsum("eai,eaj->eij", positions[self.tetrahedra], self.slopes))

    def energy(self, positions: Array) -> float:
        """Elastic energy, J."""
        return float(self.volumes @ self.law.energy(self.gradients(positions)))

    def element_forces(self, positions: Array) -> Array:
        """Elastic force of every element on its corners, N, [m,4,3]."""
        stress = self.law.stress(self.gradients(positions))
        return np.asarray(-np.einsum("e,eij,eaj->eai", self.volumes, stress, self.slopes))

    def forces(self, positions: Array) -> Array:
        """Elastic forces −∂(energy)/∂x, N, [n,3]."""
        total = np.zeros_like(self.rest)
        np.add.at(total, self.tetrahedra, self.element_forces(positions))
        return total

    def force_scale(self, positions: Array) -> float:
        """Largest sum of the magnitudes of element forces at a vertex, N:
        what the rounding of a residual is relative to."""
        total = np.zeros(len(self.rest))
        np.add.at(total, self.tetrahedra, np.linalg.norm(self.element_forces(positions), axis=2))
        return float(total.max())

    def stiffness(self, positions: Array) -> sparse.csr_matrix:
        """−∂(forces)/∂x, N/m, 3n×3n."""
        tangent = self.law.tangent(self.gradients(positions))
        blocks = np.einsum("e,eijkl,eaj,ebl->eaibk", self.volumes, tangent, self.slopes, self.slopes, optimize=True)
        rows, columns = np.repeat(self._freedoms, 12, axis=1), np.tile(self._freedoms, (1, 12))
        size = self.rest.size
        return sparse.coo_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(size, size)).tocsr()

    def masses(self, density: float) -> Array:
        """Lumped: a quarter of every element's mass on each corner, kg, [n]."""
        total = np.zeros(len(self.rest))
        np.add.at(total, self.tetrahedra, (density * self.volumes / 4)[:, None])
        return total


@dataclass(frozen=True)
class Problem:
    """Supports and dead loads of a static case."""

    held: npt.NDArray[np.bool_]  # [n,3]
    displacements: Array  # m, [n,3], of the held components
    loads: Array  # N, [n,3]


@dataclass(frozen=True)
class StaticState:
    """Where Newton's method ended."""

    positions: Array
    reactions: Array  # N, [n,3]: on the body at held components, 0 elsewhere
    residual: float  # largest unbalanced force over the force scale
    last_correction: float  # m
    iterations: int


class NoConvergence(RuntimeError):
    """Newton's method found no equilibrium."""


def equilibrium(body: Body, problem: Problem, load_steps: int = 10, tolerance: float = 1e-13) -> StaticState:
    """Static state by full Newton steps; loads and prescribed displacements are raised in equal steps.

    The last step ends when no correction exceeds `tolerance` times the largest displacement, or is not smaller than
    the one before and within a hundred times that: the rounding of the forces."""
    free = ~problem.held.ravel()
    positions, iterations = body.rest.copy(), 0
    correction = np.inf
    for k in range(1, load_steps + 1):
        factor = k / load_steps
        target = body.rest + factor * problem.displacements
        # The first solve moves the supports by the linearised elastic response of the state before.
        jump = np.where(problem.held, target - positions, 0.0).ravel()
        before = np.inf
        for _ in range(40):
            stiffness = body.stiffness(positions)
            right = (factor * problem.loads + body.forces(positions)).ravel() - stiffness @ jump
            step = jump.copy()
            step[free] = spsolve(stiffness[free][:, free].tocsc(), right[free])
            positions = positions + step.reshape(-1, 3)
            jump = np.zeros_like(jump)
            iterations += 1
            correction = float(np.abs(step).max())
            if not np.isfinite(correction):
                raise NoConvergence(f"not finite in load step {k} of {load_steps}")
            allowed = tolerance * float(np.abs(positions - body.rest).max())
            if correction <= allowed or (k < load_steps and correction <= 1e5 * allowed):
                break
            if correction >= before and correction <= 100 * allowed:
                break
            before = correction
        else:
            raise NoConvergence(f"load step {k} of {load_steps}: correction {correction:g} m after 40 iterations")
    unbalanced = problem.loads + body.forces(positions)
    reactions = np.where(problem.held, -unbalanced, 0.0)
    residual = float(np.abs(np.where(problem.held, 0.0, unbalanced)).max()) / body.force_scale(positions)
    return StaticState(positions, reactions, residual, correction, iterations)


def smallest_eigenvalue(body: Body, problem: Problem, positions: Array) -> float:
    """Smallest eigenvalue of the stiffness of the free components, N/m: above zero, the state is stable."""
    free = ~problem.held.ravel()
    return float(np.linalg.eigvalsh(body.stiffness(positions)[free][:, free].toarray())[0])
