# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/propagation_history: turn and delay of a front when the stress turns."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .crack_fronts import frames, fronts, seeds

M = Measures("pauly_et_al_2005/propagation_history")
UNTURNED = 0.1  # departure / path length above which a front has turned


def turns(trace: Trace, member: int | None) -> tuple[float, float]:
    """Final departure from the crack's first plane after the switch, and delay of the turn in steps, of one member.

    The departure is the largest distance of a node from the plane relative to the path length αλ(t − t_s). The delay
    runs from the first step with the turned stress until a node has left the plane by a tenth of its path."""
    switch = trace.setting("crack_switch_time_s")
    speed = trace.setting("crack_speed_m_s_pa") * max(trace.value("method.parameters.crack_stress_pa"))
    step_length = trace.number("time_step_s")
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


@quantity("distance of a front node from the first plane relative to the path since the stress turned")
def turn(trace: Trace) -> Array:
    return np.array([turns(trace, m)[0] for m in seeds(trace)])


@quantity("steps of the turned stress before a front follows it, infinite where none does")
def delay(trace: Trace) -> Array:
    return np.array([turns(trace, m)[1] for m in seeds(trace)])


STRESS, PRINTED = rows("stress", says="fronts without history"), rows(
    "as_printed", says="fronts of history 1 as printed"
)

M.largest("geometric_turn", turn, rows("geometric", says="fronts of history 1"))
M.least("stress_turn", turn, STRESS)
M.largest("stress_delay", delay, STRESS)
M.largest("printed_delay", delay, PRINTED)
M.least("printed_turn", turn, PRINTED)
