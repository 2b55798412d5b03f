# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/twist: torque and change of length of a square bar turned between ends that slide and warp.

Both are of second order or have second-order terms: the change of length depends on the stress beyond small
strains, and so on the law. Wagner's −(a²/12)(Θ/L)² is that of St. Venant–Kirchhoff without lateral
contraction."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, Rows, Trace, extremes
from deformbench_analysis.vocabulary import parameter, rows
from .laws import TWO_CONSTRAINTS, Twisted, twisted
from .richardson import limit

M = Measures("cross/twist")
AWAY = 1.5  # sides from each end, excluded from the length because of end effects
poisson = parameter("poisson_ratio", float, "ν of the cell.")
cells_across = parameter("cells_across", int, "Cubes across the bar.")


def law_of(trace: Trace) -> str:
    """The law of a cell's energy; warped elements have the corotational one, and XPBD that of its two constraints."""
    if trace.method_id == "xpbd":
        return TWO_CONSTRAINTS
    return str(trace.value("method.parameters.law", "corotational"))


def wagner(trace: Trace) -> float:
    """Wagner's axial strain, from the trace."""
    return float(trace.reference("torsion_shortening", "strain").values)


def exact_of(trace: Trace, law: str, nu: float) -> Twisted:
    """The helical state of a law at the cell's angle."""
    turn = math.radians(trace.number("angle_deg"))
    return twisted(law, nu, turn * trace.number("side_m") / trace.number("length_m"))


def exact(trace: Trace) -> Twisted:
    """The helical state of the cell's law, at its angle and ν."""
    return exact_of(trace, law_of(trace), poisson(trace))


def shortening(trace: Trace) -> float:
    """Axial strain between the two sections 1.5 sides from the ends, relative to Wagner's."""
    rest, now = trace.scene("rest_positions")[:, 0], trace.values("frame", "positions")[-1][:, 0]
    away, spacing = AWAY * trace.number("side_m"), 1e-6 * trace.number("length_m")
    low, high = (np.abs(rest - at) < spacing for at in (rest.min() + away, rest.max() - away))
    if not low.any() or not high.any() or rest[high].mean() <= rest[low].mean():
        raise trace.missing(f"no sections of vertices {AWAY:g} sides from the ends")
    ratio = (now[high].mean() - now[low].mean()) / (rest[high].mean() - rest[low].mean())
    return float((ratio - 1) / wagner(trace))


def torque(trace: Trace) -> float:
    """End torque relative to St. Venant's, G J Θ/L."""
    tip, now = trace.scene("vertex_set_tip"), trace.values("frame", "positions")[-1]
    forces = -trace.values("frame", "elastic_forces")[-1][tip]  # what turns the end
    turning = np.cross(now[tip] - now[tip].mean(axis=0), forces).sum(axis=0)[0]
    stiffness = float(trace.reference("torsion_of_rectangular_bar", "torsional_stiffness_n_m").values)
    return float(turning / (stiffness * math.radians(trace.number("angle_deg"))))


def exact_shortening(trace: Trace) -> float:
    """The law's axial strain relative to Wagner's."""
    return exact(trace).strain / wagner(trace)


def exact_torque(trace: Trace) -> float:
    """The law's torque/St. Venant's."""
    side, young = trace.number("side_m"), trace.number("young_modulus_pa")
    stiffness = float(trace.reference("torsion_of_rectangular_bar", "torsional_stiffness_n_m").values)
    turn = math.radians(trace.number("angle_deg"))
    return exact(trace).torque * young * side**3 / (stiffness * turn)


@dataclass(frozen=True)
class Limits:
    """Limits of a row's finest meshes, and its law's exact values."""

    shortening: float
    torque: float
    exact_shortening: float
    exact_torque: float


def limits_of(*cells: Trace) -> Limits:
    """Limits over the meshes of one row at one ν."""
    return Limits(
        limit({cells_across(c): shortening(c) for c in cells}),
        limit({cells_across(c): torque(c) for c in cells}),
        exact_shortening(cells[0]),
        exact_torque(cells[0]),
    )


def row_and_ratio(trace: Trace) -> tuple[str, float]:
    """Row and Poisson's ratio."""
    return trace.method_name, poisson(trace)


def limits(data: ExperimentData, name: str) -> dict[float, Limits]:
    """By ν, of a row."""
    by_ratio = rows(name).grouped(poisson).units(data)
    return {poisson(cells[0]): limits_of(*cells) for cells, _ in sorted(by_ratio, key=lambda unit: poisson(unit[0][0]))}


def shortening_error(*cells: Trace) -> float:
    """Error of the shortening relative to Wagner's, extrapolated to fine meshes, against the law's own."""
    at = limits_of(*cells)
    return abs(at.shortening - at.exact_shortening)


def xpbd_shortening_error(*cells: Trace) -> dict[str, float]:
    """Error of the shortening relative to Wagner's, extrapolated to fine meshes, against the constraints' energy.

    The note says how far the stable neo-Hookean law is from it."""
    nu, at = poisson(cells[0]), limits_of(*cells)
    other = exact_of(cells[0], "stable_neo_hookean", nu).strain / wagner(cells[0])
    note = f"ν = {nu:g}; stable neo-Hookean {abs(at.shortening - other):.3g}"
    return {note: abs(at.shortening - at.exact_shortening)}


def torque_error(*cells: Trace) -> float:
    """Relative error of the torque, extrapolated to fine meshes, against the law's helical state."""
    at = limits_of(*cells)
    return abs(at.torque / at.exact_torque - 1)


def factor(*cells: Trace) -> dict[str, float]:
    """Axial strain/Wagner's −(a²/12)(Θ/L)², in the limit of fine meshes;
    negative where the bar lengthens."""
    at = limits_of(*cells)
    return {f"ν = {poisson(cells[0]):g}; own state {at.exact_shortening:.4g}": at.shortening}


def wagner_error(*cells: Trace) -> float:
    """Relative error of the axial strain against Wagner's −(a²/12)(Θ/L)², in the limit of fine meshes."""
    return abs(limits_of(*cells).shortening - 1)


def linear_shortening(*cells: Trace) -> float:
    """Magnitude of axial strain/Wagner's −(a²/12)(Θ/L)², in the limit of fine meshes."""
    return abs(limit({cells_across(c): shortening(c) for c in cells}))


def _by_ratio(found: Rows) -> Rows:
    return found.grouped(poisson, says="").noted(lambda *cells: f"ν = {poisson(cells[0]):g}")


NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
LAWS = rows(*NONLINEAR, says="warped elements and four laws")
LIMITS = LAWS.grouped(row_and_ratio, says="").noted(lambda *cells: f"{cells[0].method_name}, ν = {poisson(cells[0]):g}")
XPBD = rows("xpbd", says="XPBD, all Poisson's ratios")
M.largest("shortening_error", shortening_error, LIMITS)
M.largest("torque_error", torque_error, LIMITS)
M.largest("xpbd_shortening_error", xpbd_shortening_error, _by_ratio(XPBD))
M.largest("xpbd_torque_error", torque_error, _by_ratio(XPBD))
for _law, _words in {
    "corotational": "corotational law",
    "st_venant_kirchhoff": "St. Venant–Kirchhoff",
    "neo_hookean": "neo-Hookean law",
    "stable_neo_hookean": "stable neo-Hookean law",
}.items():
    M.largest(f"{_law}_factor", factor, _by_ratio(rows(_law, says=_words).at_largest(poisson, says="largest ν")))
WITHOUT_CONTRACTION = rows("st_venant_kirchhoff", says="St. Venant–Kirchhoff").where(poisson_ratio=0.0, says="ν = 0")
M.largest("wagner_error", wagner_error, WITHOUT_CONTRACTION.grouped(poisson, says=""))
M.largest("linear_shortening", linear_shortening, _by_ratio(rows("linear", says="linear FEM, all Poisson's ratios")))


@M("torque_on_the_finest_mesh")
def torque_on_the_finest_mesh(data: ExperimentData) -> Measured:
    """Torque of a twisted square bar relative to St. Venant's G J Θ/L on the finest mesh: value farthest from 1 of
    warped elements, four laws and all ν."""
    found = {c: torque(c) for (c,), _ in LAWS.at_largest(cells_across).units(data)}
    worst = extremes.at_largest({c: abs(v - 1) for c, v in found.items()})
    return Measured(found[worst], f"{cells_across(worst)} cells across, {worst.label}")
