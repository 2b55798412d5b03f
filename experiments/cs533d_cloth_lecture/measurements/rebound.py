# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/rebound: speed of a rod's centre of mass after / before hitting
a wall."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, difference, extremes, parameter, quantity
from deformbench_analysis.vocabulary import rows

M = Measures("cs533d_cloth_lecture/rebound")
# Rebound by number of links from an independent program: symplectic steps, Δt c/l = 0.5, end stopped.
REFERENCE = {5: 0.885, 10: 0.933, 20: 0.961, 40: 0.976, 80: 0.985}
FINE = 160  # links
# By damping ratio of the first mode of a rod with one end on the wall.
DAMPED = {0.02: 0.82, 0.1: 0.61, 0.3: 0.365, 1.0: 0.11}
links = parameter("links", int, "Springs of the rod.")


@lru_cache(maxsize=256)
def rebound(trace: Trace) -> float:
    """Final speed of the centre of mass away from the wall / initial speed towards it."""
    masses = trace.scene("masses")
    speeds = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0] @ masses / masses.sum()
    return float(-speeds[-1] / speeds[0])


def strain(trace: Trace) -> float:
    """v/c, the strain of the impact."""
    return trace.number("speed_m_s") / trace.number("wave_speed_m_s")


def courant(trace: Trace) -> float:
    """Δt c / link length."""
    h, c = trace.number("time_step_s"), trace.number("wave_speed_m_s")
    return h * c * links(trace) / trace.number("length_m")


def gap(trace: Trace) -> float:
    """Initial distance from the wall / link length."""
    return trace.number("gap_m") * links(trace) / trace.number("length_m")


def starts_on_the_wall(trace: Trace) -> bool:
    """Whether it does, with Δt c/l = 0.5, as in the independent program."""
    return gap(trace) == 0.0 and abs(courant(trace) - 0.5) < 1e-6


def energy_kept(trace: Trace) -> float:
    """Final / initial energy ½ v·Mv + ½ u·Ku − Δt/2 v·Ku of an undamped rod, u the displacements from the unstrained
    rod; symplectic steps conserve it exactly while nothing touches the wall."""
    m = trace.scene("masses")
    n, h, length = links(trace), trace.number("time_step_s"), trace.number("length_m")
    stiffness = m[1] * (trace.number("wave_speed_m_s") * n / length) ** 2
    v = extremes.finite(trace.values("step", "velocities"), trace.label)[:, :, 0]
    x = extremes.finite(trace.values("step", "positions"), trace.label)[-1, :, 0]
    stretch = np.diff(x) - length / n
    elastic = 0.5 * stiffness * stretch @ stretch - 0.5 * h * stiffness * np.diff(v[-1]) @ stretch
    return float((0.5 * m @ v[-1] ** 2 + elastic) / (0.5 * m @ v[0] ** 2))


def expected_energy(trace: Trace) -> float:
    """1 − m/M (1 + 2 s² ρ (1 − ρ)) of an end of mass m on a rod of mass M, s = Δt c/l. The wall puts the end on its
    surface in the step that would take it inside, where ρ is its displacement / that of the others, and stops it in
    the next. Its kinetic energy and its link's energy gain are lost; the factor 2 is an inner mass / m."""
    m = trace.scene("masses")
    steps = trace.number("gap_m") / (trace.number("speed_m_s") * trace.number("time_step_s"))
    part = steps - np.floor(steps)
    return float(1.0 - m[0] / m.sum() * (1.0 + courant(trace) ** 2 * m[1] / m[0] * part * (1.0 - part)))


def damping_ratio(trace: Trace) -> float:
    """ζ = k_d ω/2 of the first mode of a rod whose one end rests on the wall, ω = πc/2L."""
    omega = np.pi / 2 * trace.number("wave_speed_m_s") / trace.number("length_m")
    return float(trace.setting("stretch_damping_s") * omega / 2)


@quantity("|rebound − that of an independent program|")
def _error(trace: Trace) -> float:
    return abs(rebound(trace) - REFERENCE[links(trace)])


@quantity("|energy kept − 1 + m/M (1 + 2 s² ρ (1 − ρ))|, s = Δt c/l")
def _energy_error(trace: Trace) -> float:
    return abs(energy_kept(trace) - expected_energy(trace))


@quantity("|rebound − that of an independent program at equal damping ratio|")
def _damped_error(trace: Trace) -> float:
    near = min(DAMPED, key=lambda z: abs(z - damping_ratio(trace)))
    if abs(near / damping_ratio(trace) - 1) > 1e-3:
        raise MissingData(f"{trace.label}: no reference for a damping ratio of {damping_ratio(trace):.3g}")
    return abs(rebound(trace) - DAMPED[near])


@quantity("range of the rebounds")
def _spread(*rods: Trace) -> float:
    found = [rebound(c) for c in rods]
    return max(found) - min(found)


@quantity("|rebound|")
def _either_way(trace: Trace) -> float:
    return abs(rebound(trace))


def _has_reference(trace: Trace) -> bool:
    """Δt c/l = 0.5, from the wall."""
    return links(trace) in REFERENCE and starts_on_the_wall(trace)


def _is_fine(trace: Trace) -> bool:
    """160 links or more."""
    return links(trace) >= FINE


def _ten_times_the_step(trace: Trace) -> dict[str, float]:
    """Equal Δt c/l at a tenth of the wave speed."""
    return {"scene.parameters.time_step_s": 10.0 * trace.number("time_step_s")}


ELASTIC, DAMPED_RODS = rows("elastic", says="undamped rods"), rows("damped", says="damped rods")
RESTITUTION, WAVE = "scene.parameters.restitution", "scene.parameters.wave_speed_m_s"
STOPPED = ELASTIC.where({RESTITUTION: 0.0}, says="stopped")
THROWN = ELASTIC.where({RESTITUTION: 1.0}, says="thrown back")
EQUAL_RODS = ("links", "speed_m_s", "wave_speed_m_s", "gap_m", "time_step_s")

M.largest("error", _error, STOPPED.where(_has_reference))
M.largest("energy_error", _energy_error, STOPPED)
M.least("least_energy_kept", quantity("final / initial energy")(energy_kept), STOPPED)
M.largest(
    "spread_with_steps",
    _spread,
    STOPPED.grouped(links, says="all gaps and steps").noted(lambda *rods: f"{links(rods[0])} links"),
)
M.largest("largest_energy_thrown_back", quantity("final / initial energy")(energy_kept), THROWN)
M.largest("without_springs", _either_way, rows("loose", says="particles with negligible springs"))
M.largest(
    "particle_difference",
    difference(rebound, "difference of the rebounds"),
    THROWN.beside(STOPPED, *EQUAL_RODS, says="against a stopped one"),
)
M.largest(
    "particle_difference_of_fine_rods",
    difference(rebound, "difference of the rebounds"),
    THROWN.where(_is_fine).beside(STOPPED, *EQUAL_RODS, says="against a stopped one"),
)
M.largest(
    "stiffness_change",
    difference(rebound, "change of the rebound with a hundred times the modulus"),
    ELASTIC.where({WAVE: 10.0}, says="equal speed, mesh and Δt c/l").beside(
        ELASTIC.where({WAVE: 1.0}), "links", "speed_m_s", RESTITUTION, "gap_m", _ten_times_the_step, says=""
    ),
)
M.largest("damped_error", _damped_error, DAMPED_RODS)
M.largest("largest_gap", gap, STOPPED)
M.largest("longest_step", courant, STOPPED)
M.least("finest", quantity("rebound")(rebound), ELASTIC.at_largest(links, says="most links"))
M.distinct("damping_ratios", quantity("damping ratios")(lambda c: round(damping_ratio(c), 4)), DAMPED_RODS)
