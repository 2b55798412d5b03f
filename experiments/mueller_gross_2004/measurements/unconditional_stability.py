# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/unconditional_stability: energy over its start, from a tangled start."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/unconditional_stability"


def energies(trace: Trace) -> list[Array]:
    """E/E0 of every member up to its end; empty for a member without a row."""
    return [m.values / m.values[:1] for m in trace.series("step", "total_energy").members()]


def finite_energies(trace: Trace) -> list[Array]:
    """The same without what is not finite, members with anything left."""
    finite = [e[np.isfinite(e)] for e in energies(trace)]
    return [e for e in finite if e.size]


def ended_badly(data: ExperimentData, name: str) -> int:
    """Members that diverged, or whose energy is not finite; at least one per cell that did not complete."""
    count = 0
    for cell in data.some(name=name, status=None):
        expected = cell.series("step", "total_energy").step.shape[-1]
        bad = sum(1 for e in energies(cell) if len(e) < expected or not np.isfinite(e).all())
        count += bad or int(cell.status != "completed")
    return count


def largest(data: ExperimentData, name: str, of: Callable[[Array], float]) -> Measured:
    """Largest of all members of all cells, however they ended, and the cell that has it."""
    found = [(of(e), cell.label) for cell in data.some(name=name, status=None) for e in finite_energies(cell)]
    if not found:
        raise MissingData(f"{EXPERIMENT}: {name}: no member has a finite energy at tier {data.tier}")
    return Measured(*max(found))


def largest_ratio(data: ExperimentData, name: str) -> Measured:
    """Largest energy over the energy supplied, all runs of a row, however they ended."""
    return largest(data, name, lambda e: float(e.max()))


@measurement("unconditional_stability.exact_energy_ratio_max", unit="1", experiment=EXPERIMENT)
def exact_energy_ratio_max(data: ExperimentData) -> Measured:
    """Largest total energy over that at the start, warped FEM, exact solves, all time steps, stiffnesses and seeds."""
    return largest_ratio(data, "warped_exact")


@measurement("unconditional_stability.exact_non_finite", unit="1", experiment=EXPERIMENT)
def exact_non_finite(data: ExperimentData) -> float:
    """Number of seeds whose run diverged or was not finite, warped FEM, exact solves."""
    return float(ended_badly(data, "warped_exact"))


def largest_rise(data: ExperimentData, name: str) -> Measured:
    """Largest rise of the total energy above its running minimum over that at the start, and where."""
    return largest(data, name, lambda e: float((e - np.minimum.accumulate(e)).max()))


@measurement("unconditional_stability.exact_energy_rise", unit="1", experiment=EXPERIMENT)
def exact_energy_rise(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start, warped FEM, exact solves."""
    return largest_rise(data, "warped_exact")


@measurement("unconditional_stability.cg20_plain_energy_rise", unit="1", experiment=EXPERIMENT)
def cg20_plain_energy_rise(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start, warped FEM, exactly 20
    CG iterations without preconditioner, started from v_n."""
    return largest_rise(data, "warped_cg20_plain")


@measurement("unconditional_stability.cg20_plain_energy_ratio_max", unit="1", experiment=EXPERIMENT)
def cg20_plain_energy_ratio_max(data: ExperimentData) -> Measured:
    """Largest total energy over that at the start, warped FEM, exactly 20 CG iterations without preconditioner,
    started from v_n."""
    return largest_ratio(data, "warped_cg20_plain")


@measurement("unconditional_stability.cg20_plain_non_finite", unit="1", experiment=EXPERIMENT)
def cg20_plain_non_finite(data: ExperimentData) -> float:
    """Number of seeds whose run diverged or was not finite, warped FEM, exactly 20 CG iterations without
    preconditioner, started from v_n."""
    return float(ended_badly(data, "warped_cg20_plain"))


@measurement("unconditional_stability.cg20_mass_energy_ratio_max", unit="1", experiment=EXPERIMENT)
def cg20_mass_energy_ratio_max(data: ExperimentData) -> Measured:
    """Largest total energy over that at the start, warped FEM, 20 CG iterations preconditioned with the mass."""
    return largest_ratio(data, "warped_cg20_mass")
