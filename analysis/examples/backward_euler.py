#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Linear elasticity on tetrahedra by backward Euler, in numpy:
a method that compare_methods.py puts beside others."""

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

import deformbench


class BackwardEuler(deformbench.Method):
    """Linear tetrahedra with lumped masses, backward Euler, one factorization for all steps."""

    def __init__(self, scene, parameters):
        self.scene, h = scene, scene.time_step
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        corners = scene.rest_positions[scene.tetrahedra]
        edges = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)  # m×3×3, a column per edge
        volumes, inverse = np.linalg.det(edges) / 6, np.linalg.inv(edges)
        g = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)  # m×4×3, shape functions' gradients
        young, poisson = scene.per_tetrahedron("young_modulus_pa"), scene.per_tetrahedron("poisson_ratio")
        mu = young / (2 * (1 + poisson)) * volumes
        lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) * volumes
        k = np.einsum("m,mai,mbj->maibj", lame, g, g) + np.einsum("m,maj,mbi->maibj", mu, g, g)
        k += np.einsum("m,mac,mbc,ij->maibj", mu, g, g, np.eye(3))
        unknowns = (3 * scene.tetrahedra[:, :, None] + np.arange(3)).reshape(-1, 12)
        entries = (k.ravel(), (np.repeat(unknowns, 12, axis=1).ravel(), np.tile(unknowns, 12).ravel()))
        self.stiffness = sparse.csr_matrix(entries, shape=(scene.rest_positions.size,) * 2)
        self.masses = np.repeat(scene.masses, 3)
        self.system = (sparse.diags(self.masses / h**2) + self.stiffness).tocsc()
        self.held, self.free = np.flatnonzero(scene.is_held.ravel()), np.flatnonzero(~scene.is_held.ravel())
        self.solve = splu(self.system[self.free][:, self.free]).solve

    def step(self):
        scene, h = self.scene, self.scene.time_step
        u = (self.positions - scene.rest_positions).ravel()
        right = scene.external_forces.ravel() + self.masses / h**2 * (u + h * self.velocities.ravel())
        new = np.zeros_like(u)
        new[self.held] = (scene.held_positions - scene.rest_positions).ravel()[self.held]
        new[self.free] = self.solve((right - self.system @ new)[self.free])
        self.velocities = ((new - u) / h).reshape(-1, 3)
        self.positions = scene.rest_positions + new.reshape(-1, 3)


if __name__ == "__main__":
    deformbench.serve(BackwardEuler)
