# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/nodal_forces: forces of single nonlinear elements against what they must
equal."""

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, quantity, rows
from . import elements as el

M = Measures("cs6967_assignment_2/nodal_forces")
Judge = Callable[[Trace, Array, Array], Array]  # trace, positions, corner forces → value per element


def poses(trace: Trace) -> Iterator[tuple[Array, Array]]:
    """Positions and forces at the corners of every element, [m,4,3], pose by pose."""
    tets = trace.scene("tetrahedra")
    for positions, forces in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces")):
        yield positions, el.of_elements(forces, tets)


def judged(phrase: str, judge: Judge) -> Quantity:
    """Judged values over all poses and elements."""
    return Quantity(lambda c: np.array([judge(c, x, f) for x, f in poses(c)]), phrase)


def from_surface(trace: Trace, positions: Array) -> Array:
    """−P ⅓ΣA n at every corner, outward normals, N, [m,4,3]: the text's formula with the
    opposite sign."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    stress = el.piola(el.gradients(rest, tets, positions), *el.material(trace))
    return np.asarray(-np.einsum("mij,maj->mai", stress, el.sums_of_areas(rest, tets)).astype(float))


def _of_energy(trace: Trace, positions: Array, forces: Array) -> Array:
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    energy = el.kirchhoff_energy(rest, tets, *el.material(trace))
    return el.differences(forces, el.exact_slopes(energy, el.corners(positions, tets).astype(float)))


def _now(trace: Trace, positions: Array) -> Array:
    return el.corners(positions, trace.scene("tetrahedra"))


def _strain(trace: Trace, positions: Array, forces: Array) -> Array:
    found = el.gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), positions).astype(float)
    green = 0.5 * (np.swapaxes(found, 1, 2) @ found - np.eye(3))
    return np.array([np.median(np.linalg.norm(green, ord=2, axis=(1, 2)))])


FIELD = "schedule.poses.field"
TURNED = rows(says="elements turned and distorted at random").where({FIELD: "random_turns"}, says="")
ENLARGED = rows(says="elements enlarged by 1 %").where({FIELD: "dilate"}, says="")

M.largest(  # W = V (λ/2 tr²E + μ E:E), E = ½(FᵀF − I), by the analysis from positions, ∂W/∂x by complex steps
    "energy_difference", judged("|f + ∂W/∂x| at a corner / the element's largest force", _of_energy), TURNED
)
M.largest(  # A n are the rest area normals of the corner's three faces, out of the element, P by the analysis
    "surface_difference",
    judged(
        "|f + P ⅓ΣA n| at a corner / the element's largest force",
        lambda c, x, f: el.differences(f, from_surface(c, x)),
    ),
    TURNED,
)
OUTWARD = judged(
    "|f − P ⅓ΣA n| at a corner / largest force, as printed with outward normals",
    lambda c, x, f: el.differences(f, -from_surface(c, x)),
)
M.least("printed_sign_difference", OUTWARD, TURNED)  # 2 if the sign alone is wrong
M.largest("outward_difference", OUTWARD, TURNED)
M.largest("net_force", judged("|Σf| / Σ|f| of an element's four forces", lambda c, x, f: el.net_forces(f)), TURNED)
M.largest(
    "torque",
    judged("|Σ(x − c) × f| / Σ|x − c||f| of an element, c its centroid", lambda c, x, f: el.torques(f, _now(c, x))),
    TURNED,
)
M.largest(  # negative if all elements contract
    "enlarged_outward",
    judged("Σf·(x − c) / Σ|f||x − c|", lambda c, x, f: el.outward_shares(f, _now(c, x))),
    ENLARGED,
)
M.least("strain", judged("median over the elements of the largest singular value of ½(FᵀF − I)", _strain), TURNED)
M.least("elements", quantity("number of elements")(lambda c: float(c.tetrahedra or 0)))
