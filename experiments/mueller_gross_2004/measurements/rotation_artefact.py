# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rotation_artefact ([MG04] Fig. 1): deformation of a bar far from its root.

Closed form `volume_of_rotated_linear_fem`: with a root turned by θ, the far field of linear FEM is F = I + sinθ [z]×,
so that det F = 1 + sin²θ, the apparent rotation is atan(sinθ) and the in-plane stretch √(1 + sin²θ)."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.mesh import deformation_gradients
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, quantity, rows

M = Measures("mueller_gross_2004/rotation_artefact")
FAR_FIELD_FROM = 0.625  # of the length: there the end effect of the driven root has decayed (St. Venant)


@dataclass(frozen=True)
class FarField:
    """Means over the elements beyond FAR_FIELD_FROM of the length, in the final state."""

    angle: float  # prescribed, rad
    volume_ratio: float  # det of the mean F
    apparent_angle: float  # rad, of the polar decomposition of the mean F in the plane of rotation
    stretch: float  # mean in-plane stretch


def far_field(trace: Trace) -> FarField:
    """Mean deformation of the elements far from the turned face."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    gradient = deformation_gradients(rest, tets, trace.values("frame", "positions")[-1])
    centres = rest[tets].mean(axis=1)[:, 0]
    mean = gradient[centres > FAR_FIELD_FROM * rest[:, 0].max()].mean(axis=0)
    u, stretches, vt = np.linalg.svd(mean[:2, :2])
    rotation = u @ vt
    angle = np.arctan2(rotation[1, 0] - rotation[0, 1], rotation[0, 0] + rotation[1, 1])
    return FarField(
        np.radians(trace.value("scene.parameters.angle_deg")),
        float(np.linalg.det(mean)),
        float(angle),
        float(stretches.mean()),
    )


def _turn(difference: float) -> float:
    """|difference| of two angles, in [0, π]."""
    return abs(float(np.angle(np.exp(1j * difference))))


def linear_volume_error(trace: Trace) -> float:
    """|det F − (1 + sin²θ)| of the far field."""
    f = far_field(trace)
    return abs(f.volume_ratio - (1 + math.sin(f.angle) ** 2))


@quantity(unit="rad")
def linear_angle_error(trace: Trace) -> float:
    """|apparent rotation − atan(sinθ)| of the far field."""
    f = far_field(trace)
    return _turn(f.apparent_angle - np.arctan(np.sin(f.angle)))


def linear_stretch_error(trace: Trace) -> float:
    """|in-plane stretch − √(1 + sin²θ)| of the far field."""
    f = far_field(trace)
    return float(abs(f.stretch - np.sqrt(1 + math.sin(f.angle) ** 2)))


def warped_volume_error(trace: Trace) -> float:
    """|det F − 1| of the far field."""
    return abs(far_field(trace).volume_ratio - 1)


@quantity(unit="rad")
def warped_angle_error(trace: Trace) -> float:
    """|rotation of the far field − prescribed angle|."""
    f = far_field(trace)
    return _turn(f.apparent_angle - f.angle)


LINEAR, WARPED = (rows(n, says=f"all angles, {n} FEM").noted(lambda _: "") for n in ("linear", "warped"))

M.largest("linear_volume_error", linear_volume_error, LINEAR)
M.largest("linear_angle_error_rad", linear_angle_error, LINEAR)
M.largest("linear_stretch_error", linear_stretch_error, LINEAR)
M.largest("warped_volume_error", warped_volume_error, WARPED)
M.largest("warped_angle_error_rad", warped_angle_error, WARPED)


def far_fields(data: ExperimentData, name: str) -> list[FarField]:
    """Far fields of a row by angle."""
    return sorted((far_field(c) for c in rows(name).runs(data)), key=lambda f: f.angle)
