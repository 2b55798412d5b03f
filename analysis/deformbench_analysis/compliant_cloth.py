# SPDX-License-Identifier: BSD-3-Clause
"""The first step of a compliant cloth as a minimisation, in numpy from what the trace says of the scene:

    E(p) = ½ (p − ŷ)ᵀ M (p − ŷ)/Δt² + Σ ½ (|p_b − p_a| − d)²/α_s + Σ ½ (θ − θ0)²/α_b,  ŷ = x + Δt v + Δt² g

over the free vertices, one distance an edge, one dihedral angle an inner edge. [MMC16] eq. 1–3.
The start is at rest."""

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import spsolve

from .arrays import Array
from .errors import MissingData
from .position_constraints import dihedral_angle, held_vertices, opposite_vertices
from .trace import Trace


def _inner_products(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=1))


class CompliantCloth:
    """Cloth of an `xpbd` trace that starts at rest, without contacts.

    Needs the channel `positions` at the start."""

    def __init__(self, trace: Trace):
        self.start = np.asarray(trace.values("frame", "positions")[0])
        rest, opposite = trace.scene("rest_positions"), opposite_vertices(trace.scene("triangles"))
        self.edges = np.array(sorted(opposite))
        self.lengths = np.linalg.norm(rest[self.edges[:, 1]] - rest[self.edges[:, 0]], axis=1)
        self.free = np.ones(len(rest), bool)
        self.free[held_vertices(trace)] = False
        quads = np.array([(*edge, *opposite[edge]) for edge in sorted(opposite) if len(opposite[edge]) == 2])
        # No bend constraint where one end of the edge alone is free (methods/pbd/README.md).
        held = ~self.free[quads]
        self.quads = quads[~(held[:, 2] & held[:, 3] & (held[:, 0] | held[:, 1]))]
        self.angles = self._angles(rest)
        self.masses = trace.scene("masses")
        self.dt = trace.number("time_step_s")
        self.stretch = trace.setting("stretch_compliance_m_per_n")
        self.bend = trace.setting("bend_compliance_rad2_per_j")
        self.target = self.start + self.dt**2 * np.asarray(trace.value("scene.parameters.gravity_m_s2"))

    def _angles(self, p: Array) -> Array:
        return dihedral_angle(*(p[self.quads[:, k]] for k in range(4)))

    def _stretched(self, p: Array) -> tuple[Array, Array]:
        """|p_b − p_a| and (p_b − p_a)/|p_b − p_a|."""
        along = p[self.edges[:, 1]] - p[self.edges[:, 0]]
        length = np.linalg.norm(along, axis=1)
        return length, along / length[:, None]

    def objective(self, p: Array) -> float:
        """E(p), J."""
        away = (p - self.target)[self.free]
        inertia = 0.5 / self.dt**2 * float((self.masses[self.free, None] * away**2).sum())
        stretch = 0.5 / self.stretch * float(((self._stretched(p)[0] - self.lengths) ** 2).sum())
        return inertia + stretch + 0.5 / self.bend * float(((self._angles(p) - self.angles) ** 2).sum())

    def _bend_gradients(self, p: Array) -> Array:
        """∂θ/∂p of the four vertices of every quad, [quad, vertex, 3]."""
        a, b, c, d = (p[self.quads[:, k]] for k in range(4))
        e, ac, ad = b - a, c - a, d - a
        n1, n2 = np.cross(ac, e), np.cross(e, ad)
        square = _inner_products(e, e)
        g1 = n1 * (np.sqrt(square) / _inner_products(n1, n1))[:, None]
        g2 = n2 * (np.sqrt(square) / _inner_products(n2, n2))[:, None]
        s1, s2 = (_inner_products(ac, e) / square)[:, None], (_inner_products(ad, e) / square)[:, None]
        return np.stack([(s1 - 1) * g1 + (s2 - 1) * g2, -s1 * g1 - s2 * g2, g1, g2], axis=1)

    def gradient(self, p: Array) -> Array:
        """∂E/∂p, N, zero at held vertices."""
        g = self.masses[:, None] * (p - self.target) / self.dt**2
        length, along = self._stretched(p)
        force = ((length - self.lengths) / self.stretch)[:, None] * along
        np.add.at(g, self.edges[:, 1], force)
        np.add.at(g, self.edges[:, 0], -force)
        moment = (self._angles(p) - self.angles) / self.bend
        np.add.at(g, self.quads, moment[:, None, None] * self._bend_gradients(p))
        g[~self.free] = 0.0
        return np.asarray(g)

    def _hessian(self, p: Array) -> sparse.csc_matrix:
        """Positive definite: Gauss–Newton for angles, distances with the part of their second derivative that is not
        negative."""
        length, along = self._stretched(p)
        across = np.maximum(1 - self.lengths / length, 0.0)[:, None, None]
        outer = along[:, :, None] * along[:, None, :]
        block = (outer + across * (np.eye(3) - outer)) / self.stretch
        signs = np.array([[1, -1], [-1, 1]])
        stretch = signs[None, :, None, :, None] * block[:, None, :, None, :]
        gradients = self._bend_gradients(p)
        bend = np.einsum("eai,ebj->eaibj", gradients, gradients) / self.bend
        parts = [sparse.diags(np.repeat(self.masses / self.dt**2, 3))]
        for vertices, blocks in ((self.edges, stretch), (self.quads, bend)):
            rows = 3 * vertices[:, :, None] + np.arange(3)
            shape = blocks.shape
            i = np.broadcast_to(rows[:, :, :, None, None], shape).ravel()
            j = np.broadcast_to(rows[:, None, None, :, :], shape).ravel()
            parts.append(sparse.coo_matrix((blocks.ravel(), (i, j)), shape=(3 * len(p), 3 * len(p))))
        return sparse.csc_matrix(sum(part.tocsc() for part in parts))

    def minimise(self, tolerance: float = 1e-11, most: int = 500) -> Array:
        """Where E is least near ŷ: until its gradient is `tolerance` of the first.
        MissingData where `most` steps do not do."""
        p = np.where(self.free[:, None], self.target, self.start)
        free = np.repeat(self.free, 3)
        first = float(np.linalg.norm(self.gradient(p)))
        for _ in range(most):
            g = self.gradient(p).ravel()
            if np.linalg.norm(g) <= tolerance * first:
                return p
            step = np.zeros(p.size)
            step[free] = -spsolve(self._hessian(p)[free][:, free], g[free])
            here, length, slope = self.objective(p), 1.0, float(g @ step)
            while length > 1e-8 and not (
                self.objective(p + length * step.reshape(p.shape)) <= here + 1e-4 * length * slope + 1e-14 * here
            ):
                length /= 2
            p = p + length * step.reshape(p.shape)
        raise MissingData(f"the minimum of the step's objective was not found in {most} steps")
