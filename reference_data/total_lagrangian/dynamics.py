# SPDX-License-Identifier: BSD-3-Clause
"""Single steps of implicit integrators with lumped masses, solved to rounding.

All of them ask for a point x with M (x − y) = s² (f(x) + M g): y is what inertia alone would reach,
s a length of time."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import spsolve

from .body import Body, NoConvergence
from .laws import Array


@dataclass(frozen=True)
class Motion:
    """Positions (m) and velocities (m/s), [n,3]."""

    positions: Array
    velocities: Array


@dataclass(frozen=True)
class MovingBody:
    """A body with lumped masses in a uniform field of gravity; held vertices stay where they are at rest."""

    body: Body
    masses: Array  # kg, [n]
    gravity: Array  # m/s², [3]
    held: npt.NDArray[np.bool_]  # [n]

    def accelerations(self, positions: Array) -> Array:
        """M⁻¹f + g, m/s², [n,3]; 0 where held."""
        found = self.body.forces(positions) / self.masses[:, None] + self.gravity
        return np.where(self.held[:, None], 0.0, found)

    def newton(self, y: Array, s: float, start: Array, iterations: int = 0) -> Array:
        """x with M (x − y) = s² (f(x) + M g) by full Newton steps from `start`: to rounding, or a number of them."""
        free = np.repeat(~self.held, 3)
        inertia = sparse.diags(np.repeat(self.masses, 3)).tocsr()
        x, before = np.where(self.held[:, None], self.body.rest, start), np.inf
        for k in range(1, 41):
            right = self.masses[:, None] * (y - x + s**2 * self.accelerations(x))
            matrix = (inertia + s**2 * self.body.stiffness(x))[free][:, free].tocsc()
            step = np.zeros(x.size)
            step[free] = spsolve(matrix, right.ravel()[free])
            x = x + step.reshape(-1, 3)
            size, scale = float(np.abs(step).max()), float(np.abs(self.body.rest).max())
            if k == iterations or (not iterations and size <= 1e-13 * scale and not size < before / 2):
                return x
            before = size
        raise NoConvergence(f"a step of {s:g} s: correction {size:g} m after 40 iterations")

    def euler(self, old: Motion, h: float, iterations: int = 0) -> Motion:
        """x₁ = x₀ + h v₁, v₁ = v₀ + h a(x₁); with one iteration, linearised at x₀."""
        y = old.positions + h * old.velocities
        # From x₀, so that a single iteration is the linearised step.
        x = self.newton(y, h, old.positions, iterations)
        return Motion(x, (x - old.positions) / h)

    def bdf2(self, older: Motion, old: Motion, h: float) -> Motion:
        """(3x₂ − 4x₁ + x₀)/2h = v₂, (3v₂ − 4v₁ + v₀)/2h = a(x₂)."""
        q = (4 * old.positions - older.positions) / 3
        w = (4 * old.velocities - older.velocities) / 3
        s = 2 * h / 3
        x = self.newton(q + s * w, s, old.positions)
        return Motion(x, (x - q) / s)

    def midpoint(self, old: Motion, h: float) -> Motion:
        """x₁ = x₀ + h (v₀ + v₁)/2, v₁ = v₀ + h a((x₀ + x₁)/2)."""
        y = old.positions + h / 2 * old.velocities
        middle = self.newton(y, h / 2, old.positions)
        velocities = 4 / h * (middle - old.positions) - old.velocities
        return Motion(2 * middle - old.positions, velocities)
