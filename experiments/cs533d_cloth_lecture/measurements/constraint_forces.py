# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/constraint_forces and solid_forces:
forces against gradients of energies C·C/2."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from . import hinges, squared_constraints as sc

M = Measures("cs533d_cloth_lecture/constraint_forces")
SOLIDS = Measures("cs533d_cloth_lecture/solid_forces")


def constraint_of(trace: Trace, rest: Array) -> sc.Constraint:
    """The constraint of the run's elements, by its method."""
    if trace.method_name == "springs":
        return sc.springs(rest, trace.setting("stretch_stiffness_n_per_m"))
    if trace.method_name == "membrane":
        return sc.pair_of_triangles(
            rest, trace.setting("membrane_stiffness_n_per_m"), trace.setting("membrane_poisson_ratio")
        )
    by_angle = trace.value("method.parameters.bend_form") == "angle"
    return sc.bends(rest, trace.setting("bend_stiffness_j"), by_angle)


def states(trace: Trace) -> tuple[Array, Array, Array]:
    """Corners at rest and at the start, extended, and the method's forces there, [m,4,3]."""
    found = hinges.start(trace, "positions", "elastic_forces")
    shape = (-1, 4, 3)
    rest = trace.scene("rest_positions").reshape(shape).astype(hinges.WIDE)
    return rest, found["positions"].reshape(shape).astype(hinges.WIDE), found["elastic_forces"].reshape(shape)


def difference(constraint: sc.Constraint, x: Array, forces: Array) -> float:
    """Largest |f + ∂W/∂x| at a corner / largest |∂W/∂x| of the element."""
    right = -hinges.slopes(sc.energy_of(constraint), x)
    error = hinges.length(forces.astype(hinges.WIDE) - right).max(axis=1) / hinges.length(right).max(axis=1)
    return float(np.max(error))


def energy_difference(trace: Trace) -> float:
    """|f + ∂W/∂x| at a vertex / largest force of its pair, W = ½ C·C from positions."""
    rest, x, forces = states(trace)
    return difference(constraint_of(trace, rest), x, forces)


@quantity("pairs of triangles")
def _states(trace: Trace) -> float:
    return float(len(states(trace)[0]))


@quantity("|l/l₀ − 1| of the common edge of a pair")
def _stretch(trace: Trace) -> Array:
    rest, x, _ = states(trace)
    ratio = hinges.length(x[:, 1] - x[:, 0]) / hinges.length(rest[:, 1] - rest[:, 0])
    return np.asarray(np.abs(ratio - 1))


def _poses(trace: Trace) -> list[tuple[Array, Array]]:
    tets = trace.scene("tetrahedra")
    fields = trace.values("pose", "positions"), trace.values("pose", "elastic_forces")
    return [(x[tets].astype(hinges.WIDE), f[tets]) for x, f in zip(*fields)]


def solid_difference(trace: Trace) -> float:
    """|f + ∂W/∂x| at a corner / largest force of its element, W of a St. Venant–Kirchhoff solid from positions."""
    rest = trace.scene("rest_positions")[trace.scene("tetrahedra")].astype(hinges.WIDE)
    parameters = trace.value("scene.parameters.young_modulus_pa"), trace.value("scene.parameters.poisson_ratio")
    constraint = sc.simplices(rest, *map(float, parameters))
    return max(difference(constraint, x, f) for x, f in _poses(trace))


@quantity("|l/l₀ − 1| of a tetrahedron's edge at its first corner")
def _strain(trace: Trace) -> Array:
    rest = trace.scene("rest_positions")[trace.scene("tetrahedra")]
    sizes = np.linalg.norm(rest[:, 1:] - rest[:, :1], axis=2)
    now = [np.linalg.norm((x[:, 1:] - x[:, :1]).astype(float), axis=2) for x, _ in _poses(trace)]
    return np.asarray(np.abs(np.array(now) / sizes - 1))


M.largest("energy_difference", energy_difference, rows(says="springs, triangles and hinges of both forms"))
M.least("states", _states)
M.count("kinds", rows().by_row(), definition="Kinds of elements and forms.")
M.least("largest_stretch", _stretch.largest())

SOLIDS.largest("energy_difference", solid_difference, rows(says="all poses"))
SOLIDS.least("strain", _strain.largest())
