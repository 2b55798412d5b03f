# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/cg_truncation, …_momentum and …_cantilever: what a fixed number of CG iterations does
to momentum, free fall and a swinging tip (erratum B-IVM-15)."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/cg_truncation"
MOMENTUM = "mueller_gross_2004/cg_truncation_momentum"
CANTILEVER = "mueller_gross_2004/cg_truncation_cantilever"
SOFT, STIFF = 1e5, 1e7  # Pa


def solver(trace: Trace) -> tuple[int, str, str]:
    """(iterations, preconditioner, start vector)."""
    p = trace.value("method.parameters")
    return int(p["cg_iterations"]), str(p["cg_preconditioner"]), str(p["cg_start"])


def young(trace: Trace) -> float:
    """Young's modulus, Pa."""
    return float(trace.value("scene.parameters.young_modulus_pa"))


def is_paper(trace: Trace) -> bool:
    """20 plain iterations from v_n."""
    return trace.value("method.parameters.solver") == "cg" and solver(trace) == (20, "none", "velocity")


def is_remedy(trace: Trace) -> bool:
    """Mass preconditioner and the start v_n + Δt M⁻¹ f_ext, any number of iterations: keeps the momentum (erratum B-IVM-15)."""
    return solver(trace)[1:] == ("mass", "velocity_plus_force")


def free_fall_error(trace: Trace) -> float:
    """|v_centre − g t| / (g t) at the end."""
    velocity = trace.series("step", "centre_of_mass_velocity")
    expected = velocity.time[-1] * np.array(trace.value("scene.parameters.gravity_m_s2"))
    return float(np.linalg.norm(velocity.values[-1] - expected) / np.linalg.norm(expected))


def gravity(trace: Trace) -> Array:
    """Acceleration of gravity, m/s²."""
    return np.array(trace.value("scene.parameters.gravity_m_s2"), dtype=float)


def momentum_drift(trace: Trace) -> float:
    """|P − P0 − M g t| at the end over an upper bound of Σ|m v0|, √(2 M E_kin)."""
    momentum = trace.series("step", "linear_momentum")
    mass = float(trace.scene("masses").sum())
    gained = momentum.values[-1] - momentum.values[0] - mass * gravity(trace) * momentum.time[-1]
    return float(np.linalg.norm(gained) / np.sqrt(2 * mass * trace.values("step", "kinetic_energy")[0]))


def _worst(cells: list[Trace], error) -> Measured:  # type: ignore[no-untyped-def]
    return extremes.largest({c: float(error(c)) for c in cells})


@measurement("cg_truncation.paper_free_fall_error_soft", unit="1", experiment=EXPERIMENT)
def paper_free_fall_error_soft(data: ExperimentData) -> float:
    """|v − gt| / gt of the centre of mass after 10 steps of free fall, 20 CG iterations without preconditioner,
    started from v_n, E = 10⁵ Pa."""
    return free_fall_error(data.one(keep=lambda c: is_paper(c) and young(c) == SOFT))


@measurement("cg_truncation.paper_free_fall_error_stiff", unit="1", experiment=EXPERIMENT)
def paper_free_fall_error_stiff(data: ExperimentData) -> float:
    """|v − gt| / gt of the centre of mass after 10 steps of free fall, 20 CG iterations without preconditioner,
    started from v_n, E = 10⁷ Pa."""
    return free_fall_error(data.one(keep=lambda c: is_paper(c) and young(c) == STIFF))


@measurement("cg_truncation.remedy_free_fall_error_max", unit="1", experiment=EXPERIMENT)
def remedy_free_fall_error_max(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, CG preconditioned with the mass and
    started from v_n + Δt M⁻¹ f_ext, all numbers of iterations and stiffnesses."""
    return _worst(data.every(keep=is_remedy), free_fall_error)


def without_gravity(trace: Trace) -> bool:
    """Whether the body floats without weight."""
    return not np.any(gravity(trace))


@measurement("cg_truncation_momentum.paper_momentum_drift_stiff", unit="1", experiment=MOMENTUM)
def paper_momentum_drift_stiff(data: ExperimentData) -> float:
    """Momentum lost in 10 steps over √(2 M E_kin), M the mass of the body, random velocities, no gravity, 20 CG
    iterations without preconditioner, started from v_n, E = 10⁷ Pa."""
    return momentum_drift(data.one(keep=lambda c: is_paper(c) and young(c) == STIFF and without_gravity(c)))


@measurement("cg_truncation_momentum.remedy_momentum_drift_max", unit="1", experiment=MOMENTUM)
def remedy_momentum_drift_max(data: ExperimentData) -> Measured:
    """Largest momentum error over √(2 M E_kin), CG preconditioned with the mass and started from v_n + Δt M⁻¹ f_ext,
    with and without gravity."""
    return _worst(data.every(keep=is_remedy), momentum_drift)


def exact_tip(data: ExperimentData, modulus: float) -> Trace:
    """The run with exact solves at a Young's modulus in Pa."""
    return data.one(name="exact", keep=lambda c: young(c) == modulus)


def tip_error(data: ExperimentData, trace: Trace) -> float:
    """Largest distance from the tip of exact solves over that one's largest deflection."""
    exact = exact_tip(data, young(trace)).values("step", "tip_displacement")
    truncated = trace.values("step", "tip_displacement")
    if truncated.shape != exact.shape:
        raise MissingData(
            f"{trace.experiment}: {trace.label}: {len(truncated)} rows against {len(exact)} of the exact run"
        )
    return float(np.linalg.norm(truncated - exact, axis=1).max() / np.linalg.norm(exact, axis=1).max())


@measurement("cg_truncation_cantilever.paper_tip_error_soft", unit="1", experiment=CANTILEVER)
def paper_tip_error_soft(data: ExperimentData) -> float:
    """Largest difference of the tip's displacement from that with exact solves, over the largest deflection, 20 CG
    iterations without preconditioner, started from v_n, E = 10⁵ Pa."""
    return tip_error(data, data.one(keep=lambda c: is_paper(c) and young(c) == SOFT))


@measurement("cg_truncation_cantilever.paper_tip_error_stiff", unit="1", experiment=CANTILEVER)
def paper_tip_error_stiff(data: ExperimentData) -> float:
    """Largest difference of the tip's displacement from that with exact solves, over the largest deflection, 20 CG
    iterations without preconditioner, started from v_n, E = 10⁷ Pa."""
    return tip_error(data, data.one(keep=lambda c: is_paper(c) and young(c) == STIFF))
