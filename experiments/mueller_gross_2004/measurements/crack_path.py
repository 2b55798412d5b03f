# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/crack_path: deviation of opened faces from the plane normal to the pull
(IVM-33)."""

import math
from functools import cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Trace, parameter
from deformbench_analysis.vocabulary import quantity, rows
from .broken_meshes import Frame, component_sizes, exposed_faces, frames

M = Measures("mueller_gross_2004/crack_path")
WHOLE = 0.75  # share of elements: the body is apart if its largest piece has fewer
jitter = parameter("jitter", float, "Perturbation of the regular mesh's vertices / cell size.")


def pull(trace: Trace) -> Array:
    """Direction of the largest principal stress of the load."""
    xx, yy, zz, xy, yz, zx = (float(s) for s in trace.value("scene.parameters.stress_pa"))
    return np.asarray(np.linalg.eigh(np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]))[1][:, -1])


def cell_size(trace: Trace) -> float:
    """m."""
    return trace.number("side_m") / int(trace.number("cells_across"))


@cache
def separated(trace: Trace) -> Frame:
    """The first stored frame in which no piece has WHOLE of the elements, or the last:
    later splits break the parts."""
    last = None
    for last in frames(trace):
        changed = not np.array_equal(last.tetrahedra, trace.scene("tetrahedra"))
        if changed and component_sizes(last.tetrahedra)[0] < WHOLE * len(last.tetrahedra):
            break
    if last is None:
        raise trace.missing("no frames")
    return last


def crack(trace: Trace) -> tuple[Array, Array, Array]:
    """(centroids, unit normals, areas) of the faces that had opened when the body came apart, rest coordinates."""
    rest = trace.scene("rest_positions")
    faces = exposed_faces(trace.scene("tetrahedra"), separated(trace).tetrahedra)
    if len(faces) == 0:
        raise trace.missing("nothing opened")
    corners = rest[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    double = np.linalg.norm(cross, axis=1)
    return corners.mean(axis=1), cross / double[:, None], double / 2


def roughness(trace: Trace) -> float:
    """Area-weighted RMS distance of the opened faces from the mid-plane normal to the pull, in cells."""
    centroid, _, area = crack(trace)
    distance = centroid @ pull(trace)  # the flaw is in the origin
    return math.sqrt(float((area * distance**2).sum() / area.sum())) / cell_size(trace)


def tilt_deg(trace: Trace) -> float:
    """Area-weighted RMS angle of the opened faces to that plane, degrees."""
    _, normal, area = crack(trace)
    angle = np.arccos(np.clip(np.abs(normal @ pull(trace)), 0, 1))
    return math.degrees(math.sqrt(float((area * angle**2).sum() / area.sum())))


@quantity("RMS distance of crack faces from the plane normal to the pull, in cells")
def _roughness(trace: Trace) -> float:
    return roughness(trace)


@quantity("RMS angle of the opened faces to the plane normal to the pull", unit="deg")
def _tilt(trace: Trace) -> float:
    """A single crack along faces of the mesh stays far below 45 degrees."""
    return tilt_deg(trace)


def direction(trace: Trace) -> tuple[float, ...]:
    """Direction of the pull."""
    return tuple(float(s) for s in trace.value("scene.parameters.stress_pa"))


@quantity("largest / smallest mean roughness of cracks among directions of the pull")
def _direction_spread(*runs: Trace) -> float:
    """1 if the mesh imposes no direction."""
    by_direction: dict[tuple[float, ...], list[float]] = {}
    for trace in runs:
        by_direction.setdefault(direction(trace), []).append(roughness(trace))
    means = [float(np.mean(v)) for v in by_direction.values()]
    return float(np.max(means) / max(float(np.min(means)), 1e-12))


def is_irregular(trace: Trace) -> bool:
    """Irregular meshes."""
    return jitter(trace) > 0


def is_regular(trace: Trace) -> bool:
    """Regular meshes."""
    return not is_irregular(trace)


REGULAR, IRREGULAR = rows(says="regular meshes").where(is_regular, says=""), rows(says="irregular meshes").where(
    is_irregular, says=""
)
KINDS = {"kuhn_six": "six per cube", "alternating_five": "five per cube, alternating", "body_centred": "body-centred"}

for _split, _says in KINDS.items():
    M.mean(_split, _roughness, REGULAR.where({"scene.parameters.split": _split}, says=_says))
jittered = M.mean("jittered", _roughness, IRREGULAR)
M.largest("tilt_deg", _tilt)
regular_direction_spread = M.only("regular_direction_spread", _direction_spread, REGULAR.by_row())
jittered_direction_spread = M.only("jittered_direction_spread", _direction_spread, IRREGULAR.by_row())


@M("regular_minus_jittered")
def regular_minus_jittered(data: ExperimentData) -> Measured:
    """RMS distance of crack faces from the plane normal to the pull, in cells: mean of regular minus mean of
    irregular meshes."""
    regular, irregular = (float(np.mean([roughness(c) for c in of.runs(data)])) for of in (REGULAR, IRREGULAR))
    return Measured(regular - irregular, f"regular {regular:.3g}, jittered {irregular:.3g}")


def gains(data: ExperimentData) -> Array:
    """Roughness of a regular mesh minus the mean over seeds of the jittered ones of its kind and direction of pull.

    The seed affects the jitter only: all seeds of a regular mesh are the same run and count as one."""
    found: dict[tuple[object, ...], dict[bool, list[float]]] = {}
    for cell in data.every():
        key = (cell.value("scene.parameters.split"), tuple(cell.value("scene.parameters.stress_pa")))
        found.setdefault(key, {}).setdefault(jitter(cell) > 0, []).append(roughness(cell))
    return np.array([float(np.mean(p[False])) - float(np.mean(p[True])) for p in found.values() if len(p) == 2])


@M("gain_in_errors")
def gain_in_errors(data: ExperimentData) -> Measured:
    """Crack roughness (RMS distance from the plane normal to the pull) of regular minus irregular meshes: mean over
    mesh kinds and directions / its standard error."""
    gain = gains(data)
    if len(gain) < 3:
        raise MissingData(f"{M.experiment} at tier {data.tier}: {len(gain)} pairs, expected at least three")
    error = float(gain.std(ddof=1)) / math.sqrt(len(gain))
    return Measured(float(gain.mean()) / error, f"{gain.mean():.3g} ± {error:.2g} cells, {len(gain)} pairs")
