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
FINE = 160  # links
# By damping ratio of the first mode of a rod with one end on the wall.
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


def courant(trace: Trace) -> float:
    """Δt c over the length of a link."""
    h, c = number(trace, "time_step_s"), number(trace, "wave_speed_m_s")
    return h * c * links(trace) / number(trace, "length_m")


def gap(trace: Trace) -> float:
    """Distance from the wall at the start over the length of a link."""
    return number(trace, "gap_m") * links(trace) / number(trace, "length_m")


def starts_on_the_wall(trace: Trace) -> bool:
    """Whether the rod does, and sound goes half a link in a step, as in the independent program."""
    return gap(trace) == 0.0 and abs(courant(trace) - 0.5) < 1e-6


def energy_kept(trace: Trace) -> float:
    """Energy of an undamped rod at the end over that at the start, ½ v·Mv + ½ u·Ku − Δt/2 v·Ku with displacements u from the unstrained
    rod, which symplectic steps keep exactly while nothing touches the wall."""
    m = trace.scene("masses")
    n, h, length = links(trace), number(trace, "time_step_s"), number(trace, "length_m")
    stiffness = m[1] * (number(trace, "wave_speed_m_s") * n / length) ** 2
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    x = extremes.finite(trace.values("step", "positions"), trace.label)[-1, :, 0]
    stretch = np.diff(x) - length / n
    elastic = 0.5 * stiffness * stretch @ stretch - 0.5 * h * stiffness * np.diff(v[-1]) @ stretch
    return float((0.5 * m @ v[-1] ** 2 + elastic) / (0.5 * m @ v[0] ** 2))


def expected_energy(trace: Trace) -> float:
    """1 − m/M (1 + 2 s² ρ (1 − ρ)) of an end of mass m on a rod of mass M, s = Δt c/l: a particle that the wall stops on its surface in the
    step that would take it inside, ρ = its way in that step over that of the others, and in the next one altogether, loses its energy
    of motion and what the link has gained meanwhile, 2 s² as a link's mass is twice that of the end."""
    m = trace.scene("masses")
    steps = number(trace, "gap_m") / (number(trace, "speed_m_s") * number(trace, "time_step_s"))
    part = steps - np.floor(steps)
    return float(1.0 - m[0] / m.sum() * (1.0 + courant(trace) ** 2 * m[1] / m[0] * part * (1.0 - part)))


def damping_ratio(trace: Trace) -> float:
    """ζ = k_d ω/2 of the first mode of a rod whose one end rests on the wall, ω = πc/2L."""
    omega = np.pi / 2 * number(trace, "wave_speed_m_s") / number(trace, "length_m")
    return float(parameter(trace, "stretch_damping_s") * omega / 2)


def _stopped(data: ExperimentData) -> list[Trace]:
    return data.every(name="elastic", where={"scene.parameters.restitution": 0.0})


@measurement("rebound.error", unit="1", experiment=EXPERIMENT)
def error(data: ExperimentData) -> Measured:
    """Largest difference between the rebound of an undamped rod whose particles the wall stops and that of an independent program, of rods
    that start on the wall with half a link in a step."""
    cells = [c for c in _stopped(data) if links(c) in REFERENCE and starts_on_the_wall(c)]
    return extremes.largest({c: abs(rebound(c) - REFERENCE[links(c)]) for c in cells})


@measurement("rebound.energy_error", unit="1", experiment=EXPERIMENT)
def energy_error(data: ExperimentData) -> Measured:
    """Largest difference between the energy that is left of an undamped rod whose end particle the wall stops, over that at the start, and
    1 − m/M (1 + 2 s² ρ (1 − ρ)), of all gaps and steps."""
    return extremes.largest({c: abs(energy_kept(c) - expected_energy(c)) for c in _stopped(data)})


@measurement("rebound.least_energy_kept", unit="1", experiment=EXPERIMENT)
def least_energy_kept(data: ExperimentData) -> Measured:
    """Least energy that is left of an undamped rod whose end particle the wall stops, over that at the start."""
    return extremes.least({c: energy_kept(c) for c in _stopped(data)})


@measurement("rebound.spread_with_steps", unit="1", experiment=EXPERIMENT)
def spread_with_steps(data: ExperimentData) -> Measured:
    """Largest difference between the rebounds of two rods of as many links whose ends the wall stops, with other gaps and steps."""
    found: dict[int, list[float]] = {}
    for cell in _stopped(data):
        found.setdefault(links(cell), []).append(rebound(cell))
    return extremes.largest({f"{n} links": max(values) - min(values) for n, values in found.items()})


@measurement("rebound.largest_energy_thrown_back", unit="1", experiment=EXPERIMENT)
def largest_energy_thrown_back(data: ExperimentData) -> Measured:
    """Largest energy at the end over that at the start of an undamped rod whose end particle the wall throws back: above one, energy is
    made."""
    cells = data.every(name="elastic", where={"scene.parameters.restitution": 1.0})
    return extremes.largest({c: energy_kept(c) for c in cells})


@measurement("rebound.without_springs", unit="1", experiment=EXPERIMENT)
def without_springs(data: ExperimentData) -> Measured:
    """Largest rebound, either way, of particles that springs of no account hold together: the wall stops one after another."""
    return extremes.largest({c: abs(rebound(c)) for c in data.every(name="loose")})


def particle_differences(data: ExperimentData) -> dict[Trace, float]:
    """|e(0) − e(1)| of every rod of which the wall throws the particles back."""
    found = {}
    for cell in data.every(name="elastic", where={"scene.parameters.restitution": 1.0}):
        paths = ("links", "speed_m_s", "wave_speed_m_s", "gap_m", "time_step_s")
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
    """Largest difference between the rebounds of two rods of 160 links or more, of which the wall stops the particles of one and throws back
    those of the other."""
    return extremes.largest({c: v for c, v in particle_differences(data).items() if links(c) >= FINE})


@measurement("rebound.stiffness_change", unit="1", experiment=EXPERIMENT)
def stiffness_change(data: ExperimentData) -> Measured:
    """Largest change of the rebound when the modulus is a hundred times as large, at equal speed, mesh and Δt c/l."""
    found = {}
    for cell in data.every(name="elastic", where={"scene.parameters.wave_speed_m_s": 10.0}):
        paths = ("links", "speed_m_s", "restitution", "gap_m")
        same = {f"scene.parameters.{n}": cell.value(f"scene.parameters.{n}") for n in paths}
        same["scene.parameters.time_step_s"] = 10.0 * number(cell, "time_step_s")
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


@measurement("rebound.largest_gap", unit="1", experiment=EXPERIMENT)
def largest_gap(data: ExperimentData) -> Measured:
    """Largest distance from the wall at the start of an undamped rod that is stopped, over the length of a link."""
    return extremes.largest({c: gap(c) for c in _stopped(data)})


@measurement("rebound.longest_step", unit="1", experiment=EXPERIMENT)
def longest_step(data: ExperimentData) -> Measured:
    """Largest Δt c over the length of a link of an undamped rod that is stopped."""
    return extremes.largest({c: courant(c) for c in _stopped(data)})


@measurement("rebound.finest", unit="1", experiment=EXPERIMENT)
def finest(data: ExperimentData) -> Measured:
    """Least rebound of an undamped rod of the most links."""
    cells = data.every(name="elastic")
    most = max(links(c) for c in cells)
    return extremes.least({c: rebound(c) for c in cells if links(c) == most})


@measurement("rebound.damping_ratios", unit="1", experiment=EXPERIMENT)
def damping_ratios(data: ExperimentData) -> float:
    """Damping ratios."""
    return float(len({round(damping_ratio(c), 4) for c in data.every(name="damped")}))
