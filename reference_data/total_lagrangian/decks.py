# SPDX-License-Identifier: BSD-3-Clause
"""Reads the CalculiX decks of this tree: the mesh, supports and loads that CalculiX was given,
not those that were meant."""

from dataclasses import dataclass, field

import numpy as np

from ..calculix.generate_decks import decks
from .body import Indices, Problem
from .laws import Array


@dataclass
class Deck:
    """The content of one deck; vertices from 0."""

    rest: Array
    tetrahedra: Indices
    problem: Problem
    constants: dict[str, list[float]] = field(default_factory=dict)  # ELASTIC or HYPERELASTIC → numbers


def _options(line: str) -> dict[str, str]:
    pairs = (part.split("=") for part in line.split(",")[1:])
    return {p[0].strip(): p[-1].strip() for p in pairs}


def read_deck(name: str) -> Deck:
    """The deck of a case of calculix/cases.json. Refuses keywords that it does not know,
    so that nothing of a deck is passed over."""
    vertices: list[list[float]] = []
    elements: list[list[int]] = []
    sets: dict[str, list[int]] = {}
    supports: list[tuple[list[int], int, int, float]] = []
    loads: list[tuple[list[int], int, float]] = []
    constants: dict[str, list[float]] = {}
    keyword, options = "", {}
    for line in decks()[name].splitlines():
        if line.startswith("**"):
            continue
        if line.startswith("*"):
            keyword, options = line.split(",")[0].strip(), _options(line)
            continue
        cells = [c.strip() for c in line.split(",") if c.strip()]

        def members(name: str) -> list[int]:
            return sets[name] if name in sets else [int(name) - 1]

        if keyword == "*NODE":
            vertices.append([float(c) for c in cells[1:]])
            sets.setdefault(options["NSET"], []).append(int(cells[0]) - 1)
        elif keyword == "*ELEMENT":
            if options["TYPE"] != "C3D4":
                raise ValueError(f"{name}: elements {options['TYPE']} are not understood")
            elements.append([int(c) - 1 for c in cells[1:]])
        elif keyword == "*NSET":
            sets.setdefault(options["NSET"], []).extend(int(c) - 1 for c in cells)
        elif keyword == "*BOUNDARY":
            value = float(cells[3]) if len(cells) > 3 else 0.0
            supports.append((members(cells[0]), int(cells[1]) - 1, int(cells[2]) - 1, value))
        elif keyword == "*CLOAD":
            loads.append((members(cells[0]), int(cells[1]) - 1, float(cells[2])))
        elif keyword in ("*ELASTIC", "*HYPERELASTIC"):
            constants[keyword[1:]] = [float(c) for c in cells]
        elif keyword not in ("*CONTROLS", "*STATIC", "*NODE PRINT"):
            raise ValueError(f"{name}: {keyword} is not understood")
    rest = np.array(vertices)
    held, displacements = np.zeros(rest.shape, dtype=bool), np.zeros(rest.shape)
    for nodes, first, last, value in supports:
        held[nodes, first : last + 1], displacements[nodes, first : last + 1] = True, value
    forces = np.zeros(rest.shape)
    for nodes, axis, value in loads:
        forces[nodes, axis] += value
    return Deck(rest, np.array(elements), Problem(held, displacements, forces), constants)
