# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/curvature_integral:
energies of hinges against integrals of squared curvature."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Rows, Trace, quantity, rows
from . import hinges

M = Measures("cs533d_cloth_lecture/curvature_integral")
CYLINDER, SPHERE, SADDLE = "cylinder", "sphere", "saddle"


def _of(trace: Trace, name: str) -> str:
    return str(trace.value(f"scene.parameters.{name}"))


def squared_curvature(trace: Trace, places: Array) -> Array:
    """κ², the square of the larger principal curvature (1/m²),
    at points [m,3] relative to their patch's centre."""
    radius = trace.number("radius_m")
    if _of(trace, "surface") != SADDLE:
        return np.full(len(places), radius**-2.0)
    # Enneper's surface, scaled by s: x/s = p − p³/3 + p q², y/s = q − q³/3 + q p², solved for p and q;
    # κ = 2/(s (1 + p² + q²)²).
    scale = 2 * radius
    x, y = places[:, 0] / scale, places[:, 1] / scale
    p, q = x.copy(), y.copy()
    for _ in range(200):
        before = p, q
        p, q = x + p * (p * p / 3 - q * q), y + q * (q * q / 3 - p * p)
        if max(np.abs(p - before[0]).max(), np.abs(q - before[1]).max()) < 1e-15:  # rounding of numbers up to one
            break
    if np.abs(p - p**3 / 3 + p * q**2 - x).max() > 1e-12:
        raise MissingData(f"{trace.label}: the patch is too large to be inverted")
    return np.asarray((2 / (scale * (1 + p**2 + q**2) ** 2)) ** 2)


@lru_cache(maxsize=256)  # a few dozen numbers each, asked for by many measurements
def patches(trace: Trace) -> dict[str, Array]:
    """Numbers per patch.

    `energy`: twice the method's energy / B. `squares`: Σθ² |e|²/(A1+A2), and `bare`: Σθ², both by the analysis.
    `integral`: ∫κ² over each hinge's share of the area, a third of its two triangles. `triangles`: their number.
    """
    found = hinges.start(trace, "positions", "hinge_vertices", "hinge_energies")
    x = found["positions"][found["hinge_vertices"]]
    angle, weight = hinges.angles(x.astype(hinges.WIDE)), hinges.weights(x.astype(hinges.WIDE))
    share = sum(hinges.areas(x)) / 3
    apart, count = trace.number("apart_m"), int(trace.number("patches"))
    patch = np.rint(x[:, 0, 0] / apart).astype(int)
    middle = x[:, :2].mean(axis=1)
    middle[:, 0] -= apart * patch
    stiffness = trace.setting("bend_stiffness_j")

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
    """2W/(B ∫κ²) per patch; κ is the larger principal curvature."""
    found = patches(trace)
    return np.asarray(found["energy"] / found["integral"])


def of_mean_curvature(trace: Trace) -> float:
    """∫(κ1 + κ2)² / ∫κ²."""
    return {CYLINDER: 1.0, SPHERE: 4.0, SADDLE: 0.0}[_of(trace, "surface")]


def _off(values: Array, right: float = 1.0) -> Array:
    return np.asarray(np.abs(values - right))


@quantity("|2W/B − ∫(κ1 + κ2)²| / ∫κ² of a patch, κ the larger principal curvature")
def _mean_curvature_error(trace: Trace) -> Array:
    return _off(ratios(trace), of_mean_curvature(trace))


@quantity("|2W/B − ∫κ²| / ∫κ² of a patch")
def _error(trace: Trace) -> Array:
    return _off(ratios(trace))


@quantity("relative error of 2W/B against Σθ² |e|²/(A1 + A2), θ from positions")
def _formula_error(trace: Trace) -> Array:
    return _off(patches(trace)["energy"] / patches(trace)["squares"])


@quantity("|Σθ²/∫κ² − 1| of a patch, the control without weights")
def _unweighted_error(trace: Trace) -> Array:
    return _off(patches(trace)["bare"] / patches(trace)["integral"])


@quantity("triangles of a patch")
def _triangles(trace: Trace) -> Array:
    return patches(trace)["triangles"]


@quantity("patches of a run, each at a different angle")
def _angles(trace: Trace) -> float:
    return float(len(patches(trace)["energy"]))


def _where(surface: str, mesh: str) -> Rows:
    where = {"scene.parameters.surface": surface, "scene.parameters.mesh": mesh}
    return rows(says=f"{surface}s with {mesh} meshes, all sizes, angles and seeds").where(where, says="")


def range_of(data: ExperimentData, mesh: str, surface: str = CYLINDER) -> str:
    """Least and largest ratio as text."""
    found = np.concatenate([ratios(c) for c in _where(surface, mesh).runs(data)])
    least, most = float(found.min()), float(found.max())
    return f"{least:.2f} and {most:.2f}" if most - least > 0.005 else f"{most:.2f}"


EVERY = rows(says="all surfaces, meshes, sizes and angles")
EQUILATERAL = _where(CYLINDER, "equilateral")
RATIO = quantity("2W/(B ∫κ²) of a patch, κ the larger principal curvature")(ratios)

M.largest("mean_curvature_error", _mean_curvature_error, EVERY)
equilateral_cylinder_error = M.largest("equilateral_cylinder_error", _error, EQUILATERAL)
M.largest("formula_error", _formula_error, EVERY)
M.least("unweighted_error", _unweighted_error, EQUILATERAL)
for _surface, _mesh in (
    *((CYLINDER, mesh) for mesh in ("equilateral", "right", "jittered", "delaunay")),
    (SPHERE, "equilateral"),
    (SADDLE, "equilateral"),
):
    M.least(f"{_mesh}_{_surface}_least", RATIO, _where(_surface, _mesh))
    M.largest(f"{_mesh}_{_surface}_largest", RATIO, _where(_surface, _mesh))
M.least("triangles", _triangles)
M.least("angles", _angles)
