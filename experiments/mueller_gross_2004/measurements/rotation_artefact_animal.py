# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rotation_artefact_animal: the volume of the turned head."""

import numpy as np

from deformbench_analysis.mesh import volumes
from deformbench_analysis.vocabulary import Measures, Trace, parameter, rows

M = Measures("mueller_gross_2004/rotation_artefact_animal")
angle = parameter("angle_deg", float, "Angle, degrees.")


def head_volume_ratio(trace: Trace) -> float:
    """Final V/V0 of the head, the elements with all four vertices in it."""
    tets = trace.scene("tetrahedra")
    head = tets[np.isin(tets, trace.scene("vertex_set_tip")).all(axis=1)]
    return float(
        volumes(trace.values("frame", "positions")[-1], head).sum() / volumes(trace.scene("rest_positions"), head).sum()
    )


for _name in ("linear", "warped"):
    M.largest(
        f"{_name}_volume_ratio",
        head_volume_ratio,
        rows(_name, says=f"{_name} FEM")
        .at_largest(angle, says="the largest angle")
        .noted(lambda c: f"head turned by {angle(c):g}°"),
    )
