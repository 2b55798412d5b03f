# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit_gain: how much longer steps limits of strain allow than plain
springs that strain as little, without noise in the start of either."""

from __future__ import annotations

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import number, parameter
from .strain_limit_stability import FORMS, gain_over, steps_of_plain, worst_strain

EXPERIMENT = "cs533d_cloth_lecture/strain_limit_gain"
ENOUGH = {"positions": 0.25, "velocities": 0.075}  # sweeps over N²


def gains(data: ExperimentData) -> dict[Trace, float]:
    """Gain of every run with limits relative to plain springs of equally many vertices."""
    found = {}
    for cell in [c for name in FORMS for c in data.every(name=name)]:
        same = {"scene.parameters.vertices_across": cell.value("scene.parameters.vertices_across")}
        found[cell] = gain_over(steps_of_plain(data.every(name="plain", where=same)), cell)
    return found


def has_enough(trace: Trace) -> bool:
    """Sweeps of N²/4 where the limit changes positions alone, of 0.075 N² where velocities too."""
    share = parameter(trace, "strain_limit_sweeps") / number(trace, "vertices_across") ** 2
    return share >= ENOUGH[trace.method_name] * (1 - 1e-9)


@measurement("strain_limit_gain.gain", unit="1", experiment=EXPERIMENT)
def all_gains(data: ExperimentData) -> Measured:
    """Least over forms, numbers of sweeps and meshes of Δt over 0.9 Δt_c of the plain springs that strain as much at worst, steps of 0.9 Δt_c,
    starts without noise."""
    return extremes.least(gains(data))


@measurement("strain_limit_gain.gain_in_regime", unit="1", experiment=EXPERIMENT)
def gain_in_regime(data: ExperimentData) -> Measured:
    """Least such gain with N²/4 sweeps or more where the limit changes positions alone, with 0.075 N² or more where velocities too."""
    return extremes.least({c: g for c, g in gains(data).items() if has_enough(c)})


@measurement("strain_limit_gain.worst_strain_in_regime", unit="1", experiment=EXPERIMENT)
def worst_strain_in_regime(data: ExperimentData) -> Measured:
    """Largest strain of an edge with N²/4 sweeps or more where the limit changes positions alone, with 0.075 N² or more where velocities too."""
    return extremes.largest({c: worst_strain(c) for c in gains(data) if has_enough(c)})
