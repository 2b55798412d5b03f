# SPDX-License-Identifier: BSD-3-Clause
"""Frames as VTK files: one .vtu (unstructured grid, XML, compressed) a frame, and a .pvd that gives their times."""

import base64
import zlib
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from .arrays import Array
from .errors import MissingData
from .mesh_frames import MeshFrame, experiment_folder, file_stem, members_of, mesh_frames, rigid_frames
from .output import write_text
from .trace import Trace

_CELL_TYPES = {1: 1, 3: 5, 4: 10}  # VTK_VERTEX, VTK_TRIANGLE, VTK_TETRA by corners
_TYPES = {"f": ("Float64", "<f8"), "i": ("Int64", "<i8"), "u": ("UInt8", "|u1")}


def _data_array(name: str, values: Array) -> str:
    """<DataArray format="binary">: in base64 each the header (UInt32: blocks, bytes of a block, of a last block that is
    shorter, compressed bytes) and the block, compressed."""
    vtk_type, stored = _TYPES[values.dtype.kind]
    content = np.ascontiguousarray(values, dtype=stored).tobytes()
    packed = zlib.compress(content)
    header = np.array([1, len(content), 0, len(packed)] if content else [0, 0, 0], dtype="<u4").tobytes()
    text = (base64.b64encode(header) + (base64.b64encode(packed) if content else b"")).decode("ascii")
    columns = int(np.prod(values.shape[1:], dtype=int))
    return f'<DataArray type="{vtk_type}" Name={quoteattr(name)} NumberOfComponents="{columns}" format="binary">{text}</DataArray>\n'


def tensor_norms(strains: Array) -> Array:
    """Frobenius norm of tensors xx yy zz xy yz zx, [m]."""
    return np.asarray(np.sqrt((strains[:, :3] ** 2).sum(axis=1) + 2 * (strains[:, 3:] ** 2).sum(axis=1)))


def _point_data(frame: MeshFrame) -> dict[str, Array]:
    count = len(frame.positions)
    return {
        n: frame.arrays[n]
        for n in ("velocities", "elastic_forces", "parents")
        if n in frame.arrays and len(frame.arrays[n]) == count
    }


def _cell_data(frame: MeshFrame) -> dict[str, Array]:
    data = {}
    if "element_plastic_strains" in frame.arrays:
        data["plastic_strain_norm"] = tensor_norms(frame.arrays["element_plastic_strains"])
    if "heated_elements" in frame.arrays:
        data["heated"] = np.asarray(frame.arrays["heated_elements"], dtype=np.uint8)
    if "element_stresses" in frame.arrays:
        data["stress"] = frame.arrays["element_stresses"]
    return data


def unstructured_grid(
    positions: Array, connectivity: Array, point_data: dict[str, Array], cell_data: dict[str, Array]
) -> str:
    """The text of a .vtu; `connectivity` [cells, corners]."""
    points, (cells, corners) = len(positions), connectivity.shape
    parts = [
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" '
        'compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n'
        f'<Piece NumberOfPoints="{points}" NumberOfCells="{cells}">\n<PointData>\n'
    ]
    parts += [_data_array(name, values) for name, values in point_data.items()]
    parts.append("</PointData>\n<CellData>\n")
    parts += [_data_array(name, values) for name, values in cell_data.items()]
    parts += [
        "</CellData>\n<Points>\n",
        _data_array("positions", positions),
        "</Points>\n<Cells>\n",
        _data_array("connectivity", connectivity.astype(np.int64).ravel()),
        _data_array("offsets", corners * np.arange(1, cells + 1, dtype=np.int64)),
        _data_array("types", np.full(cells, _CELL_TYPES[corners], dtype=np.uint8)),
        "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
    ]
    return "".join(parts)


def write(trace: Trace, folder: Path) -> list[Path]:
    """Writes <folder>/<experiment>/<name>.pvd with its frames beside it, rigid bodies as a part of their own; returns
    the .pvd files, one per member."""
    written = []
    place = experiment_folder(trace, folder)
    has_body = trace.scene_shape("rest_positions") is not None
    for member in members_of(trace):
        stem = file_stem(trace, member)
        entries: list[str] = []

        def add(name: str, part: int, time: float, text: str, stem: str = stem, entries: list[str] = entries) -> None:
            path = place / stem / name
            write_text(path, text)
            entries.append(f'<DataSet timestep="{time!r}" part="{part}" file={quoteattr(f"{stem}/{name}")}/>\n')

        for number, frame in enumerate(mesh_frames(trace, member) if has_body else ()):
            add(
                f"frame_{number:05d}.vtu",
                0,
                frame.time,
                unstructured_grid(frame.positions, frame.cells, _point_data(frame), _cell_data(frame)),
            )
        for number, bodies in enumerate(rigid_frames(trace, member)):
            add(
                f"bodies_{number:05d}.vtu",
                1,
                bodies.time,
                unstructured_grid(bodies.positions, bodies.triangles, {}, {}),
            )
        if not entries:
            raise MissingData(
                f"{trace.path}: no frame with positions or rigid_positions and rigid_orientations; the declaration needs "
                "the clock frame with these channels"
            )
        pvd = place / f"{stem}.pvd"
        write_text(
            pvd,
            '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n<Collection>\n'
            + "".join(entries)
            + "</Collection>\n</VTKFile>\n",
        )
        written.append(pvd)
    return written
