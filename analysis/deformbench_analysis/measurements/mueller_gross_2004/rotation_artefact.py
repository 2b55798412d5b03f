# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rotation_artefact ([MG04] Fig. 1): what a bar does far from its turned root.

Closed form `volume_of_rotated_linear_fem`: with a root turned by θ, the far field of linear FEM is F = I + sinθ [z]×, so that
det F = 1 + sin²θ, the apparent rotation is atan(sinθ) and the in-plane stretch √(1 + sin²θ).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...measurement import measurement
from ...mesh import deformation_gradients
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/rotation_artefact"
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


def far_fields(data: ExperimentData, name: str) -> list[FarField]:
    """Far fields of a row by angle."""
    return sorted((far_field(c) for c in data.some(name=name)), key=lambda f: f.angle)


def _turn(difference: float) -> float:
    """|difference| of two angles, in [0, π]."""
    return abs(float(np.angle(np.exp(1j * difference))))


@measurement("rotation_artefact.linear_volume_error", unit="1", experiment=EXPERIMENT)
def linear_volume_error(data: ExperimentData) -> float:
    """Largest |det F − (1 + sin²θ)| of the far field over all angles, linear FEM."""
    return float(np.max([abs(f.volume_ratio - (1 + math.sin(f.angle) ** 2)) for f in far_fields(data, "linear")]))


@measurement("rotation_artefact.linear_angle_error_rad", unit="rad", experiment=EXPERIMENT)
def linear_angle_error(data: ExperimentData) -> float:
    """Largest |apparent rotation − atan(sinθ)| of the far field over all angles, linear FEM."""
    return float(np.max([_turn(f.apparent_angle - np.arctan(np.sin(f.angle))) for f in far_fields(data, "linear")]))


@measurement("rotation_artefact.linear_stretch_error", unit="1", experiment=EXPERIMENT)
def linear_stretch_error(data: ExperimentData) -> float:
    """Largest |in-plane stretch − √(1 + sin²θ)| of the far field over all angles, linear FEM."""
    return float(np.max([abs(f.stretch - np.sqrt(1 + math.sin(f.angle) ** 2)) for f in far_fields(data, "linear")]))


@measurement("rotation_artefact.warped_volume_error", unit="1", experiment=EXPERIMENT)
def warped_volume_error(data: ExperimentData) -> float:
    """Largest |det F − 1| of the far field over all angles, warped FEM."""
    return float(np.max([abs(f.volume_ratio - 1) for f in far_fields(data, "warped")]))


@measurement("rotation_artefact.warped_angle_error_rad", unit="rad", experiment=EXPERIMENT)
def warped_angle_error(data: ExperimentData) -> float:
    """Largest |rotation of the far field − prescribed angle| over all angles, warped FEM."""
    return float(np.max([_turn(f.apparent_angle - f.angle) for f in far_fields(data, "warped")]))
