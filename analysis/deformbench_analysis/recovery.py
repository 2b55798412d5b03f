# SPDX-License-Identifier: BSD-3-Clause
"""Whether a free body found back to its rest shape, from positions and velocities alone: orientation of every
element, edge strains, motion; and its lowest frequency by a stiffness matrix of our own, which is the unit of
time."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Array
from .errors import MissingData
from .mesh import deformation_gradients, lame, linear_forces, shortest_edge, volumes
from .trace import Trace


@dataclass(frozen=True)
class FreeBody:
    """Rest shape, elements, masses and material of a trace's body, as the scene states them."""

    rest: Array
    tetrahedra: Array
    masses: Array
    young_modulus: float
    poisson_ratio: float

    @staticmethod
    def of(trace: Trace) -> "FreeBody":
        """The body of a trace of one material."""
        return FreeBody(
            trace.scene("rest_positions"),
            trace.scene("tetrahedra"),
            trace.scene("masses"),
            trace.number("young_modulus_pa"),
            trace.number("poisson_ratio"),
        )

    @cached_property
    def edges(self) -> Array:
        """[k,2], every edge once."""
        pairs = [self.tetrahedra[:, [a, b]] for a in range(4) for b in range(a)]
        return np.asarray(np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0))

    @cached_property
    def cell(self) -> float:
        """Shortest edge, m."""
        return shortest_edge(self.rest, self.tetrahedra)

    @cached_property
    def squared_frequencies(self) -> Array:
        """ω² of all modes, smallest first, six of them of rigid motions, 1/s²: linear elasticity, lumped masses."""
        size = self.rest.size
        stiffness = np.empty((size, size))
        for k in range(size):  # forces are linear in the displacement, and vanish at rest
            moved = self.rest.copy()
            moved.flat[k] += self.cell
            stiffness[:, k] = (
                -linear_forces(self.rest, self.tetrahedra, moved, self.young_modulus, self.poisson_ratio).ravel()
                / self.cell
            )
        root = np.repeat(1.0 / np.sqrt(self.masses), 3)
        return np.asarray(np.linalg.eigvalsh(root[:, None] * 0.5 * (stiffness + stiffness.T) * root))

    @property
    def lowest_frequency(self) -> float:
        """Lowest angular frequency of the free body that is no rigid motion, 1/s."""
        return float(math.sqrt(self.squared_frequencies[6]))

    @property
    def longest_step(self) -> float:
        """2/ω of the highest frequency at rest, s: where explicit steps of the body at rest become unstable."""
        return float(2 / math.sqrt(self.squared_frequencies[-1]))

    @property
    def period(self) -> float:
        """Period of the lowest frequency, s."""
        return 2 * math.pi / self.lowest_frequency

    def least_determinant(self, positions: Array) -> float:
        """Least det F."""
        return float(np.linalg.det(deformation_gradients(self.rest, self.tetrahedra, positions)).min())

    def edge_strains(self, positions: Array) -> Array:
        """l/l0 − 1 of every edge."""
        lengths = [np.linalg.norm(x[self.edges[:, 0]] - x[self.edges[:, 1]], axis=1) for x in (positions, self.rest)]
        return np.asarray(lengths[0] / lengths[1] - 1)

    def kinetic_energy(self, velocities: Array) -> float:
        """J, without the motion of the centre of mass, which elasticity neither makes nor takes."""
        drift = self.masses @ velocities / self.masses.sum()
        return float(0.5 * self.masses @ ((velocities - drift) ** 2).sum(axis=1))


def stretched_energy(body: FreeBody, factor: float) -> float:
    """St. Venant–Kirchhoff energy of the whole body stretched by a factor: V 3/8 (2μ + 3λ) (s² − 1)², J."""
    first, second = lame(body.young_modulus, body.poisson_ratio)
    volume = float(volumes(body.rest, body.tetrahedra).sum())
    return volume * 3 / 8 * (2 * second + 3 * first) * (factor**2 - 1) ** 2


@dataclass(frozen=True)
class End:
    """What a member of an ensemble is like some time after its start;
    a run that broke off has ended far from rest."""

    determinant: float  # least det F
    largest_strain: float  # largest |l/l0 − 1|
    rms_strain: float
    kinetic_energy: float  # J


BROKEN_OFF = End(-math.inf, math.inf, math.inf, math.inf)


def _rows(trace: Trace) -> tuple[Array, Array, list[Array], list[Array]]:
    positions, velocities = trace.series("frame", "positions"), trace.series("frame", "velocities")
    return (
        positions.step,
        positions.time,
        [m.values for m in positions.members()],
        [m.values for m in velocities.members()],
    )


def scheduled(trace: Trace) -> float:
    """How long the run was to take, s."""
    if trace.value("schedule.duration_s") is not None:
        return float(trace.value("schedule.duration_s"))
    return float(trace.value("schedule.steps")) * trace.number("time_step_s")


def ends(trace: Trace, body: FreeBody, after: float) -> list[End]:
    """Every member at its first stored row `after` seconds or later; BROKEN_OFF where the run diverged before."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}: {trace.status_reason}")
    if scheduled(trace) < after * (1 - 1e-9):
        raise MissingData(f"{trace.label}: {scheduled(trace):.3g} s were run where {after:.3g} s are asked for")
    found = []
    steps, times, positions, velocities = _rows(trace)
    for k, (x, v) in enumerate(zip(positions, velocities)):
        step, time = (steps[k], times[k]) if steps.ndim == 2 else (steps, times)
        late = np.flatnonzero((step >= 0) & (time >= after * (1 - 1e-9)))
        if not late.size or not np.isfinite(x[late[0]]).all():
            found.append(BROKEN_OFF)
            continue
        strains = body.edge_strains(x[late[0]])
        found.append(
            End(
                body.least_determinant(x[late[0]]),
                float(np.abs(strains).max()),
                float(np.sqrt((strains**2).mean())),
                body.kinetic_energy(v[late[0]]),
            )
        )
    return found
