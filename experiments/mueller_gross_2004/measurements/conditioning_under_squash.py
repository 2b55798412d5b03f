# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/conditioning_under_squash
([MG04] §2.3: nonlinear systems against rotated ones)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, parameter, quantity, rows

M = Measures("mueller_gross_2004/conditioning_under_squash")
DECADES = 3.0  # of det F, the range of a slope
twist = parameter("schedule.poses.parameters.twist_deg", float, "Angle between the ends, degrees.")


def condition(trace: Trace) -> Array:
    """Largest over smallest |eigenvalue| of the step's matrix in every pose."""
    spectrum = trace.values("operator", "system_spectrum")
    if not np.all(np.isfinite(spectrum)):
        raise trace.missing("no eigenvalues in some pose")
    return np.asarray(spectrum[:, 3] / spectrum[:, 2])


def squash(trace: Trace) -> Array:
    """Smallest det F of an element in every pose."""
    return np.asarray(trace.values("operator", "min_det_f")).reshape(-1)


def slope(trace: Trace) -> float:
    """Least-squares slope of ln cond against ln min det F from 1 to 0.001."""
    j = squash(trace)
    if not np.all(j > 0) or np.log10(j.max() / j.min()) < DECADES * (1 - 1e-9):
        raise trace.missing(f"det F from {j.min():.3g} to {j.max():.3g}, expected {DECADES:g} decades")
    return float(np.polyfit(np.log(j), np.log(condition(trace)), 1)[0])


@quantity("ratio of the condition number at det F = 0.001 to that at rest")
def growth(trace: Trace) -> float:
    """The last pose relative to the first."""
    return float(condition(trace)[-1] / condition(trace)[0])


@quantity("share of negative eigenvalues of the matrix with the exact Hessian of St. Venant–Kirchhoff")
def negative_share(trace: Trace) -> Array:
    """Per pose, without the rows of prescribed vertices."""
    free = 3 * (trace.scene("masses").size - int(trace.scene("prescribed_vertices").size))
    return np.asarray(trace.values("operator", "system_spectrum")[:, 4] / free)


@quantity("condition number of the warped step's matrix / that at rest")
def over_rest(trace: Trace, untwisted: Trace) -> Array:
    """That of the unsquashed, untwisted body at the same time step."""
    if untwisted.values("operator", "pose_parameter")[0] != 1:
        raise untwisted.missing("no pose at rest")
    return np.asarray(condition(trace) / float(condition(untwisted)[0]))


def is_untwisted(trace: Trace) -> bool:
    """No twist."""
    return twist(trace) == 0


NONLINEAR = rows("nonlinear", says="nonlinear laws, all Hessians and time steps")
SQUASHED = NONLINEAR.where(
    is_untwisted, says=""
)  # twisted ones have inverted elements long before det F is a thousandth
NEO_HOOKEAN = SQUASHED.where(law="neo_hookean", says="neo-Hookean")
WARPED = rows("warped", says="all poses and time steps")
BESIDE_REST = WARPED.beside(rows("warped").where(is_untwisted), "time_step_s", says="")

M.largest("slope_neo_hookean", slope, NEO_HOOKEAN)
M.largest("slope_of_any_law", slope, SQUASHED)
M.least("neo_hookean_growth", growth, NEO_HOOKEAN)
M.largest(
    "negative_share",
    negative_share,
    rows("nonlinear", says="all poses and time steps").where(law="st_venant_kirchhoff", hessian="exact", says=""),
)
M.largest("warped_growth", over_rest, BESIDE_REST)
M.least("warped_decline", over_rest, BESIDE_REST)
