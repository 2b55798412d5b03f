# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/mass_weighting, equal_masses and vertex_triangle_overshoot:
one projection of many constraints."""

from collections.abc import Callable
from typing import Any

import numpy as np

from deformbench_analysis.position_constraints import Samples, corrections, gradients, overshoot
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Quantity, Trace, order, quantity, rows

M = Measures("mueller_et_al_2007/mass_weighting")
OVERSHOOT = Measures("mueller_et_al_2007/vertex_triangle_overshoot")
EQUAL = Measures("mueller_et_al_2007/equal_masses")
SMALL = 1e-4  # violation at which the constraint is practically linear
VIOLATION, KIND = "scene.parameters.violation", "scene.parameters.kind"


def of_samples(phrase: str, unit: str = "1") -> Callable[[Callable[[Samples], Any]], Quantity]:
    """A quantity of the constraints of a run."""
    return lambda function: quantity(phrase, unit=unit)(lambda trace: function(Samples(trace)))


@of_samples("|Σ mΔp| of one projection, free particles", "kg m")
def linear(s: Samples) -> Array:
    """One per constraint."""
    moment = (s.masses[..., None] * s.moved).sum(axis=1)[s.is_free]
    return np.asarray(np.linalg.norm(moment, axis=1))


@of_samples("|Σ r × mΔp| of one projection, free particles", "kg m^2")
def angular(s: Samples) -> Array:
    """One per constraint, r from its centroid."""
    arm = s.before - s.before.mean(axis=1, keepdims=True)
    moment = (s.masses[..., None] * np.cross(arm, s.moved)).sum(axis=1)[s.is_free]
    return np.asarray(np.linalg.norm(moment, axis=1))


@of_samples("|corrections − [MHHR07] eq. 9, 10| relative to the rest length")
def distance_error(s: Samples) -> Array:
    """Per sample, distance constraints."""
    along = s.before[:, 1] - s.before[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    step = (length - s.rest[:, None]) * along / length
    share = (s.w / s.w.sum(axis=1, keepdims=True))[..., None]
    expected = np.stack([share[:, 0] * step, -share[:, 1] * step], axis=1)
    return np.asarray(np.abs(s.moved - expected).max(axis=(1, 2)) / s.rest)


@of_samples("|C + ∇C·Δp| / |C| of one projection")
def linear_residual(s: Samples) -> Array:
    """Residual of the linearised constraint, gradients by differences."""
    return np.asarray(np.abs(1 + (gradients(s.kind, s.before) * s.moved).sum(axis=(1, 2)) / s.c0))


@quantity("|Δp − Δp by finite differences of C| / largest |Δp| of the constraint")
def correction_error(trace: Trace) -> Array:
    """Against the formula of the weighting."""
    s = Samples(trace)
    expected = corrections(s.c0, gradients(s.kind, s.before), s.w, trace.method_name == "printed")
    scale = np.linalg.norm(expected, axis=2).max(axis=1)
    return np.asarray(np.linalg.norm(s.moved - expected, axis=2).max(axis=1) / scale)


def violation(trace: Trace) -> float:
    """C."""
    return float(trace.value(VIOLATION))


def is_triangle_point(trace: Trace) -> bool:
    """Vertices against triangles."""
    return str(trace.value(KIND)).startswith("triangle_point")


residual = of_samples("|C after/C before| of one projection")(lambda s: np.abs(s.c1 / s.c0))
law_error = of_samples("|C after/C before − (1 − β)|, β from finite differences of C")(
    lambda s: np.abs(s.c1 / s.c0 - 1 + overshoot(gradients(s.kind, s.before), s.w))
)
residual_length = of_samples("|C| after one projection / rest length")(lambda s: np.abs(s.c1 / s.rest))
moved = of_samples("Σ m|Δp| of one projection", "kg m")(
    lambda s: (s.masses * np.linalg.norm(s.moved, axis=2)).sum(axis=1)
)
held = of_samples("movement of a held particle", "m")(lambda s: np.abs(s.moved[s.w == 0]))
remaining = of_samples("|C| after one projection")(lambda s: np.abs(s.c1))
solved = of_samples("1 − C after/C before of one projection")(lambda s: 1 - s.c1 / s.c0)
above_percent = of_samples("|C after/C before| > 0.01")(lambda s: np.abs(s.c1 / s.c0) > 0.01)

WEIGHTINGS = {name: rows(name, says=f"{name} weighting") for name in ("printed", "corrected")}
PRINTED, CORRECTED = WEIGHTINGS.values()
BOTH = rows("printed", "corrected", says="both weightings")
CORRECTED_SMALL = CORRECTED.where({VIOLATION: SMALL}, says="violation 1e-4")
DISTANCE, BEND = {KIND: "distance"}, {KIND: "bend"}
LARGE_VIOLATION = CORRECTED.where(lambda c: violation(c) > SMALL, says="large violation")

for name, runs in WEIGHTINGS.items():
    M.largest(f"{name}_linear_momentum", linear, runs)
    M.largest(f"{name}_angular_momentum", angular, runs)
M.largest("triangle_point_linear_momentum", linear, EVERY_RUN.where(is_triangle_point))
M.largest("triangle_point_angular_momentum", angular, EVERY_RUN.where(is_triangle_point))
M.least("moved_momentum", moved, EVERY_RUN.where({VIOLATION: SMALL}, says="violation 1e-4").noted(lambda c: ""))
M.largest("distance_residual", residual_length, CORRECTED.where(DISTANCE, says="distance constraints"))
M.largest("distance_correction_error", distance_error, EVERY_RUN.where(DISTANCE, says="distance constraints"))
for reduce, end in ((M.least, "min"), (M.largest, "max")):
    reduce(
        f"newton_order_{end}",
        order(remaining.median(), violation, says="order in C of the median |C| after one projection"),
        CORRECTED_SMALL.where(lambda c: c.value(KIND) != "distance", says="no distances")
        .beside(LARGE_VIOLATION, KIND, says="against large violations")
        .noted(lambda c, _: str(c.value(KIND))),
    )
M.largest("printed_linear_residual", linear_residual, PRINTED)
M.largest("printed_distance_linear_residual", linear_residual, PRINTED.where(DISTANCE, says="distance constraints"))
M.largest("corrected_linear_residual", linear_residual, CORRECTED_SMALL)
M.largest("printed_residual_median", residual.median(), PRINTED)
M.largest("corrected_residual_median", residual.median(), CORRECTED_SMALL)
M.largest(
    "corrected_overshoot_share",
    above_percent.mean("share of constraints with |C after/C before| > 0.01"),
    CORRECTED_SMALL,
)
M.largest("printed_law_error", law_error, PRINTED)
M.largest("bend_correction_error", correction_error, BOTH.where(BEND, says="bend constraints"))
M.largest("normal_correction_error", correction_error, BOTH.where(is_triangle_point))
M.largest("held_movement", held, EVERY_RUN)
EQUAL.largest("printed_linear_residual", linear_residual, rows("printed", says="equal masses, printed weighting"))

for name, place, end, described in (
    ("centroid", "centroid", "triangle", "vertex over the centroid of a held triangle"),
    ("edge", "edge", "triangle", "vertex over an edge of a held triangle"),
    ("corner", "corner", "triangle", "vertex over a corner of a held triangle"),
    ("free_triangle", "centroid", "point", "held vertex over the centroid of a free triangle"),
):
    OVERSHOOT.only(name, solved.median(), PRINTED.where(place=place, held=end, says=described))
OVERSHOOT.largest("corrected_residual", residual, CORRECTED.noted(lambda c: ""))
OVERSHOOT.only(
    "iterated_growth",
    residual.median("median |C after/C before| of ten iterations"),
    rows("printed_iterated", says="printed weighting").where(
        place="centroid", held="triangle", says="vertex over the centroid of a held triangle"
    ),
)
