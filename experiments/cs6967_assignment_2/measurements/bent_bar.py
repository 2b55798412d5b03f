# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/bent_bar: displacements against another program's
(reference_data/total_lagrangian)."""

import json
from functools import cache, partial
from typing import Any

import numpy as np

from deformbench_analysis.calculix import cases, corners
from deformbench_analysis.paths import project_root
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Rows, Trace, rows

M = Measures("cs6967_assignment_2/bent_bar")
CASE = "bent_bar_st_venant_kirchhoff"


@cache
def reference() -> dict[str, Any]:
    """The other program's result."""
    path = project_root() / f"reference_data/total_lagrangian/results/{CASE}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def displacements() -> Array:
    """Displacement per vertex by the other program, m."""
    return np.array(reference()["displacements_m"], dtype=float)


def require_same_mesh(trace: Trace) -> None:
    """MissingData unless mesh, ν, force and E (or E/2) of the run match the other program's."""
    modulus, poisson = reference()["constants"]
    case = cases()[CASE]
    expected = [0.0, 0.0, 0.0]
    expected[int(case["tip_force_axis"])] = float(case["force_per_tip_vertex_n"])
    same = (
        np.array_equal(corners(str(reference()["deck"])), trace.scene("tetrahedra"))
        and trace.number("poisson_ratio") == poisson
        and list(trace.value("scene.parameters.tip_vertex_force_n")) == expected
        and trace.number("young_modulus_pa") in (modulus, modulus / 2)
    )
    if not same:
        raise MissingData(f"{trace.label}: the other program has solved another case")


def difference(trace: Trace) -> float:
    """Largest component of |u − u_ref| / largest of |u_ref|, u_ref by an independent program
    on the same mesh."""
    require_same_mesh(trace)
    theirs = displacements()
    ours = trace.values("frame", "positions")[-1] - trace.scene("rest_positions")
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def largest_displacement(trace: Trace) -> float:
    """Largest displacement |u_i| / bar length."""
    moved = np.abs(trace.values("frame", "positions")[-1] - trace.scene("rest_positions")).max()
    return float(moved) / trace.number("length_m")


def _modulus_is(share: float, trace: Trace) -> bool:
    return trace.number("young_modulus_pa") == share * float(reference()["constants"][0])


def _of(name: str, share: float, says: str) -> Rows:
    """Runs with one strain and E = `share` times the other program's."""
    return rows(name, says=says).where(partial(_modulus_is, share), says="")


CORRECTED = _of("corrected", 1.0, "strain ½(FᵀF − I)")

corrected_difference = M.only("corrected_difference", difference, CORRECTED)
printed_difference = M.only(
    "printed_difference", difference, _of("as_printed", 1.0, "printed strain FᵀF − I, reference E")
)
M.only(
    "printed_half_modulus_difference", difference, _of("as_printed", 0.5, "printed strain FᵀF − I, half reference E")
)
deflection = M.only("deflection", largest_displacement, CORRECTED)
