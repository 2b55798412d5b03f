# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rigid_motion: the volume of a free spinning block."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("mueller_gross_2004/rigid_motion")
VALID_TURN = 0.05  # ωΔt up to which the estimate of the warped volume gain holds


def spin(trace: Trace) -> float:
    """ω, rad/s."""
    return float(np.linalg.norm(trace.value("scene.parameters.angular_velocity_rad_s")))


def volume_ratio(trace: Trace) -> tuple[Array, Array]:
    """(time, V/V0) of every step."""
    volume = trace.series("step", "volume")
    return volume.time, volume.values / volume.values[0]


def is_in_estimate(trace: Trace) -> bool:
    """ωΔt ≤ 0.05."""
    return spin(trace) * trace.number("time_step_s") <= VALID_TURN * (1 + 1e-9)


def estimated_excess(trace: Trace) -> float:
    """(ωΔt)² + (1 − 2ν) ω² Σ m r² / (E V): V/V0 − 1 of warped FEM, implicit Euler;
    closed form `free_spin_of_warped_fem`."""
    omega, dt = spin(trace), trace.number("time_step_s")
    poisson, young = (trace.number(n) for n in ("poisson_ratio", "young_modulus_pa"))
    axis = np.asarray(trace.value("scene.parameters.angular_velocity_rad_s")) / omega
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    arm = rest - np.outer(rest @ axis, axis)
    volume = float(trace.values("step", "volume")[0])
    return (omega * dt) ** 2 + (1 - 2 * poisson) * omega**2 * float(masses @ (arm**2).sum(axis=1)) / (
        young * volume
    )


def linear_volume_error(trace: Trace) -> Array:
    """|V/V0 / (1 + (ωt)²) − 1| of any step."""
    time, ratio = volume_ratio(trace)
    return np.asarray(np.abs(ratio / (1 + (spin(trace) * time) ** 2) - 1))


def inflation_error(trace: Trace) -> float:
    """Relative error of the estimate (ωΔt)² + (1 − 2ν) ω² Σ m r² / (E V) of V/V0 − 1 at the end."""
    return float(abs((volume_ratio(trace)[1][-1] - 1) / estimated_excess(trace) - 1))


def volume_excess(trace: Trace) -> Array:
    """V/V0 − 1 of any step."""
    return volume_ratio(trace)[1] - 1


def energy_rise(trace: Trace) -> float:
    """Largest rise of the total energy above its running minimum / energy at the start."""
    energy = trace.values("step", "total_energy")
    return float((energy - np.minimum.accumulate(energy)).max() / energy[0])


WARPED = rows("warped", says="warped FEM, all time steps")
UNNAMED = WARPED.noted(lambda _: "")

M.largest(
    "linear_volume_error", linear_volume_error, rows("linear", says="linear FEM, all time steps").noted(lambda _: "")
)
M.largest("warped_inflation_error", inflation_error, UNNAMED.where(is_in_estimate))
M.largest("warped_volume_excess", volume_excess, UNNAMED.where(is_in_estimate))
M.largest("warped_volume_excess_all", volume_excess, UNNAMED)
M.largest("warped_energy_rise", energy_rise, WARPED)
