# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/affine_zones: piles of several thicknesses that move as affine and as rigid bodies."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .impact_zones import crossings, members, passed_layers

EXPERIMENT = "cs533d_cloth_lecture/affine_zones"


def faulty(trace: Trace) -> Array:
    """Of every member, whether sheets cross or went through each other."""
    return np.asarray((crossings(trace) > 0) | (passed_layers(trace) > 0))


THIN = 2.0 / 3.0  # approach over height from which the best fit of a pile of many layers turns it inside out


def approach_ratio(trace: Trace) -> float:
    """What both halves of the pile approach each other by in the step, over the height of the pile."""
    motion = float(trace.value("scene.parameters.speed_m_s")) * float(trace.value("scene.parameters.time_step_s"))
    gap = float(trace.value("scene.parameters.gap_share")) * motion
    return motion / ((int(trace.value("scene.parameters.layers")) - 1) * gap)


def turns_inside_out(trace: Trace) -> Array:
    """Of every member, whether the affine motion nearest to the velocities of the whole pile, by masses, presses it to less than nothing
    within the step: 1 + h ∂v/∂y ≤ 0 of the fit v = a + A (x − x̄)."""
    x, v = members(trace, 0)
    m = trace.scene("masses")
    h = float(trace.value("scene.parameters.time_step_s"))
    turned = []
    for places, speeds in zip(x, v):
        arms = places - m @ places / m.sum()
        roots = np.sqrt(m)[:, None]
        fit = np.linalg.lstsq(roots * np.column_stack([np.ones(len(m)), arms]), roots * speeds, rcond=None)[0]
        turned.append(np.linalg.det(np.eye(3) + h * fit[1:].T) <= 0.0)
    return np.array(turned)


def _affine(data: ExperimentData) -> list[Trace]:
    return data.every(name="affine")


@measurement("affine_zones.faulty_share", unit="1", experiment=EXPERIMENT)
def faulty_share(data: ExperimentData) -> Measured:
    """Share of seeds in which sheets cross or went through each other with affine zones, largest of all heights of the pile."""
    return extremes.largest({c: float(np.mean(faulty(c))) for c in _affine(data)})


@measurement("affine_zones.faulty_share_of_high_piles", unit="1", experiment=EXPERIMENT)
def faulty_share_of_high_piles(data: ExperimentData) -> Measured:
    """Share of seeds in which sheets cross or went through each other with affine zones, largest of the piles whose halves approach by less
    than two thirds of the height in the step."""
    return extremes.largest({c: float(np.mean(faulty(c))) for c in _affine(data) if approach_ratio(c) < THIN})


@measurement("affine_zones.faulty_share_with_rigid", unit="1", experiment=EXPERIMENT)
def faulty_share_with_rigid(data: ExperimentData) -> Measured:
    """Share of seeds in which sheets cross or went through each other with rigid zones, largest of all heights of the pile."""
    return extremes.largest({c: float(np.mean(faulty(c))) for c in data.every(name="rigid")})


@measurement("affine_zones.largest_sound_ratio", unit="1", experiment=EXPERIMENT)
def largest_sound_ratio(data: ExperimentData) -> Measured:
    """Largest approach within the step, over the height of the pile, at which no seed has a fault with affine zones."""
    return extremes.largest({c: approach_ratio(c) for c in _affine(data) if not np.any(faulty(c))})


@measurement("affine_zones.least_faulty_ratio", unit="1", experiment=EXPERIMENT)
def least_faulty_ratio(data: ExperimentData) -> Measured:
    """Least approach within the step, over the height of the pile, at which a seed has a fault with affine zones."""
    return extremes.least({c: approach_ratio(c) for c in _affine(data) if np.any(faulty(c))})


@measurement("affine_zones.unexplained", unit="1", experiment=EXPERIMENT)
def unexplained(data: ExperimentData) -> Measured:
    """Most seeds of a run with a fault though the affine motion that fits the whole pile best does not turn it inside out, or without one
    though it does."""
    return extremes.largest({c: float(np.sum(faulty(c) != turns_inside_out(c))) for c in _affine(data)})
