# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/damping_rigid: damping of the deviation from rigid motion,
[MHHR07] section 3.5."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Quantity, Trace, extremes, quantity

M = Measures("mueller_et_al_2007/damping_rigid")


def rigid_part(positions: Array, velocities: Array, masses: Array) -> Array:
    """The rigid motion with the same momenta: the nearest one in the mass norm."""
    r = positions - np.average(positions, axis=0, weights=masses)
    count = len(masses)
    basis = np.zeros((3 * count, 6))
    for k in range(3):
        basis[k::3, k] = 1
        basis[:, 3 + k] = np.cross(np.eye(3)[k], r).ravel()
    weight = np.sqrt(np.repeat(masses, 3))
    solution = np.linalg.lstsq(weight[:, None] * basis, weight * velocities.ravel(), rcond=1e-10)[0]
    return np.asarray((basis @ solution).reshape(-1, 3))


class Step:
    """One damped step of one member."""

    def __init__(self, trace: Trace, member: int):
        positions, velocities = (trace.values("frame", name)[member] for name in ("positions", "velocities"))
        self.masses = trace.scene("masses") if trace.scene_shape("masses") else np.ones(positions.shape[1])
        self.before, self.after, self.positions = velocities[0], velocities[1], positions[0]
        self.damping = trace.setting("damping")

    def deviation_error(self) -> float:
        """|deviation after − (1 − k) deviation before| / largest velocity, not weighted by mass."""
        rigid = rigid_part(self.positions, self.before, self.masses)
        return float(
            np.abs(self.after - rigid - (1 - self.damping) * (self.before - rigid)).max() / np.abs(self.before).max()
        )

    def linear_change(self) -> float:
        """Change of linear momentum / Σ m |v|."""
        change = self.masses @ (self.after - self.before)
        return float(np.linalg.norm(change) / (self.masses @ np.linalg.norm(self.before, axis=1)))

    def angular_change(self) -> float:
        """Change of angular momentum / Σ m |x × v|."""
        change = self.masses @ np.cross(self.positions, self.after - self.before)
        return float(
            np.linalg.norm(change) / (self.masses @ np.linalg.norm(np.cross(self.positions, self.before), axis=1))
        )

    def energy_factor_error(self) -> float:
        """|E_after/E_before − (1 − k)²|, E the kinetic energy of the deviation."""
        rigid = rigid_part(self.positions, self.before, self.masses)
        energy = [float(self.masses @ ((v - rigid) ** 2).sum(axis=1)) for v in (self.before, self.after)]
        return abs(energy[1] / energy[0] - (1 - self.damping) ** 2)

    def not_finite(self) -> int:
        """Non-finite velocity components, also of collinear or coincident masses."""
        return int((~np.isfinite(self.after)).sum())


def of_steps(phrase: str, method: Callable[[Step], float]) -> Quantity:
    """A quantity with one number per member, from its only step."""
    return quantity(phrase)(
        lambda c: np.array([method(Step(c, m)) for m in range(c.values("frame", "positions").shape[0])])
    )


M.largest(
    "deviation_error",
    of_steps(
        "|deviation after − (1 − k) deviation before| from rigid motion / largest velocity",
        Step.deviation_error,
    ),
)
M.largest(
    "linear_momentum_change",
    of_steps("change of linear momentum / sum of the particles' magnitudes", Step.linear_change),
)
M.largest(
    "angular_momentum_change",
    of_steps("change of angular momentum / sum of the particles' magnitudes", Step.angular_change),
)
M.total("not_finite", of_steps("non-finite velocity components after a step", Step.not_finite))
energy_factor_error = of_steps(
    "|E_after/E_before − (1 − k)²|, E the kinetic energy of the deviation from rigid motion", Step.energy_factor_error
)
M.largest(
    "energy_factor_error",
    quantity(energy_factor_error.phrase)(lambda c: extremes.finite(energy_factor_error(c), c.label)),
    EVERY_RUN.noted(lambda c: ""),
)
