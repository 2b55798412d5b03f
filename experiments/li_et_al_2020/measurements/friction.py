# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of li_et_al_2020/slopes and slope_of_body: a block that sticks or slides."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, parameter, rows

PLANE = Measures("li_et_al_2020/slopes")
BODY = Measures("li_et_al_2020/slope_of_body")
time_step = parameter("time_step_s", float, "Δt.")


def coefficient(trace: Trace) -> float:
    """μ, of the plane or of the bodies."""
    return trace.setting("self_friction") or float(trace.value("scene.parameters.friction", 0.0))


def gravity(trace: Trace) -> tuple[float, float]:
    """g sin α, g cos α, m/s²."""
    along, up, _ = trace.value("scene.parameters.gravity_m_s2")
    return float(along), -float(up)


def steepness(trace: Trace) -> float:
    """tan α/μ; infinite without friction."""
    along, across = gravity(trace)
    return along / across / coefficient(trace) if coefficient(trace) > 0 else math.inf


def _speeds(trace: Trace) -> list[Array]:
    """Speed of the free body down the slope after every step, m/s, by member."""
    moves = trace.scene("rest_positions")[:, 1] > (-1e-9 if trace.value("scene.name") == "block_on_body" else -np.inf)
    masses = trace.scene("masses")[moves]
    members = (series.values[..., moves, 0] for series in trace.series("step", "velocities").members())
    return [np.asarray(velocities @ masses / masses.sum()) for velocities in members]


def creep(trace: Trace) -> Array:
    """Speed in the last third/ε(1 − √(1 − tan α/μ)), the value farthest from 1."""
    expected = trace.setting("friction_speed_m_s") * (1 - math.sqrt(1 - steepness(trace)))
    late = [v[-(len(v) // 3) :] / expected for v in _speeds(trace)]
    return np.array([v[np.abs(v - 1).argmax()] for v in late])


def creep_error(trace: Trace) -> Array:
    """Relative error of creep speed against ε(1 − √(1 − tan α/μ))."""
    return np.asarray(np.abs(creep(trace) - 1))


def acceleration(trace: Trace) -> Array:
    """Acceleration in the second half relative to g (sin α − μ cos α)."""
    along, across = gravity(trace)
    found = [(v[-1] - v[len(v) // 2]) / (len(v) - 1 - len(v) // 2) for v in _speeds(trace)]
    return np.array(found) / time_step(trace) / (along - coefficient(trace) * across)


def acceleration_error(trace: Trace) -> Array:
    """Relative error of acceleration against Coulomb's law.

    g (sin α − μ cos α), in the second half."""
    return np.asarray(np.abs(acceleration(trace) - 1))


def sticks(trace: Trace) -> bool:
    """Slopes below the angle of friction."""
    return steepness(trace) < 1


def slides(trace: Trace) -> bool:
    """Slopes clearly above the angle of friction."""
    return 1.03 < steepness(trace) < math.inf


def barely_slides(trace: Trace) -> bool:
    """Slopes 2 % above the angle of friction."""
    return 1 < steepness(trace) <= 1.03


def is_frictionless(trace: Trace) -> bool:
    """Slopes without friction."""
    return coefficient(trace) == 0


def is_lower_friction(trace: Trace) -> bool:
    """μ at most a half."""
    return coefficient(trace) <= 0.5


for M, RUNS in ((PLANE, rows("barrier", says="all blocks and steps")), (BODY, rows("barrier", says="all slopes"))):
    M.largest("creep_error", creep_error, RUNS.where(sticks))
    M.largest("acceleration_error", acceleration_error, RUNS.where(slides))
    M.least("slip_beyond", acceleration, RUNS.where(barely_slides))
RUNS = rows("barrier", says="all blocks and steps")
PLANE.largest("frictionless_error", acceleration_error, RUNS.where(is_frictionless))
PLANE.largest("creep_error_in_regime", creep_error, RUNS.where(sticks, is_lower_friction))
PLANE.largest("acceleration_error_in_regime", acceleration_error, RUNS.where(slides, is_lower_friction))
