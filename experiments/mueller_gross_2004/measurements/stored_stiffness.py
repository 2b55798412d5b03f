# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/stored_stiffness ([MG04] §2.3: savings by precomputed element matrices)."""

from deformbench_analysis.vocabulary import Measures, Rows, Trace, quantity, rows

M = Measures("mueller_gross_2004/stored_stiffness")
NONLINEAR = ("st_venant_kirchhoff", "st_venant_kirchhoff_textbook")


def assembly_ms(trace: Trace, *phases: str) -> float:
    """Time of rotations and assembly in a step, ms: lower quartile of all samples."""
    return trace.require_timing().undisturbed_phase_ms(*(phases or ("assembly",)))


@quantity("time of rotations and assembly / that with stored element matrices")
def gain(other: Trace, stored: Trace) -> float:
    """Both runs have the same size."""
    return assembly_ms(other) / assembly_ms(stored)


@quantity("assembly time of a Newton step in `implicit_fem` / rotations and assembly in `warped_fem`")
def _newton_gain(newton: Trace, warped: Trace) -> float:
    return assembly_ms(newton) / assembly_ms(warped, "rotation", "assembly")


def _of(elements: str, says: str) -> Rows:
    """Each beside stored matrices on a mesh of the same size."""
    stored = rows("eigen").where(elements="stored")
    return (
        rows("eigen", says=f"sizes, {says}").where(elements=elements, says="").beside(stored, "cells_across", says="")
    )


def _is_tangent(trace: Trace) -> bool:
    return trace.value("method.parameters.elements") in NONLINEAR


TANGENTS = rows("eigen", says="sizes and both tangents of St. Venant–Kirchhoff").where(_is_tangent, says="")
NEWTON = rows("newton", says="sizes").beside(rows("warped"), "cells_across", says="")

M.least("gain_over_rebuilt", gain, _of("rebuilt", "element matrices rebuilt in every step"), timing=True)
M.least(
    "gain_over_rotated_gradients",
    gain,
    _of("rotated_gradients", "rotated gradients without any element matrix"),
    timing=True,
)
M.least(
    "gain_over_closed_tangent",
    gain,
    _of(NONLINEAR[0], "the tangent of St. Venant–Kirchhoff in closed form"),
    timing=True,
)
M.least(  # V BᵀEB and the geometric stiffness
    "gain_over_textbook_tangent",
    gain,
    _of(NONLINEAR[1], "the tangent of St. Venant–Kirchhoff as textbooks write it"),
    timing=True,
)
M.least(
    "least_gain", gain, TANGENTS.beside(rows("eigen").where(elements="stored"), "cells_across", says=""), timing=True
)
M.least("newton_over_warped", _newton_gain, NEWTON, timing=True)
