# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/warped_constancy: the derivative of the forces at bent poses, against that at rest."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/warped_constancy"
WARPED = ("element", "vertex")


def angle(trace: Trace) -> float:
    """Of the bend, degrees."""
    return float(trace.value("schedule.poses.parameters.angle_deg"))


def stiffness(trace: Trace) -> Array:
    """−∂f/∂x, [3n,3n]: central differences of the forces of two poses each, which differ in one coordinate."""
    positions, forces = trace.values("pose", "positions"), trace.values("pose", "elastic_forces")
    size = positions[0].size
    if len(positions) != 2 * size:
        raise MissingData(f"{trace.label}: {len(positions)} poses, expected two for each of {size} coordinates")
    moved = (positions[0::2] - positions[1::2]).reshape(size, size)
    apart = np.diagonal(moved)
    if np.abs(moved - np.diag(apart)).max() > 1e-9 * np.abs(apart).max() or not (apart > 0).all():
        raise MissingData(f"{trace.label}: poses that do not differ in one coordinate each")
    return np.asarray(-((forces[0::2] - forces[1::2]).reshape(size, size) / apart[:, None]).T)


def change(data: ExperimentData, trace: Trace) -> float:
    """‖K(angle) − K(0)‖/‖K(0)‖ by Frobenius norm."""
    rest = stiffness(data.one(name=trace.method_name, where={"schedule.poses.parameters.angle_deg": 0}))
    return float(np.linalg.norm(stiffness(trace) - rest) / np.linalg.norm(rest))


def bent(data: ExperimentData, name: str) -> list[Trace]:
    """Cells of a method that are not straight."""
    return data.every(name=name, keep=lambda c: angle(c) > 0)


def _largest(data: ExperimentData, name: str) -> Measured:
    return extremes.largest({c: change(data, c) for c in bent(data, name)})


@measurement("warped_constancy.change_element", unit="1", experiment=EXPERIMENT)
def change_element(data: ExperimentData) -> Measured:
    """Change of the derivative of the forces by bending, over its size at rest: warping by element, largest of all angles."""
    return _largest(data, "element")


@measurement("warped_constancy.change_vertex", unit="1", experiment=EXPERIMENT)
def change_vertex(data: ExperimentData) -> Measured:
    """Change of the derivative of the forces by bending, over its size at rest: warping by vertex, largest of all angles."""
    return _largest(data, "vertex")


@measurement("warped_constancy.change_at_ten_degrees", unit="1", experiment=EXPERIMENT)
def change_at_ten_degrees(data: ExperimentData) -> Measured:
    """Change of the derivative of the forces by a bend of ten degrees, over its size at rest: larger of the two kinds of warping."""
    return extremes.largest({c: change(data, c) for name in WARPED for c in bent(data, name) if angle(c) == 10.0})


@measurement("warped_constancy.change_linear", unit="1", experiment=EXPERIMENT)
def change_linear(data: ExperimentData) -> Measured:
    """Change of the derivative of the forces by bending, over its size at rest, largest of all angles: linear elements, whose matrix
    is constant, so that this is what the differences themselves are off by."""
    return _largest(data, "linear")
