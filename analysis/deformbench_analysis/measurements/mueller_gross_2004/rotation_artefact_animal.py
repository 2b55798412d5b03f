# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rotation_artefact_animal: the volume of the turned head."""

from __future__ import annotations

import numpy as np

from ...measurement import Measured, measurement
from ...mesh import volumes
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/rotation_artefact_animal"


def head_volume_ratio(trace: Trace) -> float:
    """V/V0 of the elements whose four vertices belong to the head, final state."""
    tets = trace.scene("tetrahedra")
    head = tets[np.isin(tets, trace.scene("vertex_set_tip")).all(axis=1)]
    return float(
        volumes(trace.values("frame", "positions")[-1], head).sum() / volumes(trace.scene("rest_positions"), head).sum()
    )


def at_largest_angle(data: ExperimentData, name: str) -> Measured:
    """Volume ratio of the head where it is turned farthest."""
    cell = max(data.some(name=name), key=lambda c: float(c.value("scene.parameters.angle_deg")))
    return Measured(head_volume_ratio(cell), f"head turned by {cell.value('scene.parameters.angle_deg'):g}°")


@measurement("rotation_artefact_animal.linear_volume_ratio", unit="1", experiment=EXPERIMENT)
def linear_volume_ratio(data: ExperimentData) -> Measured:
    """V/V0 of the head at the largest angle, linear FEM."""
    return at_largest_angle(data, "linear")


@measurement("rotation_artefact_animal.warped_volume_ratio", unit="1", experiment=EXPERIMENT)
def warped_volume_ratio(data: ExperimentData) -> Measured:
    """V/V0 of the head at the largest angle, warped FEM."""
    return at_largest_angle(data, "warped")
