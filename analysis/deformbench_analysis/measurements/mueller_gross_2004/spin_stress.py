# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/spin_stress: stress of a spinning block by the rotation it is taken in (erratum B-IVM-3)."""

from __future__ import annotations

from ...measurement import measurement
from ...results import ExperimentData

EXPERIMENT = "mueller_gross_2004/spin_stress"
SLOW, FAST = [0.0, 0.0, 5.0], [0.0, 0.0, 20.0]  # rad/s


def last_stress(data: ExperimentData, name: str, spin: list[float]) -> float:
    """Largest principal stress of any element at the end, Δt = 0.01 s, Pa."""
    cell = data.one(
        name=name, where={"scene.parameters.angular_velocity_rad_s": spin, "scene.parameters.time_step_s": 0.01}
    )
    return float(cell.values("step", "max_stress_principal")[-1])


@measurement("spin_stress.stale_slow", unit="Pa", experiment=EXPERIMENT)
def stale_slow(data: ExperimentData) -> float:
    """Largest principal stress after 100 steps at 5 rad/s, taken in the rotation of the step's start."""
    return last_stress(data, "stale", SLOW)


@measurement("spin_stress.fresh_slow", unit="Pa", experiment=EXPERIMENT)
def fresh_slow(data: ExperimentData) -> float:
    """Largest principal stress after 100 steps at 5 rad/s, taken in the rotation of the step's end."""
    return last_stress(data, "fresh", SLOW)


@measurement("spin_stress.stale_fast", unit="Pa", experiment=EXPERIMENT)
def stale_fast(data: ExperimentData) -> float:
    """Largest principal stress after 100 steps at 20 rad/s, taken in the rotation of the step's start."""
    return last_stress(data, "stale", FAST)


@measurement("spin_stress.fresh_fast", unit="Pa", experiment=EXPERIMENT)
def fresh_fast(data: ExperimentData) -> float:
    """Largest principal stress after 100 steps at 20 rad/s, taken in the rotation of the step's end."""
    return last_stress(data, "fresh", FAST)
