# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/strip_bending and bending_edge_length: whether resistance to bending depends on
the edges of the mesh; masses of vertices in meshes of unequal triangles."""

from typing import Any

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows
from .bending import angle, frames, movement, rest_angle

STRIP = Measures("mueller_et_al_2007/strip_bending")
EDGE = Measures("mueller_et_al_2007/bending_edge_length")


def mesh_of(trace: Trace) -> tuple[int, int, str]:
    """Rectangles along and across, and how they are cut into triangles."""

    def value(name: str) -> Any:
        return trace.value("scene.parameters." + name)

    return int(value("cells_along")), int(value("cells_across")), str(value("cells"))


def is_square(trace: Trace) -> bool:
    """Meshes that differ in size alone."""
    along, across, cells = mesh_of(trace)
    return cells == "alternating" and along == 4 * across


def sag(trace: Trace) -> float:
    """Mean deflection of the tip / length: a strip released level swings about its equilibrium. The mean is weighted
    by sin² over the run, which reduces a swing of three or more periods to a hundredth."""
    tip = trace.scene("vertex_set_tip").astype(int)
    heights = trace.values("frame", "positions")[:, tip, 1].mean(axis=1)
    weights = np.sin(np.pi * np.linspace(0, 1, len(heights))) ** 2
    return float((heights[0] - heights) @ weights / weights.sum() / trace.number("length_m"))


def sags(data: ExperimentData, row: str) -> dict[tuple[int, int, str], float]:
    """By mesh. MissingData with fewer than two."""
    found = {mesh_of(c): sag(c) for c in rows(row).runs(data)}
    if len(found) < 2:
        raise MissingData(f"{STRIP.experiment} at tier {data.tier}: one mesh where two are needed")
    return found


def sags_ratio(data: ExperimentData, row: str) -> Measured:
    """Largest / smallest deflection among the meshes."""
    found = sags(data, row)
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] / found[least], f"{most} against {least}")


for row, described in (
    ("angle", "bend constraints of the cloth, one k for all"),
    ("hinge", "hinges whose compliances are weighted as those of a plate"),
):

    @STRIP(f"{row}_spread", of=described)
    def spread(data: ExperimentData, row: str = row) -> Measured:
        """Largest / smallest deflection of one strip with equal stiffness, weight, steps and iterations in
        different meshes."""
        return sags_ratio(data, row)


@STRIP("angle_shape_spread")
def shape_spread(data: ExperimentData) -> Measured:
    """Largest / smallest deflection of one strip in meshes with eight rectangles along it that differ only in shape;
    bend constraints of the cloth."""
    found = {mesh: value for mesh, value in sags(data, "angle").items() if mesh[0] == 8}
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] / found[least], f"{most} against {least}")


@STRIP("angle_size_exponent")
def size_exponent(data: ExperimentData) -> Measured:
    """Exponent with which the strip's deflection grows with the number of squares along it, coarsest to finest mesh,
    bend constraints of the cloth."""
    cells = sorted(rows("angle").where(is_square).runs(data), key=mesh_of)
    if len(cells) < 2:
        raise MissingData(f"{STRIP.experiment} at tier {data.tier}: one size where two are needed")
    few, many = mesh_of(cells[0])[0], mesh_of(cells[-1])[0]
    return Measured(float(np.log(sag(cells[-1]) / sag(cells[0])) / np.log(many / few)), f"{few} to {many} squares")


@STRIP("diagonal_sag_ratio")
def diagonal_sag_ratio(data: ExperimentData) -> Measured:
    """Smallest ratio over meshes of the deflection with distance constraints across inner edges to that with bend
    constraints of the same k."""
    with_angle, with_distance = sags(data, "angle"), sags(data, "diagonal")
    found = {mesh: with_distance[mesh] / value for mesh, value in with_angle.items() if mesh in with_distance}
    least = extremes.at_least(found)
    return Measured(found[least], str(least))


def heron(trace: Trace) -> Array:
    """Area of every triangle from the lengths of its sides, by the stable form of Heron's formula."""
    corners = trace.scene("rest_positions")[trace.scene("triangles").astype(int)]
    c, b, a = np.sort(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2), axis=1).T
    return np.asarray(np.sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4)


@quantity("relative error of a vertex's mass against a third of density times its triangles' areas")
def vertex_mass_error(trace: Trace) -> Array:
    """Per vertex."""
    triangles, masses = trace.scene("triangles").astype(int), trace.scene("masses")
    third = heron(trace) * trace.number("area_density_kg_m2") / 3
    expected = np.bincount(triangles.ravel(), weights=np.repeat(third, 3), minlength=len(masses))
    return np.asarray(np.abs(masses / expected - 1))


unequal_triangles = quantity("largest / smallest triangle area of a mesh")(lambda c: heron(c).max() / heron(c).min())
STRIP.largest("vertex_mass_error", vertex_mass_error, EVERY_RUN)
STRIP.largest("unequal_triangles", unequal_triangles, EVERY_RUN)


def corrected_share(trace: Trace) -> Array:
    """Share of the angle error that one projection corrects, one per member."""
    error = angle(frames(trace)) - rest_angle(trace)  # [member, row]
    return np.asarray(1 - error[:, 1] / error[:, 0])


@quantity("|share of the angle error that one projection corrects / k − 1|")
def share_error(trace: Trace) -> Array:
    """One per member."""
    return np.asarray(np.abs(corrected_share(trace) / trace.setting("bend_stiffness") - 1))


EDGE.largest("angle_movement", movement, rows("angle", says="bend constraints, all sizes and shapes"))
EDGE.least("diagonal_movement", movement.largest(), rows("diagonal", says="distances across the edge"))
EDGE.largest("share_error", share_error, rows("half", says="all sizes and shapes"))


@EDGE("compliant_share_spread")
def compliant_share_spread(data: ExperimentData) -> Measured:
    """Largest minus smallest share of the angle error that one projection of a hinge of one compliance corrects, all
    sizes and shapes."""
    found = {c: float(np.median(corrected_share(c))) for c in rows("compliant").runs(data)}
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] - found[least], f"{most.label} against {least.label}")
