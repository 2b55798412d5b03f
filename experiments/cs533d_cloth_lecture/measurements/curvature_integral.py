# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/curvature_integral: energies of hinges against integrals of squared curvature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges

EXPERIMENT = "cs533d_cloth_lecture/curvature_integral"
CYLINDER, SPHERE, SADDLE = "cylinder", "sphere", "saddle"


def _of(trace: Trace, name: str) -> str:
    return str(trace.value(f"scene.parameters.{name}"))


def squared_curvature(trace: Trace, places: Array) -> Array:
    """κ², the square of the larger principal curvature (1/m²), at places [m,3] relative to the middle of their patch."""
    radius = float(trace.value("scene.parameters.radius_m"))
    if _of(trace, "surface") != SADDLE:
        return np.full(len(places), radius**-2.0)
    # Enneper's surface, scaled by s: x/s = p − p³/3 + p q², y/s = q − q³/3 + q p², solved for p and q; κ = 2/(s (1 + p² + q²)²).
    scale = 2 * radius
    x, y = places[:, 0] / scale, places[:, 1] / scale
    p, q = x.copy(), y.copy()
    for _ in range(200):
        p, q = x + p**3 / 3 - p * q**2, y + q**3 / 3 - q * p**2
    if np.abs(p - p**3 / 3 + p * q**2 - x).max() > 1e-12:
        raise MissingData(f"{trace.label}: the patch is too large to be inverted")
    return np.asarray((2 / (scale * (1 + p**2 + q**2) ** 2)) ** 2)


@lru_cache(maxsize=256)  # a few dozen numbers each, asked for by many measurements
def patches(trace: Trace) -> dict[str, Array]:
    """Of every patch: `energy`, twice the method's over B; `squares`, Σθ² |e|²/(A1+A2) and `bare`, Σθ², by the analysis; `integral`, of κ²
    over the hinges' share of the area, a third of both triangles each; `triangles`."""
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_energies")
    x = found["positions"][found["hinge_vertices"]]
    angle, weight = hinges.angles(x.astype(hinges.WIDE)), hinges.weights(x.astype(hinges.WIDE))
    share = sum(hinges.areas(x)) / 3
    apart, count = float(trace.value("scene.parameters.apart_m")), int(trace.value("scene.parameters.patches"))
    patch = np.rint(x[:, 0, 0] / apart).astype(int)
    middle = x[:, :2].mean(axis=1)
    middle[:, 0] -= apart * patch
    stiffness = float(trace.value("method.parameters.bend_stiffness_j"))

    def summed(values: Array) -> Array:
        return np.bincount(patch, weights=np.asarray(values, dtype=float), minlength=count)

    triangle = np.rint(found["positions"][trace.scene("triangles")[:, 0], 0] / apart).astype(int)
    return {
        "energy": summed(2 * found["hinge_energies"] / stiffness),
        "squares": summed(angle**2 * weight),
        "bare": summed(angle**2),
        "integral": summed(squared_curvature(trace, middle) * share),
        "triangles": np.bincount(triangle, minlength=count),
    }


def ratios(trace: Trace) -> Array:
    """Twice the energy over B ∫κ² of every patch; κ is the larger principal curvature."""
    found = patches(trace)
    return np.asarray(found["energy"] / found["integral"])


def of_mean_curvature(trace: Trace) -> float:
    """∫(κ1 + κ2)² over ∫κ²."""
    return {CYLINDER: 1.0, SPHERE: 4.0, SADDLE: 0.0}[_of(trace, "surface")]


def _off(values: Array, right: float = 1.0) -> Array:
    return np.asarray(np.abs(values - right))


def _over(cells: list[Trace], judge: Callable[[Trace], Array]) -> Mapping[Trace, Array]:
    return {c: judge(c) for c in cells}


def _largest(cells: list[Trace], judge: Callable[[Trace], Array]) -> Measured:
    return extremes.largest({c: float(np.max(v)) for c, v in _over(cells, judge).items()})


def _least(cells: list[Trace], judge: Callable[[Trace], Array]) -> Measured:
    return extremes.least({c: float(np.min(v)) for c, v in _over(cells, judge).items()})


def _where(data: ExperimentData, surface: str, mesh: str | None = None) -> list[Trace]:
    where = {"scene.parameters.surface": surface}
    if mesh is not None:
        where["scene.parameters.mesh"] = mesh
    return data.every(where=where)


@measurement("curvature_integral.mean_curvature_error", unit="1", experiment=EXPERIMENT)
def mean_curvature_error(data: ExperimentData) -> Measured:
    """Largest |2W/B − ∫(κ1 + κ2)²| over ∫κ² of a patch, W the energy of its hinges without rest angles, the integrals over a third of
    both triangles of every hinge, κ the larger principal curvature; all surfaces, meshes, sizes and angles."""
    return _largest(data.every(), lambda c: _off(ratios(c), of_mean_curvature(c)))


@measurement("curvature_integral.equilateral_cylinder_error", unit="1", experiment=EXPERIMENT)
def equilateral_cylinder_error(data: ExperimentData) -> Measured:
    """Largest |2W/B − ∫κ²| over ∫κ² of a cylinder of equilateral triangles, all sizes and angles."""
    return _largest(_where(data, CYLINDER, "equilateral"), lambda c: _off(ratios(c)))


@measurement("curvature_integral.formula_error", unit="1", experiment=EXPERIMENT)
def formula_error(data: ExperimentData) -> Measured:
    """Largest relative difference of 2W/B from Σθ² |e|²/(A1 + A2), by the analysis from positions; all patches."""

    def of(trace: Trace) -> Array:
        found = patches(trace)
        return _off(found["energy"] / found["squares"])

    return _largest(data.every(), of)


@measurement("curvature_integral.unweighted_error", unit="1", experiment=EXPERIMENT)
def unweighted_error(data: ExperimentData) -> Measured:
    """Control: least |Σθ²/∫κ² − 1| of a patch of a cylinder with an equilateral mesh."""
    return _least(_where(data, CYLINDER, "equilateral"), lambda c: _off(patches(c)["bare"] / patches(c)["integral"]))


def range_of(data: ExperimentData, mesh: str, surface: str = CYLINDER) -> str:
    """Least and largest ratio as text."""
    cells = _where(data, surface, mesh)
    least, most = float(_least(cells, ratios).value), float(_largest(cells, ratios).value)
    return f"{least:.2f} and {most:.2f}" if most - least > 0.005 else f"{most:.2f}"


def _range(name: str, surface: str, mesh: str) -> None:
    article = {"equilateral": "an equilateral", "right": "a right-angled", "jittered": "a jittered"}.get(
        mesh, "a Delaunay"
    )

    def least(data: ExperimentData) -> Measured:
        return _least(_where(data, surface, mesh), ratios)

    def most(data: ExperimentData) -> Measured:
        return _largest(_where(data, surface, mesh), ratios)

    for word, function in (("least", least), ("largest", most)):
        function.__doc__ = (
            f"The {word} 2W/(B ∫κ²) of a patch of a {surface} with {article} mesh; κ the larger principal curvature; "
            "all sizes, angles and seeds."
        )
        measurement(f"curvature_integral.{name}_{word}", unit="1", experiment=EXPERIMENT)(function)


for _mesh in ("equilateral", "right", "jittered", "delaunay"):
    _range(f"{_mesh}_cylinder", CYLINDER, _mesh)
_range("equilateral_sphere", SPHERE, "equilateral")
_range("equilateral_saddle", SADDLE, "equilateral")


@measurement("curvature_integral.triangles", unit="1", experiment=EXPERIMENT)
def triangles(data: ExperimentData) -> Measured:
    """Least number of triangles of a patch."""
    return _least(data.every(), lambda c: patches(c)["triangles"])


@measurement("curvature_integral.angles", unit="1", experiment=EXPERIMENT)
def angles(data: ExperimentData) -> Measured:
    """Least number of patches, each turned by another angle, of a run."""
    return extremes.least({c: float(len(patches(c)["energy"])) for c in data.every()})
