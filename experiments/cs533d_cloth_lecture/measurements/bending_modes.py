# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/bending_modes: gradients of hinge angles as forces that must balance."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, quantity, rows
from . import hinges

M = Measures("cs533d_cloth_lecture/bending_modes")
Judge = Callable[[Array, Array], Array]  # (corners, gradients), [m,4,3] extended → a number per hinge


def _of_hinges(phrase: str) -> Callable[[Judge], Quantity]:
    """A quantity of every hinge of every member."""

    def decorate(judge: Judge) -> Quantity:
        def of(trace: Trace) -> Array:
            found = []
            for member in members_of(trace):
                arrays = hinges.start(trace, "positions", "hinge_vertices", "hinge_slopes", member=member)
                x = hinges.corners(arrays["positions"], arrays["hinge_vertices"])
                found.append(np.ravel(judge(x, arrays["hinge_slopes"].astype(hinges.WIDE))))
            return np.concatenate(found)

        return quantity(phrase)(of)

    return decorate


def sizes(u: Array) -> Array:
    """Largest |u| of a hinge's four vectors."""
    return np.asarray(hinges.length(u).max(axis=1))


def _edges(x: Array) -> Array:
    return hinges.length(x[:, 1] - x[:, 0])


@_of_hinges("|Σu| / max |u| of a hinge's four gradients u, summed in extended precision")
def _net_force(x: Array, u: Array) -> Array:
    return np.asarray(hinges.length(u.sum(axis=1)) / sizes(u))


@_of_hinges("|Σ(x − x_c) × u| / (edge length × max |u|), x_c the centroid of the four vertices")
def _torque(x: Array, u: Array) -> Array:
    arms = x - x.mean(axis=1, keepdims=True)
    return np.asarray(hinges.length(hinges.cross(arms, u).sum(axis=1)) / (_edges(x) * sizes(u)))


@_of_hinges("sine of the angle between the gradient at a vertex opposite the edge and its triangle's normal")
def _tilt(x: Array, u: Array) -> Array:
    edge = x[:, 1] - x[:, 0]
    found = []
    for corner in (2, 3):
        normal = hinges.cross(x[:, corner] - x[:, 0], edge)
        across = hinges.cross(u[:, corner], normal)
        found.append(hinges.length(across) / (hinges.length(normal) * hinges.length(u[:, corner])))
    return np.asarray(np.maximum(*found))


@_of_hinges("least triangle height / edge length")
def _least_height(x: Array, u: Array) -> Array:
    return np.asarray(np.min(2 * np.minimum(*hinges.areas(x)) / _edges(x) ** 2))


@_of_hinges("distance of a hinge from the origin / edge length")
def _offset(x: Array, u: Array) -> Array:
    return np.asarray(hinges.length(x.mean(axis=1)) / _edges(x))


SEEDS = rows(says="all hinges and seeds")

M.largest("net_force", _net_force, SEEDS)
M.largest("torque", _torque, SEEDS)
M.largest("tilt", _tilt, SEEDS)
M.largest("least_height", _least_height, rows(says="all seeds"))
M.least("offset", _offset, SEEDS)
