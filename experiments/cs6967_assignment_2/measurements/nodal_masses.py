# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/nodal_masses: masses of vertices against sums of exact rational numbers."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from deformbench_analysis.mesh import volumes
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows

M = Measures("cs6967_assignment_2/nodal_masses")
GRADED = 400  # elements: smaller meshes are regular, for the second moment alone

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
    """Exact masses and moments: rest positions are binary fractions."""

    masses: list[Fraction]  # kg, per vertex
    mass: Fraction  # kg, from surface integrals over the boundaries of the parts of one density
    first_moment: Vector  # kg m, ∫ρ x dV from the same


def solid(points: Array, tetrahedra: Array, densities: Array) -> Solid:
    """Masses of the vertices by the rule, and mass and first moment by the divergence theorem,
    each in rational numbers."""
    nodes: list[Vector] = [(Fraction(x), Fraction(y), Fraction(z)) for x, y, z in points.tolist()]
    masses = [Fraction(0)] * len(nodes)
    faces: dict[tuple[float, frozenset[int]], list[tuple[int, int, int]]] = defaultdict(list)
    for corners, density in zip(tetrahedra.tolist(), densities.tolist()):
        a, b, c, d = (nodes[k] for k in corners)
        volume = _dot(_minus(b, a), _cross(_minus(c, a), _minus(d, a))) / 6
        if volume <= 0:
            raise MissingData(f"an element of volume {float(volume)}")
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
    """Density per element, kg/m³."""
    if trace.number("density_ratio") == 1.0:
        return np.full(len(trace.scene("tetrahedra")), trace.number("density_kg_m3"))
    return trace.scene("element_densities")


def solid_of(trace: Trace) -> Solid:
    """Computed once per mesh, for the runs of all methods."""
    return _solid_of(
        trace.scene("rest_positions").astype(float).tobytes(),
        trace.scene("tetrahedra").astype(int).tobytes(),
        densities(trace).astype(float).tobytes(),
    )


def masses(trace: Trace) -> Array:
    """The method's masses, kg."""
    return np.asarray(trace.values("pose", "vertex_masses")[-1])


def vertex_error(trace: Trace) -> float:
    """|m/m_exact − 1| of a vertex, m_exact = Σ ρV/4 over its elements in rational numbers."""
    found, exact = masses(trace), solid_of(trace).masses
    if len(found) != len(exact):
        raise MissingData(f"{trace.label}: {len(found)} masses of {len(exact)} vertices")
    return max(abs(float(Fraction(m) / e - 1)) for m, e in zip(found.tolist(), exact))


def centre_error(trace: Trace) -> float:
    """Largest component of |Σ m x − ∫ρ x dV| / Σ m |x|, the integral over surfaces in rational numbers."""
    found, points = masses(trace).tolist(), trace.scene("rest_positions").tolist()
    exact = solid_of(trace).first_moment
    errors = []
    for axis in range(3):
        moment = sum((Fraction(m) * Fraction(x[axis]) for m, x in zip(found, points)), Fraction(0))
        whole = sum(float(m) * abs(float(x[axis])) for m, x in zip(found, points))
        errors.append(abs(float(moment - exact[axis])) / whole)
    return max(errors)


def mass_error(trace: Trace) -> float:
    """|Σm/∫ρ dV − 1|, the integral over the surfaces of the parts of each density in rational numbers."""
    return abs(float(sum((Fraction(m) for m in masses(trace).tolist()), Fraction(0)) / solid_of(trace).mass - 1))


def second_moment_excess(trace: Trace) -> float:
    """(Σ m |x − c|² / ∫ρ |x − c|² dV − 1) n²/2 of a cube of n³ cells."""
    side, n = trace.number("side_m"), int(trace.number("cells_across"))
    found, points = masses(trace), trace.scene("rest_positions")
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    exact = trace.number("density_kg_m3") * side**5 / 4
    return (float(found @ np.sum((points - centre) ** 2, axis=1)) / exact - 1) * n**2 / 2


def volume_ratio(trace: Trace) -> float:
    """Largest / smallest element volume."""
    found = volumes(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(found.max() / found.min())


def density_count(trace: Trace) -> float:
    """Number of densities, each of ≥ 1/3 of the elements."""
    _, counts = np.unique(densities(trace), return_counts=True)
    return float(np.sum(3 * counts >= counts.sum()))


def is_graded(trace: Trace) -> bool:
    """Irregular meshes of two densities."""
    return (trace.tetrahedra or 0) >= GRADED


GRADED_RUNS = rows(says="all methods").having(is_graded)
CUBES = rows(says="cubes of n³ cells of five elements").having(lambda c: not is_graded(c), says="")

M.largest("vertex_error", vertex_error, GRADED_RUNS)
M.largest("mass_error", mass_error, GRADED_RUNS)
M.largest("centre_error", centre_error, GRADED_RUNS)
M.least("volume_ratio", volume_ratio, GRADED_RUNS)
M.least("elements", quantity("number of elements")(lambda c: float(c.tetrahedra or 0)), GRADED_RUNS)
M.least("density_count", density_count, GRADED_RUNS)
M.largest(  # the rule's own error is 2/n²
    "second_moment_excess",
    quantity("|e n²/2 − 1|, e the relative excess of the moment Σ m |x − c|²")(
        lambda c: abs(second_moment_excess(c) - 1)
    ),
    CUBES,
)
