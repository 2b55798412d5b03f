# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/rebound_block: a cube on a floor whose vertices are stopped or thrown back."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import number

EXPERIMENT = "cs533d_cloth_lecture/rebound_block"


def rebound(trace: Trace) -> float:
    """Speed of the centre of mass away from the floor at the end over that towards it at the start."""
    momentum = extremes.finite(trace.values("step", "linear_momentum"), trace.label)
    return float(-momentum[-1, 1] / momentum[0, 1])


def differences(data: ExperimentData, tilt: float) -> list[float]:
    """|e(0) − e(1)| of every mesh, coarse to fine."""
    found = {}
    for cell in data.every(where={"scene.parameters.tilt_deg": tilt, "scene.parameters.restitution": 0.0}):
        cells = cell.value("scene.parameters.cells_across")
        same = {"scene.parameters.tilt_deg": tilt, "scene.parameters.cells_across": cells}
        found[cells] = abs(rebound(cell) - rebound(data.one(where={**same, "scene.parameters.restitution": 1.0})))
    if len(found) < 2:
        raise MissingData("two meshes at least were expected")
    return [found[n] for n in sorted(found)]


def tilts(data: ExperimentData) -> list[float]:
    """Flat and tilted."""
    return sorted({number(c, "tilt_deg") for c in data.every()})


@measurement("rebound_block.change_with_mesh", unit="1", experiment=EXPERIMENT)
def change_with_mesh(data: ExperimentData) -> Measured:
    """Largest difference between the rebounds of stopped vertices on the finest mesh and on the next coarser one, flat
    and tilted."""
    found = {}
    for tilt in tilts(data):
        cells = data.every(where={"scene.parameters.tilt_deg": tilt, "scene.parameters.restitution": 0.0})
        by_mesh = {int(c.value("scene.parameters.cells_across")): rebound(c) for c in cells}
        if len(by_mesh) < 2:
            raise MissingData("two meshes at least were expected")
        *_, coarse, fine = (by_mesh[n] for n in sorted(by_mesh))
        found[f"{tilt:g} degrees"] = abs(fine - coarse)
    return extremes.largest(found)


@measurement("rebound_block.finest_difference", unit="1", experiment=EXPERIMENT)
def finest_difference(data: ExperimentData) -> Measured:
    """Largest |e(0) − e(1)| of the finest mesh, flat and tilted."""
    return extremes.largest({f"{t:g} degrees": differences(data, t)[-1] for t in tilts(data)})


@measurement("rebound_block.slide_change", unit="1", experiment=EXPERIMENT)
def slide_change(data: ExperimentData) -> Measured:
    """Largest change of the momentum along the floor, over that at the start: the floor has no friction."""
    found = {}
    for cell in data.every():
        along = extremes.finite(cell.values("step", "linear_momentum"), cell.label)[:, [0, 2]]
        found[cell] = float(np.linalg.norm(along - along[0], axis=1).max() / np.linalg.norm(along[0]))
    return extremes.largest(found)


@measurement("rebound_block.least", unit="1", experiment=EXPERIMENT)
def least(data: ExperimentData) -> Measured:
    """Least rebound."""
    return extremes.least({c: rebound(c) for c in data.every()})


@measurement("rebound_block.poses", unit="1", experiment=EXPERIMENT)
def poses(data: ExperimentData) -> float:
    """Flat and tilted."""
    return float(len(tilts(data)))
