# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/mesh_files and …/mesh_faults: meshes given as text versus a second parser."""

import math
import re

from deformbench_analysis.assignment_mesh import Mesh, Refused, area, netgen_neutral, netgen_vol, parse
from deformbench_analysis.assignment_mesh import signed_volumes, volume
from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, Trace, parameter, quantity, rows

M, FAULTS = Measures("cs6967_assignment_2/mesh_files"), Measures("cs6967_assignment_2/mesh_faults")
# Volume (m³) and surface (m²) in closed form, by the title of the text. Netgen's brick is 0.4 × 0.3 × 0.2 m.
KNOWN = {
    "corner": (1 / 6, 1.5 + math.sqrt(3) / 2),
    "cube": (8.0, 24.0),
    "octahedron": (4 / 3, 4 * math.sqrt(3)),
    "netgen brick, neutral": (0.024, 0.52),
    "netgen brick, native": (0.024, 0.52),
}
_LINE = re.compile(r"text:(\d+): ")
title = parameter("title", str, "Title of a text.")


def theirs(trace: Trace) -> Mesh:
    """The text as the second parser reads it."""
    text = str(trace.value("scene.parameters.text"))
    if text.startswith("mesh3d"):
        return netgen_vol(text)
    return netgen_neutral(text) if text.lstrip()[:1].isdigit() else parse(text.encode())


def ours(trace: Trace) -> Mesh:
    """Mesh of the run."""
    points, tets = trace.scene("rest_positions").tolist(), trace.scene("tetrahedra").tolist()
    return Mesh([(x, y, z) for x, y, z in points], [tuple(corners) for corners in tets])


@quantity("relative error of a mesh's volume against the known one")
def _volume_error(trace: Trace) -> float:
    return abs(volume(ours(trace)) / KNOWN[title(trace)][0] - 1)


@quantity("relative error of the area of a mesh's surface against the known one")
def _area_error(trace: Trace) -> float:
    return abs(area(ours(trace)) / KNOWN[title(trace)][1] - 1)


@quantity("signed volume of an element", unit="m^3")
def _least_volume(trace: Trace) -> float:
    return min(signed_volumes(ours(trace)))


def differs(trace: Trace) -> bool:
    """Whether it was refused, or its nodes (bitwise) or elements (up to corner order) differ from the second
    parser's."""
    if trace.status != "completed":
        return True
    a, b = ours(trace), theirs(trace)
    same = [sorted(corners) for corners in a.elements] == [sorted(corners) for corners in b.elements]
    return a.nodes != b.nodes or not same


def refused_line(trace: Trace) -> int | None:
    """The line that the second parser refuses, from 1; None where it reads the text."""
    try:
        theirs(trace)
    except Refused as refused:
        return refused.line
    return None


def is_faulty(trace: Trace) -> bool:
    """Texts with a fault."""
    return refused_line(trace) is not None


def names_another_line(trace: Trace) -> bool:
    """Whether the refusal names no line or not the second parser's."""
    named = _LINE.search(trace.status_reason)
    return trace.status == "unsupported" and (named is None or int(named[1]) != refused_line(trace))


def _is_netgen_through_lines(trace: Trace) -> bool:
    return title(trace).startswith("netgen") and trace.value("scene.parameters.through") == "assignment"


TEXTS = rows(says="texts").however_ended("a refusal is what is looked for")
FAULTY = TEXTS.where(is_faulty, says="with a fault")
HAND_WRITTEN = rows(says="meshes written by hand, and from Netgen")

M.largest("volume_error", _volume_error, HAND_WRITTEN)
M.largest("area_error", _area_error, HAND_WRITTEN)
M.least("least_volume", _least_volume, HAND_WRITTEN)  # positive if every element is positively oriented
M.count(
    "netgen_files",
    rows(says="Netgen files that were read, rewritten as v and t lines and read again").where(
        _is_netgen_through_lines, says=""
    ),
)


def _named(found: list[Trace]) -> Measured:
    return Measured(float(len(found)), "; ".join(title(c) for c in found))


@M("differing_files")
def differing_files(data: ExperimentData) -> Measured:
    """Number of texts that were refused, or whose nodes (bitwise) or elements (in order, up to corner order) differ
    from the second parser's."""
    return _named([c for c in TEXTS.runs(data) if differs(c)])


@FAULTS("accepted")
def accepted(data: ExperimentData) -> Measured:
    """Number of texts with a fault that were not refused."""
    return _named([c for c in FAULTY.runs(data) if c.status != "unsupported"])


@FAULTS("wrong_lines")
def wrong_lines(data: ExperimentData) -> Measured:
    """Number of refusals that name no line or not the second parser's."""
    return _named([c for c in TEXTS.runs(data) if names_another_line(c)])


@FAULTS("kinds")
def kinds(data: ExperimentData) -> float:
    """Number of different faults among the texts."""
    return float(len({title(c) for c in FAULTY.runs(data)}))
