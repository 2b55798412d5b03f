# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_cycles: stress against strain of one spring that is pulled and pressed in turn."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import driven_path, number, parameter

EXPERIMENT = "cs533d_cloth_lecture/spring_cycles"


def turning_points(trace: Trace) -> Array:
    """Rows at which the path turns, with its first and last."""
    times = np.asarray(trace.value("scene.parameters.programme_times_s"), dtype=float)
    return np.asarray(np.rint(times / number(trace, "time_step_s")), dtype=int)


def is_slow(trace: Trace) -> bool:
    """Whether the path takes nine seconds, not a tenth of that."""
    return bool(trace.value("scene.parameters.programme_times_s")[-1] > 5)


def loop_areas(trace: Trace) -> list[float]:
    """∮σ dε over the modulus of each whole cycle between equal ends, after the first pull."""
    strain, stress = driven_path(trace)
    turns = turning_points(trace)
    return [float(np.trapz(stress[a : b + 1], strain[a : b + 1])) for a, b in zip(turns[1:-2:2], turns[3::2])]


@measurement("spring_cycles.loop_area_error", unit="1", experiment=EXPERIMENT)
def loop_area_error(data: ExperimentData) -> Measured:
    """Largest relative difference between the area ∮σ dε of a cycle without hardening and (σ_t + σ_c)(2ε_a − (σ_t + σ_c)/E), every
    step size."""
    found = {}
    for cell in data.every(name="perfect", keep=is_slow):
        both = parameter(cell, "yield_tension") + parameter(cell, "yield_compression")
        amplitude = max(cell.value("scene.parameters.programme_values"))
        exact = both * (2 * amplitude - both)
        areas = loop_areas(cell)
        if len(areas) != 2:
            raise MissingData(f"{cell.label}: two cycles were expected")
        found[cell] = max(abs(area / exact - 1) for area in areas)
    return extremes.largest(found)


@measurement("spring_cycles.hardening_slope_error", unit="1", experiment=EXPERIMENT)
def hardening_slope_error(data: ExperimentData) -> Measured:
    """Largest relative difference between the slope of stress against strain in the last tenth of a pull or push and
    EH/(E + H), every step size and half cycle with hardening."""
    found = {}
    for cell in data.every(name="hardening", keep=is_slow):
        strain, stress = driven_path(cell)
        modulus, turns = parameter(cell, "hardening"), turning_points(cell)
        slopes = []
        for a, b in zip(turns[:-1], turns[1:]):
            last = slice(b - (b - a) // 10, b + 1)
            slopes.append(np.diff(stress[last]) / np.diff(strain[last]))
        found[cell] = float(max(np.abs(s / (modulus / (1 + modulus)) - 1).max() for s in slopes))
    return extremes.largest(found)


def expected_turns(trace: Trace) -> list[float]:
    """Stress over modulus at each turning point after the start: both yield stresses grow by H times the flow, whatever its sign."""
    hardening = parameter(trace, "hardening")
    first = {1: parameter(trace, "yield_tension"), -1: parameter(trace, "yield_compression")}
    values = trace.value("scene.parameters.programme_values")
    stress, flow, found = 0.0, 0.0, []
    for before, after in zip(values[:-1], values[1:]):
        sign = 1 if after > before else -1
        elastic_end = sign * (stress + (after - before))
        over = elastic_end - first[sign] - hardening * flow
        if over > 0:
            flow += over / (1 + hardening)
            elastic_end = first[sign] + hardening * flow
        stress = sign * elastic_end
        found.append(stress)
    return found


def turn_error(cell: Trace) -> float:
    """Largest relative difference at a turning point."""
    stress = driven_path(cell)[1][turning_points(cell)[1:]]
    return float(np.abs(stress / expected_turns(cell) - 1).max())


@measurement("spring_cycles.hardened_stress_error", unit="1", experiment=EXPERIMENT)
def hardened_stress_error(data: ExperimentData) -> Measured:
    """Largest relative difference between the stress at a turning point and that of yield stresses which have grown by H times
    all flow so far, of either sign; every step size with hardening."""
    return extremes.largest({c: turn_error(c) for c in data.every(name="hardening", keep=is_slow)})


@measurement("spring_cycles.yield_error", unit="1", experiment=EXPERIMENT)
def yield_error(data: ExperimentData) -> Measured:
    """Largest relative difference between the stress at a turning point without hardening and the yield stress of its sign."""
    return extremes.largest({c: turn_error(c) for c in data.every(name="perfect", keep=is_slow)})


def change_with_rate(data: ExperimentData, name: str) -> float:
    """Largest |σ| difference at equal strain between the path in 0.9 s and the same path, in as many steps, in 9 s, over the
    yield stress in tension."""
    fast = data.one(name=name, keep=lambda c: not is_slow(c))
    steps = len(driven_path(fast)[0])
    same = [c for c in data.every(name=name, keep=is_slow) if len(driven_path(c)[0]) == steps]
    if len(same) != 1:
        raise MissingData(f"{name}: one slow path of as many steps as the fast one was expected")
    (strain_f, stress_f), (strain_s, stress_s) = driven_path(fast), driven_path(same[0])
    if np.abs(strain_f - strain_s).max() > 1e-9:
        raise MissingData(f"{name}: the fast path is another one")
    return float(np.abs(stress_f - stress_s).max()) / parameter(fast, "yield_tension")


@measurement("spring_cycles.change_with_rate", unit="1", experiment=EXPERIMENT)
def change_without_creep(data: ExperimentData) -> Measured:
    """Largest difference in stress, over the yield stress, between a path and the same path ten times as fast, without creep."""
    return extremes.largest({n: change_with_rate(data, n) for n in ("perfect", "hardening")})


@measurement("spring_cycles.change_with_rate_and_creep", unit="1", experiment=EXPERIMENT)
def change_with_creep(data: ExperimentData) -> float:
    """Largest difference in stress, over the yield stress, between a path and the same path ten times as fast, with creep."""
    return change_with_rate(data, "creep")


@measurement("spring_cycles.step_sizes", unit="1", experiment=EXPERIMENT)
def step_sizes(data: ExperimentData) -> float:
    """Step sizes on the slow path with hardening."""
    return float(len({number(c, "time_step_s") for c in data.every(name="hardening", keep=is_slow)}))
