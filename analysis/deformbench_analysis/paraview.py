# SPDX-License-Identifier: BSD-3-Clause
"""Frames as VTK files: one .vtu (unstructured grid, XML, base64) a frame, and a .pvd that gives their times."""

from __future__ import annotations

import base64
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from .mesh_frames import MeshFrame, file_stem, members_of, mesh_frames
from .trace import Trace

_VTK_TETRA = 10
_TYPES = {"f": ("Float64", "<f8"), "i": ("Int64", "<i8"), "u": ("UInt8", "|u1")}


def _data_array(name: str, values: np.ndarray) -> str:
    """<DataArray format="binary">: the number of bytes as UInt32, then the bytes, together in base64."""
    vtk_type, stored = _TYPES[values.dtype.kind]
    content = np.ascontiguousarray(values, dtype=stored).tobytes()
    text = base64.b64encode(np.array([len(content)], dtype="<u4").tobytes() + content).decode("ascii")
    columns = int(np.prod(values.shape[1:], dtype=int))
    return f'<DataArray type="{vtk_type}" Name={quoteattr(name)} NumberOfComponents="{columns}" format="binary">{text}</DataArray>\n'


def tensor_norms(strains: np.ndarray) -> np.ndarray:
    """Frobenius norm of tensors xx yy zz xy yz zx, [m]."""
    return np.asarray(np.sqrt((strains[:, :3] ** 2).sum(axis=1) + 2 * (strains[:, 3:] ** 2).sum(axis=1)))


def _point_data(frame: MeshFrame) -> dict[str, np.ndarray]:
    count = len(frame.positions)
    return {n: frame.arrays[n] for n in ("velocities", "elastic_forces", "parents")
            if n in frame.arrays and len(frame.arrays[n]) == count}


def _cell_data(frame: MeshFrame) -> dict[str, np.ndarray]:
    data = {}
    if "element_plastic_strains" in frame.arrays:
        data["plastic_strain_norm"] = tensor_norms(frame.arrays["element_plastic_strains"])
    if "heated_elements" in frame.arrays:
        data["heated"] = np.asarray(frame.arrays["heated_elements"], dtype=np.uint8)
    if "element_stresses" in frame.arrays:
        data["stress"] = frame.arrays["element_stresses"]
    return data


def unstructured_grid(frame: MeshFrame) -> str:
    """The text of a .vtu."""
    points, cells = len(frame.positions), len(frame.tetrahedra)
    parts = ['<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">\n<UnstructuredGrid>\n'
             f'<Piece NumberOfPoints="{points}" NumberOfCells="{cells}">\n<PointData>\n']
    parts += [_data_array(name, values) for name, values in _point_data(frame).items()]
    parts.append("</PointData>\n<CellData>\n")
    parts += [_data_array(name, values) for name, values in _cell_data(frame).items()]
    parts += ["</CellData>\n<Points>\n", _data_array("positions", frame.positions), "</Points>\n<Cells>\n",
              _data_array("connectivity", frame.tetrahedra.astype(np.int64).ravel()),
              _data_array("offsets", 4 * np.arange(1, cells + 1, dtype=np.int64)),
              _data_array("types", np.full(cells, _VTK_TETRA, dtype=np.uint8)),
              "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"]
    return "".join(parts)


def write(trace: Trace, folder: Path) -> list[Path]:
    """Writes <folder>/<experiment>/<name>.pvd with its frames beside it; returns the .pvd files, one a member."""
    written = []
    for member in members_of(trace):
        stem = file_stem(trace, member)
        entries = []
        for number, frame in enumerate(mesh_frames(trace, member)):
            path = folder / trace.experiment / stem / f"frame_{number:05d}.vtu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(unstructured_grid(frame), encoding="utf-8")
            entries.append(f'<DataSet timestep="{frame.time!r}" part="0" file={quoteattr(f"{stem}/{path.name}")}/>\n')
        pvd = folder / trace.experiment / f"{stem}.pvd"
        pvd.write_text('<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n<Collection>\n'
                       + "".join(entries) + "</Collection>\n</VTKFile>\n", encoding="utf-8")
        written.append(pvd)
    return written
