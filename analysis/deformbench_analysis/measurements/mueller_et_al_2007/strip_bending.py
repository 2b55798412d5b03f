# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/strip_bending and bending_edge_length: whether resistance to bending depends on the edges
of the mesh; masses of vertices in meshes of unequal triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .bending import angle, frames, movement, rest_angle

STRIP = "mueller_et_al_2007/strip_bending"
EDGE = "mueller_et_al_2007/bending_edge_length"


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
    """Mean deflection of the tip over the length: a strip let go level swings about its equilibrium. The mean is weighted by
    sin² over the run, which takes a swing of three periods and more out of it to a hundredth."""
    tip = trace.scene("vertex_set_tip").astype(int)
    heights = trace.values("frame", "positions")[:, tip, 1].mean(axis=1)
    weights = np.sin(np.pi * np.linspace(0, 1, len(heights))) ** 2
    return float((heights[0] - heights) @ weights / weights.sum() / float(trace.value("scene.parameters.length_m")))


def sags(data: ExperimentData, row: str) -> dict[tuple[int, int, str], float]:
    """By mesh. MissingData with less than two meshes."""
    found = {mesh_of(c): sag(c) for c in data.some(name=row)}
    if len(found) < 2:
        raise MissingData(f"{STRIP} at tier {data.tier}: one mesh where two are needed")
    return found


def sags_ratio(data: ExperimentData, row: str) -> Measured:
    """Largest over smallest deflection among the meshes."""
    found = sags(data, row)
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] / found[least], f"{most} against {least}")


for row, described in (
    ("angle", "bend constraints of the cloth, one k for all"),
    ("hinge", "hinges whose compliances are weighted as those of a plate"),
):

    @measurement(f"strip_bending.{row}_spread", unit="1", experiment=STRIP, of=described)
    def spread(data: ExperimentData, row: str = row) -> Measured:
        """Largest over smallest deflection of one strip with the same stiffness, weight, steps and iterations in
        meshes of different sizes and shapes."""
        return sags_ratio(data, row)


@measurement("strip_bending.angle_shape_spread", unit="1", experiment=STRIP)
def shape_spread(data: ExperimentData) -> Measured:
    """Largest over smallest deflection of one strip with the same stiffness, weight, steps and iterations in meshes
    with eight rectangles along it, which differ in shape alone; bend constraints of the cloth."""
    found = {mesh: value for mesh, value in sags(data, "angle").items() if mesh[0] == 8}
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] / found[least], f"{most} against {least}")


@measurement("strip_bending.angle_size_exponent", unit="1", experiment=STRIP)
def size_exponent(data: ExperimentData) -> Measured:
    """Exponent with which the strip's deflection grows with the number of squares along it, coarsest to finest mesh,
    bend constraints of the cloth."""
    cells = sorted(data.some(name="angle", keep=is_square), key=mesh_of)
    if len(cells) < 2:
        raise MissingData(f"{STRIP} at tier {data.tier}: one size where two are needed")
    few, many = mesh_of(cells[0])[0], mesh_of(cells[-1])[0]
    return Measured(float(np.log(sag(cells[-1]) / sag(cells[0])) / np.log(many / few)), f"{few} to {many} squares")


@measurement("strip_bending.diagonal_sag_ratio", unit="1", experiment=STRIP)
def diagonal_sag_ratio(data: ExperimentData) -> Measured:
    """Deflection with a distance constraint across every inner edge over that with a bend constraint of the same k;
    smallest over the meshes."""
    with_angle, with_distance = sags(data, "angle"), sags(data, "diagonal")
    found = {mesh: with_distance[mesh] / value for mesh, value in with_angle.items() if mesh in with_distance}
    least = extremes.at_least(found)
    return Measured(found[least], str(least))


def heron(trace: Trace) -> Array:
    """Area of every triangle from the lengths of its sides, by Heron's formula in the order that loses no digits."""
    corners = trace.scene("rest_positions")[trace.scene("triangles").astype(int)]
    c, b, a = np.sort(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2), axis=1).T
    return np.asarray(np.sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4)


@measurement("strip_bending.vertex_mass_error", unit="1", experiment=STRIP)
def vertex_mass_error(data: ExperimentData) -> Measured:
    """Largest relative error of a vertex's mass against a third of density times the area of each of its triangles, all meshes."""
    found = {}
    for cell in data.some():
        triangles, masses = cell.scene("triangles").astype(int), cell.scene("masses")
        third = heron(cell) * float(cell.value("scene.parameters.area_density_kg_m2")) / 3
        expected = np.bincount(triangles.ravel(), weights=np.repeat(third, 3), minlength=len(masses))
        found[cell.label] = float(np.abs(masses / expected - 1).max())
    return extremes.largest(found)


@measurement("strip_bending.unequal_triangles", unit="1", experiment=STRIP)
def unequal_triangles(data: ExperimentData) -> Measured:
    """Largest ratio of the areas of two triangles of the same mesh."""
    found = {c: float(heron(c).max() / heron(c).min()) for c in data.some()}
    return extremes.largest(found)


@measurement("bending_edge_length.angle_movement", unit="1", experiment=EDGE)
def angle_movement(data: ExperimentData) -> Measured:
    """Largest movement of a vertex, over the length of the shared edge, that the bend constraint causes in two
    triangles whose edge lengths have changed and whose angle has not, over all sizes and shapes."""
    found = {c: float(movement(c).max()) for c in data.some(name="angle")}
    return extremes.largest(found)


@measurement("bending_edge_length.diagonal_movement", unit="1", experiment=EDGE)
def diagonal_movement(data: ExperimentData) -> Measured:
    """Largest movement of a vertex, over the length of the shared edge, that a distance constraint between the two
    opposite vertices causes in two triangles whose edge lengths have changed and whose angle has not; smallest over
    sizes and shapes."""
    found = {c: float(movement(c).max()) for c in data.some(name="diagonal")}
    return extremes.least(found)


def corrected_share(trace: Trace) -> Array:
    """Share of the error of the angle that one projection takes away, one per member."""
    error = angle(frames(trace)) - rest_angle(trace)  # [member, row]
    return np.asarray(1 - error[:, 1] / error[:, 0])


@measurement("bending_edge_length.share_error", unit="1", experiment=EDGE)
def share_error(data: ExperimentData) -> Measured:
    """Largest |share of an error of the angle that one projection takes away / k − 1|, over all sizes and shapes of the
    two triangles."""
    found = {}
    for cell in data.every(name="half"):
        asked = float(cell.value("method.parameters.bend_stiffness"))
        found[cell] = float(np.abs(corrected_share(cell) / asked - 1).max())
    return extremes.largest(found)


@measurement("bending_edge_length.compliant_share_spread", unit="1", experiment=EDGE)
def compliant_share_spread(data: ExperimentData) -> Measured:
    """Largest share of an error of the angle that one projection of a compliant hinge takes away minus the smallest, all
    sizes and shapes of the two triangles, one compliance."""
    found = {c: float(np.median(corrected_share(c))) for c in data.every(name="compliant")}
    least, most = extremes.at_least(found), extremes.at_largest(found)
    return Measured(found[most] - found[least], f"{most.label} against {least.label}")
