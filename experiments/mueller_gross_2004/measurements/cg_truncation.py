# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/cg_truncation, …_momentum and …_cantilever: what a fixed number of CG iterations
does to momentum, free fall and a swinging tip (erratum B-IVM-15)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("mueller_gross_2004/cg_truncation")
MOMENTUM = Measures("mueller_gross_2004/cg_truncation_momentum")
CANTILEVER = Measures("mueller_gross_2004/cg_truncation_cantilever")
SOFT, STIFF = 1e5, 1e7  # Pa


def solver(trace: Trace) -> tuple[int, str, str]:
    """(iterations, preconditioner, start vector)."""
    p = trace.value("method.parameters")
    return int(p["cg_iterations"]), str(p["cg_preconditioner"]), str(p["cg_start"])


def is_paper(trace: Trace) -> bool:
    """20 plain iterations from v_n."""
    return trace.value("method.parameters.solver") == "cg" and solver(trace) == (20, "none", "velocity")


def is_remedy(trace: Trace) -> bool:
    """Mass preconditioner and the start v_n + Δt M⁻¹ f_ext, any number of iterations:
    keeps the momentum (erratum B-IVM-15)."""
    return solver(trace)[1:] == ("mass", "velocity_plus_force")


def free_fall_error(trace: Trace) -> float:
    """|v − gt| / gt of the centre of mass at the end of a free fall."""
    velocity = trace.series("step", "centre_of_mass_velocity")
    expected = velocity.time[-1] * np.array(trace.value("scene.parameters.gravity_m_s2"))
    return float(np.linalg.norm(velocity.values[-1] - expected) / np.linalg.norm(expected))


def gravity(trace: Trace) -> Array:
    """Acceleration of gravity, m/s²."""
    return np.array(trace.value("scene.parameters.gravity_m_s2"), dtype=float)


def momentum_drift(trace: Trace) -> float:
    """|P − P0 − M g t| at the end / √(2 M E_kin), an upper bound of Σ|m v0|."""
    momentum = trace.series("step", "linear_momentum")
    mass = float(trace.scene("masses").sum())
    gained = momentum.values[-1] - momentum.values[0] - mass * gravity(trace) * momentum.time[-1]
    return float(np.linalg.norm(gained) / np.sqrt(2 * mass * trace.values("step", "kinetic_energy")[0]))


def without_gravity(trace: Trace) -> bool:
    """No gravity."""
    return not np.any(gravity(trace))


def tip_error(trace: Trace, exact: Trace) -> float:
    """Largest difference of the tip's displacement from that with exact solves / largest deflection."""
    truncated, wanted = (t.values("step", "tip_displacement") for t in (trace, exact))
    if truncated.shape != wanted.shape:
        raise trace.missing(f"{len(truncated)} rows against {len(wanted)} of the exact run")
    return float(np.linalg.norm(truncated - wanted, axis=1).max() / np.linalg.norm(wanted, axis=1).max())


PAPER_SOFT, PAPER_STIFF = (
    rows(says="20 CG iterations without preconditioner")
    .where(is_paper, says="")
    .where(young_modulus_pa=e, says=f"E = {e:g} Pa")
    for e in (SOFT, STIFF)
)
REMEDY = rows(says="runs with the mass preconditioner, started from v_n + Δt M⁻¹ f_ext").where(is_remedy, says="")
EXACT = rows("exact", says="exact solves")

M.only("paper_free_fall_error_soft", free_fall_error, PAPER_SOFT)
paper_free_fall_error_stiff = M.only("paper_free_fall_error_stiff", free_fall_error, PAPER_STIFF)
M.largest("remedy_free_fall_error_max", free_fall_error, REMEDY)
MOMENTUM.only("paper_momentum_drift_stiff", momentum_drift, PAPER_STIFF.where(without_gravity))
MOMENTUM.largest("remedy_momentum_drift_max", momentum_drift, REMEDY)
CANTILEVER.only("paper_tip_error_soft", tip_error, PAPER_SOFT.beside(EXACT, "young_modulus_pa", says=""))
CANTILEVER.only("paper_tip_error_stiff", tip_error, PAPER_STIFF.beside(EXACT, "young_modulus_pa", says=""))
