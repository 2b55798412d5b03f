# SPDX-License-Identifier: BSD-3-Clause
"""A second parser of the assignment's mesh format, written from its text alone: 'v x y z' is a node, 't i j k l' an
element of nodes counted from 0. Strict; blank lines and # comments are allowed, nodes may follow the elements. Beside
it, what Netgen writes, by the names of its sections."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
INTEGER = re.compile(rb"[+-]?\d+")
BLANKS = re.compile(rb"[ \t\r\f\v]+")
Point = tuple[float, float, float]


class Refused(Exception):
    """With the line, counted from 1, that is wrong."""

    def __init__(self, line: int):
        super().__init__(f"line {line}")
        self.line = line


@dataclass
class Mesh:
    """Nodes (m) and elements of four nodes counted from 0."""

    nodes: list[Point]
    elements: list[tuple[int, ...]]


def parse(data: bytes) -> Mesh:
    """The mesh of a file of lines v and t; Refused at the first line that is wrong, of elements last."""
    lines = data.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    nodes: list[Point] = []
    elements: list[tuple[int, ...]] = []
    places: list[int] = []
    for number, line in enumerate(lines, 1):
        words = [word for word in BLANKS.split(line.split(b"#")[0]) if word]
        if not words:
            continue
        if words[0] == b"v" and len(words) == 4 and all(NUMBER.fullmatch(word) for word in words[1:]):
            x, y, z = (float(word) for word in words[1:])
            if not all(map(math.isfinite, (x, y, z))):
                raise Refused(number)
            nodes.append((x, y, z))
        elif words[0] == b"t" and len(words) == 5 and all(INTEGER.fullmatch(word) for word in words[1:]):
            corners = tuple(int(word) for word in words[1:])
            if not all(-(2**63) <= corner < 2**63 for corner in corners):
                raise Refused(number)
            elements.append(corners)
            places.append(number)
        else:
            raise Refused(number)
    if not elements:
        raise Refused(len(lines))
    for corners, number in zip(elements, places):
        if not all(0 <= corner < len(nodes) for corner in corners):
            raise Refused(number)
    return Mesh(nodes, elements)


def read(path: Path) -> Mesh:
    """The same of a file."""
    return parse(path.read_bytes())


def netgen_vol(text: str) -> Mesh:
    """Netgen's native format, read by its section names alone; its nodes are counted from 1."""
    lines = [line.split("#")[0].split() for line in text.splitlines()]

    def section(name: str) -> list[list[str]]:
        at = lines.index([name]) + 1
        return lines[at + 1 : at + 1 + int(lines[at][0])]

    return Mesh(
        [(float(x), float(y), float(z)) for x, y, z in section("points")],
        [tuple(int(word) - 1 for word in words[2:6]) for words in section("volumeelements")],
    )


def netgen_neutral(text: str) -> Mesh:
    """Netgen's neutral format: nodes, elements with a subdomain, and a surface that is left out; counted from 1."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    nodes = int(lines[0][0])
    elements = int(lines[1 + nodes][0])
    return Mesh(
        [(float(x), float(y), float(z)) for x, y, z in lines[1 : 1 + nodes]],
        [tuple(int(word) - 1 for word in words[1:]) for words in lines[2 + nodes : 2 + nodes + elements]],
    )


def minus(a: Point, b: Point) -> Point:
    """a − b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a: Point, b: Point) -> Point:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Point, b: Point) -> float:
    """a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def signed_volumes(mesh: Mesh) -> list[float]:
    """Signed volume per element, m³; positive if its corners are in right-handed order."""
    volumes = []
    for corners in mesh.elements:
        a, b, c, d = (mesh.nodes[corner] for corner in corners)
        volumes.append(dot(minus(b, a), cross(minus(c, a), minus(d, a))) / 6)
    return volumes


def volume(mesh: Mesh) -> float:
    """Volume of all elements, m³, regardless of their orientation."""
    return math.fsum(map(abs, signed_volumes(mesh)))


def boundary(mesh: Mesh) -> list[tuple[int, int, int]]:
    """Faces of one element, each counter-clockwise seen from outside the element."""
    found: dict[frozenset[int], list[tuple[int, int, int]]] = {}
    for corners, size in zip(mesh.elements, signed_volumes(mesh)):
        a, b, c, d = corners if size > 0 else (corners[0], corners[2], corners[1], corners[3])
        for face in ((a, c, b), (a, b, d), (b, c, d), (a, d, c)):
            found.setdefault(frozenset(face), []).append(face)
    return [faces[0] for faces in found.values() if len(faces) == 1]


def area(mesh: Mesh) -> float:
    """Area of the boundary, m²."""
    total = []
    for face in boundary(mesh):
        a, b, c = (mesh.nodes[corner] for corner in face)
        normal = cross(minus(b, a), minus(c, a))
        total.append(math.sqrt(dot(normal, normal)) / 2)
    return math.fsum(total)


def volume_within(nodes: list[Point], triangles: list[tuple[int, int, int]]) -> float:
    """Positive when the triangles are oriented outwards (divergence theorem)."""
    return math.fsum(dot(nodes[a], cross(nodes[b], nodes[c])) / 6 for a, b, c in triangles)
