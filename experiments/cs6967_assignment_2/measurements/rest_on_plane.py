# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/rest_on_plane: the weight that the stresses of a resting block carry to the plane.

The stresses are those of stored positions by the corotational energy; a strain of 2e-4 makes every law here agree to 1e-3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.corotational import Body
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/rest_on_plane"
GRAVITY = 9.81  # m/s², along −y
OMEGA_LIMIT = 0.0025  # Δt²E/(ρh²) up to which the contact after the solve costs less than a hundredth
EXPLICIT = ("explicit_fem", "invertible_fem")


@dataclass(frozen=True)
class Rest:
    """What the last frame shows."""

    support: float  # over the body's weight
    speed: float  # m/s


def rest(trace: Trace) -> Rest:
    """Vertices within 1e-6 of the body's height above the lowest one touch the plane."""
    *_, (_, _, frame) = trace.frames(last=True)
    body, x = Body.of(trace), frame["positions"]
    weights = GRAVITY * body.masses(float(trace.value("scene.parameters.density_kg_m3")), len(x))
    net = body.forces(x)
    net[:, 1] -= weights
    touches = x[:, 1] <= x[:, 1].min() + 1e-6 * np.ptp(x[:, 1])
    return Rest(
        float(-net[touches, 1].sum() / weights.sum()),
        float(np.linalg.norm(frame["velocities"], axis=1).max()),
    )


def step_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the side of a cell."""
    side, cells, young, density, dt = (
        float(trace.value(f"scene.parameters.{n}"))
        for n in (
            "side_m",
            "cells_across",
            "young_modulus_pa",
            "density_kg_m3",
            "time_step_s",
        )
    )
    return dt**2 * young / (density * (side / cells) ** 2)


def is_in_regime(trace: Trace) -> bool:
    """Whether the step's equation holds where the contact acts: explicit steps, or so small a step that it hardly matters."""
    return trace.method_id in EXPLICIT or step_number(trace) <= OMEGA_LIMIT


@measurement("rest_on_plane.support_error_in_regime", unit="1", experiment=EXPERIMENT)
def support_error_in_regime(data: ExperimentData) -> Measured:
    """Largest |support/(ρVg) − 1| of explicit methods, and of implicit ones with Δt²E/(ρh²) ≤ 0.0025; the support is what the
    stresses and weights of the touching vertices press on the plane with, at the end."""
    return extremes.largest({c: abs(rest(c).support - 1) for c in data.every(keep=is_in_regime)})


def excess_coefficient(trace: Trace) -> float:
    """(support/(ρVg) − 1) (1 + γΔt)/Ω, Ω = Δt²E/(ρh²), γ the mass damping."""
    damping = float(trace.value("method.parameters.mass_damping_1_s"))
    slowed = 1 + damping * float(trace.value("scene.parameters.time_step_s"))
    return (rest(trace).support - 1) * slowed / step_number(trace)


def excess_coefficients(data: ExperimentData) -> dict[Trace, float]:
    """Of the methods whose contact acts after an implicit solve."""
    return {c: excess_coefficient(c) for c in data.every(keep=lambda c: c.method_id not in EXPLICIT)}


@measurement("rest_on_plane.excess_coefficient_least", unit="1", experiment=EXPERIMENT)
def least_excess_coefficient(data: ExperimentData) -> Measured:
    """Least k in support = ρVg (1 + k Δt²E/(ρh²)/(1 + γΔt)), h the side of a cell, γ the mass damping, of the methods whose contact
    acts after an implicit solve, every time step; the support is what stresses and weights press on the plane with at the end.
    """
    return extremes.least(excess_coefficients(data))


@measurement("rest_on_plane.excess_coefficient_largest", unit="1", experiment=EXPERIMENT)
def largest_excess_coefficient(data: ExperimentData) -> Measured:
    """Largest k in support = ρVg (1 + k Δt²E/(ρh²)/(1 + γΔt)), h the side of a cell, γ the mass damping, of the methods whose contact
    acts after an implicit solve, every time step; the support is what stresses and weights press on the plane with at the end.
    """
    return extremes.largest(excess_coefficients(data))


@measurement("rest_on_plane.largest_support", unit="1", experiment=EXPERIMENT)
def largest_support(data: ExperimentData) -> Measured:
    """Largest support/(ρVg), the support being what the stresses and weights of the touching vertices press on the plane with, at
    the end, every method and time step."""
    return extremes.largest({c: rest(c).support for c in data.every()})


@measurement("rest_on_plane.methods_in_regime", unit="1", experiment=EXPERIMENT)
def methods_in_regime(data: ExperimentData) -> float:
    """Number of different methods judged in the regime."""
    return float(len({c.method_id for c in data.every(keep=is_in_regime)}))


@measurement("rest_on_plane.speed", unit="m/s", experiment=EXPERIMENT)
def speed(data: ExperimentData) -> Measured:
    """Largest speed of a vertex at the end in the regime: whether the block has come to rest."""
    return extremes.largest({c: rest(c).speed for c in data.every(keep=is_in_regime)})
