# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_start: does a body whose positions are multiplied by up to two shrink back?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.recovery import End, FreeBody, ends, stretched_energy
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/scaled_start"
PERIODS = 20  # of the lowest frequency
STRAIN = 1e-3  # root mean square of l/l0 − 1
MOTION = 1e-6  # kinetic energy over the elastic energy of the start


def factor_of(trace: Trace) -> float:
    """s0."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def damping(trace: Trace, body: FreeBody) -> float:
    """Rate of the mass damping over the lowest frequency."""
    return float(trace.value("method.parameters.mass_damping_1_s")) / body.lowest_frequency


def is_back(end: End, energy: float) -> bool:
    """No inverted element, edges of their lengths, at rest."""
    return end.determinant > 0 and end.rms_strain < STRAIN and end.kinetic_energy < MOTION * energy


def share(trace: Trace) -> float:
    """Of the seeds, those that are back after twenty periods."""
    body = FreeBody.of(trace)
    energy = stretched_energy(body, factor_of(trace))
    return float(np.mean([is_back(end, energy) for end in ends(trace, body, PERIODS * body.period)]))


STANDARD = ("explicit", "implicit")  # St. Venant–Kirchhoff
EXPLICIT = ("explicit", "invertible")
DAMPED = 0.5  # of the lowest frequency
LONG = 0.1  # Δt ω_1 from which implicit Euler itself takes enough energy in twenty periods
SMALL = 1.1  # factor


def turn(trace: Trace, body: FreeBody) -> float:
    """Δt ω_1."""
    return float(trace.value("scene.parameters.time_step_s")) * body.lowest_frequency


def is_in_regime(trace: Trace) -> bool:
    """Standard elements from at most SMALL, all others from any factor; with damping, or long implicit steps, which damp too."""
    if trace.method_name in STANDARD and factor_of(trace) > SMALL * (1 + 1e-9):
        return False
    body = FreeBody.of(trace)
    return damping(trace, body) >= DAMPED or (trace.method_name not in EXPLICIT and turn(trace, body) >= LONG)


@measurement("scaled_start.share_least", unit="1", experiment=EXPERIMENT)
def share_least(data: ExperimentData) -> Measured:
    """Share of seeds that are back at rest after twenty periods, without an inverted element: worst method, factor and damping."""
    return extremes.least({c: share(c) for c in data.some(status=None)})


@measurement("scaled_start.share_in_regime", unit="1", experiment=EXPERIMENT)
def share_in_regime(data: ExperimentData) -> Measured:
    """Share of seeds that are back, worst case: standard elements from factors up to 1.1, linear, warped and invertible ones from any;
    damped by at least half the lowest frequency ω_1, or implicit steps with Δt ω_1 ≥ 0.1."""
    return extremes.least({c: share(c) for c in data.some(status=None, keep=is_in_regime)})


@measurement("scaled_start.explicit_in_regime", unit="1", experiment=EXPERIMENT)
def explicit_in_regime(data: ExperimentData) -> float:
    """Number of explicit cells that the regime holds."""
    return float(len([c for c in data.select(status=None, keep=is_in_regime) if c.method_name in EXPLICIT]))


def mirrored_shares(data: ExperimentData, names: Sequence[str]) -> dict[Trace, float]:
    """Cell → share of seeds that are at rest with an inverted element."""
    shares = {}
    for cell in data.some(status=None, keep=lambda c: c.method_name in names):
        body = FreeBody.of(cell)
        still = MOTION * stretched_energy(body, factor_of(cell))
        late = ends(cell, body, PERIODS * body.period)
        shares[cell] = float(np.mean([end.determinant < 0 and end.kinetic_energy < still for end in late]))
    return shares


@measurement("scaled_start.mirrored_share", unit="1", experiment=EXPERIMENT)
def mirrored_share(data: ExperimentData) -> Measured:
    """Largest share of seeds that are at rest with an inverted element: standard elements."""
    return extremes.largest(mirrored_shares(data, STANDARD))


@measurement("scaled_start.mirrored_share_implicit", unit="1", experiment=EXPERIMENT)
def mirrored_share_implicit(data: ExperimentData) -> Measured:
    """Largest share of seeds that are at rest with an inverted element: implicit steps of standard elements."""
    return extremes.largest(mirrored_shares(data, ["implicit"]))
