# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/twist: torque and change of length of a square bar turned between ends that slide and warp.

Both are of second order or have a term of it: what a twisted bar does to its length depends on how stress grows beyond small
strains, and so on the law. Wagner's −(a²/12)(Θ/L)² is that of St. Venant–Kirchhoff without lateral contraction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .laws import TWO_CONSTRAINTS, Twisted, twisted
from .richardson import limit

EXPERIMENT = "cross/twist"
AWAY = 1.5  # sides from the ends within which the length is not measured: there an end's shape is felt


def scene_number(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value(f"scene.parameters.{name}"))


def poisson(trace: Trace) -> float:
    """ν of the cell."""
    return scene_number(trace, "poisson_ratio")


def cells_across(trace: Trace) -> int:
    """Cubes across the bar."""
    return int(scene_number(trace, "cells_across"))


def law_of(trace: Trace) -> str:
    """The law of a cell's energy; warped elements have the corotational one, and XPBD that of its two constraints."""
    if trace.method_id == "xpbd":
        return TWO_CONSTRAINTS
    return str(trace.value("method.parameters.law", "corotational"))


def wagner(trace: Trace) -> float:
    """Wagner's change of length over length, from the trace."""
    return float(trace.reference("torsion_shortening", "strain").values)


def exact_of(trace: Trace, law: str, nu: float) -> Twisted:
    """The helical state of a law at the cell's angle."""
    turn = math.radians(scene_number(trace, "angle_deg"))
    return twisted(law, nu, turn * scene_number(trace, "side_m") / scene_number(trace, "length_m"))


def exact(trace: Trace) -> Twisted:
    """The helical state of the cell's law, at its angle and ν."""
    return exact_of(trace, law_of(trace), poisson(trace))


def shortening(trace: Trace) -> float:
    """Change of length over length between the two sections 1.5 sides from the ends, over Wagner's."""
    rest, now = trace.scene("rest_positions")[:, 0], trace.values("frame", "positions")[-1][:, 0]
    away, spacing = AWAY * scene_number(trace, "side_m"), 1e-6 * scene_number(trace, "length_m")
    low, high = (np.abs(rest - at) < spacing for at in (rest.min() + away, rest.max() - away))
    if not low.any() or not high.any() or rest[high].mean() <= rest[low].mean():
        raise MissingData(f"{EXPERIMENT}: {trace.label}: no sections of vertices {AWAY:g} sides from the ends")
    ratio = (now[high].mean() - now[low].mean()) / (rest[high].mean() - rest[low].mean())
    return float((ratio - 1) / wagner(trace))


def torque(trace: Trace) -> float:
    """Torque on the turned end over St. Venant's, G J Θ/L."""
    tip, now = trace.scene("vertex_set_tip"), trace.values("frame", "positions")[-1]
    forces = -trace.values("frame", "elastic_forces")[-1][tip]  # what turns the end
    turning = np.cross(now[tip] - now[tip].mean(axis=0), forces).sum(axis=0)[0]
    stiffness = float(trace.reference("torsion_of_rectangular_bar", "torsional_stiffness_n_m").values)
    return float(turning / (stiffness * math.radians(scene_number(trace, "angle_deg"))))


def exact_shortening(trace: Trace) -> float:
    """The law's own change of length over Wagner's."""
    return exact(trace).strain / wagner(trace)


def exact_torque(trace: Trace) -> float:
    """The law's own torque over St. Venant's."""
    side, young = scene_number(trace, "side_m"), scene_number(trace, "young_modulus_pa")
    stiffness = float(trace.reference("torsion_of_rectangular_bar", "torsional_stiffness_n_m").values)
    turn = math.radians(scene_number(trace, "angle_deg"))
    return exact(trace).torque * young * side**3 / (stiffness * turn)


@dataclass(frozen=True)
class Limits:
    """What a row's finest meshes lead to, beside its law's own state."""

    shortening: float
    torque: float
    exact_shortening: float
    exact_torque: float


def limits(data: ExperimentData, name: str) -> dict[float, Limits]:
    """By ν, of a row."""
    found = {}
    cells = data.every(name=name)
    for nu in sorted({poisson(c) for c in cells}):
        chosen = [c for c in cells if poisson(c) == nu]
        found[nu] = Limits(
            limit({cells_across(c): shortening(c) for c in chosen}),
            limit({cells_across(c): torque(c) for c in chosen}),
            exact_shortening(chosen[0]),
            exact_torque(chosen[0]),
        )
    return found


NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")


@measurement("twist.shortening_error", unit="1", experiment=EXPERIMENT)
def shortening_error(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)², in the limit of fine meshes (three finest, terms in
    n⁻² and n⁻⁴), minus that of the law's own helical state; largest difference over warped elements, four laws and all ν.
    """
    found = {}
    for name in NONLINEAR:
        for nu, at in limits(data, name).items():
            found[f"{name}, ν = {nu:g}"] = abs(at.shortening - at.exact_shortening)
    return extremes.largest(found)


@measurement("twist.torque_error", unit="1", experiment=EXPERIMENT)
def torque_error(data: ExperimentData) -> Measured:
    """Relative error of the torque of a twisted square bar in the limit of fine meshes (three finest, terms in n⁻² and n⁻⁴),
    against that of the law's own helical state; largest over warped elements, four laws and all ν."""
    found = {}
    for name in NONLINEAR:
        for nu, at in limits(data, name).items():
            found[f"{name}, ν = {nu:g}"] = abs(at.torque / at.exact_torque - 1)
    return extremes.largest(found)


@measurement("twist.xpbd_shortening_error", unit="1", experiment=EXPERIMENT)
def xpbd_shortening_error(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)², XPBD with two constraints a tetrahedron, in the limit
    of fine meshes (two, four and six cells across, terms in n⁻² and n⁻⁴), minus that of the helical state of their energy
    μ/2 F:F + l/2 (det F − 1 − μ/l)², l = λ + μ; largest over ν. The note says how far the stable neo-Hookean law is from it.
    """
    found = {}
    for nu, at in limits(data, "xpbd").items():
        other = exact_of(data.every(name="xpbd")[0], "stable_neo_hookean", nu).strain / wagner(
            data.every(name="xpbd")[0]
        )
        found[f"ν = {nu:g}; stable neo-Hookean {abs(at.shortening - other):.3g}"] = abs(
            at.shortening - at.exact_shortening
        )
    return extremes.largest(found)


@measurement("twist.xpbd_torque_error", unit="1", experiment=EXPERIMENT)
def xpbd_torque_error(data: ExperimentData) -> Measured:
    """Relative error of the torque of a twisted square bar, XPBD with two constraints a tetrahedron, in the limit of fine meshes
    (two, four and six cells across, terms in n⁻² and n⁻⁴), against that of the helical state of their energy; largest over ν.
    """
    return extremes.largest(
        {f"ν = {nu:g}": abs(at.torque / at.exact_torque - 1) for nu, at in limits(data, "xpbd").items()}
    )


@measurement("twist.torque_on_the_finest_mesh", unit="1", experiment=EXPERIMENT)
def torque_on_the_finest_mesh(data: ExperimentData) -> Measured:
    """Torque of a twisted square bar over St. Venant's G J Θ/L on the finest mesh, farthest from 1 over warped elements, four laws
    and all ν: what locking adds."""
    cells = [c for name in NONLINEAR for c in data.every(name=name)]
    most = max(cells_across(c) for c in cells)
    found = {c: torque(c) for c in cells if cells_across(c) == most}
    worst = extremes.at_largest({c: abs(v - 1) for c, v in found.items()})
    return Measured(found[worst], f"{most} cells across, {worst.label}")


def factor(data: ExperimentData, name: str) -> Measured:
    """Limit of the change of length over Wagner's at the largest ν."""
    nu, at = max(limits(data, name).items())
    return Measured(at.shortening, f"ν = {nu:g}; own state {at.exact_shortening:.4g}")


@measurement("twist.corotational_factor", unit="1", experiment=EXPERIMENT)
def corotational_factor(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)² in the limit of fine meshes, at the largest ν; a
    negative value is a bar that grows longer. Corotational law."""
    return factor(data, "corotational")


@measurement("twist.st_venant_kirchhoff_factor", unit="1", experiment=EXPERIMENT)
def st_venant_kirchhoff_factor(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)² in the limit of fine meshes, at the largest ν; a
    negative value is a bar that grows longer. St. Venant–Kirchhoff."""
    return factor(data, "st_venant_kirchhoff")


@measurement("twist.neo_hookean_factor", unit="1", experiment=EXPERIMENT)
def neo_hookean_factor(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)² in the limit of fine meshes, at the largest ν; a
    negative value is a bar that grows longer. Neo-Hookean law."""
    return factor(data, "neo_hookean")


@measurement("twist.stable_neo_hookean_factor", unit="1", experiment=EXPERIMENT)
def stable_neo_hookean_factor(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)² in the limit of fine meshes, at the largest ν; a
    negative value is a bar that grows longer. Stable neo-Hookean law."""
    return factor(data, "stable_neo_hookean")


@measurement("twist.wagner_error", unit="1", experiment=EXPERIMENT)
def wagner_error(data: ExperimentData) -> Measured:
    """Change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)², minus 1: St. Venant–Kirchhoff at ν = 0, the limit of
    fine meshes; magnitude."""
    found = limits(data, "st_venant_kirchhoff")
    if 0.0 not in found:
        raise MissingData(f"{EXPERIMENT}: no bar without lateral contraction at tier {data.tier}")
    return Measured(abs(found[0.0].shortening - 1), f"own state {found[0.0].exact_shortening:.4g}")


@measurement("twist.linear_shortening", unit="1", experiment=EXPERIMENT)
def linear_shortening(data: ExperimentData) -> Measured:
    """Largest change of length of a twisted square bar over Wagner's −(a²/12)(Θ/L)², linear FEM, limit of fine meshes, over all ν;
    a linear bar has none away from its ends."""
    cells = data.every(name="linear")
    found = {}
    for nu in sorted({poisson(c) for c in cells}):
        found[f"ν = {nu:g}"] = abs(limit({cells_across(c): shortening(c) for c in cells if poisson(c) == nu}))
    return extremes.largest(found)
