# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_fracture: the work that breaks a spring."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import driven_path, number, parameter

EXPERIMENT = "cs533d_cloth_lecture/spring_fracture"


def work_of_fracture(trace: Trace) -> float:
    """∫σ dε up to the last step that the spring pulls in, J/m³. MissingData where it never ceases."""
    strain, stress = driven_path(trace)
    broken = np.flatnonzero(stress[1:] == 0)
    if not broken.size:
        raise MissingData(f"{trace.label}: the spring does not break")
    if not (stress[1 + broken[0] :] == 0).all():
        raise MissingData(f"{trace.label}: a broken spring pulls again")
    end = int(broken[0]) + 1
    areas = np.diff(strain[:end]) * (stress[1:end] + stress[: end - 1]) / 2
    return float(areas.sum()) * number(trace, "modulus_pa")


def closed_form(trace: Trace) -> float:
    """σ_f²/2E, and with flow + (σ_f² − σ_y²)/2H, J/m³."""
    first, last, hardening = (parameter(trace, n) for n in ("yield_tension", "fracture_tension", "hardening"))
    elastic = last**2 / 2
    return number(trace, "modulus_pa") * (elastic + ((last**2 - first**2) / (2 * hardening) if first > 0 else 0.0))


@measurement("spring_fracture.brittle_work", unit="J/m^3", experiment=EXPERIMENT)
def brittle_work(data: ExperimentData) -> float:
    """Work per volume until a spring breaks that has no yield stress."""
    return work_of_fracture(data.one(name="brittle"))


@measurement("spring_fracture.ductile_work", unit="J/m^3", experiment=EXPERIMENT)
def ductile_work(data: ExperimentData) -> float:
    """Work per volume until a spring breaks that flows and hardens first."""
    return work_of_fracture(data.one(name="ductile"))


@measurement("spring_fracture.brittle_work_error", unit="1", experiment=EXPERIMENT)
def brittle_work_error(data: ExperimentData) -> float:
    """Relative difference between that work and σ_f²/2E."""
    cell = data.one(name="brittle")
    return abs(work_of_fracture(cell) / closed_form(cell) - 1)


@measurement("spring_fracture.ductile_work_error", unit="1", experiment=EXPERIMENT)
def ductile_work_error(data: ExperimentData) -> float:
    """Relative difference between that work and σ_f²/2E + (σ_f² − σ_y²)/2H."""
    cell = data.one(name="ductile")
    return abs(work_of_fracture(cell) / closed_form(cell) - 1)


@measurement("spring_fracture.perfect_end_stress", unit="1", experiment=EXPERIMENT)
def perfect_end_stress(data: ExperimentData) -> float:
    """Stress at a strain of 0.5 of a spring without hardening over its yield stress: 1 where it has not broken."""
    cell = data.one(name="perfect")
    return float(driven_path(cell)[1][-1]) / parameter(cell, "yield_tension")
