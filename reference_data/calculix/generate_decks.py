#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""CalculiX input decks of cases.json: blocks of cubes, each five C3D4 or C3D10 tetrahedra or one C3D8, one end clamped;
single elements.

The mesh is the one of methods/model (split alternating_five, for C3D8 kuhn_six), vertex for vertex and element for
element; coordinates are printed with the shortest digits that read back to the same bits. Decks are not kept: results name their
checksums.

    ./generate_decks.py DIR       writes all decks into DIR
"""

import argparse
import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
Point = tuple[float, float, float]

# Corner number 4x + 2y + z of a cell.
EVEN_CORNERS = (0, 3, 5, 6)
ODD_CORNERS = (1, 2, 4, 7)
CORNERS_OF_C3D8 = (0, 4, 6, 2, 1, 5, 7, 3)


def bar_mesh(
    cells: list[int], size: list[float], has_hexahedra: bool = False
) -> tuple[list[Point], list[tuple[int, ...]]]:
    """Vertices ordered by (x, y, z), z fastest; per cell the hexahedron, or the central tetrahedron and the four cut-off
    corners."""
    nx, ny, nz = cells

    # One product and one quotient, as the generator in C++ does, so that the bits agree. The last layer is set apart:
    # size · n / n need not be size (0.2 · 6 / 6).
    def coordinate(axis: int, layer: int) -> float:
        steps, step = 2 * cells[axis], 2 * layer
        return size[axis] if step == steps else size[axis] * step / steps

    vertices = [
        (coordinate(0, i), coordinate(1, j), coordinate(2, k))
        for i in range(nx + 1)
        for j in range(ny + 1)
        for k in range(nz + 1)
    ]

    def corner(cell: tuple[int, int, int], number: int) -> int:
        i, j, k = cell[0] + (number >> 2), cell[1] + (number >> 1 & 1), cell[2] + (number & 1)
        return (i * (ny + 1) + j) * (nz + 1) + k

    def oriented(t: tuple[int, ...]) -> tuple[int, ...]:
        a, b, c = ([vertices[t[n]][x] - vertices[t[0]][x] for x in range(3)] for n in (1, 2, 3))
        volume = sum(a[x] * (b[(x + 1) % 3] * c[(x + 2) % 3] - b[(x + 2) % 3] * c[(x + 1) % 3]) for x in range(3))
        return t if volume > 0 else (t[0], t[1], t[3], t[2])

    elements: list[tuple[int, ...]] = []
    for cell in ((i, j, k) for i in range(nx) for j in range(ny) for k in range(nz)):
        if has_hexahedra:
            elements.append(tuple(corner(cell, c) for c in CORNERS_OF_C3D8))
            continue
        even = sum(cell) % 2 == 0
        central, cut_off = (ODD_CORNERS, EVEN_CORNERS) if even else (EVEN_CORNERS, ODD_CORNERS)
        elements.append(oriented(tuple(corner(cell, c) for c in central)))
        elements += [
            oriented((corner(cell, c), corner(cell, c ^ 4), corner(cell, c ^ 2), corner(cell, c ^ 1))) for c in cut_off
        ]
    return vertices, elements


# Edges whose middles follow the corners: in the order of methods/model/subdivision.hpp, and in that of C3D10.
EDGES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
EDGES_OF_C3D10 = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))


def with_middles(vertices: list[Point], elements: list[tuple[int, ...]]) -> tuple[list[Point], list[tuple[int, ...]]]:
    """The vertices with the middles of all edges behind them, in the order in which elements meet them; ten nodes per
    element."""
    middles: dict[tuple[int, int], int] = {}
    for element in elements:
        for a, b in EDGES:
            ends = min(element[a], element[b]), max(element[a], element[b])
            middles.setdefault(ends, len(vertices) + len(middles))
    places = [
        (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]))
        for p, q in ((vertices[a], vertices[b]) for a, b in middles)
    ]
    ten = [(*t, *(middles[min(t[a], t[b]), max(t[a], t[b])] for a, b in EDGES_OF_C3D10)) for t in elements]
    return vertices + places, ten


def single_tetrahedron() -> tuple[list[Point], list[tuple[int, ...]]]:
    return [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)], [(0, 1, 2, 3)]


def number(value: float) -> str:
    text = repr(float(value))
    if len(text) > 20:
        raise ValueError(f"{text}: CalculiX reads 20 characters a field")
    return text


def wrapped(indices: list[int]) -> list[str]:
    return [", ".join(map(str, indices[i : i + 12])) + "," for i in range(0, len(indices), 12)]


def mesh(case: dict[str, Any]) -> tuple[list[Point], list[tuple[int, ...]]]:
    """Vertices and elements of a case."""
    if "tetrahedron" in case["kind"]:
        return single_tetrahedron()
    return bar_mesh(case["cells"], case["size_m"], case.get("hexahedra", False))


def material_lines(material: dict[str, Any]) -> list[str]:
    if material.get("law") == "isochoric_neo_hookean":  # C10 (J^(-2/3) I_C - 3) + (J - 1)^2 / D1
        constants = ["*HYPERELASTIC, NEO HOOKE", f"{number(material['c10_pa'])}, {number(material['d1_per_pa'])}"]
    else:
        constants = ["*ELASTIC", f"{number(material['young_modulus_pa'])}, {number(material['poisson_ratio'])}"]
    return ["*MATERIAL, NAME=ELASTIC", *constants, "*SOLID SECTION, ELSET=SOLID, MATERIAL=ELASTIC"]


def end_sets(case: dict[str, Any], vertices: list[Point]) -> list[str]:
    root = [i + 1 for i, p in enumerate(vertices) if p[0] == 0.0]
    tip = [i + 1 for i, p in enumerate(vertices) if p[0] == case["size_m"][0]]
    return ["*NSET, NSET=ROOT", *wrapped(root), "*NSET, NSET=TIP", *wrapped(tip)]


def supports(case: dict[str, Any], vertices: list[Point]) -> list[str]:
    """What is held at rest from the beginning."""
    kind = case["kind"]
    if kind == "bar":
        return [*end_sets(case, vertices), "*BOUNDARY", "ROOT, 1, 3"]
    if kind == "compressed_block":  # both ends keep their cross-section
        return [*end_sets(case, vertices), "*BOUNDARY", "ROOT, 1, 3", "TIP, 2, 3"]
    if kind == "affine_tetrahedron":  # all vertices are driven in the step
        return []
    # uniaxial stress: lateral stretch free, no shear
    return ["*BOUNDARY", "1, 1, 3", "2, 2, 3", "3, 1, 1", "3, 3, 3", "4, 1, 2"]


def loading(case: dict[str, Any], vertices: list[Point]) -> list[str]:
    """Forces and motions of the step, from nothing to these values."""
    kind = case["kind"]
    if kind == "bar":
        return ["*CLOAD", f"TIP, {case['tip_force_axis'] + 1}, {number(case['force_per_tip_vertex_n'])}"]
    if kind == "compressed_block":
        return ["*BOUNDARY", f"TIP, 1, 1, {number(-case['shortening_m'])}"]
    if kind == "affine_tetrahedron":
        # The vertices are the origin and the unit vectors: u = (F - I) X are columns of F - I.
        gradient = case["deformation_gradient"]
        lines = ["*BOUNDARY"]
        for v, p in enumerate(vertices):
            u = [sum(gradient[a][b] * p[b] for b in range(3)) - p[a] for a in range(3)]
            # Twelve decimals: F has four, and what the subtraction leaves behind them is rounding.
            lines += [f"{v + 1}, {a + 1}, {a + 1}, {number(round(u[a], 12))}" for a in range(3)]
        return lines
    return ["*BOUNDARY", f"2, 1, 1, {number(case['elongation_m'])}"]


def deck(case: dict[str, Any]) -> str:
    """The input deck of one case."""
    vertices, elements = mesh(case)
    nodes: Sequence[tuple[int, ...]] = elements
    if case.get("quadratic"):
        vertices, nodes = with_middles(vertices, elements)
    lines = [f"** {case['id']}: {case['doc']}", "*NODE, NSET=ALL"]
    lines += [f"{i + 1}, " + ", ".join(map(number, p)) for i, p in enumerate(vertices)]
    lines += [f"*ELEMENT, TYPE=C3D{len(nodes[0])}, ELSET=SOLID"]
    lines += [f"{e + 1}, " + ", ".join(str(v + 1) for v in t) for e, t in enumerate(nodes)]
    lines += [*material_lines(case["material"]), *supports(case, vertices)]
    if case["nlgeom"]:
        # Far below CalculiX's own 0.5 per cent of the mean force, so that all seven digits are converged.
        lines += [
            "*STEP, NLGEOM, INC=1000",
            "*CONTROLS, PARAMETERS=FIELD",
            "1e-9, 1e-9",
            "*STATIC",
            "0.05, 1., 1e-6, 0.05",
        ]
    else:
        lines += ["*STEP", "*STATIC"]
    lines += loading(case, vertices)
    lines += ["*NODE PRINT, NSET=ALL, FREQUENCY=1000", "U" if case["kind"] == "bar" else "U, RF", "*END STEP"]
    return "\n".join(lines) + "\n"


def cases() -> list[dict[str, Any]]:
    """The entries of cases.json."""
    return list(json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["cases"])


@functools.cache
def decks() -> dict[str, str]:
    """All decks by the id of their case."""
    return {case["id"]: deck(case) for case in cases()}


def checksum(text: str) -> str:
    """SHA-256 of a deck, as results name it."""
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the decks go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in decks().items():
        (folder / f"{name}.inp").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
