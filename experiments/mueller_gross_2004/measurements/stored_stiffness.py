# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/stored_stiffness ([MG04] §2.3: what element matrices computed once save)."""

from __future__ import annotations

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/stored_stiffness"
NONLINEAR = ("st_venant_kirchhoff", "st_venant_kirchhoff_textbook")


def assembly_ms(trace: Trace, *phases: str) -> float:
    """Time of rotations and assembly in a step: the lower quartile over all samples."""
    return trace.require_timing().undisturbed_phase_ms(*(phases or ("assembly",)))


def by_size(data: ExperimentData, elements: str) -> dict[int, Trace]:
    """Cells of reuse_eigen with these elements, by number of tetrahedra."""
    cells = data.some(name="eigen", keep=lambda c: c.value("method.parameters.elements") == elements)
    return {int(c.tetrahedra or 0): c for c in cells}


def gains(data: ExperimentData, elements: str) -> dict[str, float]:
    """Time of rotations and assembly over that with stored matrices, at every size that both have."""
    stored, other = by_size(data, "stored"), by_size(data, elements)
    common = sorted(set(stored) & set(other))
    if not common or set(stored) != set(other):
        raise MissingData(f"{EXPERIMENT}: {elements} and stored have different sizes")
    return {f"{elements} at {n:,} tetrahedra": assembly_ms(other[n]) / assembly_ms(stored[n]) for n in common}


@measurement("stored_stiffness.gain_over_rebuilt", unit="1", experiment=EXPERIMENT, timing=True)
def gain_over_rebuilt(data: ExperimentData) -> Measured:
    """Least ratio over all sizes: time of rotations and assembly with element matrices built again in every step, over that
    with stored ones."""
    return extremes.least(gains(data, "rebuilt"))


@measurement("stored_stiffness.gain_over_rotated_gradients", unit="1", experiment=EXPERIMENT, timing=True)
def gain_over_rotated_gradients(data: ExperimentData) -> Measured:
    """Least ratio over all sizes: time of rotations and assembly from rotated gradients, without any element matrix, over
    that with stored ones."""
    return extremes.least(gains(data, "rotated_gradients"))


@measurement("stored_stiffness.gain_over_closed_tangent", unit="1", experiment=EXPERIMENT, timing=True)
def gain_over_closed_tangent(data: ExperimentData) -> Measured:
    """Least ratio over all sizes: time of assembling the tangent of St. Venant–Kirchhoff in closed form, over that of rotations
    and assembly with stored matrices."""
    return extremes.least(gains(data, "st_venant_kirchhoff"))


@measurement("stored_stiffness.gain_over_textbook_tangent", unit="1", experiment=EXPERIMENT, timing=True)
def gain_over_textbook_tangent(data: ExperimentData) -> Measured:
    """Least ratio over all sizes: time of assembling the tangent of St. Venant–Kirchhoff as textbooks write it, V BᵀEB and the
    geometric stiffness, over that of rotations and assembly with stored matrices."""
    return extremes.least(gains(data, "st_venant_kirchhoff_textbook"))


@measurement("stored_stiffness.least_gain", unit="1", experiment=EXPERIMENT, timing=True)
def least_gain(data: ExperimentData) -> Measured:
    """Least ratio over all sizes and both tangents of St. Venant–Kirchhoff, in closed form and as textbooks write it: time of
    assembling it over that of rotations and assembly with stored linear element matrices."""
    return extremes.least({k: v for elements in NONLINEAR for k, v in gains(data, elements).items()})


@measurement("stored_stiffness.newton_over_warped", unit="1", experiment=EXPERIMENT, timing=True)
def newton_over_warped(data: ExperimentData) -> Measured:
    """Least ratio over all sizes: time of assembling one Newton step with St. Venant–Kirchhoff in `implicit_fem`, over that
    of rotations and assembly of a step of `warped_fem`."""
    newton = {int(c.tetrahedra or 0): c for c in data.some(name="newton")}
    warped = {int(c.tetrahedra or 0): c for c in data.some(name="warped")}
    return extremes.least(
        {
            f"at {n:,} tetrahedra": assembly_ms(newton[n]) / assembly_ms(warped[n], "rotation", "assembly")
            for n in sorted(set(newton) & set(warped))
        }
    )
