# SPDX-License-Identifier: BSD-3-Clause
"""Projective dynamics [BMLLP14] on tetrahedra: a method in Python, run as a program.

    deformbench run cross/twist --program "/usr/bin/python3 projective_dynamics.py"
"""

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

import deformbench


def on_det_one(s: np.ndarray) -> np.ndarray:
    """The nearest singular values (rows of three) whose product is one:
    the constraint made linear again and again."""
    d = np.zeros_like(s)
    for _ in range(10):
        t = s + d
        gradient = np.stack([t[:, 1] * t[:, 2], t[:, 0] * t[:, 2], t[:, 0] * t[:, 1]], axis=1)
        violation = t.prod(axis=1) - 1.0
        along = (gradient * d).sum(axis=1) - violation
        d = (along / np.maximum((gradient**2).sum(axis=1), 1e-12))[:, None] * gradient
    return s + d


class ProjectiveDynamics(deformbench.Method):
    """Projective dynamics: strain and volume constraints, local projections, one prefactored global system."""

    takes = ("tetrahedra", "rollers")
    watches = ("objective",)
    paper_key = "BMLLP14"
    paper = "S. Bouaziz, S. Martin, T. Liu, L. Kavan, M. Pauly. Projective Dynamics. ACM TOG 33(4), 2014"
    parameters = {"iterations": deformbench.Parameter(20, "1", "Local and global steps of one time step.")}

    def __init__(self, scene, parameters):
        self.scene, self.rounds = scene, int(parameters["iterations"])
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        tets, rest = scene.tetrahedra, scene.rest_positions
        edges = np.stack([rest[tets[:, k + 1]] - rest[tets[:, 0]] for k in range(3)], axis=2)  # columns
        volumes = np.linalg.det(edges) / 6.0
        inverse = np.linalg.inv(edges)
        gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)  # m×4×3: F = Σ x_a ⊗ g_a
        rows = np.repeat(3 * np.arange(len(tets))[:, None, None] + np.arange(3), 4, axis=1).ravel()
        columns = np.repeat(tets[:, :, None], 3, axis=2).ravel()
        self.gradient = sparse.csr_matrix((gradients.ravel(), (rows, columns)), (3 * len(tets), len(rest)))
        young, poisson = scene.per_tetrahedron("young_modulus_pa"), scene.per_tetrahedron("poisson_ratio")
        mu = young / (2 * (1 + poisson))
        lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        # |F − R|² is tr ε² for small strains, and the distance to det F = 1 is tr(ε)/√3:
        # these weights are μ tr ε² and λ/2 tr²ε.
        self.strain, self.volume = np.repeat([2 * mu * volumes, 3 * lame * volumes], 3, axis=1)  # a row of F each
        weights = sparse.diags(self.strain + self.volume)
        self.inertia = scene.masses / scene.time_step**2
        system = (self.gradient.T @ weights @ self.gradient + sparse.diags(self.inertia)).tocsc()
        self.systems = []  # one per coordinate: rollers hold some of them
        for c in range(3):
            held = scene.is_held[:, c]
            free = np.flatnonzero(~held)
            self.systems.append((free, np.flatnonzero(held), splu(system[free][:, free]), system[free][:, held]))

    def project(self, positions):
        """The deformation gradients (transposed, 3m×3), and those of each constraint that are nearest to them."""
        f = self.gradient @ positions
        try:
            u, s, vt = np.linalg.svd(f.reshape(-1, 3, 3).transpose(0, 2, 1))
        except np.linalg.LinAlgError as error:  # numbers that are not finite
            raise deformbench.Diverged(str(error)) from error
        flip = np.sign(np.linalg.det(u) * np.linalg.det(vt))
        u[:, :, 2] *= flip[:, None]
        s[:, 2] *= flip
        rotations = (u @ vt).transpose(0, 2, 1).reshape(-1, 3)
        return f, rotations, ((u * on_det_one(s)[:, None, :]) @ vt).transpose(0, 2, 1).reshape(-1, 3)

    def potential(self, x, momentum, near):
        """What the local and the global steps both lower, J: inertia and loads,
        and the distances to the constraints."""
        f, rotations, of_volume_one = near
        inertia = 0.5 * self.inertia @ ((x - momentum) ** 2).sum(axis=1)
        strain = 0.5 * self.strain @ ((f - rotations) ** 2).sum(axis=1)
        return inertia + strain + 0.5 * self.volume @ ((f - of_volume_one) ** 2).sum(axis=1)

    def step(self):
        scene, dt = self.scene, self.scene.time_step
        momentum = self.positions + dt * self.velocities + dt**2 * scene.external_forces / scene.masses[:, None]
        # Not from `momentum`: in a long step the loads alone would carry the body far away, into another shape.
        x = np.where(scene.is_held, scene.held_positions, self.positions + dt * self.velocities)
        for _ in range(self.rounds):
            near = self.project(x)
            self.note_iteration(lambda: self.potential(x, momentum, near))
            pull = self.strain[:, None] * near[1] + self.volume[:, None] * near[2]
            right = self.inertia[:, None] * momentum + self.gradient.T @ pull
            for c, (free, held, factor, coupling) in enumerate(self.systems):
                x[free, c] = factor.solve(right[free, c] - coupling @ x[held, c])
        self.note_iteration(lambda: self.potential(x, momentum, self.project(x)))
        self.velocities = (x - self.positions) / dt
        self.positions, self.iterations = x, self.rounds


if __name__ == "__main__":
    deformbench.serve(ProjectiveDynamics)
