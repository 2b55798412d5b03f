# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2019/stiff_steps: small steps of one iteration beside symplectic Euler in steps of
the same length. [MSL19]"""

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measures, MissingData, Trace, quantity, rows
from .equal_sweeps import SMALL, links, mechanical_energy, mode_energy, substeps

M = Measures("macklin_et_al_2019/stiff_steps")
EXPLICIT = "symplectic_euler"
ROUNDING = 1e-12  # of the energy at the start, or of the chain's weight times its length


def highest(trace: Trace) -> float:
    """ωh of the fastest mode of springs in a row, one end held: ω = 2 cos(π/(2n + 1)) / √(αm). [MSL19] §5"""
    step, compliance = trace.number("time_step_s") / substeps(trace), trace.number("compliance_m_per_n")
    if compliance == 0.0:
        return np.inf
    return float(2 * np.cos(np.pi / (2 * links(trace) + 1)) * step / np.sqrt(compliance * trace.number("mass_kg")))


def energy_gain(trace: Trace) -> float:
    """Largest gain of energy per step of a mass on a spring, relative to the start; largest rise of kinetic and
    gravitational energy of a falling chain, relative to weight times length."""
    if links(trace) == 1:
        return float(np.diff(mode_energy(trace)).max())
    return float(mechanical_energy(trace)[1:].max())


def is_stable(trace: Trace) -> bool:
    """A run of small steps that is not broken off and makes no energy."""
    return trace.status == "completed" and energy_gain(trace) < ROUNDING


def is_unstable(trace: Trace) -> bool:
    """Broken off, or making energy."""
    return not is_stable(trace)


def diverges(trace: Trace) -> bool:
    """Diverged. MissingData where a run neither diverged nor completed."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}")
    return trace.status == "diverged"


HIGHEST = quantity("ωh of the fastest mode")(highest)
RUNS = rows(EXPLICIT, says="symplectic Euler").however_ended("those above the limit diverge")
CALM = RUNS.having(lambda c: not diverges(c), says="not broken off")
STEPS = rows(SMALL, says="small steps, all stiffnesses and rigid links").however_ended(
    "a run that is broken off counts"
)

M.largest("largest_stable_explicit", HIGHEST, CALM)
M.least("least_unstable_explicit", HIGHEST, RUNS.having(diverges, says="diverging"))
M.count("unstable_small_steps", STEPS.having(is_unstable))
M.count("rigid_runs", rows(SMALL, says="small steps, rigid links").where(compliance_m_per_n=0, says=""))


@M("gain")
def gain(data: ExperimentData) -> float:
    """Largest ωh up to which every run of small steps is stable, finite stiffness, relative to the largest of
    symplectic Euler."""
    stable = 0.0
    for cell in sorted(STEPS.runs(data), key=highest):
        if not is_stable(cell):
            break
        if np.isfinite(highest(cell)):
            stable = highest(cell)
    return stable / max(highest(c) for (c,), _ in CALM.units(data))
