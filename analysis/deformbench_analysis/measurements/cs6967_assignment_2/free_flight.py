# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/free_flight: deformation gradients and forces of a block that nothing acts on, against rounding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body
from ...measurement import Measured, measurement
from ...mesh import deformation_gradients
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "cs6967_assignment_2/free_flight"
CONTROL = "too_large_step"
LINEAR = "linear_fem"
ALLOWED = 1e3 * float(np.finfo(float).eps)  # × |x|/h: rounding of positions as large as these, a thousand times


def cell_size(trace: Trace) -> float:
    """h, m."""
    return float(trace.value("scene.parameters.side_m")) / float(trace.value("scene.parameters.cells_across"))


def spins(trace: Trace) -> bool:
    """Whether the block turns."""
    return bool(np.any(trace.value("scene.parameters.angular_velocity_rad_s")))


def flies(trace: Trace) -> bool:
    """Translates without a turn, with a stable step."""
    return trace.method_name != CONTROL and not spins(trace)


def largest_of_rows(trace: Trace, size: Callable[[Array], float], relative: bool = True) -> float:
    """Largest of all frames; `relative`: over 1e3 ε |x|/h of the frame."""
    found = []
    for _, _, frame in trace.frames():
        x = frame["positions"]
        allowed = ALLOWED * float(np.linalg.norm(x, axis=1).max()) / cell_size(trace) if relative else 1.0
        found.append(size(x) / allowed)
    return float(extremes.finite(found, trace.label).max())


def distances_from_identity(trace: Trace, x: Array) -> float:
    """Largest |F − I|, Frobenius."""
    gradients = deformation_gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), x)
    return float(np.linalg.norm(gradients - np.eye(3), axis=(1, 2)).max())


def gradient_error(trace: Trace, relative: bool = True) -> float:
    """Largest |F − I| of all elements and frames."""
    return largest_of_rows(trace, lambda x: distances_from_identity(trace, x), relative)


def force_error(trace: Trace) -> float:
    """Largest |f|/(E h²) of all vertices and frames over 1e3 ε |x|/h, f by the judge from positions."""
    body = Body.of(trace)
    scale = float(trace.value("scene.parameters.young_modulus_pa")) * cell_size(trace) ** 2
    return largest_of_rows(trace, lambda x: float(np.linalg.norm(body.forces(x), axis=1).max()) / scale)


def stretch_over_centrifugal(trace: Trace) -> float:
    """Largest |FᵀF − I| over 4 ρω²r²/E, r from the axis: strain is half of FᵀF − I, and a sudden load stretches twice."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    spin = np.asarray(trace.value("scene.parameters.angular_velocity_rad_s"), dtype=float)
    arms = np.linalg.norm(np.cross(spin, rest), axis=1).max()
    density, young = (float(trace.value(f"scene.parameters.{n}")) for n in ("density_kg_m3", "young_modulus_pa"))

    def size(x: Array) -> float:
        f = deformation_gradients(rest, tets, x)
        return float(np.linalg.norm(np.swapaxes(f, 1, 2) @ f - np.eye(3), axis=(1, 2)).max())

    return largest_of_rows(trace, size, relative=False) / (4 * density * float(arms) ** 2 / young)


@measurement("free_flight.gradient_error", unit="1", experiment=EXPERIMENT)
def translating_gradient_error(data: ExperimentData) -> Measured:
    """Largest |F − I| of an element over 1e3 ε|x|/h, blocks that fly without turning, every method."""
    return extremes.largest({c: gradient_error(c) for c in data.every(keep=flies)})


@measurement("free_flight.force_error", unit="1", experiment=EXPERIMENT)
def translating_force_error(data: ExperimentData) -> Measured:
    """Largest |f|/(E h²) of a vertex over 1e3 ε|x|/h, blocks that fly without turning, every method."""
    return extremes.largest({c: force_error(c) for c in data.every(keep=flies)})


@measurement("free_flight.methods", unit="1", experiment=EXPERIMENT)
def methods(data: ExperimentData) -> float:
    """Number of different methods that fly without turning."""
    return float(len({c.method_id for c in data.every(keep=flies)}))


@measurement("free_flight.distance", unit="1", experiment=EXPERIMENT)
def distance(data: ExperimentData) -> Measured:
    """Least |x|/h at the end, blocks that fly without turning: how far the positions are from the origin."""
    ends = {}
    for cell in data.every(keep=flies):
        *_, (_, _, frame) = cell.frames(last=True)
        ends[cell] = float(np.linalg.norm(frame["positions"], axis=1).min()) / cell_size(cell)
    return extremes.least(ends)


@measurement("free_flight.spinning_gradient_distance", unit="1", experiment=EXPERIMENT)
def spinning_gradient_distance(data: ExperimentData) -> Measured:
    """Largest |F − I| of an element, blocks that fly and spin."""
    return extremes.largest({c: gradient_error(c, relative=False) for c in data.every(keep=spins)})


def turns_with_its_body(trace: Trace) -> bool:
    """Spins, with elements whose force follows a rotation: those of all methods but the linear one."""
    return spins(trace) and trace.method_id != LINEAR


@measurement("free_flight.spinning_stretch", unit="1", experiment=EXPERIMENT)
def spinning_stretch(data: ExperimentData) -> Measured:
    """Largest |FᵀF − I| of an element over 4ρω²r²/E, r the farthest vertex from the axis, blocks that fly and spin, every method
    run so but linear elements."""
    return extremes.largest({c: stretch_over_centrifugal(c) for c in data.every(keep=turns_with_its_body)})


@measurement("free_flight.spinning_methods", unit="1", experiment=EXPERIMENT)
def spinning_methods(data: ExperimentData) -> float:
    """Number of different methods whose blocks fly and spin, linear elements left out."""
    return float(len({c.method_id for c in data.every(keep=turns_with_its_body)}))


@measurement("free_flight.spinning_stretch_linear", unit="1", experiment=EXPERIMENT)
def spinning_stretch_linear(data: ExperimentData) -> Measured:
    """Least over runs of the largest |FᵀF − I| of an element over 4ρω²r²/E, r the farthest vertex from the axis, blocks of linear
    elements that fly and spin."""
    linear = data.every(keep=lambda c: spins(c) and c.method_id == LINEAR)
    return extremes.least({c: stretch_over_centrifugal(c) for c in linear})


@measurement("free_flight.control_gradient_distance", unit="1", experiment=EXPERIMENT)
def control_gradient_distance(data: ExperimentData) -> Measured:
    """Least over runs of the largest |F − I|, explicit steps of 1.05 times the stable one, however they ended."""
    return extremes.least({c: gradient_error(c, relative=False) for c in data.some(name=CONTROL, status=None)})
