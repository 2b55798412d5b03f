# SPDX-License-Identifier: BSD-3-Clause
"""Solves the reference cases and stores them in results/, with every digit of double precision.

    python3 -m reference_data.total_lagrangian.write_results [NAME …]     from the root of the tree

Static cases: the two shapes of calculix/ under each of four laws. Dynamic cases: single steps of a block of 40
tetrahedra. Energies are counted from the state of rest, as a law's own zero may lie elsewhere."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .body import Body, Indices, equilibrium, smallest_eigenvalue
from ..calculix.generate_decks import checksum, decks
from .decks import Deck, read_deck
from .dynamics import Motion, MovingBody
from .laws import Array, law_of

RESULTS = Path(__file__).resolve().parent / "results"
LAWS = ("st_venant_kirchhoff", "log_neo_hookean", "stable_neo_hookean", "isochoric_neo_hookean")
SHAPES = ("bent_bar", "compressed_block")

STEP_CELLS, STEP_SIZE_M = 2, 0.2  # cells along each edge of the moving block, and its edge
STEP_TIME_S = 0.01
STEP_DENSITY = 1000.0
STEP_GRAVITY = np.array([0.0, -9.81, 0.0])


def deck_name(shape: str, law: str) -> str:
    """The deck of calculix/ that holds shape and constants: laws that CalculiX does not have take E and ν."""
    return f"{shape}_{'isochoric_neo_hookean' if law == 'isochoric_neo_hookean' else 'st_venant_kirchhoff'}"


def constants_of(deck: Deck) -> list[float]:
    """The numbers of the deck's only material."""
    (found,) = deck.constants.values()
    return found


def static_case(shape: str, law: str) -> dict[str, Any]:
    """Equilibrium of one shape under one law."""
    name = deck_name(shape, law)
    deck = read_deck(name)
    body = Body(deck.rest, deck.tetrahedra, law_of(law, constants_of(deck)))
    state = equilibrium(body, deck.problem, load_steps=5)
    return {
        "case": f"{shape}_{law}",
        "deck": name,
        "deck_sha256": checksum(decks()[name]),
        "law": law,
        "constants": constants_of(deck),
        "relative_residual": state.residual,
        "smallest_stiffness_eigenvalue_n_per_m": smallest_eigenvalue(body, deck.problem, state.positions),
        "elastic_energy_j": body.energy(state.positions) - body.energy(deck.rest),
        "displacements_m": state.positions - deck.rest,
        "reactions_n": state.reactions,
    }


def block() -> tuple[Array, Indices]:
    """Vertices ordered by (x, y, z), z fastest; five tetrahedra a cube, mirrored from cube to cube."""
    n, edge = STEP_CELLS, STEP_SIZE_M / STEP_CELLS
    rest = np.array([[i, j, k] for i in range(n + 1) for j in range(n + 1) for k in range(n + 1)]) * edge
    tets = []
    for cell in np.ndindex(n, n, n):
        corner = {bits: np.dot(np.add(cell, bits), [(n + 1) ** 2, n + 1, 1]) for bits in np.ndindex(2, 2, 2)}
        inner = [bits for bits in corner if (sum(bits) + sum(cell)) % 2 == 1]
        tets.append([corner[bits] for bits in inner])
        for bits in corner:
            if bits not in inner:
                next_to_it = [tuple(b ^ (a == axis) for a, b in enumerate(bits)) for axis in range(3)]
                tets.append([corner[bits], *(corner[other] for other in next_to_it)])
    found = np.array(tets)
    edges = rest[found[:, 1:]] - rest[found[:, :1]]
    turned = np.linalg.det(edges) < 0
    found[turned] = found[turned][:, [0, 1, 3, 2]]
    return rest, found


def moving_block(law: str) -> tuple[MovingBody, Motion, list[float]]:
    """The block, clamped at x = 0, in a twisted, bent and stretched start that moves."""
    rest, tets = block()
    constants = [20000.0, 3e-5] if law == "isochoric_neo_hookean" else [1e5, 0.25]
    body = Body(rest, tets, law_of(law, constants))
    x, y, z = (rest / STEP_SIZE_M).T
    bent = STEP_SIZE_M * np.column_stack(
        [0.2 * x + 0.15 * x * y, -0.3 * x * (z - 0.5) + 0.1 * x**2, 0.3 * x * (y - 0.5) - 0.05 * x * z]
    )
    speed = np.column_stack([0.5 * x * z, -1.0 * x + 0.4 * x * y, 0.8 * x * (y - 0.3)])
    moving = MovingBody(body, body.masses(STEP_DENSITY), STEP_GRAVITY, rest[:, 0] == 0)
    return moving, Motion(rest + bent, speed), constants


def step_case(law: str) -> dict[str, Any]:
    """One step of each integrator from the start; BDF2 takes the second, after one of implicit Euler."""
    moving, start, constants = moving_block(law)
    euler = moving.euler(start, STEP_TIME_S)
    states = {
        "start": start,
        "linearised_euler": moving.euler(start, STEP_TIME_S, iterations=1),
        "implicit_euler": euler,
        "bdf2_after_implicit_euler": moving.bdf2(start, euler, STEP_TIME_S),
        "implicit_midpoint": moving.midpoint(start, STEP_TIME_S),
    }
    case: dict[str, Any] = {
        "case": f"steps_{law}",
        "law": law,
        "constants": constants,
        "density_kg_m3": STEP_DENSITY,
        "gravity_m_s2": STEP_GRAVITY.tolist(),
        "time_step_s": STEP_TIME_S,
        "held_vertices": np.flatnonzero(moving.held).tolist(),
        "rest_positions_m": moving.body.rest,
        "tetrahedra": moving.body.tetrahedra,
    }
    for name, state in states.items():
        case[f"{name}_positions_m"], case[f"{name}_velocities_m_s"] = state.positions, state.velocities
    return case


def cases() -> dict[str, Callable[[], dict[str, Any]]]:
    """Name of a result → what computes it."""
    found: dict[str, Callable[[], dict[str, Any]]] = {}
    for law in LAWS:
        for shape in SHAPES:
            found[f"{shape}_{law}"] = lambda shape=shape, law=law: static_case(shape, law)  # type: ignore[misc]
        found[f"steps_{law}"] = lambda law=law: step_case(law)  # type: ignore[misc]
    return found


def text_of(case: dict[str, Any]) -> str:
    """JSON with a row of a table in each line."""
    lines = []
    for key, value in case.items():
        if isinstance(value, np.ndarray):
            rows = ",\n  ".join(json.dumps(row) for row in value.tolist())
            lines.append(f" {json.dumps(key)}: [\n  {rows}]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Writes the cases that are named, or all."""
    known = cases()
    RESULTS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or list(known):
        if name not in known:
            print(f"no case {name}; expected one of {', '.join(known)}", file=sys.stderr)
            return 2
        (RESULTS / f"{name}.json").write_text(text_of(known[name]()), encoding="utf-8")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
