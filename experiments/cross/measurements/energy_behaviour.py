# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/energy_behaviour: the energy of a bar that swings without damping, by scheme and step."""

from __future__ import annotations

import math

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cross/energy_behaviour"


def scheme(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its scheme, or the row of a method that has but one."""
    if trace.method_name in ("warped", "meshless"):
        return trace.method_name
    return str(trace.value("method.parameters.scheme"))


def time_step(trace: Trace) -> float:
    """Δt of the cell, s; explicit schemes take twenty substeps in it."""
    return float(trace.value("scene.parameters.time_step_s"))


def scale(data: ExperimentData) -> float:
    """Largest elastic energy of the leap-frog run with the shortest step, J: what the swing exchanges."""
    cells = data.some(keep=lambda c: scheme(c) == "leap_frog")
    return float(min(cells, key=time_step).values("step", "elastic_energy").max())


def deviation(trace: Trace, unit: float) -> float:
    """Largest |total energy − that of the start| over `unit`."""
    energy = trace.values("step", "total_energy").reshape(-1)
    return float(np.abs(energy - energy[0]).max()) / unit


def deviations(data: ExperimentData, name: str) -> dict[Trace, float]:
    """Of every completed cell of a curve."""
    unit = scale(data)
    return {c: deviation(c, unit) for c in data.every(keep=lambda c: scheme(c) == name)}


def order(data: ExperimentData, name: str) -> float:
    """Exponent of the deviation between the two shortest steps."""
    found = sorted((time_step(c), d) for c, d in deviations(data, name).items())
    if len(found) < 2:
        raise MissingData(f"{EXPERIMENT}: {name} has one step at tier {data.tier}, an order needs two")
    (fine, small), (coarse, large) = found[:2]
    return math.log(large / small) / math.log(coarse / fine)


@measurement("energy_behaviour.midpoint_deviation", unit="1", experiment=EXPERIMENT)
def midpoint_deviation(data: ExperimentData) -> Measured:
    """Largest change of a swinging bar's total energy with the implicit midpoint rule over the largest elastic energy, all
    steps."""
    return extremes.largest(deviations(data, "implicit_midpoint"))


@measurement("energy_behaviour.leap_frog_deviation", unit="1", experiment=EXPERIMENT)
def leap_frog_deviation(data: ExperimentData) -> Measured:
    """Largest change of a swinging bar's total energy with leap-frog over the largest elastic energy, all steps."""
    return extremes.largest(deviations(data, "leap_frog"))


@measurement("energy_behaviour.symplectic_deviation", unit="1", experiment=EXPERIMENT)
def symplectic_deviation(data: ExperimentData) -> Measured:
    """Largest change of a swinging bar's total energy with symplectic Euler over the largest elastic energy, all steps."""
    return extremes.largest(deviations(data, "symplectic_euler"))


@measurement("energy_behaviour.bdf2_deviation", unit="1", experiment=EXPERIMENT)
def bdf2_deviation(data: ExperimentData) -> Measured:
    """Largest change of a swinging bar's total energy with BDF2 over the largest elastic energy, all steps."""
    return extremes.largest(deviations(data, "bdf2"))


@measurement("energy_behaviour.implicit_euler_deviation", unit="1", experiment=EXPERIMENT)
def implicit_euler_deviation(data: ExperimentData) -> Measured:
    """Smallest over all steps of the change of a swinging bar's total energy with implicit Euler over the largest elastic
    energy: what is lost to the integrator at best."""
    return extremes.least(deviations(data, "implicit_euler"))


@measurement("energy_behaviour.warped_against_implicit_euler", unit="1", experiment=EXPERIMENT)
def warped_against_implicit_euler(data: ExperimentData) -> Measured:
    """Largest difference, over the steps that both have, between the changes of energy of stiffness warping and of nonlinear
    elements under implicit Euler, over the largest elastic energy."""
    warped = {time_step(c): d for c, d in deviations(data, "warped").items()}
    newton = {time_step(c): d for c, d in deviations(data, "implicit_euler").items()}
    return extremes.largest(
        {f"Δt = {dt:g} s": abs(warped[dt] - newton[dt]) for dt in sorted(warped.keys() & newton.keys())}
    )


@measurement("energy_behaviour.leap_frog_order", unit="1", experiment=EXPERIMENT)
def leap_frog_order(data: ExperimentData) -> float:
    """Exponent of the step with which the change of energy of leap-frog falls, between the two shortest steps."""
    return order(data, "leap_frog")


@measurement("energy_behaviour.meshless_deviation", unit="1", experiment=EXPERIMENT)
def meshless_deviation(data: ExperimentData) -> Measured:
    """Largest change of the total energy of a swinging bar of meshless nodes over the largest elastic energy of the elements', all
    steps; leap-frog with the substeps of the explicit rows."""
    return extremes.largest(deviations(data, "meshless"))


@measurement("energy_behaviour.meshless_order", unit="1", experiment=EXPERIMENT)
def meshless_order(data: ExperimentData) -> float:
    """Exponent of the step with which the change of energy of meshless nodes falls, between the two shortest steps."""
    return order(data, "meshless")


@measurement("energy_behaviour.symplectic_order", unit="1", experiment=EXPERIMENT)
def symplectic_order(data: ExperimentData) -> float:
    """Exponent of the step with which the change of energy of symplectic Euler falls, between the two shortest steps."""
    return order(data, "symplectic_euler")
