# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/free_flight: deformation gradients and forces of a block that nothing acts on,
against rounding."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.mesh import deformation_gradients
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, extremes, quantity, rows

M = Measures("cs6967_assignment_2/free_flight")
CONTROL = "too_large_step"
LINEAR = "linear_fem"
ALLOWED = 1e3 * float(np.finfo(float).eps)  # × |x|/h: a thousand times the rounding of such positions


def cell_size(trace: Trace) -> float:
    """h, m."""
    return trace.number("side_m") / trace.number("cells_across")


def spins(trace: Trace) -> bool:
    """Blocks that spin."""
    return bool(np.any(trace.value("scene.parameters.angular_velocity_rad_s")))


def flies(trace: Trace) -> bool:
    """Blocks that do not turn.

    With a stable step."""
    return trace.method_name != CONTROL and not spins(trace)


def largest_of_rows(trace: Trace, sizes: Callable[[Array], Array], relative: bool = True) -> float:
    """Maximum over frames; `relative`: / (1e3 ε |x|/h) of the frame. `sizes`: of positions [frame, vertex, 3]."""
    x = trace.values("frame", "positions")
    allowed = ALLOWED * np.linalg.norm(x, axis=2).max(axis=1) / cell_size(trace) if relative else 1.0
    return float(extremes.finite(sizes(x).max(axis=1) / allowed, trace.label).max())


def gradients(trace: Trace, x: Array) -> Array:
    """F of every element, [frame, element, 3, 3]."""
    return deformation_gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), x)


def distances_from_identity(matrices: Array) -> Array:
    """|· − I|, Frobenius."""
    return np.asarray(np.linalg.norm(matrices - np.eye(3), axis=(2, 3)))


def gradient_error(trace: Trace, relative: bool = True) -> float:
    """|F − I| of an element / (1e3 ε|x|/h)."""
    return largest_of_rows(trace, lambda x: distances_from_identity(gradients(trace, x)), relative)


def force_error(trace: Trace) -> float:
    """|f|/(E h²) of a vertex / (1e3 ε|x|/h).

    f by the judge from positions."""
    body = Body.of(trace)
    scale = trace.number("young_modulus_pa") * cell_size(trace) ** 2
    return largest_of_rows(trace, lambda x: np.asarray(np.linalg.norm(body.forces(x), axis=2) / scale))


def stretch_over_centrifugal(trace: Trace) -> float:
    """Largest |FᵀF − I| of an element / (4ρω²r²/E), r the largest distance from the axis.

    Strain is half of FᵀF − I; a sudden load doubles the stretch."""
    rest = trace.scene("rest_positions")
    spin = np.asarray(trace.value("scene.parameters.angular_velocity_rad_s"), dtype=float)
    arms = np.linalg.norm(np.cross(spin, rest), axis=1).max()
    density, young = (trace.number(n) for n in ("density_kg_m3", "young_modulus_pa"))

    def sizes(x: Array) -> Array:
        f = gradients(trace, x)
        return distances_from_identity(np.swapaxes(f, 2, 3) @ f)

    return largest_of_rows(trace, sizes, relative=False) / (4 * density * float(arms) ** 2 / young)


def turns_with_its_body(trace: Trace) -> bool:
    """Spinning blocks of elements other than linear ones.

    Their forces rotate with them."""
    return spins(trace) and trace.method_id != LINEAR


@quantity("least |x|/h at the end")
def distance(trace: Trace) -> float:
    """How far the positions are from the origin."""
    *_, (_, _, frame) = trace.frames(last=True)
    return float(np.linalg.norm(frame["positions"], axis=1).min()) / cell_size(trace)


gradient_distance = quantity("largest |F − I| of an element")(lambda c: gradient_error(c, relative=False))
FLYING, SPINNING = rows(says="flights").where(flies), rows(says="flights").where(spins)
TURNING = rows(says="flights").where(turns_with_its_body)
IS_LINEAR = SPINNING.where(lambda c: c.method_id == LINEAR, says="linear elements")
STEPS = rows(CONTROL, says="explicit steps 1.05 times the stable one").however_ended("what they reach counts")

M.largest("gradient_error", gradient_error, FLYING)
M.largest("force_error", force_error, FLYING)
M.least("distance", distance, FLYING)
M.largest("spinning_gradient_distance", gradient_distance, SPINNING)
M.largest("spinning_stretch", stretch_over_centrifugal, TURNING)
M.least("spinning_stretch_linear", stretch_over_centrifugal, IS_LINEAR)
M.least("control_gradient_distance", gradient_distance, STEPS)


@M("methods")
def methods(data: ExperimentData) -> float:
    """Number of different methods of non-spinning flights."""
    return float(len({c.method_id for c in FLYING.runs(data)}))


@M("spinning_methods")
def spinning_methods(data: ExperimentData) -> float:
    """Number of different methods of spinning flights, linear elements excluded."""
    return float(len({c.method_id for c in TURNING.runs(data)}))
