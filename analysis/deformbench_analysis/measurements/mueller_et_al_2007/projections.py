# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/mass_weighting, equal_masses and vertex_triangle_overshoot: one projection of many constraints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...position_constraints import Samples, corrections, gradients, overshoot
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_et_al_2007/mass_weighting"
OVERSHOOT = "mueller_et_al_2007/vertex_triangle_overshoot"
EQUAL = "mueller_et_al_2007/equal_masses"
SMALL = 1e-4  # violation at which the linearised constraint is all there is
VIOLATION, KIND = "scene.parameters.violation", "scene.parameters.kind"


def worst(data: ExperimentData, quantity: Callable[[Samples], float], **criteria: object) -> Measured:
    """Largest value of a quantity over cells, with the cell's label."""
    found = {c: quantity(Samples(c)) for c in data.some(**criteria)}
    return extremes.largest(found)


def linear(s: Samples) -> float:
    """Largest Σ m Δp of a free constraint, kg m."""
    moment = (s.masses[..., None] * s.moved).sum(axis=1)[s.is_free]
    return float(np.linalg.norm(moment, axis=1).max())


def angular(s: Samples) -> float:
    """Largest Σ m r × Δp of a free constraint, kg m²."""
    arm = s.before - s.before.mean(axis=1, keepdims=True)
    moment = (s.masses[..., None] * np.cross(arm, s.moved)).sum(axis=1)[s.is_free]
    return float(np.linalg.norm(moment, axis=1).max())


for row in ("printed", "corrected"):

    @measurement(f"mass_weighting.{row}_linear_momentum", unit="kg m", experiment=EXPERIMENT, of=f"{row} weighting")
    def linear_momentum(data: ExperimentData, row: str = row) -> Measured:
        """Largest |Σ mΔp| of one projection, all kinds of constraints, those without held particles."""
        return worst(data, linear, name=row)

    @measurement(f"mass_weighting.{row}_angular_momentum", unit="kg m^2", experiment=EXPERIMENT, of=f"{row} weighting")
    def angular_momentum(data: ExperimentData, row: str = row) -> Measured:
        """Largest |Σ r × mΔp| of one projection, all kinds of constraints, those without held particles."""
        return worst(data, angular, name=row)


def is_triangle_point(trace: Trace) -> bool:
    """Whether the constraints hold a point off a triangle."""
    return str(trace.value(KIND)).startswith("triangle_point")


@measurement("mass_weighting.triangle_point_linear_momentum", unit="kg m", experiment=EXPERIMENT)
def triangle_point_linear_momentum(data: ExperimentData) -> Measured:
    """Largest |Σ mΔp| of one projection of a vertex against a triangle, printed and corrected weighting."""
    return worst(data, linear, keep=is_triangle_point)


@measurement("mass_weighting.triangle_point_angular_momentum", unit="kg m^2", experiment=EXPERIMENT)
def triangle_point_angular_momentum(data: ExperimentData) -> Measured:
    """Largest |Σ r × mΔp| of one projection of a vertex against a triangle, printed and corrected weighting."""
    return worst(data, angular, keep=is_triangle_point)


@measurement("mass_weighting.moved_momentum", unit="kg m", experiment=EXPERIMENT)
def moved_momentum(data: ExperimentData) -> float:
    """Smallest Σ m|Δp| of one projection, violation 1e-4: the scale of the sums Σ mΔp."""
    cells = data.some(where={VIOLATION: SMALL})
    return float(
        np.min([float((s.masses * np.linalg.norm(s.moved, axis=2)).sum(axis=1).min()) for s in map(Samples, cells)])
    )


@measurement("mass_weighting.distance_residual", unit="1", experiment=EXPERIMENT)
def distance_residual(data: ExperimentData) -> Measured:
    """Largest |C| after one projection over the rest length, distance constraints, corrected weighting."""
    return worst(data, lambda s: float(np.abs(s.c1 / s.rest).max()), name="corrected", where={KIND: "distance"})


@measurement("mass_weighting.distance_correction_error", unit="1", experiment=EXPERIMENT)
def distance_correction_error(data: ExperimentData) -> Measured:
    """Largest difference of a distance constraint's corrections from [MHHR07] eq. 9, 10, over the rest length, printed
    and corrected weighting."""

    def error(s: Samples) -> float:
        along = s.before[:, 1] - s.before[:, 0]
        length = np.linalg.norm(along, axis=1, keepdims=True)
        step = (length - s.rest[:, None]) * along / length
        share = (s.w / s.w.sum(axis=1, keepdims=True))[..., None]
        expected = np.stack([share[:, 0] * step, -share[:, 1] * step], axis=1)
        return float((np.abs(s.moved - expected).max(axis=(1, 2)) / s.rest).max())

    return worst(data, error, where={KIND: "distance"})


def newton_orders(data: ExperimentData) -> dict[str, float]:
    """log(residual)/log(violation) between the two violations, by kind other than distance."""
    orders = {}
    for cell in data.some(name="corrected", where={VIOLATION: SMALL}, keep=lambda c: c.value(KIND) != "distance"):
        large = data.one(
            name="corrected", where={KIND: cell.value(KIND)}, keep=lambda c: float(c.value(VIOLATION)) > SMALL
        )
        residuals = [float(np.median(np.abs(Samples(c).c1))) for c in (cell, large)]
        orders[str(cell.value(KIND))] = float(
            np.log(residuals[1] / residuals[0]) / np.log(float(large.value(VIOLATION)) / SMALL)
        )
    return orders


@measurement("mass_weighting.newton_order_min", unit="1", experiment=EXPERIMENT)
def newton_order_min(data: ExperimentData) -> Measured:
    """Smallest order in the violation C of the median |C| after one projection, corrected weighting, all kinds of
    constraints but distances."""
    orders = newton_orders(data)
    return extremes.least(orders)


def linear_residual(s: Samples) -> float:
    """Largest |C + ∇C·Δp| over |C|: what a projection leaves of the linearised constraint, gradients by differences."""
    return float(np.abs(1 + (gradients(s.kind, s.before) * s.moved).sum(axis=(1, 2)) / s.c0).max())


@measurement("mass_weighting.printed_linear_residual", unit="1", experiment=EXPERIMENT)
def printed_linear_residual(data: ExperimentData) -> Measured:
    """Largest |C + ∇C·Δp| over |C| of one projection, all kinds of constraints, masses over four decades, some
    particles held, printed weighting."""
    return worst(data, linear_residual, name="printed")


@measurement("mass_weighting.printed_distance_linear_residual", unit="1", experiment=EXPERIMENT)
def printed_distance_linear_residual(data: ExperimentData) -> Measured:
    """Largest |C + ∇C·Δp| over |C| of one projection, distance constraints, masses over four decades, some particles held, printed
    weighting."""
    return worst(data, linear_residual, name="printed", where={KIND: "distance"})


@measurement("mass_weighting.corrected_linear_residual", unit="1", experiment=EXPERIMENT)
def corrected_linear_residual(data: ExperimentData) -> Measured:
    """Largest |C + ∇C·Δp| over |C| of one projection, all kinds of constraints, masses over four decades, some
    particles held, corrected weighting."""
    return worst(data, linear_residual, name="corrected", where={VIOLATION: SMALL})


@measurement("equal_masses.printed_linear_residual", unit="1", experiment=EQUAL)
def equal_linear_residual(data: ExperimentData) -> Measured:
    """Largest |C + ∇C·Δp| over |C| of one projection, all kinds of constraints, free particles of equal mass, printed
    weighting."""
    return worst(data, linear_residual, name="printed")


@measurement("mass_weighting.printed_residual_median", unit="1", experiment=EXPERIMENT)
def printed_residual_median(data: ExperimentData) -> Measured:
    """Median |C after/C before| of one projection, violation 1e-4, printed weighting; largest over the kinds of
    constraints."""
    return worst(data, lambda s: float(np.median(np.abs(s.c1 / s.c0))), name="printed")


@measurement("mass_weighting.corrected_residual_median", unit="1", experiment=EXPERIMENT)
def corrected_residual(data: ExperimentData) -> Measured:
    """Median |C after/C before| of one projection, violation 1e-4, corrected weighting; largest over the kinds of
    constraints."""
    return worst(data, lambda s: float(np.median(np.abs(s.c1 / s.c0))), name="corrected", where={VIOLATION: SMALL})


@measurement("mass_weighting.corrected_overshoot_share", unit="1", experiment=EXPERIMENT)
def corrected_overshoot_share(data: ExperimentData) -> Measured:
    """Share of constraints with |C after/C before| above 0.01, whose gradients are near zero, violation 1e-4,
    corrected weighting; largest over the kinds of constraints."""
    return worst(data, lambda s: float((np.abs(s.c1 / s.c0) > 0.01).mean()), name="corrected", where={VIOLATION: SMALL})


@measurement("mass_weighting.printed_law_error", unit="1", experiment=EXPERIMENT)
def printed_law_error(data: ExperimentData) -> Measured:
    """Largest |C after/C before − (1 − β)|, β from finite differences of C, violation 1e-4, printed weighting."""
    return worst(
        data,
        lambda s: float(np.abs(s.c1 / s.c0 - 1 + overshoot(gradients(s.kind, s.before), s.w)).max()),
        name="printed",
    )


def correction_error(s: Samples, as_printed: bool) -> float:
    """Largest difference from the formula's correction, over that correction."""
    expected = corrections(s.c0, gradients(s.kind, s.before), s.w, as_printed)
    scale = np.linalg.norm(expected, axis=2).max(axis=1)
    return float((np.linalg.norm(s.moved - expected, axis=2).max(axis=1) / scale).max())


def correction_errors(data: ExperimentData, **criteria: object) -> Measured:
    """Largest error of a correction over printed and corrected rows, with the run it is of."""
    return extremes.largest(
        {
            c: correction_error(Samples(c), row == "printed")
            for row in ("printed", "corrected")
            for c in data.some(name=row, **criteria)
        }
    )


@measurement("mass_weighting.bend_correction_error", unit="1", experiment=EXPERIMENT)
def bend_correction_error(data: ExperimentData) -> Measured:
    """Largest |Δp − that by finite differences of C| over the largest Δp of its constraint, bend constraints by
    appendix B and by arctangent."""
    return correction_errors(data, where={KIND: "bend"})


@measurement("mass_weighting.normal_correction_error", unit="1", experiment=EXPERIMENT)
def normal_correction_error(data: ExperimentData) -> Measured:
    """Largest |Δp − that by finite differences of C| over the largest Δp of its constraint, vertices against
    triangles, whose gradient contains that of the normalised cross product (appendix A)."""
    return correction_errors(data, keep=is_triangle_point)


@measurement("mass_weighting.held_movement", unit="m", experiment=EXPERIMENT)
def held_movement(data: ExperimentData) -> Measured:
    """Largest movement of a held particle, all kinds of constraints and both weightings."""
    return worst(data, lambda s: float(np.abs(s.moved[s.w == 0]).max()))


def _shares(data: ExperimentData, name: str, place: str, held: str) -> Array:
    """C after/C before of one case of the vertex against the triangle."""
    s = Samples(data.one(name=name, where={"scene.parameters.place": place, "scene.parameters.held": held}))
    return np.asarray(s.c1 / s.c0)


for place, held, quantity, described in (
    ("centroid", "triangle", "centroid", "vertex over the centroid of a held triangle"),
    ("edge", "triangle", "edge", "vertex over an edge of a held triangle"),
    ("corner", "triangle", "corner", "vertex over a corner of a held triangle"),
    ("centroid", "point", "free_triangle", "held vertex over the centroid of a free triangle"),
):

    @measurement(f"vertex_triangle_overshoot.{quantity}", unit="1", experiment=OVERSHOOT, of=described)
    def printed_overshoot(data: ExperimentData, place: str = place, held: str = held) -> float:
        """Median of 1 − C after/C before of one projection of a vertex against a triangle, printed weighting; 1 solves
        the linearised constraint."""
        return float(np.median(1 - _shares(data, "printed", place, held)))


@measurement("vertex_triangle_overshoot.corrected_residual", unit="1", experiment=OVERSHOOT)
def corrected_overshoot(data: ExperimentData) -> float:
    """Largest |C after/C before| of one projection of a vertex against a triangle, all places of the vertex, corrected
    weighting."""
    return float(np.max([float(np.abs(s.c1 / s.c0).max()) for s in map(Samples, data.some(name="corrected"))]))


@measurement("vertex_triangle_overshoot.iterated_growth", unit="1", experiment=OVERSHOOT)
def iterated_growth(data: ExperimentData) -> float:
    """Median |C after/C before| of ten iterations, vertex over the centroid of a held triangle, printed weighting."""
    return float(np.median(np.abs(_shares(data, "printed_iterated", "centroid", "triangle"))))
