# SPDX-License-Identifier: BSD-3-Clause
"""The first step of projective dynamics on tetrahedra as a minimisation,
in numpy from what the trace says of the scene [BMLLP14]:

    E(x) = ½ (x − y)ᵀ M (x − y)/Δt² + Σ V [μ |F − R|² + ½ · 3λ |F − S|²],  y = x0 + Δt v

over the free vertices, R the nearest rotation to F and S the nearest matrix of determinant one. The start is at rest,
without loads. It is minimised by another method than local and global steps: L-BFGS, which the global system scales
[LBK17]."""

import numpy as np
import scipy.linalg
from scipy.optimize import minimize

from .arrays import Array
from .errors import MissingData
from .position_constraints import held_vertices
from .trace import Trace


def nearest_of_volume_one(s: Array) -> Array:
    """The nearest singular values, rows of three, whose product is one."""
    t = s.copy()
    for _ in range(200):
        slope = np.stack([t[:, 1] * t[:, 2], t[:, 0] * t[:, 2], t[:, 0] * t[:, 1]], axis=1)
        along = ((slope * (t - s)).sum(axis=1) - t.prod(axis=1) + 1.0) / (slope**2).sum(axis=1)
        last, t = t, s + along[:, None] * slope
        if np.abs(t - last).max() < 1e-15:
            break
    return t


class ProjectiveStep:
    """First step of a `projective_dynamics` trace that starts at rest.

    Needs the channel `positions` at the start."""

    def __init__(self, trace: Trace):
        self.start = np.asarray(trace.values("frame", "positions")[0])
        rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int)
        young, poisson = (trace.number(k) for k in ("young_modulus_pa", "poisson_ratio"))
        mu, lame = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        edges = np.stack([rest[tets[:, k]] - rest[tets[:, 0]] for k in (1, 2, 3)], axis=2)
        volumes = np.linalg.det(edges) / 6
        inverse = np.linalg.inv(edges)
        self.gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)  # m×4×3
        self.tets, self.strain, self.volume = tets, 2 * mu * volumes, 3 * lame * volumes
        self.free = np.ones(len(rest), bool)
        self.free[held_vertices(trace)] = False
        self.inertia = trace.scene("masses") / trace.number("time_step_s") ** 2

    def objective(self, x: Array) -> tuple[float, Array]:
        """E(x), J, and its gradient, N, zero at held vertices."""
        f = np.einsum("eai,eaj->eij", x[self.tets], self.gradients)
        u, s, vt = np.linalg.svd(f)
        turned = np.linalg.det(u) * np.linalg.det(vt) < 0
        u[turned, :, 2] *= -1
        s[turned, 2] *= -1
        near = nearest_of_volume_one(s)
        away = x - self.start
        energy = 0.5 * float(self.inertia @ (away**2).sum(axis=1))
        energy += 0.5 * float(self.strain @ ((s - 1) ** 2).sum(axis=1) + self.volume @ ((s - near) ** 2).sum(axis=1))
        pull = self.strain[:, None] * (s - 1) + self.volume[:, None] * (s - near)
        stress = (u * pull[:, None, :]) @ vt
        gradient = self.inertia[:, None] * away
        np.add.at(gradient, self.tets, np.einsum("eij,eaj->eai", stress, self.gradients))
        gradient[~self.free] = 0.0
        return energy, gradient

    def minimise(self, tolerance: float = 1e-7, most: int = 20000) -> float:
        """The least E near the start, J: until the gradient, in units of the global system,
        is `tolerance` of the first."""
        weights = self.strain + self.volume
        blocks = np.einsum("e,eaj,ebj->eab", weights, self.gradients, self.gradients)
        system = np.diag(self.inertia)
        np.add.at(system, (self.tets[:, :, None], self.tets[:, None, :]), blocks)
        factor = scipy.linalg.cholesky(system[np.ix_(self.free, self.free)], lower=True)

        def scaled(z: Array) -> tuple[float, Array]:
            x = self.start.copy()
            moved = scipy.linalg.solve_triangular(factor, z.reshape(-1, 3), lower=True, trans="T")
            x[self.free] += moved
            energy, gradient = self.objective(x)
            return energy, scipy.linalg.solve_triangular(factor, gradient[self.free], lower=True).ravel()

        first = float(np.abs(scaled(np.zeros(3 * int(self.free.sum())))[1]).max())
        options = {"maxiter": most, "maxfun": 2 * most, "maxcor": 30, "ftol": 0.0, "gtol": tolerance * first}
        found = minimize(scaled, np.zeros(3 * int(self.free.sum())), jac=True, method="L-BFGS-B", options=options)
        left = float(np.abs(found.jac).max()) / first
        if left > 1e2 * tolerance:
            raise MissingData(f"the minimum of the step's objective was not found: {left:.1g} of the gradient is left")
        return float(found.fun)
