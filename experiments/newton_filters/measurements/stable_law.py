# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/extreme_starts, rigid_rotation, volume_kept and volume_kept_of_hexahedra: the stable
neo-Hookean law beside others."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from deformbench_analysis.mesh import median_edge, volumes
from deformbench_analysis.reference_minimum import ReferenceMinimum, hexahedral_points, quadratic_points, young_moduli
from deformbench_analysis.vocabulary import Array, Measures, Trace, parameter, quantity, ratio, rows
from experiments.newton_filters.measurements.independent_minimum import BACK

STARTS = Measures("newton_filters/extreme_starts")
TURNED = Measures("newton_filters/rigid_rotation")
VOLUME = Measures("newton_filters/volume_kept")
HEXAHEDRA = Measures("newton_filters/volume_kept_of_hexahedra")
NEAR = 1e-4  # of the length: largest error of a found minimum


# ---- starts from which a body is to find its shape


def is_found(trace: Trace) -> bool:
    """Whether a body ends at the minimum that the independent program finds from the shape at rest."""
    step, rest = ReferenceMinimum(trace), trace.scene("rest_positions")
    least = step.minimise(rest + BACK * (step.start - rest))  # at rest, all of the gradient is rounding
    if least.least_eigenvalue <= 0:
        raise trace.missing("what is found from the shape at rest is a saddle")
    off = np.linalg.norm(trace.values("frame", "positions")[-1] - least.positions, axis=1).max()
    return bool(off < NEAR * np.ptp(rest, axis=0).max())


@quantity("share of bodies that find the minimum at rest")
def found_share(*traces: Trace) -> float:
    """The runs from one start."""
    return float(np.mean([is_found(trace) for trace in traces]))


def keeps_two_dimensions(trace: Trace) -> bool:
    """No line or point."""
    return str(trace.value("scene.parameters.start")) not in ("line", "point")


start = parameter("start", str, "Start.")
LOG = rows("log", says="the law of 2018")
STARTS.least("found", found_share, LOG.where(keeps_two_dimensions).grouped(start, says="start by start"))
for _start in ("line", "point"):
    STARTS.mean(f"found_from_{_start}", found_share, LOG.where(start=_start))
for _law in ("core", "corotational", "st_venant_kirchhoff"):
    STARTS.mean(f"{_law}_found", found_share, rows(_law))
STARTS.mean("mirrored_st_venant_found", found_share, rows("st_venant_kirchhoff").where(start="mirrored"))


# ---- rigid rotation


def size(trace: Trace) -> tuple[float, float]:
    """Young's modulus times the volume, and times the square of the median edge."""
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int)
    modulus = young_moduli(trace, rest, tetrahedra)[0]
    return float(modulus * volumes(rest, tetrahedra).sum()), float(modulus * median_edge(rest, tetrahedra) ** 2)


@quantity("largest elastic energy of a turned body relative to Young's modulus times its volume")
def turned_energy(trace: Trace) -> float:
    """At all angles."""
    return float(np.abs(trace.values("pose", "elastic_energy")).max() / size(trace)[0])


@quantity("largest elastic force of a turned body relative to Young's modulus times the square of its median edge")
def turned_force(trace: Trace) -> float:
    """At all angles."""
    return float(np.linalg.norm(trace.values("pose", "elastic_forces"), axis=-1).max() / size(trace)[1])


TURNED.largest("energy", turned_energy, LOG)
TURNED.largest("force", turned_force, LOG)
TURNED.least("linear_energy", turned_energy, rows("linear", says="linear elasticity"))


# ---- change of volume


def _volume_error(trace: Trace, at_points: bool) -> float:
    if trace.values("step", "solver_converged")[-1] != 1:
        raise trace.missing("Newton's method did not converge")
    has_hexahedra = trace.value("method.parameters.elements") == "hexahedra"
    points_of = hexahedral_points if has_hexahedra else quadratic_points
    points = points_of(trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int))
    x: Array = trace.values("frame", "positions")[-1][points.nodes]
    growth, sizes = np.linalg.det(np.einsum("pai,paj->pij", x, points.slopes)) - 1, points.volumes
    if has_hexahedra and not at_points:
        eights = sizes.reshape(-1, 8)
        growth, sizes = np.average(growth.reshape(-1, 8), axis=1, weights=eights), eights.sum(axis=1)
    return float(np.sqrt(np.average(growth**2, weights=sizes)))


@quantity("change of volume |J − 1|, rms over the body")
def volume_error(trace: Trace) -> float:
    """From the positions: J at integration points, or the mean of a hexahedron. MissingData unless Newton's method
    converged."""
    return _volume_error(trace, False)


@quantity("change of volume |J − 1| at integration points, rms over the body")
def volume_error_at_points(trace: Trace) -> float:
    """The same, at the points of hexahedra too."""
    return _volume_error(trace, True)


def is_near_half(trace: Trace) -> bool:
    """ν of at least 0.45."""
    return trace.number("poisson_ratio") >= 0.45


def same_problem(trace: Trace) -> Mapping[str, Any]:
    """All that is swept."""
    return trace.coordinates


KEPT = ratio(volume_error)
for _measures in (VOLUME, HEXAHEDRA):
    for _word, _law in (("corotational", "corotational"), ("st_venant", "st_venant_kirchhoff")):
        _beside = rows(_law)
        _near = LOG.where(is_near_half).beside(_beside, same_problem)
        _measures.largest(f"{_word}_ratio", KEPT, _near)
        _stretched = LOG.where(poisson_ratio=0.499, amount=1.5).beside(_beside, same_problem)
        _measures.largest(f"{_word}_ratio_stretched", KEPT, _stretched)
        if _measures is HEXAHEDRA:
            _measures.largest(f"{_word}_ratio_at_points", ratio(volume_error_at_points), _stretched)
        _slight = LOG.where(amount=1.01).beside(_beside, same_problem)
        _measures.largest(f"{_word}_slight_difference", KEPT.off(1.0), _slight)
        _low = LOG.where(amount=1.5, poisson_ratio=0.3).beside(_beside, same_problem)
        _measures.largest(f"{_word}_ratio_at_low_poisson", KEPT, _low)
    _measures.largest("change", volume_error, LOG.where(is_near_half))
