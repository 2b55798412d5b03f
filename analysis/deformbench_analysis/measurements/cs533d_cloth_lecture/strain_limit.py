# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit: the largest strain of a swinging cloth whose springs are limited in sweeps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .spring_nets import stable_step
from .springs import number, parameter

EXPERIMENT = "cs533d_cloth_lecture/strain_limit"
SHORT = 0.071  # Δt N √(g/L)
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


def fall(trace: Trace) -> float:
    """Δt N √(g/L): what a vertex falls in a step, as a speed over that of the cloth, times N."""
    gravity = float(np.linalg.norm(np.asarray(trace.value("scene.parameters.gravity_m_s2"))))
    return (
        number(trace, "time_step_s")
        * number(trace, "vertices_across")
        * float(np.sqrt(gravity / number(trace, "side_m")))
    )


def is_short(trace: Trace) -> bool:
    """Steps in which little falls."""
    return fall(trace) <= SHORT


def in_regime(trace: Trace) -> bool:
    """Short steps and enough sweeps."""
    return is_short(trace) and sweeps_per_vertex(trace) >= ENOUGH * (1 - 1e-9)


def by_positions(data: ExperimentData) -> list[Trace]:
    """Runs whose limits change positions alone, of every stiffness."""
    return data.every(name="positions") + data.every(name="stiffnesses")


def stiffness(trace: Trace) -> float:
    """N/m."""
    return parameter(trace, "stretch_stiffness_n_per_m")


def worst(data: ExperimentData, name: str, keep: Callable[[Trace], bool] | None = None) -> Measured:
    """Largest strain over the limit."""
    return extremes.largest({c: excess(c) for c in data.every(name=name, keep=keep)})


@measurement("strain_limit.excess", unit="1", experiment=EXPERIMENT)
def all_excess(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit, every number of sweeps and step, limits that change positions alone."""
    return worst(data, "positions")


@measurement("strain_limit.excess_in_regime", unit="1", experiment=EXPERIMENT)
def excess_in_regime(data: ExperimentData) -> Measured:
    """Largest strain of an edge at any time over the limit, with sweeps of at least N²/4 and Δt N √(g/L) of at most 0.071, limits that change
    positions alone, every stiffness."""
    return extremes.largest({c: excess(c) for c in by_positions(data) if in_regime(c)})


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
    """As excess_in_regime, limits that change velocities, too, of one stiffness."""
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


@measurement("strain_limit.cells_in_regime", unit="1", experiment=EXPERIMENT)
def cells_in_regime(data: ExperimentData) -> float:
    """Runs with enough sweeps and short steps, positions alone."""
    return float(len([c for c in by_positions(data) if in_regime(c)]))


def _spread(data: ExperimentData, equal: Callable[[Trace], float]) -> Measured:
    found = {}
    for a in by_positions(data):
        for b in data.every(name="stiffnesses"):
            is_same_cloth = sweeps_per_vertex(a) == sweeps_per_vertex(b) and number(a, "vertices_across") == number(
                b, "vertices_across"
            )
            if is_same_cloth and stiffness(a) != stiffness(b) and abs(equal(a) / equal(b) - 1) < 0.01:
                found[f"{stiffness(a):g} and {stiffness(b):g} N/m, Δt = {number(a, 'time_step_s'):.3g} s"] = max(
                    excess(a) / excess(b), excess(b) / excess(a)
                )
    return extremes.largest(found)


@measurement("strain_limit.spread_at_equal_steps", unit="1", experiment=EXPERIMENT)
def spread_at_equal_steps(data: ExperimentData) -> Measured:
    """Largest ratio of the largest strains of two cloths whose springs differ in stiffness alone, at the same Δt."""
    return _spread(data, lambda c: number(c, "time_step_s"))


@measurement("strain_limit.spread_at_equal_ratios", unit="1", experiment=EXPERIMENT)
def spread_at_equal_ratios(data: ExperimentData) -> Measured:
    """Largest ratio of the largest strains of two cloths whose springs differ in stiffness alone, at the same Δt/Δt_c, each of its own springs."""
    return _spread(data, ratio)
