# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_residual: total strain under load, and the strain that stays when the load is gone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/spring_residual"


@dataclass(frozen=True)
class Loaded:
    """Of every spring of a run."""

    loads: Array  # peak load over modulus and cross-section, as the scene applies it
    totals: Array  # strain at the end of the hold
    residuals: Array  # strain at the end, without load


@lru_cache(maxsize=16)
def loaded(trace: Trace) -> Loaded:
    """By positions alone."""
    springs, found = springs_of(trace), trace.series("step", "positions")
    shares = np.linspace(number(trace, "least_share"), number(trace, "largest_share"), len(springs.lengths))
    times, values = (trace.value(f"scene.parameters.programme_{n}") for n in ("times_s", "values"))
    held = int(np.searchsorted(found.time, times[2] - 1e-9))
    strains = springs.strains(extremes.finite(found.values, trace.label))
    return Loaded(shares * values[1], strains[held], strains[-1])


def expected(trace: Trace) -> Array:
    """Plastic strain by the closed form of a single load: (σ − σ_y)/H beyond the yield stress, else 0."""
    loads, hardening = loaded(trace).loads, parameter(trace, "hardening")
    tension = np.maximum(0, loads - parameter(trace, "yield_tension")) / hardening
    return np.asarray(tension - np.maximum(0, -loads - parameter(trace, "yield_compression")) / hardening)


@measurement("spring_residual.residual_error", unit="1", experiment=EXPERIMENT)
def residual_error(data: ExperimentData) -> Measured:
    """Largest difference between the strain that stays of a spring without load and the plastic strain (σ − σ_y)/H of its peak
    load, 0 below both yield stresses."""
    cells = data.every(name="plastic")
    return extremes.largest({c: float(np.abs(loaded(c).residuals - expected(c)).max()) for c in cells})


@measurement("spring_residual.sum_error", unit="1", experiment=EXPERIMENT)
def sum_error(data: ExperimentData) -> Measured:
    """Largest difference between the total strain of a spring under its load and the sum of the elastic strain σ/E of that load
    and of the strain that stays without it, all over the original length."""
    found = {c: loaded(c) for c in data.every(name="plastic")}
    return extremes.largest({c: float(np.abs(v.totals - v.loads - v.residuals).max()) for c, v in found.items()})


@measurement("spring_residual.sum_defect_over_own_length", unit="1", experiment=EXPERIMENT)
def sum_defect_over_own_length(data: ExperimentData) -> Measured:
    """Largest total strain, minus what stays, minus the elastic strain taken over the length that the spring has without load."""
    found = {}
    for cell in data.every(name="plastic"):
        v = loaded(cell)
        own = (1 + v.totals) / (1 + v.residuals) - 1
        found[cell] = float(np.abs(v.totals - v.residuals - own).max())
    return extremes.largest(found)


@measurement("spring_residual.own_length_product_error", unit="1", experiment=EXPERIMENT)
def own_length_product_error(data: ExperimentData) -> Measured:
    """Largest difference between that defect and ε_e ε_p, the elastic strain over the length without load times the plastic strain
    by the closed form."""
    found = {}
    for cell in data.every(name="plastic"):
        v = loaded(cell)
        own = (1 + v.totals) / (1 + v.residuals) - 1
        found[cell] = float(np.abs(v.totals - v.residuals - own - own * expected(cell)).max())
    return extremes.largest(found)


@measurement("spring_residual.moves_below_yield", unit="m", experiment=EXPERIMENT)
def moves_below_yield(data: ExperimentData) -> Measured:
    """Largest difference at any time between a spring whose load stays below both yield stresses and the same spring of a run
    without plasticity: 0 where they are the same to the bit."""
    found = {}
    for cell in data.every(name="plastic"):
        other = data.one(name="elastic", where={"scene.parameters.seed": cell.value("scene.parameters.seed")})
        far = springs_of(cell).ends[below_yield(cell), 1]
        a, b = (extremes.finite(c.values("step", "positions"), c.label)[:, far] for c in (cell, other))
        found[cell] = float(np.abs(a - b).max())
    return extremes.largest(found)


def below_yield(trace: Trace) -> Array:
    """Which springs never yield."""
    loads = loaded(trace).loads
    return np.asarray((loads < parameter(trace, "yield_tension")) & (-loads < parameter(trace, "yield_compression")))


@measurement("spring_residual.springs_below_yield", unit="1", experiment=EXPERIMENT)
def springs_below_yield(data: ExperimentData) -> Measured:
    """Springs of a run whose load stays below both yield stresses, at least."""
    return extremes.least({c: float(below_yield(c).sum()) for c in data.every(name="plastic")})


@measurement("spring_residual.springs_pulled_beyond", unit="1", experiment=EXPERIMENT)
def springs_pulled_beyond(data: ExperimentData) -> Measured:
    """Springs of a run that yield in tension, at least."""
    return extremes.least({c: float((expected(c) > 0).sum()) for c in data.every(name="plastic")})


@measurement("spring_residual.springs_pressed_beyond", unit="1", experiment=EXPERIMENT)
def springs_pressed_beyond(data: ExperimentData) -> Measured:
    """Springs of a run that yield in compression, at least."""
    return extremes.least({c: float((expected(c) < 0).sum()) for c in data.every(name="plastic")})
