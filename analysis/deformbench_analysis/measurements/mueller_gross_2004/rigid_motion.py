# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rigid_motion: the volume of a free spinning block."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/rigid_motion"
VALID_TURN = 0.05  # ω Δt up to which the estimate of the warped inflation holds, with room for rounding below


def spin(trace: Trace) -> float:
    """ω, rad/s."""
    return float(np.linalg.norm(trace.value("scene.parameters.angular_velocity_rad_s")))


def volume_ratio(trace: Trace) -> tuple[Array, Array]:
    """(time, V/V0) of every step."""
    volume = trace.series("step", "volume")
    return volume.time, volume.values / volume.values[0]


def is_in_estimate(trace: Trace) -> bool:
    """Whether the angle of a step is small enough for the estimate."""
    return spin(trace) * float(trace.value("scene.parameters.time_step_s")) <= VALID_TURN * (1 + 1e-9)


def estimated_excess(trace: Trace) -> float:
    """(ωΔt)² + (1 − 2ν) ω² Σ m r² / (E V): what warped FEM with implicit Euler gains; closed form `free_spin_of_warped_fem`."""
    omega, dt = spin(trace), float(trace.value("scene.parameters.time_step_s"))
    poisson, young = (float(trace.value(f"scene.parameters.{n}")) for n in ("poisson_ratio", "young_modulus_pa"))
    axis = np.asarray(trace.value("scene.parameters.angular_velocity_rad_s")) / omega
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    arm = rest - np.outer(rest @ axis, axis)
    volume = float(trace.values("step", "volume")[0])
    return (omega * dt) ** 2 + (1 - 2 * poisson) * omega**2 * float(masses @ (arm**2).sum(axis=1)) / (
        young * volume
    )


@measurement("rigid_motion.linear_volume_error", unit="1", experiment=EXPERIMENT)
def linear_volume_error(data: ExperimentData) -> float:
    """Largest |V/V0 / (1 + (ωt)²) − 1| over all steps and time steps, linear FEM."""
    errors = []
    for cell in data.every(name="linear"):
        time, ratio = volume_ratio(cell)
        errors.append(np.abs(ratio / (1 + (spin(cell) * time) ** 2) - 1).max())
    return float(np.max(errors))


@measurement("rigid_motion.warped_inflation_error", unit="1", experiment=EXPERIMENT)
def warped_inflation_error(data: ExperimentData) -> float:
    """Largest relative error of the estimate (ωΔt)² + (1 − 2ν) ω² Σ m r² / (E V) of V/V0 − 1 at the end, warped FEM,
    ωΔt ≤ 0.05."""
    cells = data.every(name="warped", keep=is_in_estimate)
    return float(np.max([abs((volume_ratio(c)[1][-1] - 1) / estimated_excess(c) - 1) for c in cells]))


@measurement("rigid_motion.warped_volume_excess", unit="1", experiment=EXPERIMENT)
def warped_volume_excess(data: ExperimentData) -> float:
    """Largest V/V0 − 1 over all steps, warped FEM, ωΔt ≤ 0.05."""
    return float(np.max([volume_ratio(c)[1].max() - 1 for c in data.every(name="warped", keep=is_in_estimate)]))


@measurement("rigid_motion.warped_volume_excess_all", unit="1", experiment=EXPERIMENT)
def warped_volume_excess_all(data: ExperimentData) -> float:
    """Largest V/V0 − 1 over all steps and all time steps, warped FEM."""
    return float(np.max([volume_ratio(c)[1].max() - 1 for c in data.every(name="warped")]))


@measurement("rigid_motion.warped_energy_rise", unit="1", experiment=EXPERIMENT)
def warped_energy_rise(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum, over the energy at the start; all time steps, warped
    FEM."""
    energies = {c: c.values("step", "total_energy") for c in data.every(name="warped")}
    return extremes.largest({c: float((e - np.minimum.accumulate(e)).max() / e[0]) for c, e in energies.items()})
