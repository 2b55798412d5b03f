# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/moving_starts: energy gained by a body on which only gravity does work
(IVM-06).

Rotations are those of the step's start. A step that turns a rigid body by θ = ωΔt leaves every element stretched by
θ²/2 normal to the axis, which the next rotation shows: V (λ + μ) θ⁴ / 2 of new elastic energy, a share
q = θ² Δt² (λ + μ) V / I of the kinetic energy ½ I ω². No external work supplies it."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, MissingData, Trace, quantity
from deformbench_analysis.vocabulary import rows
from .condition_number import stiffness_number

M = Measures("mueller_gross_2004/moving_starts")
TURN = 0.05  # θ up to which the leading order above is good to a tenth (next order θ²)
STORED = 0.01  # q up to which a step's turn stores at most a hundredth of the energy
ITERATED = 1.0  # Δt²E/(ρh²) up to which 20 plain iterations solve well enough (cg_truncation_regime)
EXACT = "exact"
PAPER_STEP = 0.01  # s, [MG04] section 7


@dataclass(frozen=True, eq=False)
class Run:
    """One run; energies / energy put in: that of the start plus the most that gravity has released."""

    trace: Trace
    kinetic: Array
    total: Array  # zero at the start's gravitational energy
    put_in: float  # J

    @property
    def rise(self) -> float:
        """Largest rise of the total energy above its running minimum."""
        return float((self.total - np.minimum.accumulate(self.total)).max())

    @property
    def time_step(self) -> float:
        """Δt, s."""
        return self.trace.number("time_step_s")

    @property
    def turn(self) -> float:
        """θ: Δt times the fastest spin that the energy put in allows."""
        return self.time_step * math.sqrt(2 * self.put_in / least_inertia(self.trace))

    @property
    def stored(self) -> float:
        """q: share of the energy that a step's turn stores anew."""
        young, poisson = (self.trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
        lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) + young / (2 * (1 + poisson))
        return self.turn**2 * self.time_step**2 * lame * rest_volume(self.trace) / least_inertia(self.trace)

    @property
    def in_regime(self) -> bool:
        """Whether the run is inside the regime for which the claim is judged."""
        solved = self.trace.method_name == EXACT or stiffness_number(self.trace) <= ITERATED * (1 + 1e-9)
        return solved and self.turn <= TURN * (1 + 1e-9) and self.stored <= STORED * (1 + 1e-9)

    @property
    def note(self) -> str:
        """Label and dimensionless numbers."""
        return f"{self.trace.label}: ωΔt {self.turn:.2g}, q {self.stored:.2g}, Δt²E/(ρh²) {stiffness_number(self.trace):.2g}"


def least_inertia(trace: Trace) -> float:
    """Smallest principal moment of inertia about the centre of mass, kg m²."""
    masses, arm = trace.scene("masses"), trace.scene("rest_positions")
    arm = arm - masses @ arm / masses.sum()
    second = (arm * masses[:, None]).T @ arm
    return float(np.linalg.eigvalsh(np.trace(second) * np.eye(3) - second)[0])


def rest_volume(trace: Trace) -> float:
    """m³."""
    corners = trace.scene("rest_positions")[trace.scene("tetrahedra")]
    return float(np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / 6)


def run_of(trace: Trace) -> Run:
    """Energies and dimensionless numbers of a trace; MissingData when the start has no energy."""
    kinetic, gravity, elastic = (trace.values("step", f"{n}_energy") for n in ("kinetic", "gravitational", "elastic"))
    put_in = float(kinetic[0] + elastic[0] + gravity[0] - gravity.min())
    if not put_in > 0:
        raise MissingData(f"{trace.label}: the start has no energy, expected a moving or loaded body")
    return Run(trace, kinetic / put_in, (kinetic + elastic + gravity - gravity[0]) / put_in, put_in)


def runs(data: ExperimentData) -> list[Run]:
    """Runs of every row."""
    return [run_of(c) for c in EVERY_RUN.runs(data)]


@quantity("largest rise of the total energy above its running minimum / the energy put in")
def _rise(trace: Trace) -> float:
    return run_of(trace).rise


@quantity("kinetic energy / the energy put in")
def _kinetic(trace: Trace) -> Array:
    return run_of(trace).kinetic


def _is_bad(trace: Trace) -> bool:
    """Not completed, or with a number that is not finite."""
    return trace.status != "completed" or not np.isfinite(trace.values("step", "total_energy")).all()


def _is_in_regime(trace: Trace) -> bool:
    """ωΔt ≤ 0.05, q = (ωΔt)² Δt² (λ + μ) V / I ≤ 0.01."""
    return run_of(trace).in_regime


def _note(trace: Trace) -> str:
    return run_of(trace).note


# The energy put in is that at the start plus the most that gravity has released, ω the fastest spin that it allows, I
# the smallest moment of inertia. 20 plain iterations count in the regime where Δt²E/(ρh²) ≤ 1, h the edge of a cell.
ALL = rows(says="exact solves and 20 CG iterations without preconditioner")
IN_REGIME = ALL.having(_is_in_regime)

M.count("bad_ends", ALL.however_ended("a bad end is what is counted").having(_is_bad))
energy_rise = M.largest("energy_rise", _rise, rows(EXACT, says="exact solves").noted(_note))
M.largest(
    "energy_rise_at_paper_step",
    _rise,
    rows(EXACT, says="exact solves").where(time_step_s=PAPER_STEP, says="the paper's step of 0.01 s").noted(_note),
)
energy_rise_in_regime = M.largest("energy_rise_in_regime", _rise, IN_REGIME.noted(_note))
kinetic_share = M.largest("kinetic_share", _kinetic, ALL.noted(_note))
M.least("tetrahedra", quantity("number of tetrahedra")(lambda c: float(c.tetrahedra or 0)))


@M("starts_in_regime")
def starts_in_regime(data: ExperimentData) -> float:
    """Number of different starts (spin, velocity, gravity, support) among the runs with exact solves, ωΔt ≤ 0.05 and
    q = (ωΔt)² Δt² (λ + μ) V / I ≤ 0.01.

    ω is the fastest spin that the energy allows, I the least moment of inertia."""
    keys = ("angular_velocity_rad_s", "velocity_m_s", "gravity_m_s2", "held")
    found = [c for (c,), _ in IN_REGIME.units(data) if c.method_name == EXACT]
    if not found:
        raise MissingData(f"{M.experiment} at tier {data.tier}: no run with ωΔt ≤ {TURN:g} and q ≤ {STORED:g}")
    return float(len({str([c.value(f"scene.parameters.{k}") for k in keys]) for c in found}))
