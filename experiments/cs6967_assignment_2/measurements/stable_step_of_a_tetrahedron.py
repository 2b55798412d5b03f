# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stable_step_of_a_tetrahedron: the largest stable explicit step of one element."""

from __future__ import annotations

import math

import numpy as np

from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import grows, pressure_wave_speed, step
from deformbench_analysis.measurement import measurement
from deformbench_analysis.mesh import volumes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/stable_step_of_a_tetrahedron"


def least_altitude(trace: Trace) -> float:
    """m, 3V over the largest face."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    corners = rest[tets[0]]
    faces = [
        0.5 * np.linalg.norm(np.cross(corners[b] - corners[a], corners[c] - corners[a]))
        for a, b, c in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    ]
    return float(3 * volumes(rest, tets)[0] / max(faces))


def limit(data: ExperimentData, shape: str) -> tuple[float, Trace]:
    """Middle between the largest step that stays (0 where none does) and the smallest that grows (infinity), s, and one of the
    runs."""
    cells = data.some(status=None, where={"scene.parameters.shape": shape})
    for cell in cells:
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
    growing, staying = [step(c) for c in cells if grows(c)], [step(c) for c in cells if not grows(c)]
    stable, unstable = max(staying, default=0.0), min(growing, default=math.inf)
    if unstable < stable:
        raise MissingData(f"{shape}: no limit between {sorted(staying)} and {sorted(growing)} s")
    return (stable + unstable) / 2, cells[0]


@measurement("stable_step_of_a_tetrahedron.courant", unit="1", experiment=EXPERIMENT)
def courant(data: ExperimentData) -> float:
    """Δt_c c_p/h of one regular tetrahedron of edge h, Δt_c the middle between a step that stays and one that grows."""
    found, cell = limit(data, "regular")
    return found * pressure_wave_speed(cell) / float(cell.value("scene.parameters.edge_m"))


def over_altitude(data: ExperimentData, shape: str) -> float:
    """Δt_c c_p over the least altitude."""
    found, cell = limit(data, shape)
    return found * pressure_wave_speed(cell) / least_altitude(cell)


@measurement("stable_step_of_a_tetrahedron.spread_over_altitude", unit="1", experiment=EXPERIMENT)
def spread_over_altitude(data: ExperimentData) -> float:
    """Largest over least Δt_c c_p over the element's least altitude, a regular tetrahedron and a cube's corner."""
    found = [over_altitude(data, shape) for shape in ("regular", "corner")]
    return max(found) / min(found)
