# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_cycles: stress against strain of a spring in cyclic tension and
compression."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .springs import driven_path

M = Measures("cs533d_cloth_lecture/spring_cycles")


def turning_points(trace: Trace) -> Array:
    """Rows of the load reversals, with first and last."""
    times = np.asarray(trace.value("scene.parameters.programme_times_s"), dtype=float)
    return np.asarray(np.rint(times / trace.number("time_step_s")), dtype=int)


def is_slow(trace: Trace) -> bool:
    """Whether the path takes nine seconds, not a tenth of that."""
    return bool(trace.value("scene.parameters.programme_times_s")[-1] > 5)


def loop_areas(trace: Trace) -> list[float]:
    """∮σ dε / modulus of each full cycle between equal ends, after the first loading."""
    strain, stress = driven_path(trace)
    turns = turning_points(trace)
    return [float(np.trapz(stress[a : b + 1], strain[a : b + 1])) for a, b in zip(turns[1:-2:2], turns[3::2])]


@quantity("relative error of a cycle's ∮σ dε against (σ_t + σ_c)(2ε_a − (σ_t + σ_c)/E)")
def _loop_area_error(trace: Trace) -> Array:
    both = trace.setting("yield_tension") + trace.setting("yield_compression")
    amplitude = max(trace.value("scene.parameters.programme_values"))
    areas = loop_areas(trace)
    if len(areas) != 2:
        raise MissingData(f"{trace.label}: two cycles were expected")
    return np.asarray(np.abs(np.array(areas) / (both * (2 * amplitude - both)) - 1))


@quantity("relative difference between the slope of the last tenth of a half cycle and EH/(E + H)")
def _slope_error(trace: Trace) -> float:
    strain, stress = driven_path(trace)
    modulus, turns = trace.setting("hardening"), turning_points(trace)
    slopes = []
    for a, b in zip(turns[:-1], turns[1:]):
        last = slice(b - (b - a) // 10, b + 1)
        slopes.append(np.diff(stress[last]) / np.diff(strain[last]))
    return float(max(np.abs(s / (modulus / (1 + modulus)) - 1).max() for s in slopes))


def expected_turns(trace: Trace) -> list[float]:
    """Stress / modulus at each reversal after the start, isotropic hardening:
    both yield stresses grow by H × Σ|plastic strain|."""
    hardening = trace.setting("hardening")
    first = {1: trace.setting("yield_tension"), -1: trace.setting("yield_compression")}
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


@quantity("relative error of the stress at a load reversal, yield stresses grown by H Σ|plastic strain|")
def _turn_error(trace: Trace) -> Array:
    stress = driven_path(trace)[1][turning_points(trace)[1:]]
    return np.asarray(np.abs(stress / expected_turns(trace) - 1))


@quantity("stress difference from the path ten times as slow, relative to the yield stress")
def _change_with_rate(fast: Trace, slow: Trace) -> float:
    (strain_f, stress_f), (strain_s, stress_s) = driven_path(fast), driven_path(slow)
    if len(strain_f) != len(strain_s) or np.abs(strain_f - strain_s).max() > 1e-9:
        raise MissingData(f"{fast.label}: the fast path is another one")
    return float(np.abs(stress_f - stress_s).max()) / fast.setting("yield_tension")


def _ten_times_the_step(trace: Trace) -> dict[str, float]:
    """As many steps in ten times the time."""
    return {"scene.parameters.time_step_s": 10.0 * trace.number("time_step_s")}


def is_fast(trace: Trace) -> bool:
    """A path in a tenth of the time."""
    return not is_slow(trace)


PERFECT, HARDENING, CREEP = (
    rows(name, says=f"every step size, {says}")
    for name, says in (("perfect", "no hardening"), ("hardening", "hardening"), ("creep", "hardening and creep"))
)
WITHOUT_CREEP = rows("perfect", "hardening", says="no creep")

M.largest("loop_area_error", _loop_area_error, PERFECT.where(is_slow, says=""))
M.largest("hardening_slope_error", _slope_error, HARDENING.where(is_slow, says=""))
M.largest("hardened_stress_error", _turn_error, HARDENING.where(is_slow, says=""))
M.largest("yield_error", _turn_error, PERFECT.where(is_slow, says=""))
M.largest(
    "change_with_rate",
    _change_with_rate,
    WITHOUT_CREEP.where(is_fast, says="").beside(
        WITHOUT_CREEP.where(is_slow), "hardening", _ten_times_the_step, says=""
    ),
)
M.only(
    "change_with_rate_and_creep",
    _change_with_rate,
    rows("creep", says="creep").where(is_fast, says="").beside(CREEP.where(is_slow), _ten_times_the_step, says=""),
)
M.distinct("step_sizes", quantity("step sizes")(lambda c: c.number("time_step_s")), HARDENING.where(is_slow, says=""))
