# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/bending_modes: the slopes of single hinges as forces that must balance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from . import hinges

EXPERIMENT = "cs533d_cloth_lecture/bending_modes"
Judge = Callable[[Array, Array], Array]  # of corners and slopes, [m,4,3] extended: a number of every hinge


def _largest(data: ExperimentData, judge: Judge) -> Measured:
    found = {}
    for trace in data.every():
        for member in hinges.members(trace):
            arrays = hinges.start(trace, "positions", "hinge_vertices", "hinge_slopes", member=member)
            x = hinges.corners(arrays["positions"], arrays["hinge_vertices"])
            found[f"{trace.label}, member {member}"] = float(
                np.max(judge(x, arrays["hinge_slopes"].astype(hinges.WIDE)))
            )
    return extremes.largest(found)


def sizes(u: Array) -> Array:
    """The largest of a hinge's four vectors."""
    return np.asarray(hinges.length(u).max(axis=1))


def _edges(x: Array) -> Array:
    return hinges.length(x[:, 1] - x[:, 0])


def torques(x: Array, u: Array) -> Array:
    """|Σ(x − x_c) × u| over the edge's length and the largest |u|."""
    arms = x - x.mean(axis=1, keepdims=True)
    return np.asarray(hinges.length(hinges.cross(arms, u).sum(axis=1)) / (_edges(x) * sizes(u)))


def tilts(x: Array, u: Array) -> Array:
    """Largest share of a vector beside the edge that lies in the plane of its triangle."""
    edge = x[:, 1] - x[:, 0]
    found = []
    for corner in (2, 3):
        normal = hinges.cross(x[:, corner] - x[:, 0], edge)
        across = hinges.cross(u[:, corner], normal)
        found.append(hinges.length(across) / (hinges.length(normal) * hinges.length(u[:, corner])))
    return np.asarray(np.maximum(*found))


@measurement("bending_modes.net_force", unit="1", experiment=EXPERIMENT)
def net_force(data: ExperimentData) -> Measured:
    """Largest |Σu| of a hinge's four slopes over the largest |u|; summed in extended precision; all hinges and seeds."""
    return _largest(data, lambda x, u: np.asarray(hinges.length(u.sum(axis=1)) / sizes(u)))


@measurement("bending_modes.torque", unit="1", experiment=EXPERIMENT)
def torque(data: ExperimentData) -> Measured:
    """Largest |Σ(x − x_c) × u| over the edge's length and the largest |u|, x_c the middle of the four; all hinges and seeds."""
    return _largest(data, torques)


@measurement("bending_modes.tilt", unit="1", experiment=EXPERIMENT)
def tilt(data: ExperimentData) -> Measured:
    """Largest sine of the angle between the slope at a vertex beside the edge and the normal of its triangle; all hinges and
    seeds."""
    return _largest(data, tilts)


@measurement("bending_modes.least_height", unit="1", experiment=EXPERIMENT)
def least_height(data: ExperimentData) -> Measured:
    """Least height of a triangle over the edge, largest of all seeds."""
    return _largest(data, lambda x, u: np.asarray(np.min(2 * np.minimum(*hinges.areas(x)) / _edges(x) ** 2)))


@measurement("bending_modes.offset", unit="1", experiment=EXPERIMENT)
def offset(data: ExperimentData) -> Measured:
    """Least distance of a hinge from the origin over its edge, all seeds."""
    return Measured(-_largest(data, lambda x, u: -hinges.length(x.mean(axis=1)) / _edges(x)).value)
