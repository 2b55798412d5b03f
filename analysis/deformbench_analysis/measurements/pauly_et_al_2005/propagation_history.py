# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/propagation_history: whether a front follows a stress that turns under way."""

from __future__ import annotations

import math

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import frames, fronts, seeds

EXPERIMENT = "pauly_et_al_2005/propagation_history"
UNTURNED = 0.1  # share of the way out of the plane from which on a front has turned


def turns(trace: Trace, member: int | None) -> tuple[float, float]:
    """Of one member after the switch: the largest distance of a node from the crack's first plane over the way αλ(t − t_s), at the end; and the
    number of steps after the first in which the turned stress acts, until a node is out of the plane by a tenth of the way it went.
    """
    switch = float(trace.value("method.parameters.crack_switch_time_s"))
    speed = float(trace.value("method.parameters.crack_speed_m_s_pa")) * max(
        trace.value("method.parameters.crack_stress_pa")
    )
    step_length = float(trace.value("scene.parameters.time_step_s"))
    plane: float | None = None
    first_turned: int | None = None
    late = math.inf
    share = 0.0
    for step, time, arrays in frames(trace, member):
        found = fronts(arrays)
        if len(found) != 1:
            raise MissingData(f"{trace.label}: {len(found)} fronts, expected one")
        height = found[0].nodes[:, 2]
        plane = float(height.mean()) if plane is None else plane
        if time < switch:
            continue
        first_turned = step if first_turned is None else first_turned
        way = speed * step_length * (step - first_turned + 1)
        share = float(np.abs(height - plane).max()) / way
        if share > UNTURNED and math.isinf(late):
            late = float(step - first_turned)
    return share, late


@measurement("propagation_history.geometric_turn", unit="1", experiment=EXPERIMENT)
def geometric_turn(data: ExperimentData) -> Measured:
    """Largest distance of a front's node from the first plane over the way that fronts went after the stress has turned, history 1."""
    return extremes.largest({c: max(turns(c, m)[0] for m in seeds(c)) for c in data.every(name="geometric")})


@measurement("propagation_history.stress_turn", unit="1", experiment=EXPERIMENT)
def stress_turn(data: ExperimentData) -> Measured:
    """Largest distance of a front's node from the first plane over the way that fronts went after the stress has turned, without history,
    least of all clouds."""
    return extremes.least({c: min(turns(c, m)[0] for m in seeds(c)) for c in data.every(name="stress")})


@measurement("propagation_history.stress_delay", unit="1", experiment=EXPERIMENT)
def stress_delay(data: ExperimentData) -> Measured:
    """Steps of the turned stress before a front without history follows it, most of all clouds; infinite where it does not."""
    return extremes.largest({c: max(turns(c, m)[1] for m in seeds(c)) for c in data.every(name="stress")})


@measurement("propagation_history.printed_delay", unit="1", experiment=EXPERIMENT)
def printed_delay(data: ExperimentData) -> Measured:
    """Steps of the turned stress before a front follows it with history 1 as printed, most of all clouds; infinite where it does not."""
    return extremes.largest({c: max(turns(c, m)[1] for m in seeds(c)) for c in data.every(name="as_printed")})


@measurement("propagation_history.printed_turn", unit="1", experiment=EXPERIMENT)
def printed_turn(data: ExperimentData) -> Measured:
    """Distance from the first plane over the way, history 1 as printed, least of all clouds."""
    return extremes.least({c: min(turns(c, m)[0] for m in seeds(c)) for c in data.every(name="as_printed")})
