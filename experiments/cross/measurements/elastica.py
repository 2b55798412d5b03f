# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/elastica: the tip of a cantilever under a dead load, by law, in the limit of fine meshes.

A mesh that locks bends like a stiffer beam. Each coordinate of the tip is mapped to the load at which the elastica
has it; (applied load)/(that load) is the bar's stiffness relative to EI. This ratio converges with n⁻², from 1.5 at
two cells across. The limit of the tip is that of the elastica at load/(limit of the ratio)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipkinc

from deformbench_analysis.cell_errors import AT_THE_END, cell_error
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Rows, Trace, extremes
from deformbench_analysis.vocabulary import parameter, rows
from .richardson import limit

M = Measures("cross/elastica")
NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
cells_across = parameter("cells_across", int, "Cubes across the bar.")


@lru_cache(maxsize=None)
def elastica(load: float) -> tuple[float, float]:
    """(drop, reach)/length of the tip at load PL²/EI, by elliptic integrals."""

    def excess(k: float) -> float:
        return float(ellipkinc(np.pi / 2, k * k) - ellipkinc(np.arcsin(1 / (k * np.sqrt(2))), k * k) - np.sqrt(load))

    k = brentq(excess, np.sqrt(0.5) * (1 + 1e-13), 1 - 1e-13, xtol=1e-15)
    phi = np.arcsin(1 / (k * np.sqrt(2)))
    drop = 1 - 2 * (ellipeinc(np.pi / 2, k * k) - ellipeinc(phi, k * k)) / np.sqrt(load)
    return float(drop), float(np.sqrt(2 * (2 * k * k - 1) / load))


@lru_cache(maxsize=None)
def reissner(load: float, slenderness: float, nu: float) -> tuple[float, float]:
    """(drop, reach)/length of the tip of a square beam that also stretches and shears, at load PL²/EI;
    `slenderness` is side/length. Reissner's beam: strains are axial force/EA and shear force/κGA, curvature is
    moment/EI."""
    axial, shear = 12 / slenderness**2, 60 / slenderness**2 / (12 + 11 * nu)  # EA and κGA over EI/L²

    def slopes(_: Array, y: Array) -> Array:
        angle, moment = y[:2]
        stretch, slip = 1 + load * np.sin(angle) / axial, load * np.cos(angle) / shear
        along = stretch * np.cos(angle) - slip * np.sin(angle)
        return np.stack([moment, -load * along, along, stretch * np.sin(angle) + slip * np.cos(angle)])

    def ends(root: Array, free: Array) -> Array:
        return np.array([root[0], free[1], root[2], root[3]])

    places = np.linspace(0.0, 1.0, 41)
    start = np.zeros((4, 41))
    start[2] = places
    found = solve_bvp(slopes, ends, places, start, tol=1e-9)
    if found.status != 0:
        raise MissingData(f"Reissner's beam under PL²/EI = {load:g}: {found.message}")
    return float(found.y[3, -1]), float(found.y[2, -1])


def load_parameter(trace: Trace) -> float:
    """α = PL²/EI."""
    length, side, young = (trace.number(n) for n in ("length_m", "side_m", "young_modulus_pa"))
    return float(trace.value("scene.parameters.tip_force_n")[1]) * length**2 / (young * side**4 / 12)


def _load(trace: Trace) -> float:
    return round(load_parameter(trace), 9)


def tip(trace: Trace) -> tuple[float, float]:
    """(drop along the load, reach along the clamped axis)/length, mean of the tip face."""
    length = trace.number("length_m")
    moved = trace.values("step", "tip_displacement")[-1]
    return float(moved[1]) / length, 1 + float(moved[0]) / length


@cell_error(M.experiment, AT_THE_END, "place of the tip, against the elastica")
def distance_from_elastica(trace: Trace) -> float:
    """Distance of the tip from the elastica's, relative to length."""
    return float(np.linalg.norm(np.subtract(tip(trace), elastica(load_parameter(trace)))))


def stored(trace: Trace) -> tuple[float, float]:
    """(drop, reach)/length of the elastica's tip, from the trace."""
    drop, reach = (float(trace.reference("elastica_tip_load", f"{n}_over_length").values) for n in ("drop", "reach"))
    if not np.allclose((drop, reach), elastica(load_parameter(trace)), atol=1e-8):
        raise trace.missing("the elastica of the trace is that of another load")
    return drop, reach


def stiffnesses(trace: Trace) -> tuple[float, float]:
    """Load/(load at which the elastica has this drop), and for the reach."""
    load = load_parameter(trace)

    def over(coordinate: int, value: float) -> float:
        def away(log_load: float) -> float:
            return elastica(float(np.exp(log_load)))[coordinate] - value

        low, high = np.log(1e-3), np.log(99.0)
        if away(low) * away(high) > 0:
            raise trace.missing("no elastica has such a tip")
        return load / float(np.exp(brentq(away, low, high, xtol=1e-13)))

    drop, reach = tip(trace)
    return over(0, drop), over(1, reach)


@dataclass(frozen=True)
class Bent:
    """Limits of the meshes at one load; lengths in the bar's."""

    drop: float
    reach: float
    elastica: tuple[float, float]
    beam: tuple[float, float]  # Reissner's, of the bar's own thickness
    stiffness: float  # over EI, from the drop

    @property
    def error(self) -> float:
        """Distance of the tip from the elastica's."""
        return float(np.hypot(self.drop - self.elastica[0], self.reach - self.elastica[1]))

    @property
    def beam_error(self) -> float:
        """Distance of the tip from that of Reissner's beam."""
        return float(np.hypot(self.drop - self.beam[0], self.reach - self.beam[1]))


def by_load(data: ExperimentData, name: str) -> dict[float, list[Trace]]:
    """Cells of a row, coarse to fine."""
    found: dict[float, list[Trace]] = {}
    for cell in sorted(data.every(name=name), key=cells_across):
        found.setdefault(_load(cell), []).append(cell)
    return dict(sorted(found.items()))


def fine(cells: Sequence[Trace]) -> Bent:
    """The limit of the meshes at one load, from all of them."""
    any_of_them, *_ = cells  # of one bar and load
    load = load_parameter(any_of_them)
    both = {cells_across(c): stiffnesses(c) for c in cells}
    drop, reach = (limit({n: s[k] for n, s in both.items()}, max(2, len(both))) for k in (0, 1))
    length, side, nu = (any_of_them.number(n) for n in ("length_m", "side_m", "poisson_ratio"))
    beam = reissner(load, side / length, nu)
    return Bent(elastica(load / drop)[0], elastica(load / reach)[1], stored(any_of_them), beam, drop)


def tip_error(*cells: Trace) -> float:
    """Tip distance from the elastica's relative to length, in the limit of fine meshes."""
    return fine(cells).error


def beam_error(*cells: Trace) -> float:
    """Tip distance from a beam that stretches and shears, relative to length, extrapolated to fine meshes."""
    return fine(cells).beam_error


def stiffness_error(*cells: Trace) -> float:
    """|Bending stiffness/EI − 1|, in the limit of fine meshes."""
    return abs(fine(cells).stiffness - 1)


def distance(trace: Trace) -> float:
    """Tip distance from the elastica's relative to length."""
    return float(np.hypot(*np.subtract(tip(trace), stored(trace))))


def largest_distance(*cells: Trace) -> float:
    """Tip distance from the elastica's relative to length, maximum over loads."""
    return extremes.largest({c: distance(c) for c in cells}).value


def between(trace: Trace, other: Trace) -> float:
    """Tip distance relative to the length."""
    return float(np.hypot(*np.subtract(tip(trace), tip(other))))


def spread(*cells: Trace) -> dict[str, float]:
    """Tip distance of two laws relative to the length."""
    load, across = _load(cells[0]), cells_across(cells[0])
    return {
        f"{a.method_name} and {b.method_name}, PL²/EI = {load:g}, {across} cells": between(a, b)
        for a, b in combinations(cells, 2)
    }


def linear_error(*cells: Trace) -> float:
    """Relative error of the tip's drop against PL³/3EI, in the limit of fine meshes."""
    compliance = limit({cells_across(c): _load(c) / 3 / tip(c)[0] for c in cells}, max(2, len(cells)))
    return abs(1 / compliance - 1)


def _row_and_load(trace: Trace) -> tuple[str, float]:
    return trace.method_name, _load(trace)


def _load_and_mesh(trace: Trace) -> tuple[float, int]:
    return _load(trace), cells_across(trace)


def _by_load(found: Rows) -> Rows:
    grouped = found.grouped(_row_and_load, says="")
    return grouped.noted(lambda *cells: f"{cells[0].method_name}, PL²/EI = {_load(cells[0]):g}")


ALL, LINEAR = rows(*NONLINEAR, says="warped elements and four laws"), rows("linear", says="linear FEM, all loads")
FOUR_LAWS = rows(*NONLINEAR[1:], says="four laws")
COARSE = ALL.at_largest(lambda c: -cells_across(c), says="coarsest mesh")
largest_tip_error = M.largest("tip_error", tip_error, _by_load(ALL))
largest_beam_error = M.largest("beam_error", beam_error, _by_load(ALL))
largest_stiffness_error = M.largest(
    "stiffness_error", stiffness_error, _by_load(ALL.at_largest(lambda c: -_load(c), says="smallest load"))
)
coarse_error = M.least("coarse_error", largest_distance, COARSE.by_row().noted(lambda *cells: cells[0].method_name))
M.largest("spread", spread, FOUR_LAWS.grouped(_load_and_mesh, says="equal loads and meshes"))
M.largest(
    "warped_difference",
    between,
    rows("warped", says="warped elements").beside(
        rows("corotational"), "tip_force_n", "cells_across", says="against corotational ones of the same mesh and load"
    ),
)
M.largest("linear_error", linear_error, _by_load(LINEAR))
M.largest("linear_distance", distance, LINEAR.at_largest(cells_across, says="finest mesh"))
