# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/patch_test: an affine boundary displacement must continue through the block."""

import numpy as np

from deformbench_analysis.mesh import isotropic_stress
from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("mueller_gross_2004/patch_test")


def gradient(trace: Trace) -> Array:
    """G of u = G x + b, [3,3]."""
    return np.array(trace.value("scene.parameters.displacement_gradient"), dtype=float).reshape(3, 3)


def interior(trace: Trace) -> Array:
    """Indices of the free vertices."""
    return np.setdiff1d(np.arange(len(trace.scene("rest_positions"))), trace.scene("vertex_set_boundary"))


def position_error(trace: Trace) -> float:
    """Largest distance of an interior vertex from the affine map / the block's length."""
    rest = trace.scene("rest_positions")
    expected = rest + rest @ gradient(trace).T + np.array(trace.value("scene.parameters.translation_m"))
    error = np.linalg.norm(trace.values("frame", "positions")[-1] - expected, axis=1)[interior(trace)].max()
    return float(error / trace.number("length_m"))


def stress_error(trace: Trace) -> float:
    """Largest deviation of a stress component from λ tr(ε) I + 2με / largest component."""
    g = gradient(trace)
    s = isotropic_stress(0.5 * (g + g.T), trace.number("young_modulus_pa"), trace.number("poisson_ratio"))
    expected = np.array([s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[2, 0]])
    stresses = trace.values("frame", "element_stresses")[-1].reshape(-1, 6)
    return float(np.abs(stresses - expected).max() / np.abs(expected).max())


def force_residual(trace: Trace) -> float:
    """Largest elastic force on an interior vertex / largest on the boundary."""
    size = np.linalg.norm(trace.values("frame", "elastic_forces")[-1], axis=1)
    return float(size[interior(trace)].max() / size[trace.scene("vertex_set_boundary")].max())


LINEAR, WARPED = (
    rows(n, says=f"{n} FEM, nine imposed deformation gradients").noted(lambda _: "") for n in ("linear", "warped")
)
M.largest("linear_position_error", position_error, LINEAR)
M.largest("warped_position_error", position_error, WARPED)
M.largest("linear_stress_error", stress_error, LINEAR)
M.largest("linear_force_residual", force_residual, LINEAR)
