# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/crack_path: how far the opened faces stray from the plane across the pull
(IVM-33)."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .broken_meshes import Frame, component_sizes, exposed_faces, frames

EXPERIMENT = "mueller_gross_2004/crack_path"
WHOLE = 0.75  # share of the elements: with less in its largest piece the body is apart


def pull(trace: Trace) -> Array:
    """Direction of the largest principal stress of the load."""
    xx, yy, zz, xy, yz, zx = (float(s) for s in trace.value("scene.parameters.stress_pa"))
    return np.asarray(np.linalg.eigh(np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]))[1][:, -1])


def cell_size(trace: Trace) -> float:
    """m."""
    return float(trace.value("scene.parameters.side_m")) / int(trace.value("scene.parameters.cells_across"))


def jitter(trace: Trace) -> float:
    """How far vertices are moved off the regular mesh, over the cell size."""
    return float(trace.value("scene.parameters.jitter"))


@cache
def separated(trace: Trace) -> Frame:
    """The first stored frame in which no piece holds most of the body any more, or the last:
    later splits break the parts."""
    last = None
    for last in frames(trace):
        changed = not np.array_equal(last.tetrahedra, trace.scene("tetrahedra"))
        if changed and component_sizes(last.tetrahedra)[0] < WHOLE * len(last.tetrahedra):
            break
    if last is None:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: no frames")
    return last


def crack(trace: Trace) -> tuple[Array, Array, Array]:
    """(centroids, unit normals, areas) of the faces that had opened when the body came apart, rest coordinates."""
    rest = trace.scene("rest_positions")
    faces = exposed_faces(trace.scene("tetrahedra"), separated(trace).tetrahedra)
    if len(faces) == 0:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: nothing opened")
    corners = rest[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    double = np.linalg.norm(cross, axis=1)
    return corners.mean(axis=1), cross / double[:, None], double / 2


def roughness(trace: Trace) -> float:
    """Root mean square distance, by area, of the opened faces from the plane across the pull through the middle,
    in cells."""
    centroid, _, area = crack(trace)
    distance = centroid @ pull(trace)  # the flaw is in the origin
    return math.sqrt(float((area * distance**2).sum() / area.sum())) / cell_size(trace)


def tilt_deg(trace: Trace) -> float:
    """Root mean square angle, by area, of the opened faces against that plane."""
    _, normal, area = crack(trace)
    angle = np.arccos(np.clip(np.abs(normal @ pull(trace)), 0, 1))
    return math.degrees(math.sqrt(float((area * angle**2).sum() / area.sum())))


def _mean(cells: list[Trace]) -> Measured:
    values = [roughness(c) for c in cells]
    return Measured(float(np.mean(values)), f"{len(values)} runs, {min(values):.3g} to {max(values):.3g}")


def of_split(data: ExperimentData, split: str, irregular: bool) -> list[Trace]:
    """Runs on meshes that cut cubes in this way, regular or irregular."""
    return data.every(where={"scene.parameters.split": split}, keep=lambda c: (jitter(c) > 0) == irregular)


@measurement("crack_path.kuhn_six", unit="1", experiment=EXPERIMENT)
def kuhn_six(data: ExperimentData) -> Measured:
    """Root mean square distance of a crack's faces from the plane across the pull, in cells, mean over regular meshes
    of cubes split into six tetrahedra."""
    return _mean(of_split(data, "kuhn_six", False))


@measurement("crack_path.alternating_five", unit="1", experiment=EXPERIMENT)
def alternating_five(data: ExperimentData) -> Measured:
    """Root mean square distance of a crack's faces from the plane across the pull, in cells, mean over regular meshes
    of cubes split alternately into five tetrahedra."""
    return _mean(of_split(data, "alternating_five", False))


@measurement("crack_path.body_centred", unit="1", experiment=EXPERIMENT)
def body_centred(data: ExperimentData) -> Measured:
    """Root mean square distance of a crack's faces from the plane across the pull, in cells, mean over regular
    body-centred meshes."""
    return _mean(of_split(data, "body_centred", False))


@measurement("crack_path.jittered", unit="1", experiment=EXPERIMENT)
def jittered(data: ExperimentData) -> Measured:
    """Root mean square distance of a crack's faces from the plane across the pull, in cells, mean over irregular
    meshes of all kinds."""
    return _mean(data.every(keep=lambda c: jitter(c) > 0))


@measurement("crack_path.regular_minus_jittered", unit="1", experiment=EXPERIMENT)
def regular_minus_jittered(data: ExperimentData) -> Measured:
    """Root mean square distance of a crack's faces from the plane across the pull, in cells: mean of regular meshes
    minus that of irregular ones; same kinds of mesh, directions and seeds."""
    regular, irregular = (
        _mean(data.every(keep=keep)).value for keep in (lambda c: jitter(c) == 0, lambda c: jitter(c) > 0)
    )
    return Measured(regular - irregular, f"regular {regular:.3g}, jittered {irregular:.3g}")


def gains(data: ExperimentData) -> Array:
    """Roughness of a regular mesh minus the mean over seeds of the jittered ones of its kind and direction of pull.

    The seed moves the jitter alone: of a regular mesh every seed is the same run, and all of them count as one."""
    found: dict[tuple[object, ...], dict[bool, list[float]]] = {}
    for cell in data.every():
        key = (cell.value("scene.parameters.split"), tuple(cell.value("scene.parameters.stress_pa")))
        found.setdefault(key, {}).setdefault(jitter(cell) > 0, []).append(roughness(cell))
    return np.array([float(np.mean(p[False])) - float(np.mean(p[True])) for p in found.values() if len(p) == 2])


@measurement("crack_path.gain_in_errors", unit="1", experiment=EXPERIMENT)
def gain_in_errors(data: ExperimentData) -> Measured:
    """Roughness of cracks (root mean square distance of the faces from the plane across the pull) in regular minus
    irregular meshes, mean over kinds of mesh and directions, over its standard error."""
    gain = gains(data)
    if len(gain) < 3:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: {len(gain)} pairs, expected at least three")
    error = float(gain.std(ddof=1)) / math.sqrt(len(gain))
    return Measured(float(gain.mean()) / error, f"{gain.mean():.3g} ± {error:.2g} cells, {len(gain)} pairs")


@measurement("crack_path.tilt_deg", unit="deg", experiment=EXPERIMENT)
def tilt_max(data: ExperimentData) -> Measured:
    """Largest root mean square angle of the opened faces against the plane across the pull; a single crack along faces
    of the mesh stays far below 45 degrees."""
    tilts = [tilt_deg(c) for c in data.every()]
    return Measured(np.max(tilts), f"{len(tilts)} runs, from {min(tilts):.3g}")


@measurement("crack_path.regular_direction_spread", unit="1", experiment=EXPERIMENT)
def regular_direction_spread(data: ExperimentData) -> float:
    """Largest over smallest mean roughness of cracks (root mean square distance of the faces from the plane across the
    pull) over directions of the pull, regular meshes: 1 if the mesh imposes no direction."""
    return _direction_spread(data, False)


@measurement("crack_path.jittered_direction_spread", unit="1", experiment=EXPERIMENT)
def jittered_direction_spread(data: ExperimentData) -> float:
    """Largest over smallest mean roughness of cracks (root mean square distance of the faces from the plane across the
    pull) over directions of the pull, irregular meshes: 1 if the mesh imposes no direction."""
    return _direction_spread(data, True)


def _direction_spread(data: ExperimentData, irregular: bool) -> float:
    by_direction: dict[tuple[float, ...], list[float]] = {}
    for cell in data.every(keep=lambda c: (jitter(c) > 0) == irregular):
        key = tuple(float(s) for s in cell.value("scene.parameters.stress_pa"))
        by_direction.setdefault(key, []).append(roughness(cell))
    means = [float(np.mean(v)) for v in by_direction.values()]
    return float(np.max(means) / max(float(np.min(means)), 1e-12))
