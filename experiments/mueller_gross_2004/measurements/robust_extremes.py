# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/robust_extremes: Table 1 a thousand times smaller and larger, from a tangled start."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/robust_extremes"
SHIPPED = "shipped"  # 20 plain iterations, the printed rule


def energy_ratio(trace: Trace) -> float:
    """Largest total energy over that at the start, over all members."""
    return float(
        np.max([float((m.values / m.values[0]).max()) for m in trace.series("step", "total_energy").members()])
    )


def energy_rise(trace: Trace) -> tuple[float, int]:
    """(largest rise of the total energy above its running minimum over the energy at the start, step), over all members."""
    found = {}
    for number, member in enumerate(trace.series("step", "total_energy").members()):
        rise = (member.values - np.minimum.accumulate(member.values)) / member.values[0]
        at = int(rise.argmax())
        found[number, int(member.step[at])] = float(rise[at])
    worst = extremes.at_largest(found)
    return found[worst], worst[1]


def is_bad(trace: Trace) -> bool:
    """Whether a run did not complete, or holds an energy that is not finite."""
    return trace.status != "completed" or not bool(np.isfinite(trace.values("step", "total_energy")).all())


def exact(data: ExperimentData) -> list[Trace]:
    """Runs with exact solves, however they ended."""
    return [c for c in data.cells if c.method_name != SHIPPED]


def _rise(cells: list[Trace]) -> Measured:
    rises = {c: energy_rise(c) for c in cells}
    worst = extremes.at_largest({c: rise for c, (rise, _) in rises.items()})
    return Measured(rises[worst][0], f"{worst.label}, step {rises[worst][1]}")


def _growth(cells: list[Trace]) -> Measured:
    return extremes.largest({c: energy_ratio(c) for c in cells})


@measurement("robust_extremes.bad_ends", unit="1", experiment=EXPERIMENT)
def bad_ends(data: ExperimentData) -> Measured:
    """Number of runs with exact solves that did not complete or whose energy is not finite."""
    bad = [c for c in exact(data) if is_bad(c)]
    if not exact(data):
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: no run with exact solves")
    return Measured(float(len(bad)), "; ".join(f"{c.label}: {c.status_reason or c.status}" for c in bad[:3]))


@measurement("robust_extremes.energy_over_start", unit="1", experiment=EXPERIMENT)
def energy_over_start(data: ExperimentData) -> Measured:
    """Largest total energy over that at the start, all completed runs and seeds; at least 1, the start itself."""
    return _growth(data.some())


@measurement("robust_extremes.energy_rise_elastic", unit="1", experiment=EXPERIMENT)
def energy_rise_elastic(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start: exact solves, no plasticity and no fracture, all seeds."""
    return _rise(data.some(name="elastic"))


@measurement("robust_extremes.energy_rise_plastic", unit="1", experiment=EXPERIMENT)
def energy_rise_plastic(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start: exact solves, with plasticity, all seeds."""
    return _rise(data.some(keep=lambda c: c.method_name in ("plastic", "plastic_limits")))


@measurement("robust_extremes.energy_rise_brittle", unit="1", experiment=EXPERIMENT)
def energy_rise_brittle(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start: exact solves, with fracture, all seeds."""
    return _rise(data.some(name="brittle"))


@measurement("robust_extremes.energy_rise_shipped", unit="1", experiment=EXPERIMENT)
def energy_rise_shipped(data: ExperimentData) -> Measured:
    """Largest rise of the total energy above its running minimum over the energy at the start: plasticity as printed
    and 20 CG iterations without preconditioner, completed runs, all seeds."""
    return _rise(data.some(name=SHIPPED))


@measurement("robust_extremes.bad_ends_shipped", unit="1", experiment=EXPERIMENT)
def bad_ends_shipped(data: ExperimentData) -> float:
    """Number of runs with plasticity as printed and 20 CG iterations without preconditioner that did not complete or
    whose energy is not finite."""
    return float(sum(is_bad(c) for c in data.some(name=SHIPPED, status=None)))
