# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/constraint_forces and solid_forces: forces against the slopes of energies C·C/2."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges
from . import squared_constraints as sc

EXPERIMENT = "cs533d_cloth_lecture/constraint_forces"
SOLIDS = "cs533d_cloth_lecture/solid_forces"


def _parameter(trace: Trace, name: str) -> float:
    return float(trace.value(f"method.parameters.{name}"))


def constraint_of(trace: Trace, rest: Array) -> sc.Constraint:
    """What the run's hinges resist, by the label of its row."""
    if trace.method_name == "springs":
        return sc.springs(rest, _parameter(trace, "stretch_stiffness_n_per_m"))
    if trace.method_name == "membrane":
        return sc.pair_of_triangles(
            rest, _parameter(trace, "membrane_stiffness_n_per_m"), _parameter(trace, "membrane_poisson_ratio")
        )
    by_angle = trace.value("method.parameters.bend_form") == "angle"
    return sc.bends(rest, _parameter(trace, "bend_stiffness_j"), by_angle)


def states(trace: Trace) -> tuple[Array, Array, Array]:
    """Corners at rest and at the start, extended, and the method's forces there, [m,4,3]."""
    found = hinges.start(trace, "positions", "elastic_forces")
    shape = (-1, 4, 3)
    rest = trace.scene("rest_positions").reshape(shape).astype(hinges.WIDE)
    return rest, found["positions"].reshape(shape).astype(hinges.WIDE), found["elastic_forces"].reshape(shape)


def difference(constraint: sc.Constraint, x: Array, forces: Array) -> float:
    """Largest |f + ∂W/∂x| of a corner over the element's largest slope."""
    right = -hinges.slopes(sc.energy_of(constraint), x)
    error = hinges.length(forces.astype(hinges.WIDE) - right).max(axis=1) / hinges.length(right).max(axis=1)
    return float(np.max(error))


@measurement("constraint_forces.energy_difference", unit="1", experiment=EXPERIMENT)
def energy_difference(data: ExperimentData) -> Measured:
    """Largest |f + ∂W/∂x| at a vertex over the pair's largest force, W = ½ C·C by the analysis from positions, its slopes by differences
    in extended precision; springs, triangles and hinges of both forms."""

    def of(trace: Trace) -> float:
        rest, x, forces = states(trace)
        return difference(constraint_of(trace, rest), x, forces)

    return extremes.largest({c: of(c) for c in data.every()})


@measurement("constraint_forces.states", unit="1", experiment=EXPERIMENT)
def count(data: ExperimentData) -> Measured:
    """Least number of pairs of triangles of a run."""
    return extremes.least({c: float(len(states(c)[0])) for c in data.every()})


@measurement("constraint_forces.kinds", unit="1", experiment=EXPERIMENT)
def kinds(data: ExperimentData) -> float:
    """How many kinds of elements and forms were run."""
    return float(len({c.method_name for c in data.every()}))


@measurement("constraint_forces.largest_stretch", unit="1", experiment=EXPERIMENT)
def largest_stretch(data: ExperimentData) -> Measured:
    """Largest |l/l₀ − 1| of the common edge of a pair, least of all runs."""

    def of(trace: Trace) -> float:
        rest, x, _ = states(trace)
        ratio = hinges.length(x[:, 1] - x[:, 0]) / hinges.length(rest[:, 1] - rest[:, 0])
        return float(np.abs(ratio - 1).max())

    return extremes.least({c: of(c) for c in data.every()})


def _poses(trace: Trace) -> list[tuple[Array, Array]]:
    tets = trace.scene("tetrahedra")
    fields = trace.values("pose", "positions"), trace.values("pose", "elastic_forces")
    return [(x[tets].astype(hinges.WIDE), f[tets]) for x, f in zip(*fields)]


@measurement("solid_forces.energy_difference", unit="1", experiment=SOLIDS)
def solid_difference(data: ExperimentData) -> Measured:
    """Largest |f + ∂W/∂x| at a corner of a tetrahedron over its largest force, W of a St. Venant–Kirchhoff solid by the analysis from
    positions, its slopes by differences in extended precision; all poses."""
    found = {}
    for trace in data.every():
        rest = trace.scene("rest_positions")[trace.scene("tetrahedra")].astype(hinges.WIDE)
        parameters = trace.value("scene.parameters.young_modulus_pa"), trace.value("scene.parameters.poisson_ratio")
        constraint = sc.simplices(rest, *map(float, parameters))
        found[trace] = max(difference(constraint, x, f) for x, f in _poses(trace))
    return extremes.largest(found)


@measurement("solid_forces.strain", unit="1", experiment=SOLIDS)
def solid_strain(data: ExperimentData) -> Measured:
    """Largest |l/l₀ − 1| of an edge of a tetrahedron from its first corner, least of all runs."""

    def of(trace: Trace) -> float:
        rest = trace.scene("rest_positions")[trace.scene("tetrahedra")]
        sizes = np.linalg.norm(rest[:, 1:] - rest[:, :1], axis=2)
        now = [np.linalg.norm((x[:, 1:] - x[:, :1]).astype(float), axis=2) for x, _ in _poses(trace)]
        return float(np.abs(np.array(now) / sizes - 1).max())

    return extremes.least({c: of(c) for c in data.every()})
