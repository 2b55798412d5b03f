# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_fracture: the work that breaks a spring."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, quantity, rows
from .springs import driven_path

M = Measures("cs533d_cloth_lecture/spring_fracture")


def work_of_fracture(trace: Trace) -> float:
    """∫σ dε up to the last stressed step, J/m³. MissingData if it never breaks or pulls again."""
    strain, stress = driven_path(trace)
    broken = np.flatnonzero(stress[1:] == 0)
    if not broken.size:
        raise MissingData(f"{trace.label}: the spring does not break")
    if not (stress[1 + broken[0] :] == 0).all():
        raise MissingData(f"{trace.label}: a broken spring pulls again")
    end = int(broken[0]) + 1
    areas = np.diff(strain[:end]) * (stress[1:end] + stress[: end - 1]) / 2
    return float(areas.sum()) * trace.number("modulus_pa")


def closed_form(trace: Trace) -> float:
    """σ_f²/2E, if it yields + (σ_f² − σ_y²)/2H, J/m³."""
    first, last, hardening = (trace.setting(n) for n in ("yield_tension", "fracture_tension", "hardening"))
    elastic = last**2 / 2
    return trace.number("modulus_pa") * (elastic + ((last**2 - first**2) / (2 * hardening) if first > 0 else 0.0))


def work_error(trace: Trace) -> float:
    """Relative error of the work of fracture per volume, σ_f²/2E or with yield σ_f²/2E + (σ_f² − σ_y²)/2H."""
    return abs(work_of_fracture(trace) / closed_form(trace) - 1)


@quantity("stress at a strain of 0.5 / yield stress, 1 for an unbroken spring")
def _end_stress(trace: Trace) -> float:
    return float(driven_path(trace)[1][-1]) / trace.setting("yield_tension")


WORK = quantity("work per volume until the spring breaks", unit="J/m^3")(work_of_fracture)
BRITTLE = rows("brittle", says="a spring without a yield stress")
DUCTILE = rows("ductile", says="a spring that flows and hardens first")

brittle_work = M.only("brittle_work", WORK, BRITTLE)
ductile_work = M.only("ductile_work", WORK, DUCTILE)
M.only("brittle_work_error", work_error, BRITTLE)
M.only("ductile_work_error", work_error, DUCTILE)
M.only("perfect_end_stress", _end_stress, rows("perfect", says="a spring without hardening"))
