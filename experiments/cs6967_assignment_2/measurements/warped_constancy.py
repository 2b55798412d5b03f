# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/warped_constancy: the derivative of the forces at bent poses,
against that at rest."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Rows, Trace, rows

M = Measures("cs6967_assignment_2/warped_constancy")
ANGLE = "schedule.poses.parameters.angle_deg"


def angle(trace: Trace) -> float:
    """Angle of the bend, degrees."""
    return float(trace.value(ANGLE))


def stiffness(trace: Trace) -> Array:
    """−∂f/∂x, [3n,3n], N/m, by central differences: two poses per coordinate, which differ in it alone."""
    positions, forces = trace.values("pose", "positions"), trace.values("pose", "elastic_forces")
    size = positions[0].size
    if len(positions) != 2 * size:
        raise MissingData(f"{trace.label}: {len(positions)} poses, expected two for each of {size} coordinates")
    moved = (positions[0::2] - positions[1::2]).reshape(size, size)
    apart = np.diagonal(moved)
    if np.abs(moved - np.diag(apart)).max() > 1e-9 * np.abs(apart).max() or not (apart > 0).all():
        raise MissingData(f"{trace.label}: poses that do not differ in one coordinate each")
    return np.asarray(-((forces[0::2] - forces[1::2]).reshape(size, size) / apart[:, None]).T)


def change(bent: Trace, straight: Trace) -> float:
    """‖K − K_rest‖ / ‖K_rest‖, K = −∂f/∂x of the bent bar, Frobenius norms."""
    rest = stiffness(straight)
    return float(np.linalg.norm(stiffness(bent) - rest) / np.linalg.norm(rest))


def beside_rest(bent: Rows) -> Rows:
    """Each with the straight bar of its method."""
    return bent.beside(rows().where({ANGLE: 0}), "method.name", says="")


def _of(name: str, says: str) -> Rows:
    return beside_rest(rows(name, says=f"{says}, all angles").where(lambda c: angle(c) > 0, says=""))


TEN = rows("element", "vertex", says="both kinds of warping").where({ANGLE: 10}, says="a bend of ten degrees")

M.largest("change_element", change, _of("element", "warping by element"))
M.largest("change_vertex", change, _of("vertex", "warping by vertex"))
M.largest("change_at_ten_degrees", change, beside_rest(TEN))
M.largest(
    "change_linear", change, _of("linear", "linear elements")
)  # constant matrix: the error of the finite differences
