# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit: the largest strain of a swinging cloth whose springs are limited in sweeps."""

from __future__ import annotations

from collections.abc import Callable

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .spring_nets import stable_step
from .springs import number, parameter

EXPERIMENT = "cs533d_cloth_lecture/strain_limit"
SHORT = 0.105  # Δt/Δt_c: steps of a tenth
ENOUGH = 0.25  # sweeps over N²


def ratio(trace: Trace) -> float:
    """Δt/Δt_c."""
    return number(trace, "time_step_s") / stable_step(trace)


def sweeps_per_vertex(trace: Trace) -> float:
    """Sweeps over N²."""
    return parameter(trace, "strain_limit_sweeps") / number(trace, "vertices_across") ** 2


def excess(trace: Trace) -> float:
    """Largest strain of an edge at any time over the limit."""
    strains = extremes.finite(trace.values("step", "edge_strain_max"), trace.label)
    return float(strains.max()) / parameter(trace, "strain_limit")


def in_regime(trace: Trace) -> bool:
    """Short steps and enough sweeps."""
    return ratio(trace) <= SHORT and sweeps_per_vertex(trace) >= ENOUGH * (1 - 1e-9)


def worst(data: ExperimentData, name: str, keep: Callable[[Trace], bool] | None = None) -> Measured:
    """Largest strain over the limit."""
    return extremes.largest({c: excess(c) for c in data.every(name=name, keep=keep)})


@measurement("strain_limit.excess", unit="1", experiment=EXPERIMENT)
def all_excess(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit, every number of sweeps and step, limits that change positions alone."""
    return worst(data, "positions")


@measurement("strain_limit.excess_in_regime", unit="1", experiment=EXPERIMENT)
def excess_in_regime(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit, with sweeps of at least N²/4 and steps of at most a tenth of Δt_c,
    limits that change positions alone."""
    return worst(data, "positions", in_regime)


@measurement("strain_limit.excess_of_long_steps", unit="1", experiment=EXPERIMENT)
def excess_of_long_steps(data: ExperimentData) -> Measured:
    """Least over the runs with sweeps of at least N²/4 and steps of 0.9 Δt_c of the largest strain over the limit, positions alone."""
    return extremes.least(
        {
            c: excess(c)
            for c in data.every(name="positions")
            if ratio(c) > 0.8 and sweeps_per_vertex(c) >= ENOUGH * (1 - 1e-9)
        }
    )


@measurement("strain_limit.excess_of_one_sweep", unit="1", experiment=EXPERIMENT)
def excess_of_one_sweep(data: ExperimentData) -> Measured:
    """Least over meshes and steps of the largest strain over the limit, one sweep, positions alone."""
    return extremes.least(
        {c: excess(c) for c in data.every(name="positions", where={"method.parameters.strain_limit_sweeps": 1})}
    )


@measurement("strain_limit.excess_by_velocities_in_regime", unit="1", experiment=EXPERIMENT)
def excess_by_velocities_in_regime(data: ExperimentData) -> Measured:
    """As excess_in_regime, limits that change velocities, too."""
    return worst(data, "velocities", in_regime)


@measurement("strain_limit.unlimited_strain", unit="1", experiment=EXPERIMENT)
def unlimited_strain(data: ExperimentData) -> Measured:
    """Least over meshes and steps of the largest strain without limit."""
    return extremes.least(
        {
            c: float(extremes.finite(c.values("step", "edge_strain_max"), c.label).max())
            for c in data.every(name="unlimited")
        }
    )


@measurement("strain_limit.step_ratio_low", unit="1", experiment=EXPERIMENT)
def step_ratio_low(data: ExperimentData) -> Measured:
    """Smallest Δt/Δt_c."""
    return extremes.least({c: ratio(c) for c in data.every(name="positions")})


@measurement("strain_limit.step_ratio_high", unit="1", experiment=EXPERIMENT)
def step_ratio_high(data: ExperimentData) -> Measured:
    """Largest Δt/Δt_c."""
    return extremes.largest({c: ratio(c) for c in data.every(name="positions")})


@measurement("strain_limit.cells_in_regime", unit="1", experiment=EXPERIMENT)
def cells_in_regime(data: ExperimentData) -> float:
    """Runs with enough sweeps and short steps, positions alone."""
    return float(len(data.every(name="positions", keep=in_regime)))
