# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2019/stiff_steps: small steps of one iteration beside symplectic Euler in steps of
the same length. [MSL19]"""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .equal_sweeps import SMALL, links, mechanical_energy, mode_energy, scene, substeps

EXPERIMENT = "macklin_et_al_2019/stiff_steps"
EXPLICIT = "symplectic_euler"
ROUNDING = 1e-12  # of the energy at the start, or of the chain's weight times its length


def highest(trace: Trace) -> float:
    """ωh of the fastest mode of springs in a row, one end held: ω = 2 cos(π/(2n + 1)) / √(αm). [MSL19] §5"""
    step, compliance = scene(trace, "time_step_s") / substeps(trace), scene(trace, "compliance_m_per_n")
    if compliance == 0.0:
        return np.inf
    return float(2 * np.cos(np.pi / (2 * links(trace) + 1)) * step / np.sqrt(compliance * scene(trace, "mass_kg")))


def energy_gain(trace: Trace) -> float:
    """Largest gain of energy per step of a mass on a spring, relative to the start; largest rise of kinetic and
    gravitational energy of a falling chain, relative to weight times length."""
    if links(trace) == 1:
        return float(np.diff(mode_energy(trace)).max())
    return float(mechanical_energy(trace)[1:].max())


def is_stable(trace: Trace) -> bool:
    """A run of small steps that is not broken off and makes no energy."""
    return trace.status == "completed" and energy_gain(trace) < ROUNDING


def explicit(data: ExperimentData, status: str) -> list[Trace]:
    """Explicit runs that ended so. MissingData where one ended neither completed nor diverged."""
    cells = data.some(name=EXPLICIT, status=None)
    other = [c for c in cells if c.status not in ("completed", "diverged")]
    if other:
        raise MissingData(f"{other[0].label}: {other[0].status}")
    return [c for c in cells if c.status == status]


@measurement("stiff_steps.largest_stable_explicit", unit="1", experiment=EXPERIMENT)
def largest_stable_explicit(data: ExperimentData) -> Measured:
    """Largest ωh of the fastest mode of a symplectic Euler run that is not broken off."""
    return extremes.largest({c: highest(c) for c in explicit(data, "completed")})


@measurement("stiff_steps.least_unstable_explicit", unit="1", experiment=EXPERIMENT)
def least_unstable_explicit(data: ExperimentData) -> Measured:
    """Least ωh of the fastest mode of a symplectic Euler run that diverges."""
    return extremes.least({c: highest(c) for c in explicit(data, "diverged")})


@measurement("stiff_steps.gain", unit="1", experiment=EXPERIMENT)
def gain(data: ExperimentData) -> float:
    """Largest ωh up to which every run of small steps is stable, springs of finite stiffness, over the largest of
    symplectic Euler."""
    cells = sorted(data.some(name=SMALL, status=None), key=highest)
    stable = 0.0
    for cell in cells:
        if not is_stable(cell):
            break
        if np.isfinite(highest(cell)):
            stable = highest(cell)
    return stable / max(highest(c) for c in explicit(data, "completed"))


@measurement("stiff_steps.unstable_small_steps", unit="1", experiment=EXPERIMENT)
def unstable_small_steps(data: ExperimentData) -> float:
    """Number of runs of small steps that are broken off or make energy, all stiffnesses and rigid links."""
    return float(sum(1 for c in data.some(name=SMALL, status=None) if not is_stable(c)))


@measurement("stiff_steps.rigid_runs", unit="1", experiment=EXPERIMENT)
def rigid_runs(data: ExperimentData) -> float:
    """Number of runs of small steps with rigid links."""
    return float(sum(1 for c in data.some(name=SMALL, status=None) if not np.isfinite(highest(c))))
