# SPDX-License-Identifier: BSD-3-Clause
"""The surface of every frame as a sequence of OBJ or PLY files with normals, for a renderer."""

from pathlib import Path

import numpy as np

from .errors import MissingData
from .mesh_frames import SurfaceFrame, experiment_folder, file_stem, members_of, rigid_frames, surface_frames
from .output import write_bytes
from .trace import Trace

FORMATS = ("obj", "ply")


def obj_text(frame: SurfaceFrame) -> bytes:
    """Wavefront OBJ: v, vn, and f with the same index for both."""
    lines = [f"# step {frame.step}, time {frame.time!r} s"]
    lines += [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in frame.positions]
    lines += [f"vn {x:.9g} {y:.9g} {z:.9g}" for x, y, z in frame.normals]
    lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in frame.triangles + 1]
    return ("\n".join(lines) + "\n").encode("ascii")


def ply_bytes(frame: SurfaceFrame) -> bytes:
    """Stanford PLY, binary, little end first; doubles for positions, floats for normals."""
    header = [
        "ply",
        "format binary_little_endian 1.0",
        f"comment step {frame.step}, time {frame.time!r} s",
        f"element vertex {len(frame.positions)}",
    ]
    header += [f"property double {c}" for c in "xyz"] + [f"property float n{c}" for c in "xyz"]
    header += [f"element face {len(frame.triangles)}", "property list uchar int vertex_indices", "end_header"]
    vertices = np.zeros(len(frame.positions), dtype=[("x", "<f8", 3), ("n", "<f4", 3)])
    vertices["x"], vertices["n"] = frame.positions, frame.normals
    faces = np.zeros(len(frame.triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, frame.triangles
    return ("\n".join(header) + "\n").encode("ascii") + vertices.tobytes() + faces.tobytes()


def write(trace: Trace, folder: Path, file_format: str) -> list[Path]:
    """Writes <folder>/<experiment>/<name>/frame_<k>.<format>,
    and bodies_<k>.<format> where there are rigid bodies; returns the files."""
    content = {"obj": obj_text, "ply": ply_bytes}[file_format]
    has_body = trace.scene_shape("rest_positions") is not None
    written: list[Path] = []
    for member in members_of(trace):
        sequences = {"frame": surface_frames(trace, member) if has_body else (), "bodies": rigid_frames(trace, member)}
        for name, frames in sequences.items():
            for number, frame in enumerate(frames):
                path = (
                    experiment_folder(trace, folder) / file_stem(trace, member) / f"{name}_{number:05d}.{file_format}"
                )
                write_bytes(path, content(frame))
                written.append(path)
    if not written:
        raise MissingData(
            f"{trace.path}: no frame with positions or rigid_positions and rigid_orientations; the declaration needs "
            "the clock frame with these channels"
        )
    return written
