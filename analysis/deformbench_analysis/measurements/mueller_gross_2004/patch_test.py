# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/patch_test: an affine boundary displacement must continue through the block."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...measurement import measurement
from ...mesh import isotropic_stress
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/patch_test"


def gradient(trace: Trace) -> Array:
    """G of u = G x + b, [3,3]."""
    return np.array(trace.value("scene.parameters.displacement_gradient"), dtype=float).reshape(3, 3)


def interior(trace: Trace) -> Array:
    """Indices of the free vertices."""
    return np.setdiff1d(np.arange(len(trace.scene("rest_positions"))), trace.scene("vertex_set_boundary"))


def position_error(data: ExperimentData, name: str) -> float:
    """Largest distance of an inner vertex from the affine solution over the block's length, all runs of a row."""
    errors = []
    for cell in data.every(name=name):
        rest = cell.scene("rest_positions")
        expected = rest + rest @ gradient(cell).T + np.array(cell.value("scene.parameters.translation_m"))
        error = np.linalg.norm(cell.values("frame", "positions")[-1] - expected, axis=1)[interior(cell)].max()
        errors.append(error / float(cell.value("scene.parameters.length_m")))
    return float(np.max(errors))


@measurement("patch_test.linear_position_error", unit="1", experiment=EXPERIMENT)
def linear_position_error(data: ExperimentData) -> float:
    """Largest distance of an interior vertex from the affine map over the block's length, linear FEM, nine imposed
    deformation gradients."""
    return position_error(data, "linear")


@measurement("patch_test.warped_position_error", unit="1", experiment=EXPERIMENT)
def warped_position_error(data: ExperimentData) -> float:
    """Largest distance of an interior vertex from the affine map over the block's length, warped FEM, nine imposed
    deformation gradients."""
    return position_error(data, "warped")


@measurement("patch_test.linear_stress_error", unit="1", experiment=EXPERIMENT)
def linear_stress_error(data: ExperimentData) -> float:
    """Largest deviation of an element's stress from λ tr ε + 2 μ ε over the largest stress, linear FEM, nine imposed
    deformation gradients."""
    errors = []
    for cell in data.every(name="linear"):
        g = gradient(cell)
        s = isotropic_stress(
            0.5 * (g + g.T),
            float(cell.value("scene.parameters.young_modulus_pa")),
            float(cell.value("scene.parameters.poisson_ratio")),
        )
        expected = np.array([s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[2, 0]])
        stresses = cell.values("frame", "element_stresses")[-1].reshape(-1, 6)
        errors.append(np.abs(stresses - expected).max() / np.abs(expected).max())
    return float(np.max(errors))


@measurement("patch_test.linear_force_residual", unit="1", experiment=EXPERIMENT)
def linear_force_residual(data: ExperimentData) -> float:
    """Largest elastic force on an interior vertex over the largest on the boundary, linear FEM, nine imposed
    deformation gradients."""
    errors = []
    for cell in data.every(name="linear"):
        size = np.linalg.norm(cell.values("frame", "elastic_forces")[-1], axis=1)
        errors.append(size[interior(cell)].max() / size[cell.scene("vertex_set_boundary")].max())
    return float(np.max(errors))
