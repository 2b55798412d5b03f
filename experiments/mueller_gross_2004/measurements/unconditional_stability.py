# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/unconditional_stability: energy growth from a tangled start."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Rows, Trace, quantity, rows

M = Measures("mueller_gross_2004/unconditional_stability")


def energies(trace: Trace) -> list[Array]:
    """E/E0 of every member up to its end; empty for a member without a row."""
    return [m.values / m.values[:1] for m in trace.series("step", "total_energy").members()]


def finite_energies(trace: Trace) -> list[Array]:
    """Finite E/E0 of every member that has any."""
    finite = [e[np.isfinite(e)] for e in energies(trace)]
    return [e for e in finite if e.size]


def bad_ends(trace: Trace) -> float:
    """Number of diverged or nonfinite seeds; at least 1 if the run is incomplete."""
    expected = trace.series("step", "total_energy").step.shape[-1]
    bad = sum(1 for e in energies(trace) if len(e) < expected or not np.isfinite(e).all())
    return float(bad or int(trace.status != "completed"))


@quantity("total energy / that at the start")
def _ratios(trace: Trace) -> Array:
    return np.array([e.max() for e in finite_energies(trace)])


@quantity("rise of the total energy above its running minimum / energy at the start")
def _rises(trace: Trace) -> Array:
    return np.array([(e - np.minimum.accumulate(e)).max() for e in finite_energies(trace)])


def _of(name: str, says: str) -> Rows:
    return rows(name, says=says).however_ended("what a run that diverges has reached counts")


EXACT = _of("warped_exact", "warped FEM, exact solves")
PLAIN = _of("warped_cg20_plain", "warped FEM, 20 CG iterations without preconditioner, started from v_n")

M.largest("exact_energy_ratio_max", _ratios, EXACT)
M.largest("exact_energy_rise", _rises, EXACT)
M.total("exact_non_finite", bad_ends, EXACT)
M.largest("cg20_plain_energy_ratio_max", _ratios, PLAIN)
M.largest("cg20_plain_energy_rise", _rises, PLAIN)
M.total("cg20_plain_non_finite", bad_ends, PLAIN)
M.largest(
    "cg20_mass_energy_ratio_max",
    _ratios,
    _of("warped_cg20_mass", "warped FEM, 20 CG iterations preconditioned with the mass"),
)
