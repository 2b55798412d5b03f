# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/nodal_masses: masses of vertices against sums of exact rational numbers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import volumes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/nodal_masses"
GRADED = 400  # elements: meshes of fewer are the regular ones, for the second moment alone

Vector = tuple[Fraction, Fraction, Fraction]
_FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))  # outward where the volume is positive


def _minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: Vector, b: Vector) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@dataclass(frozen=True)
class Solid:
    """What the scene says, without rounding: rest positions are binary fractions."""

    masses: list[Fraction]  # kg, of every vertex
    mass: Fraction  # kg, from surface integrals over the boundaries of the parts of one density
    first_moment: Vector  # kg m, ∫ρ x dV from the same


def solid(points: Array, tetrahedra: Array, densities: Array) -> Solid:
    """Masses of the vertices by the rule, and mass and first moment by the divergence theorem, each in rational numbers."""
    nodes: list[Vector] = [(Fraction(x), Fraction(y), Fraction(z)) for x, y, z in points.tolist()]
    masses = [Fraction(0)] * len(nodes)
    faces: dict[tuple[float, frozenset[int]], list[tuple[int, int, int]]] = defaultdict(list)
    for corners, density in zip(tetrahedra.tolist(), densities.tolist()):
        a, b, c, d = (nodes[k] for k in corners)
        volume = _dot(_minus(b, a), _cross(_minus(c, a), _minus(d, a))) / 6
        if volume <= 0:
            raise MissingData(f"{EXPERIMENT}: an element of volume {float(volume)}")
        for k in corners:
            masses[k] += Fraction(density) * volume / 4
        for i, j, k in _FACES:
            face = (corners[i], corners[j], corners[k])
            faces[density, frozenset(face)].append(face)
    mass, moment = Fraction(0), [Fraction(0)] * 3
    for (density, _), found in faces.items():
        if len(found) > 1:
            continue
        a, b, c = (nodes[k] for k in found[0])
        normal = _cross(_minus(b, a), _minus(c, a))  # twice the area
        mass += Fraction(density) * _dot(a, normal) / 6
        for axis in range(3):
            p, q, r = a[axis], b[axis], c[axis]
            moment[axis] += Fraction(density) * normal[axis] * (p * p + q * q + r * r + p * q + q * r + r * p) / 24
    return Solid(masses, mass, (moment[0], moment[1], moment[2]))


@lru_cache(maxsize=4)
def _solid_of(points: bytes, tetrahedra: bytes, densities: bytes) -> Solid:
    return solid(
        np.frombuffer(points).reshape(-1, 3),
        np.frombuffer(tetrahedra, dtype=int).reshape(-1, 4),
        np.frombuffer(densities),
    )


def densities(trace: Trace) -> Array:
    """Of every element, kg/m³."""
    if float(trace.value("scene.parameters.density_ratio")) == 1.0:
        return np.full(len(trace.scene("tetrahedra")), float(trace.value("scene.parameters.density_kg_m3")))
    return trace.scene("element_densities")


def solid_of(trace: Trace) -> Solid:
    """The same mesh is worked out once, whichever method's run asks."""
    return _solid_of(
        trace.scene("rest_positions").astype(float).tobytes(),
        trace.scene("tetrahedra").astype(int).tobytes(),
        densities(trace).astype(float).tobytes(),
    )


def masses(trace: Trace) -> Array:
    """As the method has them, kg."""
    return np.asarray(trace.values("pose", "vertex_masses")[-1])


def graded(data: ExperimentData) -> list[Trace]:
    """Runs on irregular meshes of two densities."""
    return data.every(keep=lambda c: (c.tetrahedra or 0) >= GRADED)


def vertex_error(trace: Trace) -> float:
    """Largest |m/m_exact − 1| of a vertex."""
    found, exact = masses(trace), solid_of(trace).masses
    if len(found) != len(exact):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: {len(found)} masses of {len(exact)} vertices")
    return max(abs(float(Fraction(m) / e - 1)) for m, e in zip(found.tolist(), exact))


def centre_error(trace: Trace) -> float:
    """Largest component of |Σ m x − ∫ρ x dV| over Σ m |x|."""
    found, points = masses(trace).tolist(), trace.scene("rest_positions").tolist()
    exact = solid_of(trace).first_moment
    errors = []
    for axis in range(3):
        moment = sum((Fraction(m) * Fraction(x[axis]) for m, x in zip(found, points)), Fraction(0))
        whole = sum(float(m) * abs(float(x[axis])) for m, x in zip(found, points))
        errors.append(abs(float(moment - exact[axis])) / whole)
    return max(errors)


@measurement("nodal_masses.vertex_error", unit="1", experiment=EXPERIMENT)
def worst_vertex(data: ExperimentData) -> Measured:
    """Largest |m/m_exact − 1| of a vertex, m_exact the sum over its elements of a quarter of volume times density in rational
    numbers; irregular meshes of two densities, all methods."""
    return extremes.largest({c: vertex_error(c) for c in graded(data)})


@measurement("nodal_masses.mass_error", unit="1", experiment=EXPERIMENT)
def worst_mass(data: ExperimentData) -> Measured:
    """Largest |Σm/∫ρ dV − 1|, the integral over the surfaces of the parts of each density in rational numbers; irregular meshes."""
    return extremes.largest(
        {
            c: abs(float(sum((Fraction(m) for m in masses(c).tolist()), Fraction(0)) / solid_of(c).mass - 1))
            for c in graded(data)
        }
    )


@measurement("nodal_masses.centre_error", unit="1", experiment=EXPERIMENT)
def worst_centre(data: ExperimentData) -> Measured:
    """Largest component of |Σ m x − ∫ρ x dV| over Σ m |x|, the integral over the surfaces of the parts of each density in
    rational numbers; irregular meshes, all methods."""
    return extremes.largest({c: centre_error(c) for c in graded(data)})


@measurement("nodal_masses.volume_ratio", unit="1", experiment=EXPERIMENT)
def volume_ratio(data: ExperimentData) -> Measured:
    """Largest over smallest element volume, least of the irregular meshes."""
    found = {c: volumes(c.scene("rest_positions"), c.scene("tetrahedra")) for c in graded(data)}
    return extremes.least({c: float(v.max() / v.min()) for c, v in found.items()})


@measurement("nodal_masses.elements", unit="1", experiment=EXPERIMENT)
def elements(data: ExperimentData) -> Measured:
    """Least number of elements of an irregular mesh."""
    return extremes.least({c: float(c.tetrahedra or 0) for c in graded(data)})


@measurement("nodal_masses.density_count", unit="1", experiment=EXPERIMENT)
def density_count(data: ExperimentData) -> Measured:
    """Least number of densities of an irregular mesh that at least a third of its elements have."""
    found = {}
    for cell in graded(data):
        _, counts = np.unique(densities(cell), return_counts=True)
        found[cell] = float(np.sum(3 * counts >= counts.sum()))
    return extremes.least(found)


def second_moment_excess(trace: Trace) -> float:
    """Σ m |x − c|² over ∫ρ |x − c|² dV of the cube, minus 1, times n²/2."""
    side, n = float(trace.value("scene.parameters.side_m")), int(trace.value("scene.parameters.cells_across"))
    found, points = masses(trace), trace.scene("rest_positions")
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    exact = float(trace.value("scene.parameters.density_kg_m3")) * side**5 / 4
    return (float(found @ np.sum((points - centre) ** 2, axis=1)) / exact - 1) * n**2 / 2


@measurement("nodal_masses.second_moment_excess", unit="1", experiment=EXPERIMENT)
def second_moment(data: ExperimentData) -> Measured:
    """Largest |e n²/2 − 1| of the excess e of the second moment Σ m |x − c|² over that of a cube of n³ cells of five elements:
    the rule's own error is 2/n²."""
    cells = data.every(keep=lambda c: (c.tetrahedra or 0) < GRADED)
    return extremes.largest({c: abs(second_moment_excess(c) - 1) for c in cells})
