# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/mesh_files and …/mesh_faults: meshes given as text, beside a second parser."""

from __future__ import annotations

import math
import re

from deformbench_analysis import extremes
from deformbench_analysis.assignment_mesh import (
    Mesh,
    Refused,
    area,
    netgen_neutral,
    netgen_vol,
    parse,
    signed_volumes,
    volume,
)
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT, FAULTS = "cs6967_assignment_2/mesh_files", "cs6967_assignment_2/mesh_faults"
# Volume (m³) and surface (m²) in closed form, by the title of the text. Netgen's brick is 0.4 × 0.3 × 0.2 m.
KNOWN = {
    "corner": (1 / 6, 1.5 + math.sqrt(3) / 2),
    "cube": (8.0, 24.0),
    "octahedron": (4 / 3, 4 * math.sqrt(3)),
    "netgen brick, neutral": (0.024, 0.52),
    "netgen brick, native": (0.024, 0.52),
}
_LINE = re.compile(r"text:(\d+): ")


def title(trace: Trace) -> str:
    """What the text is."""
    return str(trace.value("scene.parameters.title"))


def theirs(trace: Trace) -> Mesh:
    """The text as the second parser reads it."""
    text = str(trace.value("scene.parameters.text"))
    if text.startswith("mesh3d"):
        return netgen_vol(text)
    return netgen_neutral(text) if text.lstrip()[:1].isdigit() else parse(text.encode())


def ours(trace: Trace) -> Mesh:
    """The mesh that the run has."""
    points, tets = trace.scene("rest_positions").tolist(), trace.scene("tetrahedra").tolist()
    return Mesh([(x, y, z) for x, y, z in points], [tuple(corners) for corners in tets])


def _cells(data: ExperimentData) -> list[Trace]:
    if data.missing:
        raise MissingData(f"{data.id} at tier {data.tier}: {len(data.missing)} runs left no trace")
    return data.some(status=None)


@measurement("mesh_files.differing_files", unit="1", experiment=EXPERIMENT)
def differing_files(data: ExperimentData) -> Measured:
    """Number of texts whose run has not, bit for bit, the nodes that the second parser reads, or not its elements in its order, each
    turned over at most; or that were refused."""
    found = []
    for cell in _cells(data):
        if cell.status != "completed":
            found.append(cell)
            continue
        a, b = ours(cell), theirs(cell)
        same = [sorted(corners) for corners in a.elements] == [sorted(corners) for corners in b.elements]
        if a.nodes != b.nodes or not same:
            found.append(cell)
    return Measured(float(len(found)), "; ".join(title(c) for c in found))


@measurement("mesh_files.volume_error", unit="1", experiment=EXPERIMENT)
def volume_error(data: ExperimentData) -> Measured:
    """Largest relative error of a mesh's volume against the known one; written by hand, and from Netgen."""
    return extremes.largest({c: abs(volume(ours(c)) / KNOWN[title(c)][0] - 1) for c in data.every()})


@measurement("mesh_files.area_error", unit="1", experiment=EXPERIMENT)
def area_error(data: ExperimentData) -> Measured:
    """Largest relative error of the area of a mesh's surface against the known one; written by hand, and from Netgen."""
    return extremes.largest({c: abs(area(ours(c)) / KNOWN[title(c)][1] - 1) for c in data.every()})


@measurement("mesh_files.least_volume", unit="m^3", experiment=EXPERIMENT)
def least_volume(data: ExperimentData) -> Measured:
    """Least signed volume of an element: above zero where every face of the surface has its outside on the same side."""
    return extremes.least({c: min(signed_volumes(ours(c))) for c in data.every()})


@measurement("mesh_files.netgen_files", unit="1", experiment=EXPERIMENT)
def netgen_files(data: ExperimentData) -> float:
    """Number of files of Netgen that were read, written as lines v and t and read again."""
    return float(
        len(
            data.some(
                keep=lambda c: title(c).startswith("netgen") and c.value("scene.parameters.through") == "assignment"
            )
        )
    )


def refused_line(trace: Trace) -> int | None:
    """The line that the second parser refuses, from 1; None where it reads the text."""
    try:
        theirs(trace)
    except Refused as refused:
        return refused.line
    return None


@measurement("mesh_faults.accepted", unit="1", experiment=FAULTS)
def accepted(data: ExperimentData) -> Measured:
    """Number of texts with a fault that were not refused."""
    found = [c for c in _cells(data) if refused_line(c) is not None and c.status != "unsupported"]
    return Measured(float(len(found)), "; ".join(title(c) for c in found))


@measurement("mesh_faults.wrong_lines", unit="1", experiment=FAULTS)
def wrong_lines(data: ExperimentData) -> Measured:
    """Number of refusals that name no line, or another than the second parser."""
    found = []
    for cell in _cells(data):
        named = _LINE.search(cell.status_reason)
        if cell.status == "unsupported" and (named is None or int(named[1]) != refused_line(cell)):
            found.append(cell)
    return Measured(float(len(found)), "; ".join(title(c) for c in found))


@measurement("mesh_faults.kinds", unit="1", experiment=FAULTS)
def kinds(data: ExperimentData) -> float:
    """Number of different faults among the texts."""
    return float(len({title(c) for c in _cells(data) if refused_line(c) is not None}))
