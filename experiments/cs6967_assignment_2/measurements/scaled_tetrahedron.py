# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/scaled_tetrahedron: the double well of a regular tetrahedron under equal scaling.

Scaled by s it has the energy V 3/8 (2μ + 3λ) (s² − 1)² and the kinetic energy I ṡ²/2 with I = Σ m |x0 − c|², so that
s̈ = −½ ω² s (s² − 1) − γ ṡ, ω² = 3 (2μ + 3λ) V/I. Undamped it turns where the energy is that of the start: at √(2 − s0²) while s0
is below √2, and from there on at −s0, its mirror image.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import deformation_gradients, lame, volumes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/scaled_tetrahedron"


def scales(trace: Trace) -> tuple[Array, Array]:
    """(time, s): the cube root of det F with its sign, of every row."""
    positions = trace.series("frame", "positions")
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra")
    determinants = [float(np.linalg.det(deformation_gradients(rest, tetrahedra, x))[0]) for x in positions.values]
    return positions.time, np.cbrt(np.array(determinants))


def start(trace: Trace) -> float:
    """s0."""
    return float(trace.value("scene.parameters.initial_scale")[0])


def rate(trace: Trace) -> float:
    """γ, 1/s."""
    return float(trace.value("method.parameters.mass_damping_1_s"))


def frequency(trace: Trace) -> float:
    """ω of small vibrations about the rest size, 1/s."""
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    centre = masses @ rest / masses.sum()
    inertia = float(masses @ ((rest - centre) ** 2).sum(axis=1))
    first, second = lame(
        float(trace.value("scene.parameters.young_modulus_pa")), float(trace.value("scene.parameters.poisson_ratio"))
    )
    volume = float(volumes(rest, trace.scene("tetrahedra"))[0])
    return math.sqrt(3 * (2 * second + 3 * first) * volume / inertia)


def turning_point(factor: float) -> float:
    """Lowest s of the undamped swing from `factor` > 1."""
    return math.sqrt(2 - factor**2) if factor ** 2 < 2 else -factor


def end_of(factor: float, omega: float, gamma: float, time: float) -> float:
    """s at `time`, by the differential equation."""
    found = solve_ivp(
        lambda _, y: [y[1], -0.5 * omega**2 * y[0] * (y[0] ** 2 - 1) - gamma * y[1]],
        (0.0, time),
        [factor, 0.0],
        method="DOP853",
        rtol=1e-11,
        atol=1e-11,
    )
    return float(found.y[0, -1])


def first_turn(trace: Trace) -> float:
    """s where it first stops falling. Later swings need not stay a pure scaling: under pressure other modes grow out of rounding."""
    values = scales(trace)[1]
    rising = np.flatnonzero(np.diff(values) > 0)
    if not rising.size:
        raise MissingData(f"{trace.label}: the run ends before the first turn")
    return float(values[rising[0]])


def turn_error(trace: Trace) -> float:
    """|first turn − turning point| over s0."""
    return abs(first_turn(trace) - turning_point(start(trace))) / start(trace)


def _undamped(data: ExperimentData) -> list[Trace]:
    return [c for c in data.every() if rate(c) == 0.0]


@measurement("scaled_tetrahedron.turning_error", unit="1", experiment=EXPERIMENT)
def turning_error(data: ExperimentData) -> Measured:
    """Largest difference over s0 between the scale where the undamped swing first turns and the double well's turning point: √(2 − s0²)
    below √2, and −s0, the mirror image, from there on."""
    return extremes.largest({c: turn_error(c) for c in _undamped(data)})


@measurement("scaled_tetrahedron.starts_that_mirror", unit="1", experiment=EXPERIMENT)
def starts_that_mirror(data: ExperimentData) -> Measured:
    """Least start factor from which the undamped tetrahedron turns inside out."""
    mirrored = {c: start(c) for c in _undamped(data) if first_turn(c) < 0}
    return extremes.least(mirrored)


@measurement("scaled_tetrahedron.mirrored_ends", unit="1", experiment=EXPERIMENT)
def mirrored_ends(data: ExperimentData) -> Measured:
    """Number of damped runs from twice the size that come to rest within a thousandth of the mirrored shape."""
    found = [c for c in data.every() if rate(c) > 0 and abs(scales(c)[1][-1] + 1) < 1e-3]
    return Measured(float(len(found)), ", ".join(f"γ/ω = {rate(c) / frequency(c):.2f}" for c in found))


@measurement("scaled_tetrahedron.end_error", unit="1", experiment=EXPERIMENT)
def end_error(data: ExperimentData) -> Measured:
    """Largest difference of the scale at the end from that of the double well's differential equation, damped runs."""
    found = {}
    for cell in [c for c in data.every() if rate(c) > 0]:
        times, values = scales(cell)
        expected = end_of(start(cell), frequency(cell), rate(cell), float(times[-1]))
        found[cell] = abs(float(values[-1]) - expected)
    return extremes.largest(found)
