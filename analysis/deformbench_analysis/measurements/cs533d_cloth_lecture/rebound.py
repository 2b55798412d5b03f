# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/rebound: the speed of a rod's centre after it has met a wall, over that before."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter

EXPERIMENT = "cs533d_cloth_lecture/rebound"
# Of rods of so many links in an independent program: symplectic steps, half a link in a step, an end that is stopped.
REFERENCE = {5: 0.885, 10: 0.933, 20: 0.961, 40: 0.976, 80: 0.985}
# By damping ratio of the first mode of a rod with one end on the wall.
FINE = 80  # links
DAMPED = {0.02: 0.82, 0.1: 0.61, 0.3: 0.365, 1.0: 0.11}


@lru_cache(maxsize=256)
def rebound(trace: Trace) -> float:
    """Speed of the centre of mass away from the wall at the end over that towards it at the start."""
    masses = trace.scene("masses")
    speeds = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0] @ masses / masses.sum()
    return float(-speeds[-1] / speeds[0])


def links(trace: Trace) -> int:
    """Springs of the rod."""
    return int(number(trace, "links"))


def strain(trace: Trace) -> float:
    """v/c, the strain of the impact."""
    return number(trace, "speed_m_s") / number(trace, "wave_speed_m_s")


def damping_ratio(trace: Trace) -> float:
    """ζ = k_d ω/2 of the first mode of a rod whose one end rests on the wall, ω = πc/2L."""
    omega = np.pi / 2 * number(trace, "wave_speed_m_s") / number(trace, "length_m")
    return float(parameter(trace, "stretch_damping_s") * omega / 2)


@measurement("rebound.error", unit="1", experiment=EXPERIMENT)
def error(data: ExperimentData) -> Measured:
    """Largest difference between the rebound of an undamped rod whose particles the wall stops and that of an independent program."""
    cells = data.every(
        name="elastic", where={"scene.parameters.restitution": 0.0}, keep=lambda c: links(c) in REFERENCE
    )
    return extremes.largest({c: abs(rebound(c) - REFERENCE[links(c)]) for c in cells})


def particle_differences(data: ExperimentData) -> dict[Trace, float]:
    """|e(0) − e(1)| of every rod of which the wall throws the particles back."""
    found = {}
    for cell in data.every(name="elastic", where={"scene.parameters.restitution": 1.0}):
        paths = ("links", "speed_m_s", "wave_speed_m_s")
        same = {f"scene.parameters.{n}": cell.value(f"scene.parameters.{n}") for n in paths}
        other = data.one(name="elastic", where={**same, "scene.parameters.restitution": 0.0})
        found[cell] = abs(rebound(cell) - rebound(other))
    return found


@measurement("rebound.particle_difference", unit="1", experiment=EXPERIMENT)
def particle_difference(data: ExperimentData) -> Measured:
    """Largest difference between the rebounds of two rods of which the wall stops the particles of one and throws back those of the
    other."""
    return extremes.largest(particle_differences(data))


@measurement("rebound.particle_difference_of_fine_rods", unit="1", experiment=EXPERIMENT)
def particle_difference_of_fine_rods(data: ExperimentData) -> Measured:
    """Largest difference between the rebounds of two rods of 80 links or more, of which the wall stops the particles of one and throws back
    those of the other."""
    return extremes.largest({c: v for c, v in particle_differences(data).items() if links(c) >= FINE})


@measurement("rebound.stiffness_change", unit="1", experiment=EXPERIMENT)
def stiffness_change(data: ExperimentData) -> Measured:
    """Largest change of the rebound when the modulus is a hundred times as large, at equal speed and mesh."""
    found = {}
    for cell in data.every(name="elastic", where={"scene.parameters.wave_speed_m_s": 10.0}):
        paths = ("links", "speed_m_s", "restitution")
        same = {f"scene.parameters.{n}": cell.value(f"scene.parameters.{n}") for n in paths}
        other = data.one(name="elastic", where={**same, "scene.parameters.wave_speed_m_s": 1.0})
        found[cell] = abs(rebound(cell) - rebound(other))
    return extremes.largest(found)


@measurement("rebound.damped_error", unit="1", experiment=EXPERIMENT)
def damped_error(data: ExperimentData) -> Measured:
    """Largest difference between the rebound of a damped rod and that of an independent program at its damping ratio."""
    found = {}
    for cell in data.every(name="damped"):
        near = min(DAMPED, key=lambda z: abs(z - damping_ratio(cell)))
        if abs(near / damping_ratio(cell) - 1) > 1e-3:
            raise MissingData(f"{cell.label}: no reference for a damping ratio of {damping_ratio(cell):.3g}")
        found[cell] = abs(rebound(cell) - DAMPED[near])
    return extremes.largest(found)


@measurement("rebound.finest", unit="1", experiment=EXPERIMENT)
def finest(data: ExperimentData) -> Measured:
    """Least rebound of an undamped rod of the most links."""
    cells = data.every(name="elastic")
    most = max(links(c) for c in cells)
    return extremes.least({c: rebound(c) for c in cells if links(c) == most})


@measurement("rebound.meshes", unit="1", experiment=EXPERIMENT)
def meshes(data: ExperimentData) -> float:
    """Numbers of links, undamped."""
    return float(len({links(c) for c in data.every(name="elastic")}))


@measurement("rebound.damping_ratios", unit="1", experiment=EXPERIMENT)
def damping_ratios(data: ExperimentData) -> float:
    """Damping ratios."""
    return float(len({round(damping_ratio(c), 4) for c in data.every(name="damped")}))
