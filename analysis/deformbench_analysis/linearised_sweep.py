# SPDX-License-Identifier: BSD-3-Clause
"""One step of position based dynamics about rest, in numpy: a flat cloth without gravity, linearised.

A projection of a constraint with gradient g, weights w and share k′ is the map δ → δ − k′ w g (g·δ)/(g·wg), a sweep S
the product of these in the order of the list, and a step δ_{n+1} = S^{n_s}(2δ_n − δ_{n−1}) ([MHHR07] section 3.1,
lines 7 to 14), in which the time step does not occur. With an eigenvalue μ of S^{n_s} it has the two growth factors
λ² − 2μλ + μ = 0. About a flat cloth the bend constraints move it across its plane alone, the stretch constraints in
it."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, eigvals

from .arrays import Array
from .position_constraints import inverse_masses, opposite_vertices
from .trace import Trace

_eigenvalues: dict[tuple[bytes, bytes, float, bool], Array] = {}  # of one sweep in the plane
Rows = list[tuple[Array, Array]]  # of each constraint, in the order of a sweep: components of δ, gradient there


@dataclass
class FlatCloth:
    """The triangles of a trace in their plane: normal [3], coordinates in the plane [vertex, 2], inverse masses."""

    normal: Array
    plane: Array
    w: Array
    edges: list[tuple[int, ...]]  # a, b, and the two vertices opposite of an inner edge; by |b − a|, then a

    @staticmethod
    def of(trace: Trace) -> "FlatCloth":
        """The cloth of a trace, which is flat at rest."""
        x, triangles = trace.scene("rest_positions"), trace.scene("triangles").astype(int)
        first, second = x[triangles[0, 1]] - x[triangles[0, 0]], x[triangles[0, 2]] - x[triangles[0, 0]]
        normal = np.cross(first, second) / np.linalg.norm(np.cross(first, second))
        along = first / np.linalg.norm(first)
        plane = x @ np.stack([along, np.cross(normal, along)], axis=1)
        opposite = opposite_vertices(triangles)
        ordered = sorted(opposite, key=lambda e: (e[1] - e[0], e[0]))
        return FlatCloth(normal, plane, inverse_masses(trace), [(*e, *opposite[e]) for e in ordered])

    def bends(self) -> Rows:
        """Gradients of the dihedral angles with respect to the heights over the plane: each triangle turns about the
        edge by the height of its free vertex over the line, less that of the edge below it, over its distance from
        the edge."""
        rows = []
        for a, b, *others in (e for e in self.edges if len(e) == 4):
            gradient = np.zeros(4)
            edge = self.plane[b] - self.plane[a]
            for k, c in enumerate(others):
                arm = self.plane[c] - self.plane[a]
                share, distance = arm @ edge / (edge @ edge), abs(edge[0] * arm[1] - edge[1] * arm[0]) / np.sqrt(
                    edge @ edge
                )
                gradient += np.array([share - 1, -share, k == 0, k == 1]) / distance
            rows.append((np.array([a, b, *others]), gradient))
        return rows

    def stretches(self) -> Rows:
        """Gradients of the edge lengths with respect to displacements in the plane,
        components 2i and 2i + 1 of vertex i."""
        rows = []
        for a, b, *_ in self.edges:
            along = self.plane[b] - self.plane[a]
            along = along / np.linalg.norm(along)
            rows.append((np.array([2 * a, 2 * a + 1, 2 * b, 2 * b + 1]), np.concatenate([-along, along])))
        return rows


def sweep(rows: Rows, w: Array, share: float, is_symmetric: bool) -> Array:
    """S of one iteration: every constraint in turn, and back again where `is_symmetric`."""
    result = np.eye(len(w))
    for indices, gradient in [*rows, *(rows[::-1] if is_symmetric else [])]:
        weighted = w[indices] * gradient
        if (total := weighted @ gradient) > 0:
            result[indices] -= np.outer(share / total * weighted, gradient @ result[indices])
    return result


def growth_factors(mu: Array) -> Array:
    """The root of λ² − 2μλ + μ = 0 that is larger in magnitude."""
    root = np.sqrt(np.asarray(mu, complex) ** 2 - mu)
    both = np.stack([mu + root, mu - root])
    return np.asarray(np.where(np.abs(both[0]) >= np.abs(both[1]), both[0], both[1]))


def _per_iteration(stiffness: float, iterations: int, is_symmetric: bool) -> float:
    """k′ of the law per step, which counts every visit of a constraint."""
    return float(1 - (1 - stiffness) ** (1 / (iterations * (2 if is_symmetric else 1))))


@dataclass
class Mode:
    """The fastest growing mode across the plane: δ_n of a run grows by `factor` per step in `amplitude`,
    whatever else is in it."""

    factor: complex
    left: Array
    normal: Array

    def amplitude(self, displacement: Array, velocity_step: Array) -> float:
        """|ℓ·δ_n − λ' ℓ·δ_{n−1}|, λ' the other root; displacement and its change in the last step, [vertex, 3]."""
        mu = self.factor**2 / (2 * self.factor - 1)
        now, before = self.left @ (displacement @ self.normal), self.left @ (
            (displacement - velocity_step) @ self.normal
        )
        return float(abs(now - mu / self.factor * before))


def bend_mode(trace: Trace) -> Mode:
    """Mode of the bend constraints of a trace, for sweeps in list order or symmetric ones (forward,
    then backward)."""
    cloth, is_symmetric = FlatCloth.of(trace), trace.value("method.parameters.order") == "symmetric"
    count = int(trace.setting("iterations"))
    share = _per_iteration(trace.setting("bend_stiffness"), count, is_symmetric)
    one = sweep(cloth.bends(), cloth.w, share, is_symmetric)
    mu, vectors = eig(one.T)
    factors = growth_factors(mu**count)
    fastest = int(np.abs(factors).argmax())
    return Mode(complex(factors[fastest]), vectors[:, fastest], cloth.normal)


def stretch_radius(trace: Trace) -> float:
    """Largest growth factor of the stretch constraints of a trace in the plane."""
    cloth, is_symmetric = FlatCloth.of(trace), trace.value("method.parameters.order") == "symmetric"
    count = int(trace.setting("iterations"))
    share = _per_iteration(trace.setting("stretch_stiffness"), count, is_symmetric)
    key = (cloth.plane.tobytes(), cloth.w.tobytes(), share, is_symmetric)
    if key not in _eigenvalues:  # with k = 1 the same for every number of iterations
        _eigenvalues[key] = eigvals(sweep(cloth.stretches(), np.repeat(cloth.w, 2), share, is_symmetric))
    return float(np.abs(growth_factors(_eigenvalues[key] ** count)).max())
