# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stable_step_of_a_tetrahedron:
the largest stable explicit step of one element."""

import numpy as np

from deformbench_analysis.explicit_steps import pressure_wave_speed
from deformbench_analysis.mesh import volumes
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, parameter, rows
from .stable_step import ENDS, limits

M = Measures("cs6967_assignment_2/stable_step_of_a_tetrahedron")
shape = parameter("shape", str, "Shape.")


def least_altitude(trace: Trace) -> float:
    """3V / largest face area, m."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    corners = rest[tets[0]]
    faces = [
        0.5 * np.linalg.norm(np.cross(corners[b] - corners[a], corners[c] - corners[a]))
        for a, b, c in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    ]
    return float(3 * volumes(rest, tets)[0] / max(faces))


def courant(*cells: Trace) -> float:
    """Δt_c c_p/h, Δt_c the mean of a stable and an unstable step."""
    return sum(limits(*cells)) / 2 * pressure_wave_speed(cells[0]) / cells[0].number("edge_m")


def over_altitude(*cells: Trace) -> float:
    """Δt_c c_p / least altitude."""
    return sum(limits(*cells)) / 2 * pressure_wave_speed(cells[0]) / least_altitude(cells[0])


RUNS = rows(says="one element").however_ended(ENDS)

M.only("courant", courant, RUNS.where(shape="regular", says="regular tetrahedron of edge h").grouped(shape, says=""))


@M("spread_over_altitude")
def spread_over_altitude(data: ExperimentData) -> float:
    """Larger / smaller Δt_c c_p/a of a regular tetrahedron and a cube's corner, a the least altitude."""
    found = [over_altitude(*RUNS.where(shape=s).runs(data)) for s in ("regular", "corner")]
    return max(found) / min(found)
