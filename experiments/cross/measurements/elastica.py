# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/elastica: the tip of a cantilever under a dead load, by law, in the limit of fine meshes.

A mesh that locks bends as a stiffer beam. Each coordinate of the tip is turned into the load at which the elastica has it; the
applied load over that one is the bar's stiffness over EI, and it is this that goes to its limit with n⁻², from 1.5 at two cells
across. The limit of the tip is where the elastica has it at the load over that stiffness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipkinc

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.cell_errors import AT_THE_END, cell_error
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .richardson import limit

EXPERIMENT = "cross/elastica"
NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")


@lru_cache(maxsize=None)
def elastica(load: float) -> tuple[float, float]:
    """(drop, reach) of the tip over the length at load PL²/EI, by elliptic integrals."""

    def excess(k: float) -> float:
        return float(ellipkinc(np.pi / 2, k * k) - ellipkinc(np.arcsin(1 / (k * np.sqrt(2))), k * k) - np.sqrt(load))

    k = brentq(excess, np.sqrt(0.5) * (1 + 1e-13), 1 - 1e-13, xtol=1e-15)
    phi = np.arcsin(1 / (k * np.sqrt(2)))
    drop = 1 - 2 * (ellipeinc(np.pi / 2, k * k) - ellipeinc(phi, k * k)) / np.sqrt(load)
    return float(drop), float(np.sqrt(2 * (2 * k * k - 1) / load))


@lru_cache(maxsize=None)
def reissner(load: float, slenderness: float, nu: float) -> tuple[float, float]:
    """(drop, reach) of the tip over the length of a square beam that also stretches and shears, at load PL²/EI; `slenderness` is
    side over length. Reissner's beam: the cut force along and across the section over EA and κGA, the moment over EI.
    """
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


def cells_across(trace: Trace) -> int:
    """Cubes across the bar."""
    return int(trace.value("scene.parameters.cells_across"))


def load_parameter(trace: Trace) -> float:
    """α = PL²/EI."""
    length, side, young = (
        float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m", "young_modulus_pa")
    )
    return float(trace.value("scene.parameters.tip_force_n")[1]) * length**2 / (young * side**4 / 12)


def tip(trace: Trace) -> tuple[float, float]:
    """(drop along the load, reach along the clamped axis) of the mean of the tip face over the length."""
    length = float(trace.value("scene.parameters.length_m"))
    moved = trace.values("step", "tip_displacement")[-1]
    return float(moved[1]) / length, 1 + float(moved[0]) / length


@cell_error(EXPERIMENT, AT_THE_END, "place of the tip, against the elastica")
def distance_from_elastica(trace: Trace) -> float:
    """Distance of the tip from that of the elastica over the length."""
    return float(np.linalg.norm(np.subtract(tip(trace), elastica(load_parameter(trace)))))


def stored(trace: Trace) -> tuple[float, float]:
    """(drop, reach) of the elastica over the length, from the trace."""
    drop, reach = (float(trace.reference("elastica_tip_load", f"{n}_over_length").values) for n in ("drop", "reach"))
    if not np.allclose((drop, reach), elastica(load_parameter(trace)), atol=1e-8):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: the elastica of the trace is that of another load")
    return drop, reach


def stiffnesses(trace: Trace) -> tuple[float, float]:
    """Load over that at which the elastica has this drop, and this reach."""
    load = load_parameter(trace)

    def over(coordinate: int, value: float) -> float:
        def away(log_load: float) -> float:
            return elastica(float(np.exp(log_load)))[coordinate] - value

        low, high = np.log(1e-3), np.log(99.0)
        if away(low) * away(high) > 0:
            raise MissingData(f"{EXPERIMENT}: {trace.label}: no elastica has such a tip")
        return load / float(np.exp(brentq(away, low, high, xtol=1e-13)))

    drop, reach = tip(trace)
    return over(0, drop), over(1, reach)


@dataclass(frozen=True)
class Bent:
    """What the meshes of one load lead to; lengths over the bar's."""

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
        found.setdefault(round(load_parameter(cell), 9), []).append(cell)
    return dict(sorted(found.items()))


def fine(cells: list[Trace]) -> Bent:
    """The limit of the meshes of one load, of all that there are."""
    any_of_them, *_ = cells  # of one bar and load
    load = load_parameter(any_of_them)
    both = {cells_across(c): stiffnesses(c) for c in cells}
    drop, reach = (limit({n: s[k] for n, s in both.items()}, max(2, len(both))) for k in (0, 1))
    length, side, nu = (
        float(any_of_them.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m", "poisson_ratio")
    )
    beam = reissner(load, side / length, nu)
    return Bent(elastica(load / drop)[0], elastica(load / reach)[1], stored(any_of_them), beam, drop)


def errors(data: ExperimentData, name: str) -> dict[str, float]:
    """Distance of the tip from the elastica's over the length, by load, in the limit of fine meshes."""
    return {f"{name}, PL²/EI = {load:g}": fine(cells).error for load, cells in by_load(data, name).items()}


@measurement("elastica.tip_error", unit="1", experiment=EXPERIMENT)
def tip_error(data: ExperimentData) -> Measured:
    """Distance over the length of the tip of a cantilever under a dead load from the elastica's, in the limit of fine meshes;
    largest over all loads, warped elements and four laws. A bar ten times as long as wide differs from the elastica by about
    the square of that, 0.01."""
    return extremes.largest({k: v for name in NONLINEAR for k, v in errors(data, name).items()})


@measurement("elastica.beam_error", unit="1", experiment=EXPERIMENT)
def beam_error(data: ExperimentData) -> Measured:
    """Distance over the length of the tip of a cantilever under a dead load from that of Reissner's beam, which also stretches and
    shears, in the limit of fine meshes; largest over all loads, warped elements and four laws.
    """
    found = {}
    for name in NONLINEAR:
        for load, cells in by_load(data, name).items():
            found[f"{name}, PL²/EI = {load:g}"] = fine(cells).beam_error
    return extremes.largest(found)


@measurement("elastica.stiffness_error", unit="1", experiment=EXPERIMENT)
def stiffness_error(data: ExperimentData) -> Measured:
    """|Bending stiffness over EI − 1| of a cantilever under the smallest load in the limit of fine meshes: the load over that at
    which the elastica has the tip's drop; largest over warped elements and four laws.
    """
    found = {}
    for name in NONLINEAR:
        load, cells = next(iter(by_load(data, name).items()))
        found[f"{name}, PL²/EI = {load:g}"] = abs(fine(cells).stiffness - 1)
    return extremes.largest(found)


@measurement("elastica.coarse_error", unit="1", experiment=EXPERIMENT)
def coarse_error(data: ExperimentData) -> Measured:
    """Distance over the length of the tip of a cantilever under a dead load from the elastica's on the coarsest mesh; smallest over
    warped elements and four laws of the largest over all loads: what locking alone does.
    """
    found = {}
    for name in NONLINEAR:
        coarse = [cells[0] for cells in by_load(data, name).values()]
        found[name] = extremes.largest({c: float(np.hypot(*np.subtract(tip(c), stored(c)))) for c in coarse}).value
    return extremes.least(found)


@measurement("elastica.spread", unit="1", experiment=EXPERIMENT)
def spread(data: ExperimentData) -> Measured:
    """Largest distance over the length between the tips of cantilevers of two laws under one dead load, on one mesh; four laws."""
    found: dict[str, float] = {}
    for name in NONLINEAR[1:]:
        for other in NONLINEAR[1:]:
            theirs = {(load, cells_across(c)): tip(c) for load, cs in by_load(data, other).items() for c in cs}
            for load, cells in by_load(data, name).items():
                for c in cells:
                    if (load, cells_across(c)) in theirs:
                        away = np.subtract(tip(c), theirs[load, cells_across(c)])
                        found[f"{name} and {other}, PL²/EI = {load:g}, {cells_across(c)} cells"] = float(
                            np.hypot(*away)
                        )
    return extremes.largest(found)


@measurement("elastica.warped_difference", unit="1", experiment=EXPERIMENT)
def warped_difference(data: ExperimentData) -> Measured:
    """Largest distance over the length of the tip of a warped cantilever at rest from that of corotational elements by Newton's
    method on the same mesh, under a dead load; all loads and meshes."""
    newton = {(load, cells_across(c)): tip(c) for load, cs in by_load(data, "corotational").items() for c in cs}
    found = {}
    for load, cells in by_load(data, "warped").items():
        for c in cells:
            if (load, cells_across(c)) in newton:
                found[c] = float(np.hypot(*np.subtract(tip(c), newton[load, cells_across(c)])))
    return extremes.largest(found)


@measurement("elastica.linear_error", unit="1", experiment=EXPERIMENT)
def linear_error(data: ExperimentData) -> Measured:
    """Relative error of the drop of a linear cantilever's tip against PL³/3EI, in the limit of fine meshes (of P over the drop, with
    n⁻²); largest over all loads."""
    found = {}
    for load, cells in by_load(data, "linear").items():
        compliance = limit({cells_across(c): load / 3 / tip(c)[0] for c in cells}, max(2, len(cells)))
        found[f"PL²/EI = {load:g}"] = abs(1 / compliance - 1)
    return extremes.largest(found)


@measurement("elastica.linear_distance", unit="1", experiment=EXPERIMENT)
def linear_distance(data: ExperimentData) -> Measured:
    """Distance over the length of a linear cantilever's tip on the finest mesh from the elastica's; largest over all loads."""
    found = {}
    for cells in by_load(data, "linear").values():
        finest = cells[-1]
        found[finest] = float(np.hypot(*np.subtract(tip(finest), stored(finest))))
    return extremes.largest(found)
