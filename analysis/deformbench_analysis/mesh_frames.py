# SPDX-License-Identifier: BSD-3-Clause
"""Stored frames as meshes for other programs: what paraview and surface files have in common."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .arrays import Array
from .errors import InputError, MissingData, NothingSelected
from .trace import Trace

_FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])  # outward where det[x1−x0, x2−x0, x3−x0] > 0


@dataclass(frozen=True)
class MeshFrame:
    """A deformable body at one time, with all that is stored of it: tetrahedra, or cloth, or particles alone."""

    step: int
    time: float
    positions: Array  # [n,3], m
    tetrahedra: Array  # [m,4], none of a cloth
    triangles: Array  # [m,3], of a cloth
    arrays: dict[str, Array]

    @property
    def cells(self) -> Array:
        """Vertices of the elements; of particles each vertex alone."""
        if len(self.tetrahedra) > 0:
            return self.tetrahedra
        return self.triangles if len(self.triangles) > 0 else np.arange(len(self.positions))[:, None]


@dataclass(frozen=True)
class SurfaceFrame:
    """The surface of one stored frame."""

    step: int
    time: float
    positions: Array  # [n,3], m
    triangles: Array  # [t,3]
    normals: Array  # [n,3], unit


def mesh_frames(trace: Trace, member: int | None = None) -> Iterator[MeshFrame]:
    """Every frame that has positions. MissingData when none has."""
    tetrahedra, triangles = scene_cells(trace, "tetrahedra", 4), scene_cells(trace, "triangles", 3)
    found = False
    for step, time, arrays in trace.frames(member):
        if "positions" in arrays:
            found = True
            yield MeshFrame(
                step,
                time,
                np.asarray(arrays["positions"], dtype=float),
                np.asarray(arrays.get("tetrahedra", tetrahedra)),
                np.asarray(arrays.get("triangles", triangles)),
                arrays,
            )
    if not found:
        raise MissingData(
            f"{trace.path}: no frame with positions; the declaration needs the clock frame with the channel positions"
        )


def scene_cells(trace: Trace, name: str, columns: int) -> Array:
    """Connectivity of /scene; no rows where it has none."""
    return trace.scene(name) if trace.scene_shape(name) is not None else np.zeros((0, columns), dtype=np.int64)


def boundary_triangles(tetrahedra: Array) -> Array:
    """Faces of one element alone, seen from outside, [t,3]."""
    if len(tetrahedra) == 0:
        return np.zeros((0, 3), dtype=np.int64)
    faces = tetrahedra[:, _FACES].reshape(-1, 3)
    _, index, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.asarray(faces[np.sort(index[count == 1])])


def vertex_normals(positions: Array, triangles: Array) -> Array:
    """Unit normals, triangles weighted by their area; zero at vertices without a triangle."""
    corners = positions[triangles]
    doubled = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(positions)
    for k in range(3):
        np.add.at(normals, triangles[:, k], doubled)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(normals / np.where(length > 0, length, 1.0))


def surface_frames(trace: Trace, member: int | None = None, last: bool = False) -> Iterator[SurfaceFrame]:
    """The embedded surface of every frame, or of the last alone, cut as it is then; of a body without one the boundary
    of its mesh; of a cloth the cloth, torn as it is then."""
    has_skin = trace.scene_shape("skin_triangles") is not None
    first = trace.scene("skin_triangles") if has_skin else None
    found = False
    for step, time, arrays in trace.frames(member, last):
        if has_skin and "skin_positions" in arrays:
            positions = np.asarray(arrays["skin_positions"], dtype=float)
            triangles = np.asarray(arrays.get("skin_triangles", first))
        elif not has_skin and "positions" in arrays:
            positions = np.asarray(arrays["positions"], dtype=float)
            cloth = np.asarray(arrays.get("triangles", scene_cells(trace, "triangles", 3)))
            triangles = (
                cloth
                if len(cloth) > 0
                else boundary_triangles(np.asarray(arrays.get("tetrahedra", scene_cells(trace, "tetrahedra", 4))))
            )
        else:
            continue
        stored = next((arrays[n] for n in ("skin_normals", "skin_normals_exact") if has_skin and n in arrays), None)
        normals = vertex_normals(positions, triangles) if stored is None else np.asarray(stored, dtype=float)
        found = True
        yield SurfaceFrame(step, time, positions, triangles, normals)
    if not found:
        wanted = "skin_positions" if has_skin else "positions"
        raise MissingData(
            f"{trace.path}: no frame with {wanted}; the declaration needs the clock frame with the channel {wanted}"
        )


@dataclass(frozen=True)
class RigidSurface:
    """The surface of one rigid body, in its own frame."""

    positions: Array  # [n,3], m
    triangles: Array  # [t,3]


def rigid_surfaces(trace: Trace) -> list[RigidSurface]:
    """Surfaces of all rigid bodies of the scene, in its order."""
    found: list[RigidSurface] = []
    while trace.scene_shape(f"rigid_{len(found)}_positions") is not None:
        found.append(
            RigidSurface(trace.scene(f"rigid_{len(found)}_positions"), trace.scene(f"rigid_{len(found)}_triangles"))
        )
    return found


def rigid_frames(trace: Trace, member: int | None = None, last: bool = False) -> Iterator[SurfaceFrame]:
    """All rigid bodies as one surface, one per frame (or of the last alone) that has their positions and orientations;
    none without rigid bodies."""
    bodies = rigid_surfaces(trace)
    if not bodies:
        return
    offsets = np.cumsum([0, *(len(b.positions) for b in bodies)])
    triangles = np.concatenate([b.triangles + offset for b, offset in zip(bodies, offsets, strict=False)])
    for step, time, arrays in trace.frames(member, last):
        if "rigid_positions" not in arrays or "rigid_orientations" not in arrays:
            continue
        positions = np.concatenate(
            [
                b.positions @ np.asarray(turn).T + shift
                for b, turn, shift in zip(bodies, arrays["rigid_orientations"], arrays["rigid_positions"], strict=True)
            ]
        )
        yield SurfaceFrame(step, time, positions, triangles, vertex_normals(positions, triangles))


def traces_below(named: Path) -> list[Trace]:
    """The trace named, or all traces with frames below the folder named."""
    if named.is_file():
        return [Trace(named)]
    if not named.is_dir():
        raise InputError(f"{named}: no such file or folder, expected a trace (*.h5) or a folder of traces")
    traces = [Trace(p) for p in sorted(named.rglob("*.h5")) if not p.name.endswith(".timing.h5")]
    chosen = [t for t in traces if t.has_frames]
    if not chosen:
        raise NothingSelected(f"{named}: {len(traces)} traces, none of them has frames")
    return chosen


def members_of(trace: Trace) -> list[int | None]:
    """Members of an ensemble; [None] for a single run."""
    clocks = trace.clocks()
    step = trace.values("frame", "step") if "frame" in clocks else np.zeros(0)
    return list(range(step.shape[0])) if step.ndim == 2 else [None]


def _safe(name: str) -> str:
    """The name as one component of a path: attributes of a foreign trace may hold slashes, or be `..`."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", name).lstrip(".") or "_"


def experiment_folder(trace: Trace, out: Path) -> Path:
    """The folder of the trace's experiment, which is below `out` whatever the trace calls it."""
    return out.joinpath(*(_safe(part) for part in trace.experiment.split("/") if part))


def file_stem(trace: Trace, member: int | None) -> str:
    """A name for the files of a trace: method, the first letters of its cell, member."""
    return f"{_safe(trace.method_name)}_{_safe(trace.cell_id[:8])}" + ("" if member is None else f"_member{member}")
